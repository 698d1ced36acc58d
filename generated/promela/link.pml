/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * State machines in Promela: X_step(m, event) moves the byte m on; where nothing leads elsewhere it stays.
 * X_check(m, facts) asserts the properties; facts is the sum of the X_FACT_ values that hold. With X_ALONE a process
 * steps the machine by any events and asserts what never follows.
 */

/* Link Activity, spec/link.wire:479 */
#define PL_LINK_ACTIVITY_ACTIVE  0
#define PL_LINK_ACTIVITY_MUTED   1
#define PL_LINK_ACTIVITY_DORMANT 2
#define PL_LINK_ACTIVITY_RESTING 3
#define PL_LINK_ACTIVITY_ON_RESTED             0
#define PL_LINK_ACTIVITY_ON_UNREACHABLE        1
#define PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED 2
#define PL_LINK_ACTIVITY_ON_MUTE_OVER          3
#define PL_LINK_ACTIVITY_ON_WOKEN              4
#define PL_LINK_ACTIVITY_INITIAL PL_LINK_ACTIVITY_RESTING
inline pl_link_activity_step(m, event)
{
    if
    :: (m) == PL_LINK_ACTIVITY_ACTIVE && (event) == PL_LINK_ACTIVITY_ON_RESTED -> m = PL_LINK_ACTIVITY_RESTING
    :: (m) == PL_LINK_ACTIVITY_ACTIVE && (event) == PL_LINK_ACTIVITY_ON_UNREACHABLE -> m = PL_LINK_ACTIVITY_DORMANT
    :: (m) == PL_LINK_ACTIVITY_ACTIVE && (event) == PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED -> m = PL_LINK_ACTIVITY_MUTED
    :: (m) == PL_LINK_ACTIVITY_MUTED && (event) == PL_LINK_ACTIVITY_ON_RESTED -> m = PL_LINK_ACTIVITY_RESTING
    :: (m) == PL_LINK_ACTIVITY_MUTED && (event) == PL_LINK_ACTIVITY_ON_MUTE_OVER -> m = PL_LINK_ACTIVITY_ACTIVE
    :: (m) == PL_LINK_ACTIVITY_DORMANT && (event) == PL_LINK_ACTIVITY_ON_WOKEN -> m = PL_LINK_ACTIVITY_ACTIVE
    :: (m) == PL_LINK_ACTIVITY_RESTING && (event) == PL_LINK_ACTIVITY_ON_WOKEN -> m = PL_LINK_ACTIVITY_ACTIVE
    :: else -> skip
    fi
}

