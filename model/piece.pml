/* The pieces of one life between a sender and a receiver that restarts, for Spin: the machine Sent Piece with
 * what it rests on. The table comes from the wire spec; model/run gives the bounds and switches, docs/model.md
 * says more.
 *
 * What is sent is delivered at any time, any number of times, or never. Every event uses something up, so
 * each execution ends; an end at which the bound of pieces is used up is left out.
 */

#ifndef POSITIONS
#define POSITIONS 2 /* the life in so many parts; a piece carries one */
#endif
#ifndef PIECES
#define PIECES 4 /* sent at most: 4 or 5 */
#endif
#ifndef KILLS
#define KILLS 1 /* of the receiver: memory is gone, a new run begins */
#endif
#ifndef BLACKOUTS
#define BLACKOUTS 1
#endif
#define BIT(n) (1 << (n))
#define FACT(test, bit) FACTS = FACTS + ((test) -> bit : 0)

#include "generated/promela/link.pml"

/* The sender: its pieces, what the receiver's run that it believes in acknowledged, how much is stored. */
byte sent = 0;
byte state[8];
byte position[8];
byte acknowledged_by[8];
byte received = 0;
byte believed = 0;
byte confirmed = 0;

/* The receiver: its run, positions in memory as bits, how many from the first on are on disk. */
byte now = 0;
byte memory = 0;
byte stored = 0;
byte joined = 0;

byte channel = 0;         /* pieces, as bits */
byte acks[KILLS + 1];     /* of each run of the receiver: pieces, as bits */
byte blackouts_left = BLACKOUTS;
hidden byte K, R, FACTS;

/* A new run of the receiver is heard of: what it does not acknowledge is forgotten. */
inline believe(r)
{
    believed = r;
#ifndef KEEPRECEIVED
    received = 0;
#endif
    for (K : 0 .. PIECES - 1) {
        if
        :: K < sent && (acks[r] & BIT(K)) == 0 ->
            pl_sent_piece_step(state[K], PL_SENT_PIECE_ON_RECEIVER_RESTARTED)
        :: else -> skip
        fi
    }
}

inline hear_acks(r)
{
    if
    :: r > believed -> believe(r)
    :: else -> skip
    fi;
    for (K : 0 .. PIECES - 1) {
        if
        :: (acks[r] & BIT(K)) != 0 && state[K] != PL_SENT_PIECE_STORED ->
            pl_sent_piece_step(state[K], PL_SENT_PIECE_ON_ACKNOWLEDGED);
            acknowledged_by[K] = r;
            received = received | BIT(position[K])
        :: else -> skip
        fi
    }
}

inline hear_stored(n)
{
    confirmed = n;
    for (K : 0 .. PIECES - 1) {
        if
        :: K < sent && position[K] <= n -> pl_sent_piece_step(state[K], PL_SENT_PIECE_ON_STORED)
        :: else -> skip
        fi
    }
}

/* joined: how many from the first on disk and memory hold without a hole. */
inline join()
{
    joined = stored;
    do
    :: joined < POSITIONS && (memory & BIT(joined + 1)) != 0 -> joined++
    :: else -> break
    od
}

/* R: whether position n is to be sent: neither stored, nor received, nor on its way. */
inline is_wanted(n)
{
    R = n > confirmed && (received & BIT(n)) == 0;
    for (K : 0 .. PIECES - 1) {
        R = R && !(K < sent && position[K] == n && state[K] == PL_SENT_PIECE_IN_FLIGHT)
    }
}

inline send(n)
{
    is_wanted(n);
    if
    :: R && sent < PIECES ->
        position[sent] = n;
        state[sent] = PL_SENT_PIECE_INITIAL;
        channel = channel | BIT(sent);
        sent++
    :: else -> skip
    fi
}

inline check_properties()
{
    for (K : 0 .. PIECES - 1) {
        if
        :: K < sent ->
            FACTS = 0;
            FACT(position[K] <= stored, PL_SENT_PIECE_FACT_COMMITTED);
            FACT((memory & BIT(position[K])) != 0, PL_SENT_PIECE_FACT_IN_MEMORY);
            FACT(acknowledged_by[K] != now, PL_SENT_PIECE_FACT_RESTARTED);
            pl_sent_piece_check(state[K], FACTS)
        :: else -> skip
        fi
    }
}

#define TAKE(k) \
    :: d_step { (channel & BIT(k)) != 0 && (acks[now] & BIT(k)) == 0 -> \
        acks[now] = acks[now] | BIT(k); \
        KEEP(k) }
#ifdef ACKFIRST
#define KEEP(k) skip
#else
#define KEEP(k) memory = memory | (position[k] > stored -> BIT(position[k]) : 0)
#endif
#ifdef OLDACKS
#define COUNTS(r) true
#else
#define COUNTS(r) (r) >= believed
#endif
/* Whether acknowledgements of run r would change something. */
#define NEWS(k, r) ((acks[r] & BIT(k)) != 0 && state[k] != PL_SENT_PIECE_STORED && \
    (state[k] != PL_SENT_PIECE_RECEIVED || (received & BIT(position[k])) == 0))
#define ACKS(r) :: d_step { (r) <= now && COUNTS(r) && \
    (NEWS(0, r) || NEWS(1, r) || NEWS(2, r) || NEWS(3, r) || NEWS(4, r)) -> hear_acks(r); skip }
#define LOSE(k) :: d_step { (k) < sent && state[k] == PL_SENT_PIECE_IN_FLIGHT && sent < PIECES -> \
    pl_sent_piece_step(state[k], PL_SENT_PIECE_ON_LOST) }
#ifdef EARLYSTORED
#define TOLD joined
#else
#define TOLD stored
#endif

active proctype world()
{
    d_step { send(1); send(2); skip }
    do
    :: atomic {
        if
        TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4)
        ACKS(0) ACKS(1)
#if KILLS > 1
        ACKS(2)
#endif
        LOSE(0) LOSE(1) LOSE(2) LOSE(3)
        :: d_step { TOLD > confirmed -> hear_stored(TOLD); skip }
        :: d_step { joined > stored -> stored = joined; memory = memory & ~(BIT(joined + 1) - 1) }
        :: d_step { now > believed -> believe(now); skip }
        :: d_step { now < KILLS -> now++; memory = 0 }
        :: d_step { blackouts_left > 0 -> blackouts_left--; channel = 0 }
        :: else ->
            assert(confirmed == POSITIONS || sent == PIECES);
            break
        fi;
#ifdef NEVER
        assert(!(NEVER));
#endif
        d_step { check_properties(); join(); send(1); send(2); skip }
    }
    od
}
