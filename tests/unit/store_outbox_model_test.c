/* The outbox against a model: random giving, storing, dropping, forking, new lives, aborts, reopening after a
 * kill. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store_outbox_help.h"

enum { RECORDS_MAX = 20000, BIRTHS = 40 };

/* A record as the model holds it: which birth and life it is given in now. */
struct model_record {
    uint64_t serial;
    uint32_t birth; /* index into births */
    uint32_t life;  /* index within the model, grows for ever */
    bool freed;
};

struct model {
    struct help_random random;
    struct model_record records[RECORDS_MAX];
    size_t n;
    uint64_t next_serial;
    uint32_t births, lives;
    bool need_life;
    uint32_t streams[BIRTHS]; /* of each birth */
    uint64_t wall_ms;
};

static void give_some(struct model *model, struct pl_outbox *box)
{
    uint32_t count = 1 + help_draw(&model->random, 60);

    if (model->n + count > RECORDS_MAX) {
        return;
    }
    help_give(box, help_line(box, "s"), model->next_serial, count);
    model->lives += model->need_life;
    model->need_life = false;
    for (uint32_t i = 0; i < count; i++) {
        model->records[model->n++] =
            (struct model_record){model->next_serial++, model->births - 1, model->lives, false};
    }
}

/* Index of the first and last record of a birth. False if it has none. */
static bool range_of(const struct model *model, uint32_t birth, size_t *first, size_t *last)
{
    bool found = false;

    *first = *last = 0;
    for (size_t i = 0; i < model->n; i++) {
        if (model->records[i].birth == birth) {
            *first = found ? *first : i;
            *last = i;
            found = true;
        }
    }
    return found;
}

static void free_some(struct model *model, struct pl_outbox *box, bool drop)
{
    uint32_t birth = help_draw(&model->random, model->births);
    size_t first, last, upto;
    bool held = false;

    if (!range_of(model, birth, &first, &last)) {
        return;
    }
    for (size_t i = first; i <= last; i++) {
        held = held || (model->records[i].birth == birth && !model->records[i].freed);
    }
    if (!held) {
        return;
    }
    upto = help_draw(&model->random, (uint32_t)(last - first + 1));
    if (drop) {
        uint64_t dropped;
        cr_assert_eq(pl_outbox_drop(box, 1, model->streams[birth], upto + 1, &dropped, NULL), PL_OK);
    } else {
        cr_assert_eq(pl_outbox_stored(box, 1, model->streams[birth], upto + 1), PL_OK);
    }
    for (size_t i = first; i <= first + upto; i++) {
        model->records[i].freed = true;
    }
}

/* A birth with held records; births if there is none. */
static uint32_t held_birth(struct model *model)
{
    size_t from = model->n > 0 ? help_draw(&model->random, (uint32_t)model->n) : 0;

    for (size_t k = 0; k < model->n; k++) {
        const struct model_record *record = &model->records[(from + k) % model->n];
        if (!record->freed) {
            return record->birth;
        }
    }
    return model->births;
}

/* The model's side of a fork: records from `cut` on, to the end of the birth, are given again. */
static void fork_model(struct model *model, uint32_t birth, size_t life_first, size_t cut, size_t last)
{
    for (size_t i = life_first; i < cut; i++) {
        model->records[i].freed = true;
        model->records[i].birth = UINT32_MAX; /* stored there: of neither birth any more */
    }
    model->lives++;
    for (size_t i = cut; i <= last; i++) {
        model->records[i].birth = model->births;
        model->records[i].life = model->lives;
    }
    /* Births are numbered by age but ordered by place: the newest birth in place is the one that goes on. */
    (void)birth;
    model->births++;
}

static void fork_some(struct model *model, struct pl_outbox *box)
{
    uint32_t birth = held_birth(model);
    size_t first, last, at, life_first, cut;
    struct pl_sending_life lives[512];
    struct pl_text reason;
    size_t n;
    uint32_t stream_new, tag;

    if (birth == model->births || birth != model->births - 1 || model->births == BIRTHS ||
        !range_of(model, birth, &first, &last)) {
        return;
    }
    do {
        at = first + help_draw(&model->random, (uint32_t)(last - first + 1));
    } while (model->records[at].freed);
    for (life_first = at;
         life_first > first && model->records[life_first - 1].life == model->records[at].life;) {
        life_first--;
    }
    cr_assert_eq(pl_outbox_lives(box, 1, model->streams[birth], lives, 512, &n), PL_OK);
    cr_assert_leq(n, 512);
    for (tag = 0; n > 0; n--) {
        tag = lives[n - 1].first_number == life_first - first + 1 ? lives[n - 1].tag : tag;
    }
    cr_assert_neq(tag, 0);
    model->wall_ms += 3600000;
    cr_assert_eq(pl_outbox_forked(box, 1, model->streams[birth], tag, at - first, 5,
                                  0x70000000 + model->births, model->wall_ms, &stream_new, &reason),
                 PL_OK, "%s", reason.s);
    cr_assert_neq(stream_new, 0);
    cut = at;
    model->streams[model->births] = stream_new;
    fork_model(model, birth, life_first, cut, last);
}