/* Receive Run, spec/link.wire:500 */
#define PL_RECEIVE_RUN_UNPROVEN 0
#define PL_RECEIVE_RUN_CURRENT  1
#define PL_RECEIVE_RUN_PROVEN   2
#define PL_RECEIVE_RUN_IGNORED  3
#define PL_RECEIVE_RUN_GONE     4
#define PL_RECEIVE_RUN_ON_PROVEN             0
#define PL_RECEIVE_RUN_ON_ANOTHER_PROVEN     1
#define PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED 2
#define PL_RECEIVE_RUN_ON_EVICTED            3
#define PL_RECEIVE_RUN_INITIAL PL_RECEIVE_RUN_UNPROVEN
inline pl_receive_run_step(m, event)
{
    if
    :: (m) == PL_RECEIVE_RUN_UNPROVEN && (event) == PL_RECEIVE_RUN_ON_PROVEN -> m = PL_RECEIVE_RUN_CURRENT
    :: (m) == PL_RECEIVE_RUN_UNPROVEN && (event) == PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED -> m = PL_RECEIVE_RUN_IGNORED
    :: (m) == PL_RECEIVE_RUN_UNPROVEN && (event) == PL_RECEIVE_RUN_ON_EVICTED -> m = PL_RECEIVE_RUN_GONE
    :: (m) == PL_RECEIVE_RUN_CURRENT && (event) == PL_RECEIVE_RUN_ON_ANOTHER_PROVEN -> m = PL_RECEIVE_RUN_PROVEN
    :: (m) == PL_RECEIVE_RUN_CURRENT && (event) == PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED -> m = PL_RECEIVE_RUN_IGNORED
    :: (m) == PL_RECEIVE_RUN_CURRENT && (event) == PL_RECEIVE_RUN_ON_EVICTED -> m = PL_RECEIVE_RUN_GONE
    :: (m) == PL_RECEIVE_RUN_PROVEN && (event) == PL_RECEIVE_RUN_ON_PROVEN -> m = PL_RECEIVE_RUN_CURRENT
    :: (m) == PL_RECEIVE_RUN_PROVEN && (event) == PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED -> m = PL_RECEIVE_RUN_IGNORED
    :: (m) == PL_RECEIVE_RUN_PROVEN && (event) == PL_RECEIVE_RUN_ON_EVICTED -> m = PL_RECEIVE_RUN_GONE
    :: (m) == PL_RECEIVE_RUN_IGNORED && (event) == PL_RECEIVE_RUN_ON_EVICTED -> m = PL_RECEIVE_RUN_GONE
    :: else -> skip
    fi
}
#ifdef PL_RECEIVE_RUN_ALONE
active proctype pl_receive_run_alone()
{
    byte m = PL_RECEIVE_RUN_INITIAL, event;
    bit pl_receive_run_proof_lasts = 0;
    bit pl_receive_run_ignored_stays_out = 0;

    do
    :: atomic {
        select(event : 0 .. 3);
        d_step {
            pl_receive_run_step(m, event);
            /* spec/link.wire:518: once Current or Proven never Unproven */
            pl_receive_run_proof_lasts = pl_receive_run_proof_lasts || m == PL_RECEIVE_RUN_CURRENT || m == PL_RECEIVE_RUN_PROVEN;
            assert(!(pl_receive_run_proof_lasts && (m == PL_RECEIVE_RUN_UNPROVEN)));
            /* spec/link.wire:520: once Ignored never Unproven or Current or Proven */
            pl_receive_run_ignored_stays_out = pl_receive_run_ignored_stays_out || m == PL_RECEIVE_RUN_IGNORED;
            assert(!(pl_receive_run_ignored_stays_out && (m == PL_RECEIVE_RUN_UNPROVEN || m == PL_RECEIVE_RUN_CURRENT || m == PL_RECEIVE_RUN_PROVEN)))
        }
    }
    od
}
#endif

/* Link Path, spec/link.wire:523 */
#define PL_LINK_PATH_UNVALIDATED 0
#define PL_LINK_PATH_VALIDATED   1
#define PL_LINK_PATH_ON_ANSWERED   0
#define PL_LINK_PATH_ON_CONFIGURED 1
#define PL_LINK_PATH_ON_MOVED      2
#define PL_LINK_PATH_INITIAL PL_LINK_PATH_UNVALIDATED
inline pl_link_path_step(m, event)
{
    if
    :: (m) == PL_LINK_PATH_UNVALIDATED && (event) == PL_LINK_PATH_ON_ANSWERED -> m = PL_LINK_PATH_VALIDATED
    :: (m) == PL_LINK_PATH_UNVALIDATED && (event) == PL_LINK_PATH_ON_CONFIGURED -> m = PL_LINK_PATH_VALIDATED
    :: (m) == PL_LINK_PATH_VALIDATED && (event) == PL_LINK_PATH_ON_MOVED -> m = PL_LINK_PATH_UNVALIDATED
    :: else -> skip
    fi
}

