/* The replay window: a ring of bits addressed by packet number. */
#include "link/window.h"

#include <limits.h>
#include <string.h>

#include "link/memory.h"

enum { WORD_BITS_LOG2 = 6 };
#define WORD_BITS ((uint32_t)1 << WORD_BITS_LOG2)

static uint64_t *seen_of(struct pl_window *w)
{
    return w->seen != NULL ? w->seen : &w->small_seen;
}

static uint64_t *kept_of(struct pl_window *w)
{
    return w->kept != NULL ? w->kept : &w->small_kept;
}

static const uint64_t *kept_const(const struct pl_window *w)
{
    return w->kept != NULL ? w->kept : &w->small_kept;
}

static uint32_t size_of(const struct pl_window *w)
{
    return w->words << WORD_BITS_LOG2;
}

static bool bit(const uint64_t *bits, uint32_t words, uint32_t number)
{
    return bits[(number >> WORD_BITS_LOG2) & (words - 1)] >> (number & (WORD_BITS - 1)) & 1;
}

static void set(uint64_t *bits, uint32_t words, uint32_t number, bool on)
{
    uint64_t mask = (uint64_t)1 << (number & (WORD_BITS - 1));
    uint64_t *word = &bits[(number >> WORD_BITS_LOG2) & (words - 1)];

    *word = on ? *word | mask : *word & ~mask;
}

void pl_window_init(struct pl_window *window)
{
    memset(window, 0, sizeof *window);
    window->words = PL_REPLAY_UNPROVEN >> WORD_BITS_LOG2;
}

bool pl_window_widen(struct pl_window *window, struct pl_memory *memory)
{
    enum { WORDS = PL_REPLAY_PROVEN >> WORD_BITS_LOG2 };
    uint32_t old = size_of(window);

    if (window->seen != NULL) {
        return true;
    }
    uint64_t *bits = pl_memory_get(memory, 2 * WORDS * sizeof *bits);
    if (bits == NULL) {
        return false;
    }
    if (window->any) {
        memset(bits, UCHAR_MAX, WORDS * sizeof *bits); /* what left the narrow window counts as seen */
    }
    for (uint32_t back = 0; window->any && back < old && back <= window->largest; back++) {
        uint32_t number = window->largest - back;
        set(bits, WORDS, number, bit(&window->small_seen, window->words, number));
        set(bits + WORDS, WORDS, number, bit(&window->small_kept, window->words, number));
    }
    window->seen = bits;
    window->kept = bits + WORDS;
    window->words = WORDS;
    return true;
}

void pl_window_free(struct pl_window *window, struct pl_memory *memory)
{
    pl_memory_put(memory, window->seen, 2 * (size_t)window->words * sizeof *window->seen);
    pl_window_init(window);
}

enum pl_window_look pl_window_look(const struct pl_window *window, uint32_t number)
{
    const uint64_t *seen = window->seen != NULL ? window->seen : &window->small_seen;

    if (!window->any || number > window->largest) {
        return PL_WINDOW_NEW;
    }
    if (window->largest - number >= size_of(window)) {
        return PL_WINDOW_OLD;
    }
    return bit(seen, window->words, number) ? PL_WINDOW_REPEAT : PL_WINDOW_NEW;
}

/* Clears the bits of the numbers from low to high, at most the whole ring. */
static void clear(struct pl_window *w, uint32_t low, uint32_t high)
{
    if (high - low >= size_of(w)) {
        memset(seen_of(w), 0, w->words * sizeof(uint64_t));
        memset(kept_of(w), 0, w->words * sizeof(uint64_t));
        return;
    }
    for (uint32_t n = 0; n <= high - low; n++) { /* high may be the last number there is */
        set(seen_of(w), w->words, low + n, false);
        set(kept_of(w), w->words, low + n, false);
    }
}

bool pl_window_mark(struct pl_window *window, uint32_t number)
{
    bool gap = false;

    if (!window->any) {
        clear(window, 0, size_of(window));
        window->largest = number;
        window->any = true;
    } else if (number > window->largest) {
        gap = number != window->largest + 1;
        clear(window, window->largest + 1, number);
        window->largest = number;
    }
    set(seen_of(window), window->words, number, true);
    return gap;
}

void pl_window_keep(struct pl_window *window, uint32_t number)
{
    if (pl_window_look(window, number) == PL_WINDOW_REPEAT) {
        set(kept_of(window), window->words, number, true);
    }
}

/* How many numbers from `number` down are kept (or not kept, if !on), at most `left`. */
static uint32_t run_down(const struct pl_window *w, uint32_t number, uint32_t left, bool on)
{
    const uint64_t *kept = kept_const(w);
    uint32_t n = 0;

    while (n < left) {
        uint32_t at = number - n;
        uint64_t word = kept[(at >> WORD_BITS_LOG2) & (w->words - 1)];
        bool whole = (at & (WORD_BITS - 1)) == WORD_BITS - 1 && left - n >= WORD_BITS;
        if (whole && word == (on ? UINT64_MAX : 0)) {
            n += WORD_BITS;
        } else if (bit(kept, w->words, at) == on) {
            n++;
        } else {
            break;
        }
    }
    return n;
}

unsigned pl_window_ranges(const struct pl_window *window, struct pl_range32 *out, unsigned max)
{
    unsigned count = 0;
    uint32_t at = window->largest;
    uint32_t left = size_of(window);

    if (!window->any) {
        return 0;
    }
    left = left > at ? at + 1 : left;
    while (left > 0 && count < max) {
        uint32_t skip = run_down(window, at, left, false);
        at -= skip;
        left -= skip;
        uint32_t kept = run_down(window, at, left, true);
        if (kept > 0) {
            out[count].high = at;
            out[count].low = at - (kept - 1);
            count++;
        }
        at -= kept;
        left -= kept;
    }
    return count;
}