/* Every birth of the model holds what it must, in the numbers, lives and bytes it must. */
static void expect_birth(struct model *model, struct pl_outbox *box, uint32_t birth)
{
    struct pl_sending sending;
    size_t first, last, held = 0, from = 0;
    enum pl_error error = pl_outbox_stream(box, 1, model->streams[birth], &sending);

    if (!range_of(model, birth, &first, &last)) {
        return;
    }
    for (size_t i = first; i <= last; i++) {
        if (!model->records[i].freed) {
            from = held == 0 ? i : from;
            held++;
        }
    }
    if (held == 0) {
        return;
    }
    cr_assert_eq(error, PL_OK);
    cr_assert_leq(sending.freed.number, from - first + 1);
    {
        struct pl_outbox_place place;
        struct pl_sending rest = sending;
        cr_assert_eq(pl_outbox_locate(box, 1, sending.stream, from - first + 1, &place), PL_OK);
        rest.freed = place;
        cr_assert_eq(
            help_expect_held(box, &rest, model->records[from].serial, 1 + help_draw(&model->random, 9000)),
            held);
    }
}

static void expect_all(struct model *model, struct pl_outbox *box)
{
    for (uint32_t birth = 0; birth < model->births; birth++) {
        expect_birth(model, box, birth);
    }
}

/* The outbox as a kill leaves it: what was freed and not trimmed is held again, nothing else differs. */
static struct pl_outbox *kill_and_reopen(struct model *model, struct pl_outbox *box, const char *dir,
                                         char home[300], int round)
{
    char copy[300];

    snprintf(copy, sizeof copy, "%s/%d", dir, round);
    cr_assert(help_copy_dir(home, copy));
    unlink(help_path(copy, "lock.mdb"));
    pl_outbox_close(box);
    strcpy(home, copy);
    model->need_life = true;
    return help_box_open(home, 64 << 20);
}

static void step(struct model *model, struct pl_outbox *box)
{
    switch (help_draw(&model->random, 8)) {
    case 0: free_some(model, box, help_draw(&model->random, 4) == 0); break;
    case 1: cr_assert_eq(pl_outbox_trim(box, help_draw(&model->random, 12), NULL, NULL), PL_OK); break;
    case 2:
        pl_outbox_new_life(box);
        model->need_life = true;
        break;
    case 3:
        if (help_draw(&model->random, 4) == 0) {
            fork_some(model, box);
        }
        break;
    case 4:
        cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
        cr_assert_eq(
            pl_outbox_put(box, help_line(box, "s"), (struct pl_bytes){(const uint8_t *)"x", 1}, NULL, NULL),
            PL_OK);
        pl_outbox_abort(box);
        break;
    default: give_some(model, box); break;
    }
}

static void run(uint64_t seed)
{
    const char *dir = help_dir_begin();
    struct model *model = calloc(1, sizeof *model);
    struct pl_outbox *box;
    char home[300];

    model->random.state = seed;
    model->births = 1;
    model->need_life = true;
    model->next_serial = 1;
    snprintf(home, sizeof home, "%s/first", dir);
    box = help_box_open(home, 64 << 20);
    give_some(model, box);
    model->streams[0] = help_sending(box, 0).stream;
    for (int round = 0; round < 40; round++) {
        for (int k = 0; k < 12; k++) {
            step(model, box);
        }
        expect_all(model, box);
        if (round % 4 == 3) {
            box = kill_and_reopen(model, box, dir, home, round);
            expect_all(model, box);
        }
    }
    cr_assert_gt(model->births, 4, "seed %llu forked too seldom to show anything", (unsigned long long)seed);
    pl_outbox_close(box);
    free(model);
    help_dir_end();
}

Test(store_outbox_model, random_lives)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        run(seed);
    }
}