/* Sending Stream, spec/link.wire:535 */
#define PL_SENDING_STREAM_OPEN    0
#define PL_SENDING_STREAM_BLOCKED 1
#define PL_SENDING_STREAM_STOPPED 2
#define PL_SENDING_STREAM_FORKED  3
#define PL_SENDING_STREAM_SETTLED 4
#define PL_SENDING_STREAM_ON_STORED           0
#define PL_SENDING_STREAM_ON_REFUSED_FOR_NOW  1
#define PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD 2
#define PL_SENDING_STREAM_ON_FORKED           3
#define PL_SENDING_STREAM_ON_REBORN           4
#define PL_SENDING_STREAM_ON_DROPPED          5
#define PL_SENDING_STREAM_ON_RESUMED          6
#define PL_SENDING_STREAM_INITIAL PL_SENDING_STREAM_OPEN
inline pl_sending_stream_step(m, event)
{
    if
    :: (m) == PL_SENDING_STREAM_OPEN && (event) == PL_SENDING_STREAM_ON_STORED -> m = PL_SENDING_STREAM_SETTLED
    :: (m) == PL_SENDING_STREAM_OPEN && (event) == PL_SENDING_STREAM_ON_REFUSED_FOR_NOW -> m = PL_SENDING_STREAM_BLOCKED
    :: (m) == PL_SENDING_STREAM_OPEN && (event) == PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD -> m = PL_SENDING_STREAM_STOPPED
    :: (m) == PL_SENDING_STREAM_OPEN && (event) == PL_SENDING_STREAM_ON_FORKED -> m = PL_SENDING_STREAM_FORKED
    :: (m) == PL_SENDING_STREAM_BLOCKED && (event) == PL_SENDING_STREAM_ON_STORED -> m = PL_SENDING_STREAM_SETTLED
    :: (m) == PL_SENDING_STREAM_BLOCKED && (event) == PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD -> m = PL_SENDING_STREAM_STOPPED
    :: (m) == PL_SENDING_STREAM_BLOCKED && (event) == PL_SENDING_STREAM_ON_FORKED -> m = PL_SENDING_STREAM_FORKED
    :: (m) == PL_SENDING_STREAM_BLOCKED && (event) == PL_SENDING_STREAM_ON_RESUMED -> m = PL_SENDING_STREAM_OPEN
    :: (m) == PL_SENDING_STREAM_STOPPED && (event) == PL_SENDING_STREAM_ON_STORED -> m = PL_SENDING_STREAM_SETTLED
    :: (m) == PL_SENDING_STREAM_STOPPED && (event) == PL_SENDING_STREAM_ON_FORKED -> m = PL_SENDING_STREAM_FORKED
    :: (m) == PL_SENDING_STREAM_STOPPED && (event) == PL_SENDING_STREAM_ON_DROPPED -> m = PL_SENDING_STREAM_OPEN
    :: (m) == PL_SENDING_STREAM_STOPPED && (event) == PL_SENDING_STREAM_ON_RESUMED -> m = PL_SENDING_STREAM_OPEN
    :: (m) == PL_SENDING_STREAM_FORKED && (event) == PL_SENDING_STREAM_ON_REBORN -> m = PL_SENDING_STREAM_OPEN
    :: (m) == PL_SENDING_STREAM_SETTLED && (event) == PL_SENDING_STREAM_ON_RESUMED -> m = PL_SENDING_STREAM_OPEN
    :: else -> skip
    fi
}
#define PL_SENDING_STREAM_FACT_KEPT 1
hidden byte pl_sending_stream_settled_streams_keep_nothing;
inline pl_sending_stream_check(m, facts)
{
    /* spec/link.wire:559: always Settled implies not kept */
    pl_sending_stream_settled_streams_keep_nothing = (((m) != PL_SENDING_STREAM_SETTLED) || (((facts) & PL_SENDING_STREAM_FACT_KEPT) == 0));
    assert(pl_sending_stream_settled_streams_keep_nothing)
}

