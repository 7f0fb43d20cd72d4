// verdict: there are 2 errors
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* 2 {{use of undeclared identifier 'missing'}}
int size = missing;
int other = missing;
#endif
