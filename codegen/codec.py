"""A codec over the model, used to check vectors and to compute the generated tests."""

from .expr import evaluate
from .model import VARINT_MAX


class Fault(Exception):
    """A decode error: its name and the offset of the field at fault."""

    def __init__(self, error, offset):
        super().__init__(f"{error} at {offset}")
        self.error = error
        self.offset = offset


def varint(value):
    """RFC 9000 section 16, shortest form."""
    for code, size in ((0, 1), (1, 2), (2, 4), (3, 8)):
        if value < 2 ** (8 * size - 2):
            return (value | code << (8 * size - 2)).to_bytes(size, "big")
    raise ValueError(value)


def read_varint(data, at):
    if at >= len(data):
        raise Fault("TRUNCATED", at)
    size = 1 << (data[at] >> 6)
    if at + size > len(data):
        raise Fault("TRUNCATED", at)
    value = int.from_bytes(data[at : at + size], "big") & (2 ** (8 * size - 2) - 1)
    if len(varint(value)) != size:
        raise Fault("NOT_SHORTEST", at)
    return value, at + size


def decode_one(layout, data):
    """Decode exactly one instance; what stands behind it is TRAILING."""
    values, end = decode(layout, data, 0)
    if end < len(data):
        raise Fault("TRAILING", end)
    return values


def decode(layout, data, at):
    """(values, end) of the instance at data[at:]; lengths and literals are among the values."""
    values = {}
    if layout.is_case:
        tag = data[at : at + layout.tag_bytes]
        if len(tag) < layout.tag_bytes:
            raise Fault("TRUNCATED", at)
        number = int.from_bytes(tag, "big")
        if not layout.first <= number <= layout.last:
            known = any(c.first <= number <= c.last for c in layout.family.cases)
            raise Fault("OTHER_TYPE" if known else "UNKNOWN_TYPE", at)
        if layout.is_range:
            values["type"] = number
        at += layout.tag_bytes
    for field in layout.fields:
        start = at
        values[field.member], at = READERS[field.kind](field, data, at, values)
        offset = start + offset_in_group(field)
        for check in field.checks:
            if check.expr is not None and not evaluate(check.expr, values):
                raise Fault(check.error, offset)
    return values, at


def offset_in_group(field):
    """Bit fields are read with the group's first field; where is this one's first bit?"""
    if field.kind != "uint" or len(field.group.fields) == 1:
        return 0
    group = field.group
    first = 0 if group.fields[0] is field else -group.bytes
    return first + (group.bits - field.shift - field.bits) // 8


def read_uint(field, data, at, values):
    group = field.group
    start = at if group.fields[0] is field else at - group.bytes
    if start + group.bytes > len(data):
        raise Fault("TRUNCATED", start)
    number = int.from_bytes(data[start : start + group.bytes], "big")
    return number >> field.shift & (2**field.bits - 1), start + group.bytes


def read_fixed(field, data, at, values):
    if at + field.bytes > len(data):
        raise Fault("TRUNCATED", at)
    return data[at : at + field.bytes], at + field.bytes


def read_literal(field, data, at, values):
    value, end = read_fixed(field, data, at, values)
    if value != field.literal:
        raise Fault(field.checks[0].error, at)
    return value, end


def read_integer(field, data, at, values):
    return read_varint(data, at)


def read_bytes(field, data, at, values):
    end = at + values[field.length.member]
    if end > len(data):
        raise Fault("TRUNCATED", at)
    return data[at:end], end


def read_rest(field, data, at, values):
    if len(data) - at < field.least:
        raise Fault("TRUNCATED", at)
    return data[at:], len(data)


def read_zeros(field, data, at, values):
    rest, end = read_rest(field, data, at, values)
    if any(rest):
        raise Fault("NOT_ZERO", at)
    return len(rest), end


def read_embed(field, data, at, values):
    return decode(field.item, data, at)


def read_items(field, data, at, values):
    items, start = [], at
    if field.kind == "count" and values[field.length.member] > field.most:
        raise Fault("LIMIT", start)
    end = len(data)
    if field.kind == "sized":
        end = at + values[field.length.member]
        if end > len(data):
            raise Fault("TRUNCATED", at)
    while wants_more(field, items, at, end, values):
        if len(items) == field.most:
            raise Fault("LIMIT", at)
        item, at = decode(field.item, data[:end], at)
        items.append(item)
    return items, at


def wants_more(field, items, at, end, values):
    if field.kind == "count":
        return len(items) < values[field.length.member]
    if field.kind == "until":
        return not items or not evaluate(field.until, items[-1])
    return at < end


READERS = {
    "uint": read_uint,
    "fixed": read_fixed,
    "literal": read_literal,
    "varint": read_integer,
    "bytes": read_bytes,
    "rest": read_rest,
    "zeros": read_zeros,
    "embed": read_embed,
    "count": read_items,
    "end": read_items,
    "until": read_items,
    "sized": read_items,
}


def encode(layout, values):
    """Bytes of the values as they are: constraints are not looked at."""
    out = b""
    if layout.is_case:
        out += values.get("type", layout.first).to_bytes(layout.tag_bytes, "big")
    values = with_lengths(layout, values)
    for field in layout.fields:
        out += encode_field(field, values)
    return out


def with_lengths(layout, values):
    """The values with derived lengths and literals filled in."""
    out = dict(values)
    for field in layout.fields:
        if field.length_of is not None:
            content = encode_field(field.length_of, values)
            out[field.member] = len(content)
        if field.kind == "literal":
            out[field.member] = field.literal
    return out


def encode_field(field, values):
    if field.kind == "uint":
        if field.group.fields[0] is not field:
            return b""
        number = sum((values[f.member] & (2**f.bits - 1)) << f.shift for f in field.group.fields)
        return number.to_bytes(field.group.bytes, "big")
    value = values[field.member] if field.kind != "literal" else field.literal
    if field.kind == "varint":
        return varint(min(value, VARINT_MAX))
    if field.kind == "zeros":
        return bytes(value)
    if field.kind == "embed":
        return encode(field.item, value)
    if field.is_repeat:
        return b"".join(encode(field.item, item) for item in value)
    return value


def validate(layout, values):
    """The error that an encoder must give for these members, or "OK"; in the order of the fields."""
    values = with_lengths(layout, values)
    if layout.is_range and not layout.first <= values["type"] <= layout.last:
        return "UNKNOWN_TYPE"
    for field in layout.fields:
        error = validate_field(field, values)
        if error:
            return error
        for check in field.checks:
            if check.expr is not None and not evaluate(check.expr, values):
                return check.error
    return "OK"


def validate_field(field, values):
    value = values[field.member]
    if field.kind == "varint" and value > VARINT_MAX or field.kind == "uint" and value >= 2**field.bits:
        return "RANGE"
    if field.kind == "rest" and len(value) < field.least:
        return "TRUNCATED"
    if field.kind == "zeros" and value < field.least:
        return "TRUNCATED"
    if field.kind == "embed":
        error = validate(field.item, value)
        return None if error == "OK" else error
    return validate_items(field, value, values) if field.is_repeat else None


def validate_items(field, items, values):
    """A struct's items are bytes: what a walk over them finds."""
    data = b"".join(encode(field.item, item) for item in items)
    known = dict(values)
    if field.kind == "sized":
        known[field.length.member] = len(data)
    try:
        _, end = read_items(field, data, 0, known)
    except Fault as fault:
        return fault.error
    return "TRAILING" if end < len(data) else None