/* Sending Life, spec/link.wire:562 */
#define PL_SENDING_LIFE_HELD      0
#define PL_SENDING_LIFE_ANNOUNCED 1
#define PL_SENDING_LIFE_BOUND     2
#define PL_SENDING_LIFE_SETTLED   3
#define PL_SENDING_LIFE_ON_ANNOUNCED         0
#define PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO 1
#define PL_SENDING_LIFE_ON_ALL_STORED        2
#define PL_SENDING_LIFE_ON_NEW_RUN           3
#define PL_SENDING_LIFE_ON_UNBOUND           4
#define PL_SENDING_LIFE_ON_FORKED            5
#define PL_SENDING_LIFE_INITIAL PL_SENDING_LIFE_HELD
inline pl_sending_life_step(m, event)
{
    if
    :: (m) == PL_SENDING_LIFE_HELD && (event) == PL_SENDING_LIFE_ON_ANNOUNCED -> m = PL_SENDING_LIFE_ANNOUNCED
    :: (m) == PL_SENDING_LIFE_HELD && (event) == PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO -> m = PL_SENDING_LIFE_BOUND
    :: (m) == PL_SENDING_LIFE_HELD && (event) == PL_SENDING_LIFE_ON_ALL_STORED -> m = PL_SENDING_LIFE_SETTLED
    :: (m) == PL_SENDING_LIFE_HELD && (event) == PL_SENDING_LIFE_ON_FORKED -> m = PL_SENDING_LIFE_SETTLED
    :: (m) == PL_SENDING_LIFE_ANNOUNCED && (event) == PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO -> m = PL_SENDING_LIFE_BOUND
    :: (m) == PL_SENDING_LIFE_ANNOUNCED && (event) == PL_SENDING_LIFE_ON_ALL_STORED -> m = PL_SENDING_LIFE_SETTLED
    :: (m) == PL_SENDING_LIFE_ANNOUNCED && (event) == PL_SENDING_LIFE_ON_NEW_RUN -> m = PL_SENDING_LIFE_HELD
    :: (m) == PL_SENDING_LIFE_ANNOUNCED && (event) == PL_SENDING_LIFE_ON_UNBOUND -> m = PL_SENDING_LIFE_HELD
    :: (m) == PL_SENDING_LIFE_ANNOUNCED && (event) == PL_SENDING_LIFE_ON_FORKED -> m = PL_SENDING_LIFE_SETTLED
    :: (m) == PL_SENDING_LIFE_BOUND && (event) == PL_SENDING_LIFE_ON_ALL_STORED -> m = PL_SENDING_LIFE_SETTLED
    :: (m) == PL_SENDING_LIFE_BOUND && (event) == PL_SENDING_LIFE_ON_NEW_RUN -> m = PL_SENDING_LIFE_HELD
    :: (m) == PL_SENDING_LIFE_BOUND && (event) == PL_SENDING_LIFE_ON_UNBOUND -> m = PL_SENDING_LIFE_HELD
    :: (m) == PL_SENDING_LIFE_BOUND && (event) == PL_SENDING_LIFE_ON_FORKED -> m = PL_SENDING_LIFE_SETTLED
    :: else -> skip
    fi
}
#define PL_SENDING_LIFE_FACT_KEPT 1
#define PL_SENDING_LIFE_FACT_SAFE 2
#define PL_SENDING_LIFE_FACT_KNOWN 4
hidden byte pl_sending_life_settled_lives_keep_nothing;
hidden byte pl_sending_life_nothing_is_lost;
hidden byte pl_sending_life_bound_lives_are_known;
inline pl_sending_life_check(m, facts)
{
    /* spec/link.wire:583: always Settled implies not kept */
    pl_sending_life_settled_lives_keep_nothing = (((m) != PL_SENDING_LIFE_SETTLED) || (((facts) & PL_SENDING_LIFE_FACT_KEPT) == 0));
    assert(pl_sending_life_settled_lives_keep_nothing);
    /* spec/link.wire:585: always Settled implies safe */
    pl_sending_life_nothing_is_lost = (((m) != PL_SENDING_LIFE_SETTLED) || (((facts) & PL_SENDING_LIFE_FACT_SAFE) != 0));
    assert(pl_sending_life_nothing_is_lost);
    /* spec/link.wire:586: always Bound implies known */
    pl_sending_life_bound_lives_are_known = (((m) != PL_SENDING_LIFE_BOUND) || (((facts) & PL_SENDING_LIFE_FACT_KNOWN) != 0));
    assert(pl_sending_life_bound_lives_are_known)
}

