"""Checks the fields of structs and cases and builds their model."""

from . import tree
from .constants import is_varint, near
from .expr import Resolve, narrow, to_text
from .model import VARINT_MAX, Check, Const, Field, Group, Layout, Op, Value

C_WORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while bool true false".split()
)
MAX_FIXED_BYTES = 65535
MAX_REPEAT = 65535


class LayoutBuilder:
    """Builds one layout at a time; structs come before what holds them."""

    def __init__(self, constants, found, registries, flags):
        self.constants = constants
        self.found = found
        self.registries = registries
        self.flags = flags
        self.layouts = {}

    def build(self, item, family=None):
        layout = Layout(item.name, item.docs, self.flag_names(item.flags), [])
        if family is not None:
            layout.family, layout.first, layout.last = family, item.first, item.last
            self._case_name(item)
        for node in item.fields:
            self._add(layout, node)
        self._group(layout, item)
        for one in layout.fields[:-1]:
            if one.kind in ("rest", "zeros", "end"):
                self.found.error(
                    one.name.span,
                    f"'{one.name.text}' runs to the end, but fields follow it",
                    "make it the last field or give it a length",
                )
        for one in layout.fields:
            if one.kind == "embed" and one.item.runs_to_end and one is not layout.fields[-1]:
                self.found.error(
                    one.name.span, f"'{one.item.name.text}' runs to the end, but fields follow it"
                )
        if family is None and not item.fields:
            self.found.error(item.span, f"struct '{item.name.text}' has no field")
        self.layouts[item.name.snake] = layout
        return layout

    def _case_name(self, item):
        if item.name.snake in C_WORDS:
            self.found.error(item.span, f"'{item.name.text}' is a word of C", "choose another name")
        held = next((f for f in item.fields if f.name.snake == "type"), None)
        if held and item.first != item.last:
            self.found.error(held.span, "the type of a range is held as Type already", "choose another name")

    def flag_names(self, names):
        for name in names:
            if name.snake not in self.flags:
                self.found.error(
                    name.span,
                    f"no flag is called '{name.text}'",
                    near(name.text, self.flags.values()) or "declare it: flag " + name.text,
                )
            else:
                self.flags[name.snake].used = True
        return [name.snake for name in names]

    def _add(self, layout, node):
        for one in layout.fields:
            if one.name.snake == node.name.snake:
                self.found.error(
                    node.span,
                    f"field '{node.name.text}' stands here twice",
                    None,
                    (one.name.span, "the first one"),
                )
                return
        if node.name.snake in C_WORDS:
            self.found.error(node.span, f"'{node.name.text}' is a word of C", "choose another name")
        maker = {"value": self._value, "struct": self._embed, "repeat": self._repeat}[node.kind]
        made = maker(layout, node)
        if made is None:
            return
        made.owner = layout
        layout.fields.append(made)
        for suffix in node.suffixes:
            self._suffix(layout, made, suffix)

    def _value(self, layout, node):
        if node.width is None:
            return self._rest(node)
        if is_varint(node.width):
            return Field(node.name, node.docs, "varint", high=VARINT_MAX)
        length = self._length_field(layout, node.width)
        if length is not None:
            return self._bytes(layout, node, length)
        bits = self.constants.evaluate(node.width)
        if bits is None:
            return None
        if bits == 0 or bits > 8 * MAX_FIXED_BYTES:
            self.found.error(
                node.span,
                f"'{node.name.text}' is {bits} bits wide",
                f"a field has 1 to {8 * MAX_FIXED_BYTES} bits",
            )
            return None
        literal = next((s for s in node.suffixes if s.kind == "literal"), None)
        if literal is not None:
            return self._literal(node, bits, literal)
        if bits > 64:
            if bits % 8:
                self.found.error(
                    node.span, "a field above 64 bits holds whole bytes", "make the width a multiple of 8"
                )
            return Field(node.name, node.docs, "fixed", bits=bits)
        return Field(node.name, node.docs, "uint", bits=bits, high=2**bits - 1)

    def _rest(self, node):
        least = self.constants.evaluate(node.least) or 0
        if least % 8:
            self.found.error(
                node.span, "the least size is not a whole number of bytes", "write a multiple of 8"
            )
        zeros = any(s.kind == "zeros" for s in node.suffixes)
        return Field(node.name, node.docs, "zeros" if zeros else "rest", least=least // 8)

    def _literal(self, node, bits, suffix):
        value = suffix.value.encode()
        if len(value) * 8 != bits:
            self.found.error(
                suffix.span,
                f"the text has {len(value)} bytes, the field {bits} bits",
                f"write ({8 * len(value)})",
            )
        made = Field(node.name, node.docs, "literal", bits=bits, literal=value)
        made.checks.append(
            Check(None, suffix.error.text if suffix.error else "RANGE", node.span, f'= "{suffix.value}"')
        )
        return made

    def _length_field(self, layout, width):
        """The field F of a width 8*F, or None."""
        if not (
            isinstance(width, tree.Binary)
            and width.op == "*"
            and isinstance(width.left, tree.Number)
            and isinstance(width.right, tree.Ref)
            and width.right.member is None
        ):
            return None
        if width.right.name.snake in self.constants.limits:
            return None
        if width.left.value != 8:
            self.found.error(width.span, "a length counts bytes", "write (8*Field)")
        return self._earlier_integer(layout, width.right, "length")

    def _earlier_integer(self, layout, ref, what):
        one = next((f for f in layout.fields if f.name.snake == ref.name.snake), None)
        if one is None or not one.is_integer:
            self.found.error(
                ref.span,
                f"'{ref.name.text}' is no integer field before this one",
                near(ref.name.text, layout.fields) or f"the {what} comes before what it measures",
            )
            return Field(ref.name, [], "varint", high=VARINT_MAX)
        if what == "length" and one.length_of is not None:
            self.found.error(
                ref.span,
                f"'{ref.name.text}' is the length of '{one.length_of.name.text}' already",
                "each bytes field has a length of its own",
            )
        if one.bits % 8:
            self.found.error(ref.span, f"a {what} fills whole bytes")
        return one

    def _bytes(self, layout, node, length):
        made = Field(node.name, node.docs, "bytes", length=length)
        for one in layout.fields:
            if any(mentions(check.expr, length) and one is not length for check in one.checks):
                self.found.error(
                    node.span,
                    f"'{length.name.text}' is constrained at '{one.name.text}'",
                    "constrain a length at the length itself or at the bytes",
                )
        length.length_of = made
        return made

    def _embed(self, layout, node):
        item = self._struct(node.of)
        if item is None:
            return None
        return Field(node.name, node.docs, "embed", item=item)

    def _struct(self, name):
        item = self.layouts.get(name.snake)
        if item is None or item.is_case:
            structs = [x for x in self.layouts.values() if not x.is_case]
            self.found.error(
                name.span,
                f"no struct before this is called '{name.text}'",
                near(name.text, structs) or "a struct stands before what holds it",
            )
            return None
        return item

    def _repeat(self, layout, node):
        item, most = self._struct(node.of), self.constants.evaluate(node.most)
        if item is None or most is None:
            return None
        if not 1 <= most <= MAX_REPEAT:
            self.found.error(node.span, f"at most {most}", f"a limit is from 1 to {MAX_REPEAT}")
        if item.runs_to_end:
            self.found.error(
                node.span,
                f"'{item.name.text}' runs to the end and cannot be repeated",
                "give its last field a length",
            )
        made = Field(node.name, node.docs, node.extent, item=item, most=most)
        if node.extent in ("count", "bytes"):
            if not isinstance(node.extent_expr, tree.Ref) or node.extent_expr.member is not None:
                self.found.error(node.span, "the count or length is a field before this one")
                return None
            what = "length" if node.extent == "bytes" else "count"
            made.length = self._earlier_integer(layout, node.extent_expr, what)
        if node.extent == "bytes":
            made.kind = "sized"
            made.length.length_of = made
        if node.extent == "until":
            made.until = Resolve(self.constants, self.found, item.fields).boolean(node.extent_expr)
            made.until_text = "until " + to_text(node.extent_expr)
        return made

    def _suffix(self, layout, one, suffix):
        if suffix.error is not None and suffix.error.text not in self.constants.error_names:
            self.found.error(
                suffix.error.span,
                f"no error is called '{suffix.error.text}'",
                "add it to the errors of this spec",
            )
        getattr(self, f"_{suffix.kind}_suffix")(layout, one, suffix)

    def _literal_suffix(self, layout, one, suffix):
        if one.kind != "literal":
            self.found.error(suffix.span, "only a field of fixed width can be a text")

    def _text_suffix(self, layout, one, suffix):
        if one.kind not in ("bytes", "rest"):
            self.found.error(one.name.span, "text is said of bytes")
        one.text = True

    def _zeros_suffix(self, layout, one, suffix):
        if one.kind == "zeros":
            return
        if one.kind != "uint":
            self.found.error(one.name.span, "zeros is said of a field of at most 64 bits or of the rest (..)")
            return
        one.constant = Const(0)
        one.checks.append(Check(Op("=", Value(one), Const(0)), "NOT_ZERO", one.name.span, "zeros"))
        one.high = 0

    def _registry_suffix(self, layout, one, suffix):
        registry = self.registries.get(suffix.value.snake)
        if registry is None or not one.is_integer:
            self.found.error(
                suffix.span,
                f"no registry is called '{suffix.value.text}'"
                if registry is None
                else "a registry is said of an integer",
                near(suffix.value.text, [r for r in self.registries.values()]),
            )
            return
        one.registry = registry
        last = registry.entries[-1].number
        if last > one.high:
            self.found.error(
                suffix.span, f"entry {last} of '{registry.name.text}' does not fit", "make the field wider"
            )
        if registry.closed:
            self._closed(one, registry, suffix.span)

    def _closed(self, one, registry, span):
        numbers = [e.number for e in registry.entries]
        if numbers[-1] - numbers[0] + 1 != len(numbers):
            self.found.error(
                span, f"closed registry '{registry.name.text}' has holes", "make it open, or fill them"
            )
        label = ("entry", (registry.name, registry.entries[-1].name))
        if numbers[-1] < one.high:
            one.checks.append(
                Check(
                    Op("<=", Value(one), Const(numbers[-1], label)), "RANGE", span, f"of {registry.name.text}"
                )
            )
        if numbers[0] > one.low:
            label = ("entry", (registry.name, registry.entries[0].name))
            one.checks.append(
                Check(
                    Op(">=", Value(one), Const(numbers[0], label)), "RANGE", span, f"of {registry.name.text}"
                )
            )
        one.low, one.high = max(one.low, numbers[0]), min(one.high, numbers[-1])

    def _compare_suffix(self, layout, one, suffix):
        if not one.is_integer:
            self.found.error(
                suffix.span,
                f"'{one.name.text}' is not a number",
                "constrain bytes with where bytes(Field) ...",
            )
            return
        node = tree.Binary(suffix.span, suffix.op, tree.Ref(one.name.span, one.name), suffix.value)
        self._check(layout, one, node, suffix, f"{suffix.op} {to_text(suffix.value)}", compares=True)

    def _where_suffix(self, layout, one, suffix):
        self._check(layout, one, suffix.value, suffix, f"where {to_text(suffix.value)}")

    def _check(self, layout, one, node, suffix, text, compares=False):
        resolve = Resolve(self.constants, self.found, layout.fields, one if one.is_repeat else None)
        expr = resolve.comparison(one, suffix, node) if compares else resolve.boolean(node)
        if expr is None:
            return
        error = suffix.error.text if suffix.error else "RANGE"
        check = Check(expr, error, suffix.span, text + (f" else {error}" if suffix.error else ""))
        one.checks.append(check)
        narrow(one, check)
        if isinstance(expr, Op) and expr.op == "=" and one.low == one.high and one.is_integer:
            one.constant = expr.right if isinstance(expr.right, Const) else None

    def _group(self, layout, item):
        """Join bit fields into groups that fill whole bytes."""
        pending, bits = [], 0
        for one in layout.fields + [None]:
            if one is not None and one.kind == "uint" and (pending or one.bits % 8):
                pending.append(one)
                bits += one.bits
            elif one is not None and one.kind == "uint":
                one.group = Group([one], one.bits)
            elif pending:
                break
            if pending and bits % 8 == 0:
                self._close(pending, bits)
                pending, bits = [], 0
        if pending:
            self.found.error(
                pending[-1].name.span,
                f"the bit fields from '{pending[0].name.text}' on hold {bits} bits",
                "fill whole bytes, with Reserved (n) zeros if need be",
            )
            self._close(pending, bits + 8 - bits % 8)

    def _close(self, fields, bits):
        if bits > 64:
            self.found.error(
                fields[0].name.span, f"{bits} bits without a byte's border", "order the fields by bytes"
            )
            bits = 64
        group, left = Group(fields, bits), bits
        for one in fields:
            left = max(0, left - one.bits)
            one.group, one.shift = group, left


def mentions(expr, one):
    """Whether an expression uses a field's value."""
    if isinstance(expr, Value):
        return expr.field is one
    parts = [getattr(expr, name, None) for name in ("left", "right", "operand", "expr")]
    return any(part is not None and mentions(part, one) for part in parts)
