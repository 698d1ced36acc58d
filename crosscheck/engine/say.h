/* What a receiver says although nothing is wrong, so that a sender can be seen to bear it. */
#ifndef XC_SAY_H
#define XC_SAY_H

/* One thing an answer: a code of REFUSED, or one of these, in place of what is true; XC_SAY_TRUTH is that.
 * With XC_SAY_MORE the next one goes into the same answer. */
enum { XC_SAY_MAX = 32, XC_SAY_TRUTH = 0, XC_SAY_UNBOUND = 100, XC_SAY_MORE = 128 };

#endif
