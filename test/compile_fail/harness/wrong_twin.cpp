// verdict: the corrected lines do not compile
import axial;
// expected-error@*:* {{use of undeclared identifier 'missing'}}
int size = missing;
