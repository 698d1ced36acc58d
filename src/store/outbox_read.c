/* What is held, read for sending: streams, lives, bytes from any position, the place of a number. */
#include <string.h>

#include "link/link_varint.h"
#include "store/outbox_tables.h"

/* ---- streams and lives */

size_t pl_outbox_streams(const struct pl_outbox *outbox)
{
    size_t n = 0;

    for (size_t i = 0; i < outbox->lines_n; i++) {
        n += outbox->lines[i] != NULL ? outbox->lines[i]->now.stretches_n : 0;
    }
    return n;
}

/* Number, position, life and offset as the stream counts them; the life is that of the byte before if
 * `behind`. */
static struct pl_outbox_place place_of(const struct pl_line_state *state, const struct pl_stretch *stretch,
                                       struct pl_spot spot, bool behind)
{
    bool first = spot.position == stretch->start.position;
    struct pl_outbox_place place = {.number = spot.number - stretch->start.number + 1,
                                    .position = spot.position - stretch->start.position};
    size_t life = behind && first ? state->lives_n : pl_life_at(state, spot.position - (behind ? 1 : 0));

    if (life < state->lives_n) {
        place.life = state->lives[life].tag;
        place.offset = spot.position - state->lives[life].start.position;
    }
    return place;
}

/* True if a stretch before it holds a record. */
static bool is_blocked(const struct pl_line_state *state, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (state->stretches[i].stored_number < pl_stretch_end(state, i).number) {
            return true;
        }
    }
    return false;
}

static void describe(const struct pl_outbox *outbox, size_t line_index, size_t index, struct pl_sending *out)
{
    const struct pl_line *line = outbox->lines[line_index];
    const struct pl_stretch *stretch = &line->now.stretches[index];
    struct pl_spot end = pl_stretch_end(&line->now, index);

    memset(out, 0, sizeof *out);
    out->link = line->link;
    out->line = (uint32_t)line_index;
    out->stream = stretch->stream;
    out->birth = stretch->birth;
    out->name_size = line->name_size;
    memcpy(out->name, line->name, line->name_size);
    out->next = place_of(&line->now, stretch, end, true);
    out->freed = place_of(&line->now, stretch, stretch->freed, true);
    out->newest_life = out->next.life;
    out->forked_ms = line->now.forked_ms;
    out->newest = index + 1 == line->now.stretches_n;
    out->blocked = is_blocked(&line->now, index);
}

enum pl_error pl_outbox_stream_at(const struct pl_outbox *outbox, size_t index, struct pl_sending *out)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        size_t n = outbox->lines[i] != NULL ? outbox->lines[i]->now.stretches_n : 0;
        if (index < n) {
            describe(outbox, i, index, out);
            return PL_OK;
        }
        index -= n;
    }
    return PL_E_NOT_FOUND;
}

enum pl_error pl_outbox_stream(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                               struct pl_sending *out)
{
    struct pl_line *line;
    size_t index;
    enum pl_error error = pl_outbox_find(outbox, link, stream, &line, &index);

    for (size_t i = 0; error == PL_OK && i < outbox->lines_n; i++) {
        if (outbox->lines[i] == line) {
            describe(outbox, i, index, out);
        }
    }
    return error;
}

static struct pl_sending_life describe_life(const struct pl_line_state *state,
                                            const struct pl_stretch *stretch, size_t life)
{
    const struct pl_given_life *given = &state->lives[life];
    struct pl_spot end = pl_life_end(state, life);

    return (struct pl_sending_life){.tag = given->tag,
                                    .before = given->before,
                                    .first_number = given->start.number - stretch->start.number + 1,
                                    .position = given->start.position - stretch->start.position,
                                    .last_number = end.number - stretch->start.number,
                                    .end_position = end.position - stretch->start.position};
}

enum pl_error pl_outbox_lives(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                              struct pl_sending_life *out, size_t room, size_t *n)
{
    struct pl_line *line;
    const struct pl_stretch *stretch;
    struct pl_spot end;
    size_t index;
    enum pl_error error = pl_outbox_find(outbox, link, stream, &line, &index);

