// verdict: accepted
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{use of undeclared identifier 'missing'}}
int size = missing;
#else
int size = 8;
#endif
