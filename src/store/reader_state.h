/* A reader, as its own parts see it. */
#ifndef PL_STORE_READER_STATE_H
#define PL_STORE_READER_STATE_H

#include "store/env.h"
#include "store/reader.h"

struct pl_reader {
    struct pl_env *env;
    MDB_txn *txn;          /* between calls reset: it keeps the slot and no snapshot */
};

#endif