    *n = 0;
    if (error != PL_OK) {
        return error;
    }
    stretch = &line->now.stretches[index];
    end = pl_stretch_end(&line->now, index);
    for (size_t i = 0; i < line->now.lives_n; i++) {
        uint64_t position = line->now.lives[i].start.position;
        struct pl_spot life_end = pl_life_end(&line->now, i);
        bool newest = life_end.position == end.position;
        if (position < stretch->start.position || position >= end.position ||
            (life_end.number < stretch->freed.number && !newest)) {
            continue;
        }
        if (*n < room) {
            out[*n] = describe_life(&line->now, stretch, i);
        }
        ++*n;
    }
    return PL_OK;
}

/* ---- walking frames */

/* Records of a row that end at or before `upto` bytes; *at is where the last of those ends. */
static uint64_t records_within(struct pl_bytes framed, size_t upto, size_t *at)
{
    uint64_t n = 0;

    *at = 0;
    while (*at < framed.n) {
        uint64_t size;
        size_t used;
        if (pl_varint_decode(framed.p + *at, framed.n - *at, &size, &used) != PL_OK ||
            size > framed.n - *at - used || *at + used + size > upto) {
            break;
        }
        *at += used + (size_t)size;
        n++;
    }
    return n;
}

/* Where record `number` begins in a row. */
static uint64_t position_in(const struct pl_held_row *row, uint64_t number)
{
    size_t at = 0;

    for (uint64_t n = row->start.number; n < number && at < row->bytes.n; n++) {
        uint64_t size;
        size_t used;
        if (pl_varint_decode(row->bytes.p + at, row->bytes.n - at, &size, &used) != PL_OK) {
            break;
        }
        at += used + (size_t)size;
    }
    return row->start.position + at;
}

/* ---- reading */

/* One reading: the stretch of a line from a position on. */
struct reading {
    struct pl_line *line;
    const struct pl_stretch *stretch;
    struct pl_spot from;  /* number 0: not known yet */
    struct pl_spot limit; /* end of the life, or of the stretch */
    size_t life;
    MDB_cursor *cursor;
};

/* Where the intact row before `position` ends, or what is freed, or the life begins: what lies between is
 * damaged. */
static enum pl_error damage_start(const struct reading *reading, uint64_t position, struct pl_spot *out)
{
    const struct pl_line_state *state = &reading->line->now;
    struct pl_held_row row;
    enum pl_error error = pl_held_seek(reading->cursor, reading->line, position, &row);

    while (error == PL_OK && row.damaged) {
        error = pl_held_prev(reading->cursor, reading->line, &row);
    }
    *out = error == PL_OK ? row.end : reading->stretch->freed;
    *out = reading->stretch->freed.position > out->position ? reading->stretch->freed : *out;
    *out =
        state->lives[reading->life].start.position > out->position ? state->lives[reading->life].start : *out;
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

/* Where the damage ends: at the next intact row, or the limit. */
static enum pl_error damage_end(const struct reading *reading, uint64_t position, struct pl_spot *out)
{
    struct pl_held_row row;
    enum pl_error error = pl_held_seek(reading->cursor, reading->line, position, &row);

    while (error == PL_OK && row.damaged) {
        error = pl_held_next(reading->cursor, reading->line, &row);
    }
    *out = error == PL_OK && row.start.position < reading->limit.position ? row.start : reading->limit;
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

static void place_out(const struct reading *reading, struct pl_spot from, uint64_t end, struct pl_held *out)
{
    const struct pl_given_life *life = &reading->line->now.lives[reading->life];

    out->life = life->tag;
    out->position = from.position - reading->stretch->start.position;
    out->offset = from.position - life->start.position;
    out->first_number = from.number - reading->stretch->start.number + 1;
    out->next_position = end - reading->stretch->start.position;
}

static enum pl_error read_damage(const struct reading *reading, struct pl_held *out)
{
    struct pl_spot start, end;
    enum pl_error error = damage_start(reading, reading->from.position, &start);

