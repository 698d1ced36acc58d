/* What the tests of the outbox share: records that follow from a serial number, given and expected back. */
#ifndef TESTS_UNIT_OUTBOX_HELP_H
#define TESTS_UNIT_OUTBOX_HELP_H

#include "store/outbox.h"
#include "store_help.h"

enum { BUF_ROOM = 1 << 21 };
extern struct help_random help_seed;
extern uint8_t help_buf[BUF_ROOM];

/* The outbox's source of random bytes; ctx is a struct help_random. */
void help_draw_bytes(void *ctx, void *bytes, size_t n);

/* Opens it with link 1 loaded; ends the test if it cannot be had. */
struct pl_outbox *help_box_open(const char *dir, uint64_t map_bytes);
uint32_t help_line(struct pl_outbox *box, const char *name);

/* Record `serial`: its size (0..5,000) and bytes follow from it. out has 5,000 bytes. */
struct pl_bytes help_record_of(uint64_t serial, uint8_t *out);

/* Gives n records in one transaction. */
void help_give(struct pl_outbox *box, uint32_t line, uint64_t first_serial, size_t n);
struct pl_sending help_sending(struct pl_outbox *box, size_t index);

/* Reads everything held of a stream in pieces of at most `room` and compares it with records serial, serial +
 * 1 ... Numbers, offsets and lives must fit. Returns the number of records read. */
uint64_t help_expect_held(struct pl_outbox *box, const struct pl_sending *sending, uint64_t serial,
                          size_t room);

#endif
