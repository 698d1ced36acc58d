/* The receiver: its verdict on a piece, its row, and its commit. Part of model/stream.pml. */

/* verdict: what row r says to number n of life l. */
inline judge(r, l, n, verdict)
{
    B = birth_of[l];
    P = row[r].life[l];
#ifdef NOLIFE
    verdict = (n <= row[r].heard[B] -> REPEAT : (n == row[r].heard[B] + 1 -> TAKE : WAIT));
#else
    if
    :: P == PL_RECEIVING_LIFE_WAITING && first_of[l] <= row[r].heard[B] + 1 ->
        if
        :: first_of[l] == row[r].heard[B] + 1 && before[l] == row[r].current[B] ->
            pl_receiving_life_step(P, PL_RECEIVING_LIFE_ON_REACHED)
        :: else -> pl_receiving_life_step(P, PL_RECEIVING_LIFE_ON_CONTRADICTED)
        fi
    :: else -> skip
    fi;
    if
    :: P == PL_RECEIVING_LIFE_FORKED -> verdict = FORK
    :: P != PL_RECEIVING_LIFE_FORKED && n <= row[r].last[l] -> verdict = REPEAT
    :: P == PL_RECEIVING_LIFE_PAST && n > row[r].last[l] -> verdict = FORK
    :: P == PL_RECEIVING_LIFE_CURRENT && n > row[r].last[l] ->
        verdict = (n == row[r].heard[B] + 1 -> TAKE : WAIT)
#ifdef FORKANY
    :: P == PL_RECEIVING_LIFE_WAITING -> verdict = FORK
#else
    :: P == PL_RECEIVING_LIFE_WAITING -> verdict = WAIT
#endif
    fi
#endif
}

/* Number n of life l becomes the last heard. */
inline advance(l, n)
{
    B = birth_of[l];
    X = row[MEMORY].current[B];
    if
    :: X != l ->
        if
#ifndef TWOLIVES
        :: X != 0 ->
            pl_receiving_life_step(row[MEMORY].life[X], PL_RECEIVING_LIFE_ON_FOLLOWED);
            assert(row[MEMORY].life[X] == PL_RECEIVING_LIFE_PAST)
#endif
        :: else -> skip
        fi;
        pl_receiving_life_step(row[MEMORY].life[l], PL_RECEIVING_LIFE_ON_REACHED);
        row[MEMORY].current[B] = l
    :: else -> skip
    fi;
#ifndef NOLIFE
    assert(row[MEMORY].life[l] == PL_RECEIVING_LIFE_CURRENT);
#endif
#ifndef NOROW
    row[MEMORY].heard[B] = n;
#endif
#ifdef LASTOFALL
    row[MEMORY].last[lives] = n;
#endif
    row[MEMORY].last[l] = n
}

inline copy_row(from, to)
{
    for (I : 1 .. BIRTHS) {
        row[to].heard[I] = row[from].heard[I];
        row[to].current[I] = row[from].current[I];
        row[to].stream[I] = row[from].stream[I]
    }
    for (I : 1 .. LIVES) {
        row[to].last[I] = row[from].last[I];
        row[to].life[I] = row[from].life[I]
    }
    for (I : 1 .. RECORDS) {
        row[to].copies[I] = row[from].copies[I]
    }
}

/* The one place where records become durable: exactly once is asserted here. */
inline commit()
{
    copy_row(MEMORY, DISK);
    for (I : 1 .. RECORDS) {
        assert(row[DISK].copies[I] <= COPIES);
        if
        :: row[DISK].copies[I] > 0 -> ever = ever | BIT(I)
        :: else -> skip
        fi
    }
    for (I : 1 .. lives) {
        if
        :: row[DISK].last[I] > 0 -> reached = reached | BIT(I)
        :: else -> skip
        fi
    }
}

inline changed()
{
#if KILLS == 0
    commit()
#else
    dirty = true
#endif
}

inline take(l, n)
{
    advance(l, n);
    pl_receiving_stream_step(row[MEMORY].stream[birth_of[l]], PL_RECEIVING_STREAM_ON_TAKEN);
    assert(row[MEMORY].stream[birth_of[l]] == PL_RECEIVING_STREAM_TAKING);
    row[MEMORY].copies[RECORD(l, n)]++;
    changed()
}

inline skip_to(l, n)
{
    advance(l, n);
    pl_receiving_stream_step(row[MEMORY].stream[birth_of[l]], PL_RECEIVING_STREAM_ON_GAP);
    changed()
}
