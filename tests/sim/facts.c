/* Named checks that count packets, on the engine over a perfect network. */
#include <stdio.h>

#include "sim/facts.h"

uint64_t facts_run(bool trace, uint64_t *passed)
{
    (void)trace;
    *passed = 0;
    return 0;
}
