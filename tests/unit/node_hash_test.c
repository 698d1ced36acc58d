/* The table of active links against a plain array: adding, removing, growing, shrinking, one key many times.
 */
#include "node/hash.h"

#include <criterion/criterion.h>

enum { ENTRIES = 3000, KEYS = 900 };

static struct entry {
    uint32_t key;
    bool in;
} entries[ENTRIES];

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static unsigned count_key(const struct pl_hash *hash, uint32_t key)
{
    struct pl_hash_find find;
    unsigned n = 0;
    for (struct entry *e = pl_hash_first(hash, key, &find); e; e = pl_hash_next(hash, &find), n++)
        cr_assert(e->in && e->key == key);
    return n;
}

static void compare(const struct pl_hash *hash)
{
    static unsigned expected[KEYS];
    size_t n = 0;
    for (unsigned k = 0; k < KEYS; k++)
        expected[k] = 0;
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].in)
            expected[entries[i].key]++, n++;
    cr_assert_eq(hash->n, n);
    for (unsigned k = 0; k < KEYS; k++)
        cr_assert_eq(count_key(hash, k), expected[k], "key %u", k);
}

Test(node_hash, equals_a_plain_array_while_it_grows_and_shrinks)
{
    struct pl_hash hash;
    uint64_t state = 1;
    cr_assert_eq(pl_hash_open(&hash, ENTRIES, 77), PL_OK);
    for (int round = 0; round < 60; round++) {
        /* Fills to the brim, then empties: both directions of resizing several times. */
        unsigned share = round % 20 < 10 ? 9 : 1;
        for (int i = 0; i < ENTRIES; i++) {
            struct entry *e = &entries[i];
            bool want = draw(&state) % 10 < share;
            if (want && !e->in) {
                e->key = draw(&state) % KEYS;
                e->in = true;
                cr_assert_eq(pl_hash_add(&hash, e->key, e), PL_OK);
            } else if (!want && e->in) {
                pl_hash_remove(&hash, e->key, e);
                e->in = false;
            }
        }
        compare(&hash);
        cr_assert_leq(hash.n * 100, ((size_t)hash.mask + 1) * 60);
    }
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].in)
            pl_hash_remove(&hash, entries[i].key, &entries[i]);
    cr_assert_eq(hash.mask, 255, "it gave its memory back");
    pl_hash_close(&hash);
}

Test(node_hash, takes_no_more_than_its_limit)
{
    struct pl_hash hash;
    int value;
    cr_assert_eq(pl_hash_open(&hash, 3, 0), PL_OK);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_eq(pl_hash_add(&hash, i, &value), PL_OK);
    cr_assert_eq(pl_hash_add(&hash, 3, &value), PL_E_LIMIT);
    cr_assert_eq(count_key(&hash, 3), 0);
    pl_hash_close(&hash);
}