/* Sent Piece, spec/link.wire:589 */
#define PL_SENT_PIECE_IN_FLIGHT 0
#define PL_SENT_PIECE_LOST      1
#define PL_SENT_PIECE_RECEIVED  2
#define PL_SENT_PIECE_REQUEUED  3
#define PL_SENT_PIECE_STORED    4
#define PL_SENT_PIECE_ON_ACKNOWLEDGED       0
#define PL_SENT_PIECE_ON_LOST               1
#define PL_SENT_PIECE_ON_RECEIVER_RESTARTED 2
#define PL_SENT_PIECE_ON_STORED             3
#define PL_SENT_PIECE_INITIAL PL_SENT_PIECE_IN_FLIGHT
inline pl_sent_piece_step(m, event)
{
    if
    :: (m) == PL_SENT_PIECE_IN_FLIGHT && (event) == PL_SENT_PIECE_ON_ACKNOWLEDGED -> m = PL_SENT_PIECE_RECEIVED
    :: (m) == PL_SENT_PIECE_IN_FLIGHT && (event) == PL_SENT_PIECE_ON_LOST -> m = PL_SENT_PIECE_LOST
    :: (m) == PL_SENT_PIECE_IN_FLIGHT && (event) == PL_SENT_PIECE_ON_RECEIVER_RESTARTED -> m = PL_SENT_PIECE_REQUEUED
    :: (m) == PL_SENT_PIECE_IN_FLIGHT && (event) == PL_SENT_PIECE_ON_STORED -> m = PL_SENT_PIECE_STORED
    :: (m) == PL_SENT_PIECE_LOST && (event) == PL_SENT_PIECE_ON_ACKNOWLEDGED -> m = PL_SENT_PIECE_RECEIVED
    :: (m) == PL_SENT_PIECE_LOST && (event) == PL_SENT_PIECE_ON_STORED -> m = PL_SENT_PIECE_STORED
    :: (m) == PL_SENT_PIECE_RECEIVED && (event) == PL_SENT_PIECE_ON_STORED -> m = PL_SENT_PIECE_STORED
    :: (m) == PL_SENT_PIECE_REQUEUED && (event) == PL_SENT_PIECE_ON_ACKNOWLEDGED -> m = PL_SENT_PIECE_RECEIVED
    :: (m) == PL_SENT_PIECE_REQUEUED && (event) == PL_SENT_PIECE_ON_STORED -> m = PL_SENT_PIECE_STORED
    :: else -> skip
    fi
}
#define PL_SENT_PIECE_FACT_COMMITTED 1
#define PL_SENT_PIECE_FACT_IN_MEMORY 2
#define PL_SENT_PIECE_FACT_RESTARTED 4
hidden byte pl_sent_piece_stored_is_committed;
hidden byte pl_sent_piece_received_is_there;
inline pl_sent_piece_check(m, facts)
{
    /* spec/link.wire:610: always Stored implies committed */
    pl_sent_piece_stored_is_committed = (((m) != PL_SENT_PIECE_STORED) || (((facts) & PL_SENT_PIECE_FACT_COMMITTED) != 0));
    assert(pl_sent_piece_stored_is_committed);
    /* spec/link.wire:611: always Received implies committed or in memory or restarted */
    pl_sent_piece_received_is_there = (((m) != PL_SENT_PIECE_RECEIVED) || (((((facts) & PL_SENT_PIECE_FACT_COMMITTED) != 0) || (((facts) & PL_SENT_PIECE_FACT_IN_MEMORY) != 0)) || (((facts) & PL_SENT_PIECE_FACT_RESTARTED) != 0)));
    assert(pl_sent_piece_received_is_there)
}
#ifdef PL_SENT_PIECE_ALONE
active proctype pl_sent_piece_alone()
{
    byte m = PL_SENT_PIECE_INITIAL, event;
    bit pl_sent_piece_sent_once = 0;

    do
    :: atomic {
        select(event : 0 .. 3);
        d_step {
            pl_sent_piece_step(m, event);
            /* spec/link.wire:613: once Lost or Received or Requeued never In Flight */
            pl_sent_piece_sent_once = pl_sent_piece_sent_once || m == PL_SENT_PIECE_LOST || m == PL_SENT_PIECE_RECEIVED || m == PL_SENT_PIECE_REQUEUED;
            assert(!(pl_sent_piece_sent_once && (m == PL_SENT_PIECE_IN_FLIGHT)))
        }
    }
    od
}
#endif

