/* AFL++ custom mutator for scripts (script.h): it puts in, repeats, leaves out, moves and changes commands as
 * wholes, and has the payloads of FORGE changed by the mutator that knows the spec (mutator.c, whose
 * functions are named payload_* here). */
#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { OUT_MAX = 1 << 16, PAYLOAD_MAX = 255, ROUNDS = 4 };

/* mutator.c */
void *payload_init(void *afl, unsigned seed);
size_t payload_fuzz(void *data, uint8_t *in, size_t in_bytes, uint8_t **out, uint8_t *other,
                    size_t other_bytes, size_t room);
void payload_deinit(void *data);

struct script_mutator {
    uint64_t random;
    void *payloads;
    size_t count;
    uint8_t head[SCRIPT_HEAD];
    struct command commands[COMMANDS_MAX + 1];
    uint8_t arena[ROUNDS][PAYLOAD_MAX], out[OUT_MAX];
};

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, uint8_t *in, size_t in_bytes, uint8_t **out, uint8_t *other,
                       size_t other_bytes, size_t room);
void afl_custom_deinit(void *data);

/* splitmix64 */
static uint64_t any(struct script_mutator *m)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(struct script_mutator *m, size_t n)
{
    return (size_t)(any(m) % n);
}

/* Small numbers name devices, streams and runs, so they come often. */
static uint8_t some_byte(struct script_mutator *m)
{
    return (uint8_t)(below(m, 2) == 0 ? below(m, 8) : any(m));
}

static void read_script(struct script_mutator *m, const uint8_t *p, size_t n)
{
    memset(m->head, 0, sizeof m->head);
    memcpy(m->head, p, n < sizeof m->head ? n : sizeof m->head);
    m->count = 0;
    for (size_t at = SCRIPT_HEAD;
         m->count < COMMANDS_MAX && (at = script_next(p, n, at, &m->commands[m->count])) != 0;) {
        m->count++;
    }
}

/* Gives a FORGE another payload, made from its own. */
static void change_payload(struct script_mutator *m, struct command *c, unsigned round)
{
    uint8_t in[PAYLOAD_MAX] = {0}, *out = NULL;

    if (c->n > 0) {
        memcpy(in, c->payload, c->n);
    }
    size_t n = payload_fuzz(m->payloads, in, c->n, &out, NULL, 0, PAYLOAD_MAX);
    memcpy(m->arena[round], out, n);
    c->payload = m->arena[round];
    c->n = (uint8_t)n;
}

static void put_in(struct script_mutator *m, size_t at, struct command c)
{
    if (m->count < COMMANDS_MAX) {
        memmove(m->commands + at + 1, m->commands + at, (m->count - at) * sizeof m->commands[0]);
        m->commands[at] = c;
        m->count++;
    }
}

static void put_in_new(struct script_mutator *m, unsigned round)
{
    struct command c = {(uint8_t)below(m, OP_COUNT), some_byte(m), some_byte(m), some_byte(m), NULL};

    if (c.op == OP_FORGE) {
        c.n = 0;
        change_payload(m, &c, round);
    }
    put_in(m, below(m, m->count + 1), c);
}

static void take_out(struct script_mutator *m, size_t at)
{
    m->count--;
    memmove(m->commands + at, m->commands + at + 1, (m->count - at) * sizeof m->commands[0]);
}

static void change_command(struct script_mutator *m, struct command *c, unsigned round)
{
    if (c->op == OP_FORGE && below(m, 2) == 0) {
        change_payload(m, c, round);
        return;
    }
    switch (below(m, 3)) {
    case 0: c->a = some_byte(m); break;
    case 1: c->b = some_byte(m); break;
    default:
        if (c->op != OP_FORGE) {
            c->n = some_byte(m);
        }
        break;
    }
}

static void mutate_once(struct script_mutator *m, unsigned round)
{
    size_t at = m->count == 0 ? 0 : below(m, m->count), other = m->count == 0 ? 0 : below(m, m->count);
    size_t way = m->count == 0 ? 0 : below(m, 10);

    if (way <= 2) {
        put_in_new(m, round);
    } else if (way == 3) {
        put_in(m, at, m->commands[other]);
    } else if (way == 4) {
        take_out(m, at);
    } else if (way == 5) {
        struct command c = m->commands[at];
        m->commands[at] = m->commands[other];
        m->commands[other] = c;
    } else if (way == 6 && below(m, 4) == 0) {
        m->head[below(m, SCRIPT_HEAD)] = some_byte(m);
    } else {
        change_command(m, &m->commands[at], round);
    }
}

static size_t write_script(struct script_mutator *m, size_t room)
{
    size_t n = sizeof m->head;

    room = room < sizeof m->out ? room : sizeof m->out;
    if (room < n) {
        return 0;
    }
    memcpy(m->out, m->head, n);
    for (size_t i = 0; i < m->count; i++) {
        const struct command *c = &m->commands[i];
        size_t bytes = c->op == OP_FORGE ? c->n : 0;
        if (room - n < COMMAND_HEAD + bytes) {
            break;
        }
        memcpy(m->out + n, (uint8_t[]){c->op, c->a, c->b, c->n}, COMMAND_HEAD);
        if (bytes > 0) {
            memcpy(m->out + n + COMMAND_HEAD, c->payload, bytes);
        }
        n += COMMAND_HEAD + bytes;
    }
    return n;
}

void *afl_custom_init(void *afl, unsigned seed)
{
    struct script_mutator *m = calloc(1, sizeof *m);

    if (m == NULL || (m->payloads = payload_init(afl, seed)) == NULL) {
        free(m);
        return NULL;
    }
    m->random = seed;
    return m;
}

size_t afl_custom_fuzz(void *data, uint8_t *in, size_t in_bytes, uint8_t **out, uint8_t *other,
                       size_t other_bytes, size_t room)
{
    struct script_mutator *m = data;

    (void)other, (void)other_bytes;
    read_script(m, in, in_bytes);
    for (unsigned rounds = 1 + (unsigned)below(m, ROUNDS), i = 0; i < rounds; i++) {
        mutate_once(m, i);
    }
    *out = m->out;
    return write_script(m, room);
}

void afl_custom_deinit(void *data)
{
    struct script_mutator *m = data;

    payload_deinit(m->payloads);
    free(m);
}
