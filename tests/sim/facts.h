/* Named checks that count packets: what a first contact costs, and what a device at rest sends. */
#ifndef PL_SIM_FACTS_H
#define PL_SIM_FACTS_H

#include "sim/sim.h"

/* Prints a line for each check. Returns how many failed, *passed how many did not. */
uint64_t facts_run(bool trace, uint64_t *passed);

#endif
