/* The model of a device's outbox: what the contract of outbox.h keeps on disk, in memory and copyable. */
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "sim/engine.h"

static void birth_free(struct out_birth *birth)
{
    free(birth->records);
    free(birth->lives);
}

void outbox_free(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->births_n; i++) {
        birth_free(&outbox->births[i]);
    }
    free(outbox->births);
    memset(outbox, 0, sizeof *outbox);
}

static void *copy_of(const void *from, size_t n)
{
    return n == 0 ? NULL : memcpy(sim_alloc(n), from, n);
}

void outbox_copy(struct outbox *to, const struct outbox *from)
{
    outbox_free(to);
    *to = *from;
    to->births = copy_of(from->births, from->births_n * sizeof from->births[0]);
    for (size_t i = 0; i < to->births_n; i++) {
        struct out_birth *birth = &to->births[i];
        birth->records = copy_of(birth->records, birth->records_n * sizeof birth->records[0]);
        birth->records_room = birth->records_n;
        birth->lives = copy_of(birth->lives, birth->lives_n * sizeof birth->lives[0]);
    }
}

void outbox_crash(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->births_n; i++) {
        outbox->births[i].freed = outbox->births[i].trimmed;
    }
}

void outbox_trim(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->births_n; i++) {
        outbox->births[i].trimmed = outbox->births[i].freed;
    }
}

static struct out_birth *add_birth(struct outbox *outbox, size_t at, unsigned stream, uint64_t birth)
{
    outbox->births = sim_grow(outbox->births, (outbox->births_n + 1) * sizeof outbox->births[0]);
    struct out_birth *added = &outbox->births[at];
    memmove(added + 1, added, (outbox->births_n++ - at) * sizeof *added);
    memset(added, 0, sizeof *added);
    added->birth = birth;
    added->stream = stream;
    return added;
}

struct out_birth *outbox_newest(struct outbox *outbox, unsigned stream, struct sim_rng *rng)
{
    for (size_t i = outbox->births_n; i-- > 0;) {
        if (outbox->births[i].stream == stream) {
            return &outbox->births[i];
        }
    }
    return add_birth(outbox, outbox->births_n, stream, sim_rng_u64(rng));
}

static bool holds(const struct out_birth *birth)
{
    return birth->freed < birth->records_n;
}

struct out_birth *outbox_oldest_held(struct outbox *outbox, unsigned stream)
{
    for (size_t i = 0; i < outbox->births_n; i++) {
        if (outbox->births[i].stream == stream && holds(&outbox->births[i])) {
            return &outbox->births[i];
        }
    }
    return NULL;
}

bool outbox_holds(const struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->births_n; i++) {
        if (holds(&outbox->births[i])) {
            return true;
        }
    }
    return false;
}

static void begin_life(struct out_birth *birth, uint32_t tag)
{
    birth->lives = sim_grow(birth->lives, (birth->lives_n + 1) * sizeof birth->lives[0]);
    birth->lives[birth->lives_n] = (struct out_life){
        .tag = tag,
        .before = birth->lives_n == 0 ? 0 : birth->lives[birth->lives_n - 1].tag,
        .first = birth->records_n + 1,
    };
    birth->lives_n++;
    birth->end = 0;
}

static uint32_t draw_tag(struct sim_rng *rng)
{
    return (uint32_t)sim_rng_between(rng, 1, UINT32_MAX);
}

void outbox_put(struct out_birth *birth, uint64_t id, bool new_life, struct sim_rng *rng)
{
    if (new_life || birth->lives_n == 0) {
        begin_life(birth, draw_tag(rng));
    }
    if (birth->records_n == birth->records_room) {
        birth->records_room = birth->records_room == 0 ? 16 : 2 * birth->records_room;
        birth->records = sim_grow(birth->records, birth->records_room * sizeof birth->records[0]);
    }
    uint32_t life = birth->lives[birth->lives_n - 1].tag;
    birth->records[birth->records_n++] = (struct out_record){.id = id, .offset = birth->end, .life = life};
    birth->end += pl_varint_size(judge_size(id)) + judge_size(id);
    judge_name(birth->birth, life, birth->records_n, id);
}

const struct out_life *outbox_life(const struct out_birth *birth, uint32_t tag)
{
    for (size_t i = 0; i < birth->lives_n; i++) {
        if (birth->lives[i].tag == tag) {
            return &birth->lives[i];
        }
    }
    return NULL;
}

uint64_t outbox_last_of_life(const struct out_birth *birth, uint32_t tag)
{
    uint64_t last = 0;

    for (size_t i = 0; i < birth->records_n; i++) {
        last = birth->records[i].life == tag ? i + 1 : last;
    }
    return last;
}

void outbox_stored(struct out_birth *birth, uint64_t number)
{
    for (; birth->freed < number && birth->freed < birth->records_n; birth->freed++) {
        judge_freed(birth->records[birth->freed].id);
    }
}

/* The first number that has to be given again after the fork. */
static uint64_t fork_from(const struct out_life *life, uint64_t last)
{
    return last >= life->first ? last + 1 : life->first;
}

bool outbox_forked(struct outbox *outbox, struct out_birth *birth, uint32_t tag, uint64_t last,
                   struct sim_rng *rng)
{
    const struct out_life *life = outbox_life(birth, tag);
    uint64_t last_held = outbox_last_of_life(birth, tag);

    if (life == NULL || last_held <= birth->freed) {
        return false;
    }
    last = last < last_held ? last : last_held;
    if (last >= life->first) {
        outbox_stored(birth, birth->freed + 1 >= life->first ? last : birth->freed);
    }
    uint64_t from = fork_from(life, last);
    size_t old = (size_t)(birth - outbox->births), records_n = birth->records_n;
    /* Right after the old one: an earlier fork may have left younger births that hold later records. */
    struct out_birth *again = add_birth(outbox, old + 1, birth->stream, sim_rng_u64(rng));
    birth = &outbox->births[old];
    for (uint64_t number = from; number <= records_n; number++) {
        outbox_put(again, birth->records[number - 1].id, false, rng);
    }
    birth->records_n = from - 1;
    return true;
}

struct pl_place outbox_place(const struct out_birth *birth, uint64_t number)
{
    bool end = number > birth->records_n;
    uint32_t tag = end ? birth->lives[birth->lives_n - 1].tag : birth->records[number - 1].life;
    const struct out_life *life = outbox_life(birth, tag);

    return (struct pl_place){
        .number = number,
        .life = tag,
        .life_first = life->first,
        .life_before = life->before,
        .offset = end ? birth->end : birth->records[number - 1].offset,
    };
}
