/* The channel: what both sides have sent by now, and what of it matters. Part of model/stream.pml. */

/* The sender sends what it holds, of the lowest birth alone while that holds something. */
inline send_held(s)
{
    MOVED = 0;
    for (I : 1 .. BIRTHS) {
        if
        :: MOVED == 0 && box[s].held[I] != 0 ->
            assert(box[s].stream[I] == PL_SENDING_STREAM_OPEN);
            MOVED = 1;
            for (N : 1 .. RECORDS) {
                if
                :: (box[s].held[I] & BIT(N)) != 0 ->
                    owner(s, I, N);
                    assert(X != 0 && box[s].life[X] != PL_SENDING_LIFE_SETTLED);
                    pl_sending_life_step(box[s].life[X], PL_SENDING_LIFE_ON_ANNOUNCED);
                    pieces[X] = pieces[X] | BIT(N);
                    sent[PAIR(s, X)] = sent[PAIR(s, X)] | BIT(N);
                    asked[PAIR(s, X)] = 1
                :: else -> skip
                fi
            }
        :: else -> skip
        fi;
        owner(s, I, box[s].confirmed[I]);
        if
        :: X != 0 -> asked[PAIR(s, X)] = 1
        :: else -> skip
        fi
    }
}

/* STORED is told from the disk, forked only if memory and disk agree on it. */
inline answer(s, l)
{
    if
    :: asked[PAIR(s, l)] ->
#ifdef NOLIFE
        stored_frames[PAIR(s, l)] = stored_frames[PAIR(s, l)] | BIT(row[DISK].heard[birth_of[l]]);
#else
        stored_frames[PAIR(s, l)] = stored_frames[PAIR(s, l)] | BIT(row[DISK].last[l]);
#endif
        for (N : 1 .. RECORDS) {
            if
            :: (sent[PAIR(s, l)] & BIT(N)) != 0 ->
                judge(MEMORY, l, N, VERDICT);
#ifdef FORKMEM
                VERDICT_DISK = FORK;
#else
                judge(DISK, l, N, VERDICT_DISK);
#endif
                if
                :: VERDICT == FORK && VERDICT_DISK == FORK ->
                    forked_frames[PAIR(s, l)] = forked_frames[PAIR(s, l)] | BIT(row[DISK].last[l])
                :: else -> skip
                fi
            :: else -> skip
            fi
        }
    :: else -> skip
    fi
}

/* Which answers about life l would change sender s; a STORED below what was confirmed makes a GAP. */
inline weigh_answers(s, l)
{
    can_hear[PAIR(s, l)] = 0;
    can_fork[PAIR(s, l)] = 0;
    B = birth_of[l];
    for (N : 0 .. RECORDS) {
        if
        :: ((stored_frames[PAIR(s, l)] | forked_frames[PAIR(s, l)]) & BIT(N)) != 0 ->
            frees_to(s, l, N);
            if
            :: !KNOWN -> skip
            :: KNOWN ->
                moves(s, B, l, N);
                if
                :: (forked_frames[PAIR(s, l)] & BIT(N)) != 0 && MOVED != 0 && births < BIRTHS ->
                    can_fork[PAIR(s, l)] = can_fork[PAIR(s, l)] | BIT(N)
                :: (forked_frames[PAIR(s, l)] & BIT(N)) != 0 && MOVED != 0 && births == BIRTHS ->
                    beyond = true
                :: else -> skip
                fi;
                owner(s, B, box[s].confirmed[B]);
                if
                :: (stored_frames[PAIR(s, l)] & BIT(N)) == 0 -> skip
                :: (stored_frames[PAIR(s, l)] & BIT(N)) != 0 && TO > box[s].confirmed[B] ->
                    can_hear[PAIR(s, l)] = can_hear[PAIR(s, l)] | BIT(N)
#ifndef NOGAP
                :: (stored_frames[PAIR(s, l)] & BIT(N)) != 0 && X == l && TO < box[s].confirmed[B] ->
                    gap_frames[PAIR(s, l)] = gap_frames[PAIR(s, l)] | BIT(box[s].confirmed[B])
#endif
                :: else -> skip
                fi
            fi
        :: else -> skip
        fi
    }
}

inline weigh_gaps(s, l)
{
    can_skip[PAIR(s, l)] = 0;
    for (N : 1 .. RECORDS) {
        if
        :: (gap_frames[PAIR(s, l)] & BIT(N)) != 0 && row[MEMORY].heard[birth_of[l]] < N &&
           row[MEMORY].life[l] != PL_RECEIVING_LIFE_PAST ->
            can_skip[PAIR(s, l)] = can_skip[PAIR(s, l)] | BIT(N)
        :: else -> skip
        fi
    }
}

inline weigh_pieces(l)
{
    can_take[l] = 0;
    for (N : 1 .. RECORDS) {
        if
        :: (pieces[l] & BIT(N)) != 0 ->
            judge(MEMORY, l, N, VERDICT);
            if
            :: VERDICT == TAKE -> can_take[l] = can_take[l] | BIT(N)
            :: else -> skip
            fi
        :: else -> skip
        fi
    }
}

inline settle()
{
    beyond = false;
    for (S : 0 .. senders - 1) {
        send_held(S);
        for (L : 1 .. lives) {
            answer(S, L);
            weigh_answers(S, L);
            weigh_gaps(S, L)
        }
    }
    for (L : 1 .. lives) {
        weigh_pieces(L)
    }
}

inline forget_answers(s, l)
{
    sent[PAIR(s, l)] = 0;
    asked[PAIR(s, l)] = 0;
    stored_frames[PAIR(s, l)] = 0;
    forked_frames[PAIR(s, l)] = 0;
    gap_frames[PAIR(s, l)] = 0;
    can_hear[PAIR(s, l)] = 0;
    can_fork[PAIR(s, l)] = 0;
    can_skip[PAIR(s, l)] = 0
}

inline black_out()
{
    for (L : 1 .. LIVES) {
        pieces[L] = 0;
        for (S : 0 .. SENDERS - 1) {
            forget_answers(S, L)
        }
    }
}
