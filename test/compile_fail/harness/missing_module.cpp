// verdict: the corrected lines do not compile
import axial.missing;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{module 'axial.missing' not found}}
int size = missing;
#endif
