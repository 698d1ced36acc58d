"""Statements that decode and validate: one list of C lines for each field."""

from . import cnames
from .expr import to_c, to_negated_c
from .model import Length, Sum

SIZES = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}


def branch(condition, statements):
    """An if, with braces where there are several statements."""
    if len(statements) == 1:
        return [f"if ({condition})", f"    {statements[0]}"]
    return [f"if ({condition}) {{"] + [f"    {line}" for line in statements] + ["}"]


class Reader:
    """Writes the statements that read fields through `next`, up to `pe`.

    `out` is the C of the struct ("out->"), `fail` the statements that end with an
    error: a function of its name, or of None for the one in `got`.
    """

    def __init__(self, names, out, fail):
        self.names = names
        self.low = names.low
        self.out = out
        self.fail = fail

    def at(self, field):
        return self.out + field.member if field.is_member else length_name(field)

    def place(self, what):
        if isinstance(what, Length):
            return f"{self.at(what.field)}.n"
        if isinstance(what, Sum):
            return sum_name(what)
        return self.at(what)

    def statements(self, field):
        """Lines that read a field and check it; none for a bit field behind the first of its group."""
        if field.kind == "uint":
            if field.group.fields[0] is not field:
                return []
            lines = self._group(field.group) if len(field.group.fields) > 1 else self._uint(field)
            return lines
        return (
            ["field = next;"]
            + getattr(self, f"_{'items' if field.is_repeat else field.kind}")(field)
            + self.checks(field)
        )

    def _if(self, condition, error):
        return branch(condition, self.fail(error))

    def _uint(self, field):
        size, target = field.bytes, self.at(field)
        if field.is_member and size in SIZES:
            call = f"{self.low}_get_{SIZES[size]}(&next, pe, &{target})"
        else:
            call = (
                f"{self.low}_get_be(&next, pe, {size}, &{bits_name(field) if needs_bits(field) else target})"
            )
        lines = ["field = next;"] + self._if(f"!{call}", "TRUNCATED")
        if needs_bits(field):
            lines.append(f"{target} = ({cnames.uint(field.bits)}){bits_name(field)};")
        return lines + self.checks(field)

    def _group(self, group):
        lines = ["field = next;"]
        bits = bits_name(group.fields[0])
        call = f"{SIZES[group.bytes]}(&next, pe" if group.bytes in SIZES else f"be(&next, pe, {group.bytes}"
        lines += self._if(f"!{self.low}_get_{call}, &{bits})", "TRUNCATED")
        for one in group.fields:
            shifted = f"{bits} >> {one.shift}" if one.shift else bits
            mask = f" & {cnames.number(2**one.bits - 1, True)}"
            lines.append(f"{self.at(one)} = ({cnames.uint(one.bits)})({shifted}{mask});")
        moved = 0
        for one in group.fields:
            byte = (group.bits - one.shift - one.bits) // 8
            checks = self.checks(one)
            if checks and byte > moved:
                lines.append(f"field += {byte - moved};")
                moved = byte
            lines += checks
        return lines

    def _varint(self, field):
        return [f"got = {self.low}_get_varint(&next, pe, &{self.at(field)});"] + self._if_code()

    def _if_code(self):
        return branch(f"got != {self.names.error('OK')}", self.fail(None))

    def _fixed(self, field):
        return self._if(f"!{self.low}_get_copy(&next, pe, {self.at(field)}, {field.bytes})", "TRUNCATED")

    def _literal(self, field):
        text = field.literal.decode()
        return (
            self._if(f"(size_t)(pe - next) < {field.bytes}", "TRUNCATED")
            + [self.mark(field.checks[0])]
            + self._if(f'memcmp(next, "{text}", {field.bytes}) != 0', field.checks[0].error)
            + [f"next += {field.bytes};"]
        )

    def _bytes(self, field):
        return self._if(
            f"!{self.low}_get_bytes(&next, pe, {self.at(field.length)}, &{self.at(field)})", "TRUNCATED"
        )

    def _least(self, field):
        return self._if(f"(size_t)(pe - next) < {field.least}", "TRUNCATED") if field.least else []

    def _rest(self, field):
        return self._least(field) + [f"{self.low}_get_rest(&next, pe, &{self.at(field)});"]

    def _zeros(self, field):
        return self._least(field) + self._if(
            f"!{self.low}_get_zeros(&next, pe, &{self.at(field)})", "NOT_ZERO"
        )

    def _embed(self, field):
        decode = self.names.function(field.item, "decode")
        return (
            [
                f"got = {decode}(next, (size_t)(pe - next), &{self.at(field)}, &used);",
                "field = next + used;",
            ]
            + self._if_code()
            + ["next += used;"]
        )

    def _items(self, field):
        arguments = ["&next", "pe"]
        lines = []
        if field.kind == "sized":
            lines += self._if(f"{self.at(field.length)} > (uint64_t)(pe - next)", "TRUNCATED")
            arguments[1] = f"next + {self.at(field.length)}"
        if field.kind == "count":
            arguments.append(self.at(field.length))
        arguments += [f"&{self.at(field)}", "&field"] + [f"&{sum_name(s)}" for s in field.sums]
        lines.append(f"got = {walker(self.names, field)}({', '.join(arguments)});")
        back = [f"field = {self.at(field)}.p;"] if field.checks else []
        return lines + self._if_code() + back

    def mark(self, check):
        return f"/* {self.names.model.source.where(check.span)}: {check.text} */"

    def checks(self, field):
        lines = []
        for check in field.checks:
            if check.expr is None:
                continue
            condition = to_negated_c(check.expr, self.place, self.names.const)
            lines += [self.mark(check)] + self._if(condition, check.error)
        return lines


