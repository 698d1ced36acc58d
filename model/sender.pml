/* The sender: what its outbox knows of lives, and what it does on an event. Part of model/stream.pml. */

/* END: the last number of life l as the outbox knows it; KNOWN: whether l is a life of this outbox. */
inline find_life(s, l)
{
    END = box[s].next[birth_of[l]] - 1;
    X = box[s].newest[birth_of[l]];
    do
    :: X == 0 || X == l -> break
    :: else -> END = first_of[X] - 1; X = before[X]
    od;
    KNOWN = (X != 0)
}

/* X: the life of number n in birth b; 0 for number 0. */
inline owner(s, b, n)
{
    X = box[s].newest[b];
    do
    :: X == 0 || first_of[X] <= n -> break
    :: else -> X = before[X]
    od
}

/* TO: the number up to which an answer about life l with number n frees. */
inline frees_to(s, l, n)
{
    find_life(s, l);
#ifdef NAIVE
    END = box[s].next[birth_of[l]] - 1;
    TO = (n <= END -> n : END)
#else
    TO = (n < first_of[l] -> 0 : (n <= END -> n : END))
#endif
}

/* MOVED: what of birth b, life l a fork at n gives again, as bits; after frees_to. */
inline moves(s, b, l, n)
{
    FREED = box[s].held[b] & ~(BIT(TO + 1) - 1);
#ifdef MOVEALL
    MOVED = FREED & (~(BIT(n + 1) - 1) | (BIT(first_of[l]) - 1));
#else
    MOVED = FREED & ~(BIT(first_of[l]) - 1) & ~(BIT(n + 1) - 1);
#endif
    if
    :: KNOWN && (FREED & (BIT(END + 1) - 1) & ~(BIT(first_of[l]) - 1)) != 0 -> skip
    :: else -> MOVED = 0
    fi
}

inline draw_life(b, number)
{
    lives++;
    assert(lives <= LIVES);
    birth_of[lives] = b;
    first_of[lives] = number
}

inline give(s)
{
    B = box[s].birth;
    N = box[s].next[B];
    if
    :: box[s].opened ->
        draw_life(B, N);
        before[lives] = box[s].newest[B];
        box[s].newest[B] = lives;
        box[s].opened = 0
    :: else -> skip
    fi;
    given++;
    RECORD(box[s].newest[B], N) = given;
#ifdef BINDEARLY
    pl_sending_life_step(box[s].life[box[s].newest[B]], PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO);
#endif
    box[s].held[B] = box[s].held[B] | BIT(N);
    box[s].next[B] = N + 1;
    pl_sending_stream_step(box[s].stream[B], PL_SENDING_STREAM_ON_RESUMED)
}

/* Frees the numbers of birth b up to TO: each must have been durable. */
inline free(s, b)
{
    for (I : 1 .. TO) {
        if
        :: (box[s].held[b] & BIT(I)) != 0 ->
            owner(s, b, I);
            assert((ever & BIT(RECORD(X, I))) != 0);
            box[s].held[b] = box[s].held[b] & ~BIT(I)
        :: else -> skip
        fi
    }
    box[s].confirmed[b] = (TO > box[s].confirmed[b] -> TO : box[s].confirmed[b])
}

/* Lives below the newest of which nothing is held are settled; so is a stream that holds nothing. */
inline settle_lives(s, b, event)
{
    END = box[s].next[b] - 1;
    X = box[s].newest[b];
    do
    :: X == 0 -> break
    :: else ->
        if
#ifdef SETTLEANY
        :: X != 0 ->
#else
        :: X != box[s].newest[b] && (box[s].held[b] & (BIT(END + 1) - 1) & ~(BIT(first_of[X]) - 1)) == 0 ->
#endif
            pl_sending_life_step(box[s].life[X], event)
        :: else -> skip
        fi;
        END = first_of[X] - 1;
        X = before[X]
    od;
    if
#ifdef SETTLESTREAM
    :: true ->
#else
    :: box[s].held[b] == 0 ->
#endif
        pl_sending_stream_step(box[s].stream[b], PL_SENDING_STREAM_ON_STORED)
    :: else -> skip
    fi
}

inline hear(s, l, n)
{
    frees_to(s, l, n);
    pl_sending_life_step(box[s].life[l], PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO);
    B = birth_of[l];
    free(s, B);
    settle_lives(s, B, PL_SENDING_LIFE_ON_ALL_STORED)
}

/* What the fork leaves over becomes one life of a new birth, from number 1. */
inline fork(s, l, n)
{
    frees_to(s, l, n);
    B = birth_of[l];
    moves(s, B, l, n);
    free(s, B);
    pl_sending_stream_step(box[s].stream[B], PL_SENDING_STREAM_ON_FORKED);
    births++;
    draw_life(births, 1);
    before[lives] = 0;
    Y = 0;
    for (I : 1 .. RECORDS) {
        if
        :: (MOVED & BIT(I)) != 0 ->
            Y++;
            owner(s, B, I);
            RECORD(lives, Y) = RECORD(X, I)
        :: else -> skip
        fi
    }
    box[s].held[B] = box[s].held[B] & ~MOVED;
    box[s].birth = births;
    box[s].newest[births] = lives;
    box[s].next[births] = Y + 1;
    box[s].held[births] = BIT(Y + 1) - 2;
    box[s].opened = 0;
    pl_sending_stream_step(box[s].stream[B], PL_SENDING_STREAM_ON_REBORN);
    settle_lives(s, B, PL_SENDING_LIFE_ON_FORKED)
}

/* A new run: nothing that was said to the old one counts. */
inline new_run(s)
{
    box[s].opened = 1;
#ifdef GIVEUP
    box[s].held[1] = 0;
    box[s].confirmed[1] = box[s].next[1] - 1;
#endif
    for (L : 1 .. LIVES) {
        pl_sending_life_step(box[s].life[L], PL_SENDING_LIFE_ON_NEW_RUN);
        assert(box[s].life[L] == PL_SENDING_LIFE_HELD || box[s].life[L] == PL_SENDING_LIFE_SETTLED);
        forget_answers(s, L)
    }
}

inline copy_box(from, to)
{
    box[to].birth = box[from].birth;
    box[to].opened = box[from].opened;
    for (I : 1 .. BIRTHS) {
        box[to].newest[I] = box[from].newest[I];
        box[to].next[I] = box[from].next[I];
        box[to].confirmed[I] = box[from].confirmed[I];
        box[to].held[I] = box[from].held[I];
        box[to].stream[I] = box[from].stream[I]
    }
    for (I : 1 .. LIVES) {
        box[to].life[I] = box[from].life[I]
    }
}
