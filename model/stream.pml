/* One stream between a sender and a receiver, for Spin: what is stored exactly once, and what is freed when.
 * The machines' tables come from the wire spec; the world around them (outbox, row, channel, crashes) is by
 * hand. model/run gives the bounds and switches; docs/model.md says what is modelled and what is not.
 *
 * One process takes one event at a time. Every event uses something up (a record, a budget, a number that
 * only grows), so each execution ends, and "each can still end well" is the same as "each end is a good one".
 */

#ifndef RECORDS
#define RECORDS 2 /* records given: 2 to 4 */
#endif
#ifndef BIRTHS
#define BIRTHS 2 /* 2 or 3 */
#endif
#ifndef RESTARTS
#define RESTARTS 0 /* of the sender's process */
#endif
#ifndef RESTORES
#define RESTORES 0 /* of the sender's outbox from a copy */
#endif
#ifndef CLONES
#define CLONES 0 /* 1: a copy of the outbox may go on beside the first */
#endif
#ifndef KILLS
#define KILLS 0 /* of the receiver between commits; memory and disk are then apart */
#endif
#ifndef RECEIVER_RESTORES
#define RECEIVER_RESTORES 0
#endif
#ifndef BLACKOUTS
#define BLACKOUTS 0 /* times that the channel loses all it holds */
#endif
#ifndef COPIES
#define COPIES 1 /* times that a record may be stored */
#endif

#define LIVES (RECORDS + BIRTHS - 1) /* each begins with a record given or a fork */
#define SENDERS (1 + CLONES)
#define KEPT SENDERS /* the outbox's copy */
#define MEMORY 0
#define DISK 1
#define BACKUP 2
#define BIT(n) (1 << (n))
#define PAIR(s, life) ((s) * (LIVES + 1) + (life))
#define RECORD(life, number) record_of[(life) * (RECORDS + 1) + (number)]

#include "generated/promela/link.pml"

/* Lives, numbered as they are drawn; 0 is none. What a life is never changes, so no message repeats it. */
byte lives = 0;
byte births = 1;
byte given = 0;
byte birth_of[LIVES + 1];
byte first_of[LIVES + 1];
byte before[LIVES + 1];
byte record_of[(LIVES + 1) * (RECORDS + 1)];

/* An outbox: each birth's newest life, next number, confirmed number, and numbers held as bits. */
typedef Outbox {
    byte birth;
    bit opened; /* since then no record was given: the next draws a life */
    byte newest[BIRTHS + 1];
    byte next[BIRTHS + 1];
    byte confirmed[BIRTHS + 1];
    byte held[BIRTHS + 1];
    byte stream[BIRTHS + 1]; /* machine Sending Stream */
    byte life[LIVES + 1];    /* machine Sending Life */
}
Outbox box[SENDERS + 1];
byte senders = 1;
bool kept = false;

/* A receiver's row for each birth, the lives remembered, and how often each record is in the log. */
typedef Row {
    byte heard[BIRTHS + 1];
    byte current[BIRTHS + 1];
    byte stream[BIRTHS + 1]; /* machine Receiving Stream */
    byte last[LIVES + 1];
    byte life[LIVES + 1]; /* machine Receiving Life */
    byte copies[RECORDS + 1];
}
Row row[3];
bool backed_up = false;
bool dirty = false; /* memory is ahead of the disk */
byte ever = 0; /* records that were durable at the receiver at any time, as bits */
byte reached = 0; /* the same of lives */

/* The channel: everything sent, delivered at any time, in any order, any number of times, or never. Pieces of
 * old runs stay, since each packet opens for ever; answers and GAP count in the run they name alone. */
byte pieces[LIVES + 1];                       /* numbers, as bits */
byte sent[SENDERS * (LIVES + 1)];             /* the same, in the sender's run */
bit asked[SENDERS * (LIVES + 1)];
byte stored_frames[SENDERS * (LIVES + 1)];    /* STORED: numbers, as bits */
byte forked_frames[SENDERS * (LIVES + 1)];    /* REFUSED(forked): numbers, as bits */
byte gap_frames[SENDERS * (LIVES + 1)];       /* GAP: upto, as bits */

