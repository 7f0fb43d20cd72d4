// verdict: the errors are not those stated
import axial;
// expected-error@*:* {{use of undeclared identifier 'missing'}}
int size = 8;
