/* The truth a run is judged by: each record ever given, whether a node has it durable, and who came before
 * it; and each (key, packet number) ever sealed.
 *
 * A record is named on the way by (birth, life, number): two different records never share all three, even
 * when an outbox was cloned, and a record given again under a new birth has several such names. */
#ifndef PL_SIM_JUDGE_H
#define PL_SIM_JUDGE_H

#include "crypto/aead.h"
#include "sim/sim.h"

/* Forgets the run before. */
void judge_begin(void);

/* A record of n bytes was given after `previous` (0: it is the first of its stream). Returns its id. */
uint64_t judge_given(uint64_t previous, size_t n);

/* It goes by this name. */
void judge_name(uint64_t birth, uint32_t life, uint64_t number, uint64_t id);

/* Its bytes, made from its id alone; `out` has room for judge_size(id). */
size_t judge_size(uint64_t id);
void judge_body(uint64_t id, uint8_t *out);

/* The node made it durable: it must be known, whole, new, and its predecessor durable. Returns its id. */
uint64_t judge_durable(uint64_t birth, uint32_t life, uint64_t number, struct pl_bytes record);

/* The sender believes it to be stored and frees it. */
void judge_freed(uint64_t id);

/* The node went back in time: it has it no more. */
void judge_rolled_back(uint64_t id);

/* Two outboxes hold it from now on. */
void judge_shared(uint64_t id);

/* The outbox that held it is gone for ever: it need not arrive. */
void judge_dead(uint64_t id);

/* Its two ends may say anything of it: nothing is judged. */
void judge_except(uint64_t id);

/* Whether every record that must arrive did; else *missing is the id of one that did not. */
bool judge_all_durable(uint64_t *missing);

/* How many records were ever given. */
uint64_t judge_count(void);

/* For pl_aead_trace: fails the run when a (key, number) repeats. */
void judge_sealed(void *ctx, const struct pl_key *key, uint32_t number);

/* A packet was opened and taken by `link`; known: it knew the run before. Fails when a run takes a number
 * twice while it is known. */
void judge_taken(const void *link, uint64_t run, bool known, uint32_t number);

#endif
