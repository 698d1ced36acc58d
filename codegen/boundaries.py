"""Values at the borders of widths and constraints, with what must become of them."""

from . import codec
from .model import VARINT_MAX, Const, Length, Value

MOST_BYTES = 600


def of_layout(layout):
    """List of (title, values, validate error, bytes or None, decode error or "OK", offset)."""
    out, seen = [], set()
    for vector in layout.vectors:
        for field in layout.members:
            for title, value in candidates(field):
                values = {**members_only(layout, vector.values), field.member: value}
                key = repr(sorted(values.items(), key=lambda pair: pair[0]))
                if key not in seen:
                    seen.add(key)
                    out.append((title, values) + outcome(layout, values))
    return out


def members_only(layout, values):
    keys = {f.member for f in layout.members} | ({"type"} if layout.is_range else set())
    return {key: value for key, value in values.items() if key in keys}


def candidates(field):
    """(title, value) pairs that fit the C member."""
    if field.is_integer:
        most = 2**64 - 1 if field.kind == "varint" else 2 ** c_bits(field) - 1
        numbers = {0, 1, width_max(field), width_max(field) + 1} | around(field)
        return [(f"{field.name.text} = {n}", n) for n in sorted(numbers) if 0 <= n <= most]
    if field.kind in ("bytes", "rest"):
        sizes = {0, 1} | around(field)
        if field.length is not None:
            sizes |= {width_max(field.length), width_max(field.length) + 1} | around(field.length)
        return [(f"{n} bytes of {field.name.text}", b"a" * n) for n in sorted(sizes) if 0 <= n <= MOST_BYTES]
    if field.kind == "zeros":
        return [(f"{n} zeros", n) for n in {0, field.least, field.least + 1, max(0, field.least - 1)}]
    return []


def c_bits(field):
    return next(size for size in (8, 16, 32, 64) if field.bits <= size)


def width_max(field):
    return VARINT_MAX if field.kind == "varint" else 2**field.bits - 1


def around(field):
    """Constants a field is compared with, and their neighbours; entries of its registry at both ends."""
    found = set()
    for other in field.owner.fields:
        for check in other.checks:
            collect(check.expr, field, found)
    if field.registry:
        found |= {field.registry.entries[0].number, field.registry.entries[-1].number}
    return {n + d for n in found for d in (-1, 0, 1) if n + d >= 0}


def collect(expr, field, found):
    left, right = getattr(expr, "left", None), getattr(expr, "right", None)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, (Value, Length)) and one.field is field and isinstance(other, Const):
            found.add(other.value)
    for part in (left, right, getattr(expr, "operand", None)):
        if part is not None:
            collect(part, field, found)


def outcome(layout, values):
    """(validate error, bytes, decode error, offset); no bytes where the values do not fit their widths."""
    error = codec.validate(layout, values)
    if not representable(layout, values):
        return error, None, "OK", 0
    data = codec.encode(layout, values)
    try:
        codec.decode_one(layout, data)
    except codec.Fault as fault:
        return error, data, fault.error, fault.offset
    return error, data, "OK", len(data)


def representable(layout, values):
    full = codec.with_lengths(layout, values)
    integers = [f for f in layout.fields if f.is_integer]
    return all(full[f.member] <= width_max(f) for f in integers)