/* What of it would change something now; follows from the state above. */
byte can_take[LIVES + 1];
byte can_hear[SENDERS * (LIVES + 1)];
byte can_fork[SENDERS * (LIVES + 1)];
byte can_skip[SENDERS * (LIVES + 1)];
bool beyond; /* a fork waits for a birth above the bound */

byte restarts_left = RESTARTS;
byte restores_left = RESTORES;
byte clones_left = CLONES;
byte kills_left = KILLS;
byte receiver_restores_left = RECEIVER_RESTORES;
byte blackouts_left = BLACKOUTS;

/* The event that was chosen; NOTHING between steps. */
#define NOTHING 0
#define GIVES 1
#define HEARS 2
#define FORKS 3
#define STARTS_ANEW 4
#define CLONE 5
#define KEEP 6
#define GO_BACK 7
#define TAKES 8
#define SKIPS 9
#define COMMIT 10
#define KILL 11
#define BACK_UP 12
#define ROLL_BACK 13
#define BLACK_OUT 14
byte event, who, which, number;

/* Scratch of one step. */
hidden byte S, B, L, N, X, Y, I, P, TO, FREED, MOVED, END, VERDICT, VERDICT_DISK, FACTS;
hidden byte KNOWN;

#define TAKE 1
#define REPEAT 2
#define FORK 3
#define WAIT 4

#include "model/sender.pml"
#include "model/receiver.pml"
#include "model/channel.pml"
#include "model/properties.pml"

inline start()
{
    for (S : 0 .. SENDERS) {
        box[S].birth = 1;
        box[S].opened = 1;
        for (I : 1 .. BIRTHS) {
            box[S].next[I] = 1;
            box[S].stream[I] = PL_SENDING_STREAM_INITIAL
        }
        for (I : 1 .. LIVES) {
            box[S].life[I] = PL_SENDING_LIFE_INITIAL
        }
    }
    for (S : 0 .. 2) {
        for (I : 1 .. BIRTHS) {
            row[S].stream[I] = PL_RECEIVING_STREAM_INITIAL
        }
        for (I : 1 .. LIVES) {
            row[S].life[I] = PL_RECEIVING_LIFE_INITIAL
        }
    }
}

/* X: the numbers that are still held by anyone. */
inline still_held()
{
    X = 0;
    for (S : 0 .. senders - 1) {
        for (I : 1 .. BIRTHS) {
            X = X | box[S].held[I]
        }
    }
}

/* ---- The events: one option for each frame that may matter ---- */

#define CHOOSE(what, s, l, n) event = what; who = s; which = l; number = n
#define PIECE(s, l, n) :: d_step { (can_take[l] & BIT(n)) != 0 -> CHOOSE(TAKES, 0, l, n) }
#define STORED(s, l, n) :: d_step { (can_hear[PAIR(s, l)] & BIT(n)) != 0 -> CHOOSE(HEARS, s, l, n) }
#define FORKED(s, l, n) :: d_step { (can_fork[PAIR(s, l)] & BIT(n)) != 0 -> CHOOSE(FORKS, s, l, n) }
#define GAP(s, l, n) :: d_step { (can_skip[PAIR(s, l)] & BIT(n)) != 0 -> CHOOSE(SKIPS, s, l, n) }

#define NUMBERS(FRAME, s, l) FRAME(s, l, 1) FRAME(s, l, 2) NUMBER_3(FRAME, s, l) NUMBER_4(FRAME, s, l)
#if RECORDS >= 3
#define NUMBER_3(FRAME, s, l) FRAME(s, l, 3)
#else
#define NUMBER_3(FRAME, s, l)
#endif
#if RECORDS >= 4
#define NUMBER_4(FRAME, s, l) FRAME(s, l, 4)
#else
#define NUMBER_4(FRAME, s, l)
#endif
#define EACH(FRAME, s) \
    NUMBERS(FRAME, s, 1) NUMBERS(FRAME, s, 2) NUMBERS(FRAME, s, 3) \
    EACH_4(FRAME, s) EACH_5(FRAME, s) EACH_6(FRAME, s)
