"""Statements that encode and expressions of sizes."""

from . import cnames
from .model import field_size

SIZES = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}


class Writer:
    """Writes the statements that put fields at `p`."""

    def __init__(self, names, layout):
        self.names = names
        self.low = names.low
        self.layout = layout

    def head(self):
        """Lines for everything up to a last bytes field, or for everything."""
        fields = self.layout.fields[:-1] if self.has_body else self.layout.fields
        lines = self._tag()
        for field in fields:
            lines += self._field(field)
        return lines

    @property
    def has_body(self):
        return (
            bool(self.layout.fields)
            and self.layout.fields[-1].kind in ("bytes", "rest")
            and self.layout.is_case
        )

    @property
    def body(self):
        return self.layout.fields[-1].member

    def _tag(self):
        if not self.layout.is_case:
            return []
        kind = "f->type" if self.layout.is_range else self.names.type(self.layout)
        return [f"p = {self.low}_put_{SIZES[self.layout.tag_bytes]}(p, {kind});"]

    def _field(self, field):
        if field.kind == "uint":
            return self._uint(field)
        return [
            f"p = {text};" for text in getattr(self, f"_{'items' if field.is_repeat else field.kind}")(field)
        ]

    def _value(self, field):
        return f"f->{field.length_of.member}.n" if field.length_of else f"f->{field.member}"

    def _uint(self, field):
        group = field.group
        if group.fields[0] is not field:
            return []
        if len(group.fields) == 1:
            cast = f"({cnames.uint(field.bits)})" if field.length_of else ""
            if field.bytes in SIZES:
                return [f"p = {self.low}_put_{SIZES[field.bytes]}(p, {cast}{self._value(field)});"]
            return [f"p = {self.low}_put_be(p, {field.bytes}, {self._value(field)});"]
        parts = [
            f"(uint64_t){self._value(f)} << {f.shift}" if f.shift else self._value(f) for f in group.fields
        ]
        return [f"bits = {' | '.join(parts)};", f"p = {self.low}_put_be(p, {group.bytes}, bits);"]

    def _varint(self, field):
        return [f"p + {self.low}_varint_encode(p, {self._value(field)})"]

    def _fixed(self, field):
        return [f"{self.low}_put_copy(p, f->{field.member}, {field.bytes})"]

    def _literal(self, field):
        return [f'{self.low}_put_copy(p, "{field.literal.decode()}", {field.bytes})']

    def _bytes(self, field):
        return [f"{self.low}_put_copy(p, f->{field.member}.p, f->{field.member}.n)"]

    _rest = _bytes
    _items = _bytes

    def _zeros(self, field):
        return [f"{self.low}_put_zeros(p, f->{field.member})"]

    def _embed(self, field):
        return [f"{self.names.function(field.item, 'put')}(p, &f->{field.member})"]

    @property
    def needs_bits(self):
        return any(f.kind == "uint" and len(f.group.fields) > 1 for f in self.layout.fields)

    def size(self, with_body=True):
        """A C expression of the encoded size."""
        fixed, parts = self.layout.tag_bytes, []
        fields = self.layout.fields if with_body or not self.has_body else self.layout.fields[:-1]
        for field in fields:
            if field.kind != "embed" and field_size(field) is not None:
                fixed += field_size(field)
            elif field.kind == "varint":
                parts.append(f"{self.low}_varint_size({self._value(field)})")
            elif field.kind == "zeros":
                parts.append(f"f->{field.member}")
            elif field.kind == "embed":
                parts.append(f"{self.names.function(field.item, 'size')}(&f->{field.member})")
            else:
                parts.append(f"f->{field.member}.n")
        return " + ".join(([str(fixed)] if fixed or not parts else []) + parts)

    def uses_f(self, text):
        return "f->" in text
