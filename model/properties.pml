/* The properties of the wire spec's machines: works out the facts they speak of. Part of model/stream.pml. */

/* FACTS: the sum of those that hold. */
#define FACT(test, bit) FACTS = FACTS + ((test) -> bit : 0)

/* VERDICT: whether record X is durable at the receiver, or was, or sender s holds it. */
inline is_safe(s, record)
{
    VERDICT = (ever & BIT(record)) != 0;
    if
    :: VERDICT -> skip
    :: else ->
        for (I : 1 .. BIRTHS) {
            for (Y : 1 .. RECORDS) {
                if
                :: (box[s].held[I] & BIT(Y)) != 0 ->
                    owner(s, I, Y);
                    VERDICT = VERDICT || RECORD(X, Y) == record
                :: else -> skip
                fi
            }
        }
    fi
}

/* VERDICT_DISK: whether that is so of every record of life l up to END; after find_life. */
inline all_safe(s, l)
{
    VERDICT_DISK = 1;
    for (N : 1 .. RECORDS) {
        if
        :: N <= END && RECORD(l, N) != 0 ->
            is_safe(s, RECORD(l, N));
            VERDICT_DISK = VERDICT_DISK && VERDICT
        :: else -> skip
        fi
    }
}

inline check_sender(s)
{
    for (B : 1 .. BIRTHS) {
        FACTS = 0;
        FACT(box[s].held[B] != 0, PL_SENDING_STREAM_FACT_KEPT);
        pl_sending_stream_check(box[s].stream[B], FACTS)
    }
    for (L : 1 .. lives) {
        find_life(s, L);
        if
        :: KNOWN ->
            B = birth_of[L];
            P = box[s].held[B] & (BIT(END + 1) - 1) & ~(BIT(first_of[L]) - 1);
            VERDICT_DISK = 1;
            if
            :: P == 0 -> all_safe(s, L)
            :: else -> skip /* what is kept is not lost */
            fi;
            FACTS = 0;
            FACT(P != 0, PL_SENDING_LIFE_FACT_KEPT);
            FACT(VERDICT_DISK != 0, PL_SENDING_LIFE_FACT_SAFE);
            FACT((reached & BIT(L)) != 0, PL_SENDING_LIFE_FACT_KNOWN);
            pl_sending_life_check(box[s].life[L], FACTS)
        :: else -> skip
        fi
    }
}

inline check_row(r)
{
    for (B : 1 .. BIRTHS) {
        FACTS = 0;
        FACT(row[r].heard[B] != 0, PL_RECEIVING_STREAM_FACT_ROW);
        pl_receiving_stream_check(row[r].stream[B], FACTS)
    }
#ifndef NOLIFE
    for (L : 1 .. lives) {
        FACTS = 0;
        FACT(row[r].current[birth_of[L]] == L, PL_RECEIVING_LIFE_FACT_NAMED);
        FACT(row[r].last[L] != 0, PL_RECEIVING_LIFE_FACT_TAKEN);
        pl_receiving_life_check(row[r].life[L], FACTS)
    }
#endif
}

inline check_properties()
{
    for (S : 0 .. senders - 1) {
        check_sender(S)
    }
    check_row(MEMORY);
    check_row(DISK)
}
