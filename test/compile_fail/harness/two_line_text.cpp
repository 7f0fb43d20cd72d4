// verdict: the text has several lines
import axial;
#ifndef AXIAL_POSITIVE_TWIN
// expected-error@*:* {{static assertion failed: one}}
static_assert(false, "one\ntwo");
#endif
