/*
 * Who may put how much into the commit chunk: links share it, however fast each of them is.
 *
 * A link that has pieces in hand could fill a chunk before others are heard, and with a slow disk it would do
 * so each time. Two rules keep the shares even:
 *
 * 1. A packet's link may take of the chunk being filled until it has PL_SHARE times what it leaves (the
 *    dynamic threshold of Choudhury and Hahne, 1998). Whoever comes late still finds room, if only a
 *    packet's.
 * 2. Links whose pieces found no room wait in line. When the next chunk begins they are served in that order
 *    by equal parts, at least a quantum each (deficit round robin; a batch of packets is the quantum). Who
 *    took something goes to the end; who took nothing, since a record is larger than its part, may take as
 *    much as the largest record needs, and stays in front if not even that is left.
 */
#include "link/link.h"
#include "node/shard.h"

enum {
    /* Rows of the chunk have heads, and one packet can make many: its own pieces, and those that waited for
       them. */
    CHUNK_RESERVE_BYTES = 128 * 1024,
    QUANTUM_BYTES = PL_BATCH_PACKETS * PL_DATAGRAM_SIZE
};

static size_t *taken_by(const struct pl_shard *shard, struct pl_active *active)
{
    if (active->chunk != shard->chunks) {
        active->chunk = shard->chunks;
        active->taken_bytes = 0;
    }
    return &active->taken_bytes;
}

static size_t left_in(const struct pl_shard *shard)
{
    size_t room = pl_chunk_room(&shard->filling->chunk);

    return room > CHUNK_RESERVE_BYTES ? room - CHUNK_RESERVE_BYTES : 0;
}

void pl_shard_room(struct pl_shard *shard, struct pl_active *active)
{
    size_t left = left_in(shard), taken = *taken_by(shard, active);
    size_t room = PL_SHARE * left > taken ? (PL_SHARE * left - taken) / (PL_SHARE + 1) : 0;

    /* Into an empty chunk also who waits may take: no other one is on its way that would end the waiting. */
    shard->env.room_bytes = active->waits && shard->filling->chunk.used_bytes > 0 ? 0 : room;
}

void pl_shard_took(struct pl_shard *shard, struct pl_active *active, size_t bytes)
{
    *taken_by(shard, active) += bytes;
}

static void append(struct pl_shard *shard, struct pl_active *active)
{
    active->waits = true;
    active->wait_after = NULL;
    active->wait_before = shard->wait_last;
    if (shard->wait_last)
        shard->wait_last->wait_after = active;
    else
        shard->wait_first = active;
    shard->wait_last = active;
    shard->wait_n++;
}

void pl_shard_unwait(struct pl_shard *shard, struct pl_active *active)
{
    if (!active->waits)
        return;
    *(active->wait_before ? &active->wait_before->wait_after : &shard->wait_first) = active->wait_after;
    *(active->wait_after ? &active->wait_after->wait_before : &shard->wait_last) = active->wait_before;
    active->waits = false;
    shard->wait_n--;
}

void pl_shard_wait(struct pl_shard *shard, struct pl_active *active)
{
    bool stalled = pl_link_is_stalled(active->link);

    if (stalled && !active->waits)
        append(shard, active);
    else if (!stalled)
        pl_shard_unwait(shard, active);
}

static void offer(struct pl_shard *shard, struct pl_active *active, size_t bytes, uint64_t now_us)
{
    shard->env.room_bytes = bytes;
    pl_link_resume(active->link, now_us);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* `part`: what it may take; `room`: what all may. */
static void serve(struct pl_shard *shard, struct pl_active *active, size_t part, size_t room, uint64_t now_us)
{
    size_t record = shard->env.settings.record_max_bytes + QUANTUM_BYTES;
    size_t before = *taken_by(shard, active);

    offer(shard, active, smaller(part, room), now_us);
    if (active->taken_bytes == before && pl_link_is_stalled(active->link))
        offer(shard, active, smaller(record, room), now_us);
    if (active->taken_bytes > before || !pl_link_is_stalled(active->link)) {
        pl_shard_unwait(shard, active);
        pl_shard_wait(shard, active);
        pl_shard_due(shard, active);
    }
}

/* Serves each in line once. */
static void serve_line(struct pl_shard *shard, size_t kept, uint64_t now_us)
{
    struct pl_active *active = shard->wait_first;

    for (size_t n = shard->wait_n; n > 0 && left_in(shard) > kept; n--) {
        struct pl_active *next = active->wait_after;
        size_t room = left_in(shard) - kept;
        size_t part = room / n > QUANTUM_BYTES ? room / n : QUANTUM_BYTES;
        if (active->leaving == PL_STAYS) /* else its rows are on their way: nothing more is taken */
            serve(shard, active, part, room, now_us);
        active = next;
    }
}

void pl_shard_serve_waiting(struct pl_shard *shard, uint64_t now_us)
{
    size_t kept = left_in(shard) / (PL_SHARE + 1); /* for whoever comes late */
    size_t before;

    /* What some did not need of their parts goes to the others. */
    do {
        before = left_in(shard);
        serve_line(shard, kept, now_us);
    } while (shard->wait_n > 0 && left_in(shard) > kept && left_in(shard) < before);
}
