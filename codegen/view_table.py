"""The model as tables of an interpreter: for the crosscheck codec, and for what walks over fields by name."""

from . import boundaries, cnames
from .model import VARINT_MAX, Const, Length, Negate, Sum, Value

OPS = {
    "+": "ADD",
    "-": "SUBTRACT",
    "*": "MULTIPLY",
    "=": "EQUAL",
    "!=": "UNEQUAL",
    "<": "LESS",
    "<=": "AT_MOST",
    ">": "MORE",
    ">=": "AT_LEAST",
    "and": "AND",
    "or": "OR",
    "implies": "IMPLIES",
    "iff": "EQUAL",
}
KINDS = {"uint": "BITS", "end": "TO_END"}


def steps(expr):
    """The expression as (operator, value, inner steps), operands first."""
    if isinstance(expr, Const):
        return [("NUMBER", expr.value, None)]
    if isinstance(expr, (Value, Length)):
        return [("FIELD" if isinstance(expr, Value) else "LENGTH", index_of(expr.field), None)]
    if isinstance(expr, Sum):
        return [("SUM", index_of(expr.field), steps(expr.expr))]
    if isinstance(expr, Negate):
        return steps(expr.operand) + [("NOT", 0, None)]
    return steps(expr.left) + steps(expr.right) + [(OPS[expr.op], 0, None)]


def index_of(field):
    return field.owner.fields.index(field)


class Table:
    """Collects the arrays of one model; every array stands before what points to it."""

    def __init__(self, model):
        self.model = model
        self.names = cnames.Names(model)
        self.arrays = []

    def common(self):
        model = self.model
        layouts = [self.layout(x) for x in model.layouts]
        subjects = [{"name": s.name.text, "layouts": [layout_symbol(s)]} for s in model.structs]
        subjects += [
            {"name": f.name.text, "layouts": [layout_symbol(c) for c in f.cases]} for f in model.families
        ]
        sealed = next((p for x in model.packets for p in x.parts if p.kind == "sealed"), None)
        return {
            "spec_path": model.source.path,
            "table": f"{model.name.snake}_table",
            "protocol": model.name.text,
            "errors": [{"number": e.number, "name": e.name.text} for e in model.errors],
            "registries": [
                {
                    "symbol": f"registry_{r.name.snake}",
                    "entries": [{"number": e.number, "name": e.name.text} for e in r.entries],
                }
                for r in model.registries
                if any(f.registry is r for x in model.layouts for f in x.fields)
            ],
            "layouts": layouts,
            "subjects": subjects,
            "sealed": len(model.structs) + model.families.index(sealed.layout) if sealed else None,
            "sealed_least": sealed.least if sealed else 0,
            "sealed_most": sealed.most if sealed else 0,
        }

    def layout(self, layout):
        self.arrays = []
        fields = [self.field(layout, f) for f in layout.fields]
        return {
            "symbol": layout_symbol(layout),
            "name": layout.name.snake,
            "where": self.model.source.where(layout.name.span),
            "tag_bytes": layout.tag_bytes,
            "first": layout.first,
            "last": layout.last,
            "arrays": self.arrays,
            "fields": fields,
        }

    def field(self, layout, field):
        symbol = f"{layout_symbol(layout)}__{field.member}"
        rules = []
        for number, check in enumerate(c for c in field.checks if c.expr is not None):
            made = self.steps(f"{symbol}__rule{number}", check.expr)
            rules.append({"steps": made, "error": self.error(check.error)})
        parts = [f'.name = "{field.member}"', f".kind = XC_{KINDS.get(field.kind, field.kind.upper())}"]
        parts += self.sizes(field)
        parts.append(f".length = {index_of(field.length) if field.length is not None else -1}")
        parts.append(f".length_of = {index_of(field.length_of) if field.length_of is not None else -1}")
        if field.kind == "literal":
            parts.append(f".literal = (const uint8_t *){cnames.c_string(field.literal.decode())}")
            parts.append(f".literal_error = {self.error(field.checks[0].error)}")
        if field.item is not None:
            parts.append(f".item = &{layout_symbol(field.item)}")
        if field.kind == "until":
            parts.append(f".until = {self.steps(symbol + '__until', field.until)}")
        if field.registry:
            parts.append(f".registry = &registry_{field.registry.name.snake}")
        if field.text:
            parts.append(".text = true")
        return {
            "parts": parts,
            "rules": rules,
            "symbol": symbol,
            "borders": [cnames.number(n) for n in borders(field)],
        }

    def sizes(self, field):
        if field.kind == "uint":
            first_bit = field.group.bits - field.shift - field.bits
            bits = [f".bits = {field.bits}", f".first_bit = {first_bit}"]
            return bits + [f".group_bytes = {field.group.bytes}"]
        if field.kind in ("fixed", "literal"):
            return [f".least = {field.bytes}"]
        out = [f".least = {field.least}"] if field.least else []
        return out + ([f".most = {field.most}"] if field.is_repeat else [])

    def error(self, name):
        return next(e.number for e in self.model.errors if e.name.text == name)

    def steps(self, symbol, expr):
        made = steps(expr)
        rows = []
        for number, (op, value, inner) in enumerate(made):
            row = f"XC_{op}, {cnames.number(value)}, "
            if inner is None:
                rows.append(row + "NULL")
                continue
            name = f"{symbol}__sum{number}"
            inside = [f"XC_{o}, {cnames.number(v)}, NULL" for o, v, _ in inner]
            self.arrays.append({"symbol": name, "rows": inside})
            rows.append(row + name)
        self.arrays.append({"symbol": symbol, "rows": rows})
        return symbol


def layout_symbol(layout):
    kind = layout.family.name.snake if layout.is_case else "struct"
    return f"{kind}_{layout.name.snake}"


def borders(field):
    """Numbers worth trying in a field: its ends, and what it is compared with and one more or less."""
    if not field.is_integer:
        return []
    most = VARINT_MAX if field.kind == "varint" else 2**field.bits - 1
    steps_of_varint = {63, 64, 16383, 16384, 2**30 - 1, 2**30} if field.kind == "varint" else set()
    return sorted(n for n in {0, 1, most} | steps_of_varint | boundaries.around(field) if n <= most)
