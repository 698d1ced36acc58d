/* The ring of what is in flight: one entry a piece, in the order of leaving. Content is sent again,
 * never packets: an entry only says which bytes a number stood for. */
#include <string.h>

#include "link/memory.h"
#include "link/send.h"

enum { RING_FIRST = 1 << 5 };
#define RING_MAX ((uint32_t)1 << 16)
/* An entry this old is not waited for any more: its 32-bit time would become ambiguous. */
#define ENTRY_MAX_US ((uint64_t)1 << 31)
/* How long a lost entry is kept to recognise a late ACK of it. */
enum { SPURIOUS_RTTS = 3 };

struct pl_sent *pl_sent_at(struct pl_sent_ring *ring, uint64_t index)
{
    return &ring->entries[index & (ring->room - 1)];
}

/* Times are kept in 32 bits: the latest time with those low bits that is not after now. */
uint64_t pl_sent_time(const struct pl_sent *sent, uint64_t now_us)
{
    return now_us - (uint32_t)((uint32_t)now_us - sent->at);
}

bool pl_sent_reserve(struct pl_link *link, uint32_t entries)
{
    struct pl_sent_ring *ring = &link->tx.sent;
    uint32_t used = (uint32_t)(ring->next - ring->first);
    uint32_t room = ring->room == 0 ? RING_FIRST : ring->room;

    while (room < used + entries) {
        room *= 2;
    }
    if (room == ring->room) {
        return true;
    }
    struct pl_sent *grown = room > RING_MAX ? NULL : pl_memory_get(&link->env->memory, room * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    for (uint64_t i = ring->first; i < ring->next; i++) {
        grown[i & (room - 1)] = *pl_sent_at(ring, i);
    }
    pl_memory_put(&link->env->memory, ring->entries, ring->room * sizeof *grown);
    ring->entries = grown;
    ring->room = room;
    return true;
}

struct pl_sent *pl_sent_add(struct pl_link *link)
{
    struct pl_sent_ring *ring = &link->tx.sent;
    struct pl_sent *sent = pl_sent_at(ring, ring->next++);

    memset(sent, 0, sizeof *sent);
    pl_sent_piece_init(&sent->piece);
    return sent;
}

static bool is_settled(const struct pl_link *link, const struct pl_sent *sent, uint64_t now_us)
{
    uint64_t age = now_us - pl_sent_time(sent, now_us);
    uint64_t kept = SPURIOUS_RTTS * link->tx.congestion.rtt.smoothed_us;

    switch (sent->piece.state) {
    case PL_SENT_PIECE_IN_FLIGHT:
        return false;
    case PL_SENT_PIECE_LOST:
    case PL_SENT_PIECE_REQUEUED:
        return age > kept;
    default:
        return true;
    }
}

/* Drops settled entries at the front; the ring's memory goes when it is empty. */
void pl_sent_trim(struct pl_link *link, uint64_t now_us)
{
    struct pl_sent_ring *ring = &link->tx.sent;

    while (ring->first < ring->next) {
        struct pl_sent *sent = pl_sent_at(ring, ring->first);
        bool ancient = now_us - pl_sent_time(sent, now_us) > ENTRY_MAX_US;
        if (sent->piece.state == PL_SENT_PIECE_IN_FLIGHT && ancient) {
            link->tx.in_flight_bytes -= sent->size;
        } else if (!is_settled(link, sent, now_us)) {
            break;
        }
        ring->first++;
    }
    if (ring->first == ring->next && ring->room > RING_FIRST) {
        pl_sent_free(link);
    }
}

static void leave_flight(struct pl_link *link, struct pl_sent *sent)
{
    if (sent->piece.state == PL_SENT_PIECE_IN_FLIGHT) {
        link->tx.in_flight_bytes -= sent->size;
    }
    pl_sent_piece_step(&sent->piece, PL_SENT_PIECE_ON_STORED);
}

/* What is stored needs no ACK. */
void pl_sent_settle_stored(struct pl_link *link, const struct pl_tx_stream *stream)
{
    struct pl_sent_ring *ring = &link->tx.sent;
    uint8_t slot = (uint8_t)(stream - link->tx.streams);
    bool rest = pl_tx_unstored_bytes(link) == 0;

    if (rest) {
        link->tx.rack_deadline_us = PL_NEVER; /* nothing can be lost any more */
    }
    for (uint64_t i = ring->first; i < ring->next; i++) {
        struct pl_sent *sent = pl_sent_at(ring, i);
        bool stored = sent->slot == slot && sent->position + sent->bytes <= stream->line.begin;
        if ((stored && sent->bytes > 0) || rest) {
            leave_flight(link, sent);
        } else if (sent->slot == slot && sent->bytes > 0 && sent->position >= stream->line.begin) {
            break; /* later entries of the stream lie behind it, or were sent again */
        }
    }
}

void pl_sent_again(struct pl_link *link, struct pl_sent *sent)
{
    if (sent->piece.state != PL_SENT_PIECE_IN_FLIGHT) {
        return;
    }
    link->tx.in_flight_bytes -= sent->size;
    pl_sent_piece_step(&sent->piece, PL_SENT_PIECE_ON_RECEIVER_RESTARTED);
    if (sent->bytes > 0) {
        pl_tx_queue(link, &link->tx.streams[sent->slot], sent->position, sent->position + sent->bytes);
    }
}

void pl_sent_forget_slot(struct pl_link *link, uint32_t slot)
{
    struct pl_sent_ring *ring = &link->tx.sent;

    for (uint64_t i = ring->first; i < ring->next; i++) {
        struct pl_sent *sent = pl_sent_at(ring, i);
        if (sent->slot == slot) {
            leave_flight(link, sent);
        }
    }
}

void pl_sent_free(struct pl_link *link)
{
    struct pl_sent_ring *ring = &link->tx.sent;

    pl_memory_put(&link->env->memory, ring->entries, ring->room * sizeof *ring->entries);
    ring->entries = NULL;
    ring->room = 0;
    ring->first = ring->next;
}