/* Receiving Stream, spec/link.wire:616 */
#define PL_RECEIVING_STREAM_NAMED    0
#define PL_RECEIVING_STREAM_TAKING   1
#define PL_RECEIVING_STREAM_REFUSING 2
#define PL_RECEIVING_STREAM_ON_TAKEN   0
#define PL_RECEIVING_STREAM_ON_REFUSED 1
#define PL_RECEIVING_STREAM_ON_CLEARED 2
#define PL_RECEIVING_STREAM_ON_GAP     3
#define PL_RECEIVING_STREAM_INITIAL PL_RECEIVING_STREAM_NAMED
inline pl_receiving_stream_step(m, event)
{
    if
    :: (m) == PL_RECEIVING_STREAM_NAMED && (event) == PL_RECEIVING_STREAM_ON_TAKEN -> m = PL_RECEIVING_STREAM_TAKING
    :: (m) == PL_RECEIVING_STREAM_NAMED && (event) == PL_RECEIVING_STREAM_ON_REFUSED -> m = PL_RECEIVING_STREAM_REFUSING
    :: (m) == PL_RECEIVING_STREAM_NAMED && (event) == PL_RECEIVING_STREAM_ON_GAP -> m = PL_RECEIVING_STREAM_TAKING
    :: (m) == PL_RECEIVING_STREAM_TAKING && (event) == PL_RECEIVING_STREAM_ON_REFUSED -> m = PL_RECEIVING_STREAM_REFUSING
    :: (m) == PL_RECEIVING_STREAM_REFUSING && (event) == PL_RECEIVING_STREAM_ON_CLEARED -> m = PL_RECEIVING_STREAM_TAKING
    :: (m) == PL_RECEIVING_STREAM_REFUSING && (event) == PL_RECEIVING_STREAM_ON_GAP -> m = PL_RECEIVING_STREAM_TAKING
    :: else -> skip
    fi
}
#define PL_RECEIVING_STREAM_FACT_ROW 1
hidden byte pl_receiving_stream_takers_have_rows;
inline pl_receiving_stream_check(m, facts)
{
    /* spec/link.wire:632: always Taking implies row */
    pl_receiving_stream_takers_have_rows = (((m) != PL_RECEIVING_STREAM_TAKING) || (((facts) & PL_RECEIVING_STREAM_FACT_ROW) != 0));
    assert(pl_receiving_stream_takers_have_rows)
}

