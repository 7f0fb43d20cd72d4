// verdict: the errors are not those stated
import axial;
#ifndef AXIAL_POSITIVE_TWIN
int size = missing;
#endif
