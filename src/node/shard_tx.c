/* Links that have something to do: by their timers, after a packet, after a commit. */
#include "io/io.h"
#include "link/link.h"
#include "node/shard.h"

enum {
    BATCHES_PER_TURN = 2, /* trains of up to PL_BATCH_PACKETS a link may send before the next one's turn */
    UNREACHABLE_PAUSE_US = 200000,
    DENIED_RETRY_US = 100000 /* a denied link waits for its commits */
};

void pl_shard_due(struct pl_shard *shard, struct pl_active *active)
{
    if (active->due)
        return;
    active->due = true;
    active->due_next = NULL;
    *shard->due_end = active;
    shard->due_end = &active->due_next;
}

/* After a possible resume a link draws a fresh run before it seals anything: another copy of this machine may
 * have gone on with the old one. */
void pl_shard_renew(struct pl_shard *shard, struct pl_active *active, uint64_t now_us)
{
    if (active->renewals == shard->renewals)
        return;
    active->renewals = shard->renewals;
    pl_link_renew(active->link, now_us);
}

static struct pl_active *pop_due(struct pl_shard *shard)
{
    struct pl_active *active = shard->due;

    shard->due = active->due_next;
    if (!shard->due)
        shard->due_end = &shard->due;
    active->due = false;
    return active;
}

/* Sets the timer for what the link will want next. True: it wants to go on now. */
static bool rearm(struct pl_shard *shard, struct pl_active *active, uint64_t now_us)
{
    uint64_t at_us = pl_link_deadline(active->link);
    uint64_t rest_us = active->leaving == PL_STAYS ? pl_link_rests_at(active->link) : PL_NEVER;

    if (at_us < active->quiet_until_us)
        at_us = active->quiet_until_us;
    if (at_us <= now_us)
        return true;
    if (rest_us < at_us)
        at_us = rest_us;
    if (active->denied && active->leaving == PL_STAYS && at_us > now_us + DENIED_RETRY_US)
        at_us = now_us + DENIED_RETRY_US;
    if (at_us == PL_NEVER)
        pl_timers_unset(&shard->timers, &active->timer);
    else if (pl_timers_set(&shard->timers, &active->timer, at_us) != PL_OK)
        return true; /* no memory for a timer: it stays due and is looked at in each step */
    return false;
}

static void send_link(struct pl_shard *shard, struct pl_active *active, uint64_t now_us)
{
    pl_shard_renew(shard, active, now_us);
    for (int i = 0; i < BATCHES_PER_TURN && now_us >= active->quiet_until_us; i++) {
        struct pl_batch batch = {.bytes = shard->batch_bytes, .room_bytes = PL_BATCH_ROOM};
        pl_shard_room(shard, active);
        if (active->leaving != PL_STAYS)
            shard->env.room_bytes = 0; /* its rows are on their way: nothing more is taken */
        unsigned packets = pl_link_send(active->link, now_us, &batch);
        pl_shard_wait(shard, active); /* sending begins with what waited for room */
        if (packets == 0)
            return;
        if (pl_net_send(shard->net, &batch, now_us) == PL_NET_UNREACHABLE) {
            pl_link_unsent(active->link, now_us);
            active->quiet_until_us = now_us + UNREACHABLE_PAUSE_US;
        }
        if (!pl_net_ready(shard->net, now_us))
            return;
    }
}

void pl_shard_send_due(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_active *again = NULL, **again_end = &again;

    while (shard->due && !shard->broken && pl_net_ready(shard->net, now_us)) {
        struct pl_active *active = pop_due(shard);
        if (!active->denied)
            send_link(shard, active, now_us);
        if (!rearm(shard, active, now_us))
            continue;
        active->due = true;
        active->due_next = NULL;
        *again_end = active;
        again_end = &active->due_next;
    }
    if (!again)
        return;
    /* In the order of their turns: those not served yet come first. */
    *shard->due_end = again;
    shard->due_end = again_end;
}

void pl_shard_fire_timers(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_timer *timer;

    while ((timer = pl_timers_pop(&shard->timers, now_us)) != NULL) {
        struct pl_active *active = (struct pl_active *)timer; /* its first member */
        bool rests =
            active->denied ? pl_link_settled(active->link) : pl_link_rests_at(active->link) <= now_us;
        if (active->leaving == PL_STAYS && rests)
            pl_shard_leave(shard, active, now_us);
        pl_shard_due(shard, active);
    }
}