    error = error != PL_OK ? error : damage_end(reading, reading->from.position, &end);
    if (error != PL_OK) {
        return error;
    }
    out->lost = true;
    place_out(reading, start, end.position, out);
    out->last_number = end.number - reading->stretch->start.number;
    return PL_OK;
}

/* Remembers that a row is sound: with what was read before it, or in place of that if it lies apart. */
static void note_sound(struct pl_sound *sound, const struct pl_held_row *row)
{
    if (row->start.position < sound->from || row->start.position > sound->to) {
        sound->from = sound->to = row->start.position;
    }
    sound->to = row->end.position > sound->to ? row->end.position : sound->to;
}

/* Copies what may be taken of the first row; false if that is not the whole rest of it. */
static bool read_first(struct reading *reading, const struct pl_held_row *row, uint8_t *buf, size_t room,
                       struct pl_held *out)
{
    size_t skip = (size_t)(reading->from.position - row->start.position);
    uint64_t end = row->end.position < reading->limit.position ? row->end.position : reading->limit.position;
    size_t rest = (size_t)(end - reading->from.position);
    size_t take = rest < room ? rest : room;
    bool whole = take == row->bytes.n;
    size_t at = 0;
    uint64_t before = skip > 0 ? records_within(row->bytes, skip, &at) : 0;
    uint64_t within =
        whole ? row->end.number - row->start.number : records_within(row->bytes, skip + take, &at);

    note_sound(&reading->line->sound, row);
    memcpy(buf, row->bytes.p + skip, take);
    reading->from.number = row->start.number + before;
    out->bytes = (struct pl_bytes){buf, take};
    out->ends = (uint32_t)(within - before);
    place_out(reading, reading->from, reading->from.position + take, out);
    out->last_number = out->first_number + out->ends - (whole || at == skip + take);
    return take == rest && end == row->end.position;
}

/* Adds following rows of the same life while they fit. */
static enum pl_error read_more(const struct reading *reading, uint8_t *buf, size_t room, struct pl_held *out)
{
    struct pl_held_row row;
    enum pl_error error = pl_held_next(reading->cursor, reading->line, &row);
    uint64_t at = reading->from.position + out->bytes.n;

    while (error == PL_OK && !row.damaged && row.start.position == at &&
           row.end.position <= reading->limit.position && row.bytes.n <= room - out->bytes.n) {
        note_sound(&reading->line->sound, &row);
        memcpy(buf + out->bytes.n, row.bytes.p, row.bytes.n);
        out->bytes.n += row.bytes.n;
        out->ends += (uint32_t)(row.end.number - row.start.number);
        out->last_number += row.end.number - row.start.number;
        out->next_position += row.bytes.n;
        at = row.end.position;
        error = pl_held_next(reading->cursor, reading->line, &row);
    }
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

static enum pl_error read_rows(struct reading *reading, uint8_t *buf, size_t room, struct pl_held *out)
{
    struct pl_held_row row;
    enum pl_error error = pl_held_seek(reading->cursor, reading->line, reading->from.position, &row);

    if (error == PL_E_NOT_FOUND || (error == PL_OK && row.start.position > reading->from.position)) {
        return PL_E_NOT_FOUND;
    }
    if (error != PL_OK) {
        return error;
    }
    if (row.damaged) {
        return read_damage(reading, out);
    }
    return read_first(reading, &row, buf, room, out) ? read_more(reading, buf, room, out) : PL_OK;
}

static enum pl_error with_cursor(struct pl_outbox *outbox, MDB_cursor **cursor)
{
    enum pl_error error = pl_env_read(outbox->env, &outbox->read_txn, NULL);

    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(mdb_cursor_open(outbox->read_txn, pl_env_table(outbox->env, PL_O_ROWS), cursor));
    if (error != PL_OK) {
        pl_env_read_end(outbox->env, outbox->read_txn);
    }
    return error;
}

static void without_cursor(struct pl_outbox *outbox, MDB_cursor *cursor)
{
    mdb_cursor_close(cursor);
    pl_env_read_end(outbox->env, outbox->read_txn);
}

enum pl_error pl_outbox_read(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t position,
                             uint8_t *buf, size_t room_bytes, struct pl_held *out)
{
    struct pl_line *line;
    size_t index;
    struct reading reading = {0};
    struct pl_spot end, life_end;
    enum pl_error error = pl_outbox_find(outbox, link, stream, &line, &index);

    memset(out, 0, sizeof *out);
    if (error != PL_OK || room_bytes == 0) {
        return error != PL_OK ? error : PL_E_ROOM;
    }
    reading.line = line;
    reading.stretch = &line->now.stretches[index];
    reading.from.position = reading.stretch->start.position + position;
    end = pl_stretch_end(&line->now, index);
    if (reading.from.position >= end.position) {
        return PL_E_AGAIN;
    }
    if (reading.from.position < reading.stretch->freed.position) {
        return PL_E_NOT_FOUND;
    }
    reading.life = pl_life_at(&line->now, reading.from.position);
    if (reading.life == line->now.lives_n) {
        return PL_E_STORE_DAMAGED;
    }
    life_end = pl_life_end(&line->now, reading.life);
    reading.limit = life_end.position < end.position ? life_end : end;
    error = with_cursor(outbox, &reading.cursor);
    if (error != PL_OK) {
        return error;
    }
    error = read_rows(&reading, buf, room_bytes, out);
    without_cursor(outbox, reading.cursor);
    return error;
}

/* ---- the place of a number */

/* Steps through rows from `low` on: what bisection cannot do where rows are damaged. */
static enum pl_error scan_for(MDB_cursor *cursor, const struct pl_line *line, uint64_t low, uint64_t number,
                              struct pl_spot *out)
{
    struct pl_held_row row;
    enum pl_error error = pl_held_seek(cursor, line, low, &row);