def length_name(field):
    """The local that holds a derived length."""
    return f"{field.length_of.member}_n"


def sum_name(one):
    index = one.field.sums.index(one)
    return f"{one.field.member}_sum" + (str(index + 1) if index else "")


def walker(names, field):
    """The function that walks a field's items."""
    return f"{names.low}_{field.owner.name.snake}_{field.member}_walk"


def locals_of(low, layouts):
    """Declarations a decoder of these layouts needs besides next, field, pe and code."""
    lines = []
    fields = [f for layout in layouts for f in layout.fields]
    for one in fields:
        if one.length_of is not None:
            lines.append(f"uint64_t {length_name(one)} = 0;")
        lines += [f"uint64_t {sum_name(s)} = 0;" for s in one.sums]
    lines += [f"{bits_type(f)} {bits_name(f)} = 0;" for f in fields if needs_bits(f)]
    if any(f.kind == "embed" for f in fields):
        lines.append("size_t used = 0;")
    if any(f.kind in ("varint", "embed") or f.is_repeat for f in fields):
        lines.append(f"enum {low}_error got;")
    return list(dict.fromkeys(lines))


def needs_bits(field):
    """Whether a field is read through a local number: bit fields, and widths between C's."""
    if field.kind != "uint":
        return False
    return len(field.group.fields) > 1 or (field.is_member and field.bytes not in SIZES and field.bits <= 32)


def bits_type(field):
    """The type of the number through which bit fields and odd widths are read."""
    return f"uint{8 * field.group.bytes}_t" if field.group.bytes in SIZES else "uint64_t"


def bits_name(field):
    return "bits" if bits_type(field) == "uint64_t" else f"bits{8 * field.group.bytes}"


class Validator(Reader):
    """Writes the statements of validate: the same checks over a struct given by the caller."""

    def __init__(self, names, layout):
        super().__init__(
            names, "f->", lambda error: [f"return {'got' if error is None else names.error(error)};"]
        )
        self.layout = layout

    def at(self, field):
        if field.length_of is not None:
            return f"f->{field.length_of.member}.n"
        return self.out + field.member

    def lines(self):
        lines = []
        if self.layout.is_range:
            low, high = self.layout.first, self.layout.last
            conditions = [f"f->type < {cnames.number(low, True)}"] if low else []
            if high < 2**self.layout.family.bits - 1:
                conditions.append(f"f->type > {cnames.number(high, True)}")
            if conditions:
                lines += self._if(" || ".join(conditions), "UNKNOWN_TYPE")
        for field in self.layout.fields:
            lines += self._width(field) + self._inner(field)
            if field.kind != "literal":
                lines += self.checks(field)
        return lines

    def _width(self, field):
        where = f"/* {self.names.model.source.where(field.name.span)}: {field.name.text} */"
        if field.kind == "varint":
            value = f"(uint64_t){self.at(field)}" if field.length_of else self.at(field)
            return [where] + self._if(f"{value} > {self.low.upper()}_VARINT_MAX", "RANGE")
        whole = field.kind == "uint" and field.bits in (8, 16, 32, 64) and field.length_of is None
        if field.kind == "uint" and not whole and field.bits < 64:
            return [where] + self._if(f"{self.at(field)} > {cnames.number(2**field.bits - 1, True)}", "RANGE")
        return []

    def _inner(self, field):
        if field.kind == "rest" and field.least:
            return self._if(f"{self.at(field)}.n < {field.least}", "TRUNCATED")
        if field.kind == "zeros" and field.least:
            return self._if(f"{self.at(field)} < {field.least}", "TRUNCATED")
        if field.kind == "embed":
            return [
                f"got = {self.names.function(field.item, 'validate')}(&{self.at(field)});"
            ] + self._if_code()
        if field.is_repeat:
            return self._walk(field)
        return []

    def _walk(self, field):
        arguments = ["&next", f"next + {self.at(field)}.n"]
        if field.kind == "count":
            arguments.append(self.at(field.length))
        arguments += ["&view", "&fault"] + [f"&{sum_name(s)}" for s in field.sums]
        return (
            [
                f"next = {self.at(field)}.n > 0 ? {self.at(field)}.p : nothing;",
                f"got = {walker(self.names, field)}({', '.join(arguments)});",
            ]
            + self._if_code()
            + self._if(f"view.n != {self.at(field)}.n", "TRAILING")
        )

    def declarations(self):
        lines = []
        repeats = [f for f in self.layout.fields if f.is_repeat]
        if repeats:
            lines += [
                f"static const uint8_t nothing[1];",
                "const uint8_t *next = nothing;",
                "const uint8_t *fault = NULL;",
                f"struct {self.low}_bytes view = {{NULL, 0}};",
            ]
        lines += [f"uint64_t {sum_name(s)} = 0;" for f in repeats for s in f.sums]
        if repeats or any(f.kind == "embed" for f in self.layout.fields):
            lines.append(f"enum {self.low}_error got;")
        return lines


def item_place(what):
    """Where a walk finds a field of the item it has decoded."""
    if isinstance(what, Length):
        return f"item.{what.field.member}.n"
    return f"item.{what.length_of.member}.n" if what.length_of else f"item.{what.member}"


def walk_sum(names, one):
    """The line that adds one item to a sum, which stops growing at 2^62."""
    text = to_c(one.expr, item_place, names.const)
    return f"*{sum_name(one)} = {names.low}_add_capped(*{sum_name(one)}, {text});"