#define REFUSALS(s) \
    EACH(FORKED, s) FORKED(s, 1, 0) FORKED(s, 2, 0) FORKED(s, 3, 0) REFUSALS_4(s) REFUSALS_5(s) REFUSALS_6(s)
#if LIVES >= 4
#define EACH_4(FRAME, s) NUMBERS(FRAME, s, 4)
#define REFUSALS_4(s) FORKED(s, 4, 0)
#else
#define EACH_4(FRAME, s)
#define REFUSALS_4(s)
#endif
#if LIVES >= 5
#define EACH_5(FRAME, s) NUMBERS(FRAME, s, 5)
#define REFUSALS_5(s) FORKED(s, 5, 0)
#else
#define EACH_5(FRAME, s)
#define REFUSALS_5(s)
#endif
#if LIVES >= 6
#define EACH_6(FRAME, s) NUMBERS(FRAME, s, 6)
#define REFUSALS_6(s) FORKED(s, 6, 0)
#else
#define EACH_6(FRAME, s)
#define REFUSALS_6(s)
#endif
#define AT_SENDER(s) \
    :: d_step { s < senders && given < RECORDS -> CHOOSE(GIVES, s, 0, 0) } \
    :: d_step { s < senders && restarts_left > 0 -> CHOOSE(STARTS_ANEW, s, 0, 0) } \
    EACH(STORED, s) EACH(GAP, s) REFUSALS(s)

inline sender_event()
{
    if
    :: event == GIVES -> give(who)
    :: event == HEARS -> hear(who, which, number)
    :: event == FORKS -> fork(who, which, number)
    :: event == STARTS_ANEW -> restarts_left--; new_run(who)
    :: event == CLONE -> clones_left--; copy_box(0, who); senders = 2; new_run(who)
    :: event == KEEP -> kept = true; copy_box(0, KEPT)
    :: event == GO_BACK -> restores_left--; copy_box(KEPT, 0); new_run(0)
    :: else -> skip
    fi
}

inline receiver_event()
{
    if
    :: event == TAKES -> take(which, number)
    :: event == SKIPS -> skip_to(which, number)
    :: event == COMMIT -> dirty = false; commit()
    :: event == KILL -> dirty = false; kills_left--; copy_row(DISK, MEMORY)
    :: event == BACK_UP -> backed_up = true; copy_row(DISK, BACKUP)
    :: event == ROLL_BACK ->
        receiver_restores_left--;
        dirty = false;
        copy_row(BACKUP, DISK);
        copy_row(BACKUP, MEMORY)
    :: event == BLACK_OUT -> blackouts_left--; black_out()
    :: else -> skip
    fi
}

active proctype world()
{
    d_step { start(); skip }
    do
    :: atomic {
        if
        EACH(PIECE, 0)
        AT_SENDER(0)
#if CLONES
        AT_SENDER(1)
        :: d_step { clones_left > 0 -> CHOOSE(CLONE, 1, 0, 0) }
#endif
        :: d_step { RESTORES > 0 && senders == 1 && !kept -> CHOOSE(KEEP, 0, 0, 0) }
        :: d_step { senders == 1 && kept && restores_left > 0 -> CHOOSE(GO_BACK, 0, 0, 0) }
        :: d_step { dirty -> CHOOSE(COMMIT, 0, 0, 0) }
        :: d_step { dirty && kills_left > 0 -> CHOOSE(KILL, 0, 0, 0) }
        :: d_step { RECEIVER_RESTORES > 0 && !backed_up -> CHOOSE(BACK_UP, 0, 0, 0) }
        :: d_step { backed_up && receiver_restores_left > 0 -> CHOOSE(ROLL_BACK, 0, 0, 0) }
        :: d_step { blackouts_left > 0 -> CHOOSE(BLACK_OUT, 0, 0, 0) }
        :: else ->
            d_step { still_held(); assert(X == 0 || beyond) }
            break
        fi;
#ifdef NEVER
        assert(event != NEVER);
#endif
        d_step { sender_event(); receiver_event(); check_properties(); settle(); CHOOSE(NOTHING, 0, 0, 0) }
    }
    od
}
