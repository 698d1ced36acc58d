/* The pool: its account, and that the engine survives any get that fails. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/memory.h"
#include "link_pair.h"

enum { S = 1000000 };

Test(link_memory, the_account_is_kept_and_the_limit_holds)
{
    struct side a, b;

    side_pair(&a, &b, 1);
    struct pl_memory *m = &a.env.memory;
    m->limit_bytes = 100;
    uint8_t *p = pl_memory_get(m, 60);
    cr_assert_not_null(p);
    for (unsigned i = 0; i < 60; i++) {
        cr_assert_eq(p[i], 0);
    }
    p[59] = 7;
    cr_assert_null(pl_memory_get(m, 41));
    cr_assert_null(pl_memory_grow(m, p, 60, 61), "both are held while it is copied");
    cr_assert_eq(p[59], 7);
    cr_assert_eq(m->used_bytes, 60);
    m->limit_bytes = 200;
    p = pl_memory_grow(m, p, 60, 100);
    cr_assert_not_null(p);
    cr_assert(p[59] == 7 && p[60] == 0);
    cr_assert_eq(m->used_bytes, 100);
    p = pl_memory_grow(m, p, 100, 10);
    cr_assert_not_null(p);
    pl_memory_put(m, p, 10);
    pl_memory_put(m, NULL, 10);
    cr_assert_eq(m->used_bytes, 0);
    cr_assert_null(pl_memory_get(m, SIZE_MAX));
    side_end(&a);
    side_end(&b);
}

static bool lose_some(struct pair *p, struct datagram *d)
{
    (void)d;
    return p->archive_n % 7 != 3;
}

/* A session with loss, lives, a large record and traffic both ways; the n-th get of one side fails, and
 * `more` after it. Returns how many gets there were. */
static unsigned session(unsigned side, unsigned fail_from, unsigned fail_n)
{
    struct pair *p = pair_new(5);
    unsigned door = pair_stream(p, A, "door", 7), bell = pair_stream(p, A, "bell", 9);
    unsigned down = pair_stream(p, B, "down", 8);

    p->filter = lose_some;
    p->side[side].fail_from = fail_from == 0 ? 0 : p->side[side].gets + fail_from;
    p->side[side].fail_n = fail_n;
    for (unsigned i = 0; i < 12; i++) {
        pair_give(p, A, door, i == 7 ? 40000 : 700);
        pair_give(p, A, bell, 30);
        pair_give(p, B, down, 300);
        p->out[A][door].new_life = i % 5 == 4;
    }
    cr_assert(pair_settle(p), "get %u of side %u and %u more failed", fail_from, side, fail_n - 1);
    pair_check(p, A);
    pair_check(p, B);
    unsigned gets = p->side[side].gets;
    pair_end(p);
    return gets;
}

Test(link_memory, any_get_may_fail)
{
    for (unsigned side = A; side <= B; side++) {
        unsigned gets = session(side, 0, 0);
        cr_assert_gt(gets, 10);
        for (unsigned n = 1; n < gets && n < 150; n++) {
            session(side, n, 1);
        }
        for (unsigned n = 1; n < gets; n += 7) {
            session(side, n, 9);
        }
    }
}

/* A pool that is exhausted for a while: no spin, no loss, and it goes on afterwards. */
Test(link_memory, a_pool_exhausted_for_a_while)
{
    for (unsigned side = A; side <= B; side++) {
        struct pair *p = pair_new(6);
        unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);
        pair_give(p, A, door, 100);
        pair_give(p, B, down, 100);
        cr_assert(pair_settle(p));
        p->side[side].env.memory.limit_bytes = p->side[side].env.memory.used_bytes;
        for (unsigned i = 0; i < 50; i++) {
            pair_give(p, A, door, 900);
            pair_give(p, B, down, 900);
        }
        p->filter = lose_some;
        pair_run(p, 20 * (uint64_t)S);
        p->side[side].env.memory.limit_bytes = SIZE_MAX;
        cr_assert(pair_settle(p), "side %u", side);
        pair_check(p, A);
        pair_check(p, B);
        pair_end(p);
    }
}

Test(link_memory, no_link_without_memory)
{
    struct side a, b;

    side_pair(&a, &b, 7);
    a.fail_from = 1;
    a.fail_n = 1;
    side_open(&a, S);
    cr_assert_null(a.link);
    side_end(&a);
    side_end(&b);
}