/* Receiving Life, spec/link.wire:635 */
#define PL_RECEIVING_LIFE_WAITING 0
#define PL_RECEIVING_LIFE_CURRENT 1
#define PL_RECEIVING_LIFE_PAST    2
#define PL_RECEIVING_LIFE_FORKED  3
#define PL_RECEIVING_LIFE_ON_REACHED      0
#define PL_RECEIVING_LIFE_ON_FOLLOWED     1
#define PL_RECEIVING_LIFE_ON_CONTRADICTED 2
#define PL_RECEIVING_LIFE_INITIAL PL_RECEIVING_LIFE_WAITING
inline pl_receiving_life_step(m, event)
{
    if
    :: (m) == PL_RECEIVING_LIFE_WAITING && (event) == PL_RECEIVING_LIFE_ON_REACHED -> m = PL_RECEIVING_LIFE_CURRENT
    :: (m) == PL_RECEIVING_LIFE_WAITING && (event) == PL_RECEIVING_LIFE_ON_CONTRADICTED -> m = PL_RECEIVING_LIFE_FORKED
    :: (m) == PL_RECEIVING_LIFE_CURRENT && (event) == PL_RECEIVING_LIFE_ON_FOLLOWED -> m = PL_RECEIVING_LIFE_PAST
    :: else -> skip
    fi
}
#define PL_RECEIVING_LIFE_FACT_NAMED 1
#define PL_RECEIVING_LIFE_FACT_TAKEN 2
hidden byte pl_receiving_life_one_life_goes_on;
hidden byte pl_receiving_life_only_followers_are_taken;
inline pl_receiving_life_check(m, facts)
{
    /* spec/link.wire:652: always Current = named */
    pl_receiving_life_one_life_goes_on = (((m) == PL_RECEIVING_LIFE_CURRENT) == (((facts) & PL_RECEIVING_LIFE_FACT_NAMED) != 0));
    assert(pl_receiving_life_one_life_goes_on);
    /* spec/link.wire:654: always taken implies Current or Past */
    pl_receiving_life_only_followers_are_taken = ((((facts) & PL_RECEIVING_LIFE_FACT_TAKEN) == 0) || (((m) == PL_RECEIVING_LIFE_CURRENT) || ((m) == PL_RECEIVING_LIFE_PAST)));
    assert(pl_receiving_life_only_followers_are_taken)
}
#ifdef PL_RECEIVING_LIFE_ALONE
active proctype pl_receiving_life_alone()
{
    byte m = PL_RECEIVING_LIFE_INITIAL, event;
    bit pl_receiving_life_no_late_fork = 0;

    do
    :: atomic {
        select(event : 0 .. 2);
        d_step {
            pl_receiving_life_step(m, event);
            /* spec/link.wire:656: once Current or Past never Waiting or Forked */
            pl_receiving_life_no_late_fork = pl_receiving_life_no_late_fork || m == PL_RECEIVING_LIFE_CURRENT || m == PL_RECEIVING_LIFE_PAST;
            assert(!(pl_receiving_life_no_late_fork && (m == PL_RECEIVING_LIFE_WAITING || m == PL_RECEIVING_LIFE_FORKED)))
        }
    }
    od
}
#endif

/* Mtu Probe, spec/link.wire:659 */
#define PL_MTU_PROBE_BASE      0
#define PL_MTU_PROBE_SEARCHING 1
#define PL_MTU_PROBE_COMPLETE  2
#define PL_MTU_PROBE_BROKEN    3
#define PL_MTU_PROBE_ON_BASE_CONFIRMED     0
#define PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED 1
#define PL_MTU_PROBE_ON_PROBE_LOST         2
#define PL_MTU_PROBE_ON_BLACK_HOLE         3
#define PL_MTU_PROBE_ON_RAISED             4
#define PL_MTU_PROBE_INITIAL PL_MTU_PROBE_BASE
inline pl_mtu_probe_step(m, event)
{
    if
    :: (m) == PL_MTU_PROBE_BASE && (event) == PL_MTU_PROBE_ON_BASE_CONFIRMED -> m = PL_MTU_PROBE_SEARCHING
    :: (m) == PL_MTU_PROBE_BASE && (event) == PL_MTU_PROBE_ON_BLACK_HOLE -> m = PL_MTU_PROBE_BROKEN
    :: (m) == PL_MTU_PROBE_SEARCHING && (event) == PL_MTU_PROBE_ON_PROBE_LOST -> m = PL_MTU_PROBE_COMPLETE
    :: (m) == PL_MTU_PROBE_SEARCHING && (event) == PL_MTU_PROBE_ON_BLACK_HOLE -> m = PL_MTU_PROBE_BASE
    :: (m) == PL_MTU_PROBE_COMPLETE && (event) == PL_MTU_PROBE_ON_BLACK_HOLE -> m = PL_MTU_PROBE_BASE
    :: (m) == PL_MTU_PROBE_COMPLETE && (event) == PL_MTU_PROBE_ON_RAISED -> m = PL_MTU_PROBE_SEARCHING
    :: (m) == PL_MTU_PROBE_BROKEN && (event) == PL_MTU_PROBE_ON_BASE_CONFIRMED -> m = PL_MTU_PROBE_SEARCHING
    :: else -> skip
    fi
}
