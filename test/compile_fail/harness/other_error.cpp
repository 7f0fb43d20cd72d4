// verdict: the errors are not those stated
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{use of undeclared identifier 'missing'}}
int size = absent;
#endif