    while (error == PL_OK && (row.damaged || row.end.number <= number)) {
        error = pl_held_next(cursor, line, &row);
    }
    if (error == PL_OK && row.start.number > number) {
        return PL_E_STORE_DAMAGED;
    }
    if (error == PL_OK) {
        *out = (struct pl_spot){number, position_in(&row, number)};
    }
    return error == PL_E_NOT_FOUND ? PL_E_STORE_DAMAGED : error;
}

/* Where to look for a number next: records tend to be of one size, so in proportion first; where they are
 * not, every other time in the middle. */
static uint64_t guess(struct pl_spot low, struct pl_spot high, uint64_t number, unsigned looked)
{
    uint64_t bytes = high.position - low.position;
    double part = looked % 2 ? 0.5 : (double)(number - low.number) / (double)(high.number - low.number);
    uint64_t at = (uint64_t)(part * (double)bytes);

    return low.position + (at < bytes ? at : bytes / 2);
}

enum pl_error pl_held_locate(MDB_cursor *cursor, const struct pl_line *line, struct pl_spot low,
                             struct pl_spot high, uint64_t number, struct pl_spot *out)
{
    struct pl_held_row row;
    enum pl_error error;

    for (unsigned looked = 0; low.number < number && number < high.number; looked++) {
        error = pl_held_seek(cursor, line, guess(low, high, number, looked), &row);
        if (error != PL_OK || row.damaged || row.start.position >= high.position) {
            return error == PL_E_NOT_FOUND || error == PL_OK
                       ? scan_for(cursor, line, low.position, number, out)
                       : error;
        }
        if (row.start.number <= number && number < row.end.number) {
            *out = (struct pl_spot){number, position_in(&row, number)};
            return PL_OK;
        }
        if (row.end.number <= number) {
            low = row.end;
        } else {
            high = row.start;
        }
    }
    *out = number <= low.number ? low : high;
    return PL_OK;
}

enum pl_error pl_outbox_locate(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t number,
                               struct pl_outbox_place *out)
{
    struct pl_line *line;
    size_t index;
    const struct pl_stretch *stretch;
    struct pl_spot end, spot;
    MDB_cursor *cursor;
    enum pl_error error = pl_outbox_find(outbox, link, stream, &line, &index);

    if (error != PL_OK) {
        return error;
    }
    stretch = &line->now.stretches[index];
    end = pl_stretch_end(&line->now, index);
    number += stretch->start.number - 1;
    if (number < stretch->freed.number || number > end.number) {
        return PL_E_RANGE;
    }
    error = with_cursor(outbox, &cursor);
    if (error != PL_OK) {
        return error;
    }
    error = pl_held_locate(cursor, line, stretch->freed, end, number, &spot);
    without_cursor(outbox, cursor);
    if (error == PL_OK) {
        *out = place_of(&line->now, stretch, spot, spot.position == end.position);
    }
    return error;
}
