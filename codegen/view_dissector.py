"""The model as what the template of the Wireshark dissector prints: fields, and rules as Lua."""

from .model import Const, Length, Negate, Sum, Value

LUA_OPS = {"=": "==", "!=": "~=", "iff": "=="}
ITEM_KINDS = ("count", "until", "sized", "end")


def lua_string(text):
    """A Lua string literal; everything but printable ASCII is escaped."""
    data = text if isinstance(text, bytes) else text.encode()
    out = ""
    for byte in data:
        char = chr(byte)
        out += f"\\{char}" if char in '"\\' else char if 32 <= byte < 127 else f"\\{byte:03d}"
    return f'"{out}"'


def number(value):
    """A 64-bit constant: Lua's own numbers are doubles."""
    return f"U({value & 0xFFFFFFFF}, {value >> 32})"


def to_lua(expr):
    """The expression over a table v of values by their names; numbers are UInt64, bytes are strings."""
    if isinstance(expr, Const):
        return number(expr.value)
    if isinstance(expr, Value):
        return f'v["{expr.field.member}"]'
    if isinstance(expr, Length):
        return f'U(#v["{expr.field.member}"], 0)'
    if isinstance(expr, Sum):
        return f'sum(v["{expr.field.member}"], function(v) return {to_lua(expr.expr)} end)'
    if isinstance(expr, Negate):
        return f"not ({to_lua(expr.operand)})"
    left, right = to_lua(expr.left), to_lua(expr.right)
    if expr.op == "implies":
        return f"(not ({left}) or {right})"
    return f"({left} {LUA_OPS.get(expr.op, expr.op)} {right})"


def common(model):
    title = model.title
    return {
        "spec_path": model.source.path,
        "title": title,
        "doc": " ".join(model.docs) or title,
        "registries": [
            {
                "symbol": r.name.snake,
                "entries": [{"number": e.number, "name": e.name.text} for e in r.entries],
            }
            for r in model.registries
        ],
        "layouts": [layout(x, title) for x in model.layouts],
        "subjects": subjects(model),
        "packets": [packet(p) for p in model.packets],
    }


def symbol(one):
    return f"{one.family.name.snake}.{one.name.snake}" if one.is_case else one.name.snake


def layout(one, title):
    name = one.name.upper if one.is_case else one.name.text
    return {
        "symbol": symbol(one),
        "name": name,
        "tag_bytes": one.tag_bytes,
        "first": one.first,
        "last": one.last,
        "fields": [field(f, f"{title}.{one.name.snake}.{f.member}") for f in one.fields],
        "type_filter": f"{title}.{one.name.snake}.type" if one.is_range else None,
    }


def field(one, filter_name):
    parts = {
        "name": f'"{one.member}"',
        "kind": f'"{one.kind}"',
        "proto": proto_field(one, filter_name),
        "rules": "{ " + ", ".join(rule(c) for c in one.checks if c.expr is not None) + " }",
    }
    if one.kind == "uint":
        parts |= {
            "bits": one.bits,
            "shift": one.shift,
            "first_bit": one.group.bits - one.shift - one.bits,
            "group": one.group.bytes,
        }
    if one.kind in ("fixed", "literal"):
        parts["bytes"] = one.bytes
    if one.kind == "literal":
        parts |= {"literal": lua_string(one.literal), "otherwise": f'"{one.checks[0].error}"'}
    if one.kind in ("rest", "zeros"):
        parts["least"] = one.least
    if one.length is not None:
        parts["length"] = f'"{one.length.member}"'
    if one.item is not None:
        parts["item"] = f'layouts["{symbol(one.item)}"]'
    if one.is_repeat:
        parts["most"] = one.most
    if one.kind == "until":
        parts["last"] = f"function(v) return {to_lua(one.until)} end"
    if one.registry:
        parts["registry"] = f"registries.{one.registry.name.snake}"
    if one.text:
        parts["text"] = "true"
    if not one.is_member:
        parts["derived"] = "true"
    return {"parts": parts}


def rule(check):
    return f'{{ function(v) return {to_lua(check.expr)} end, "{check.error}" }}'


def proto_field(one, filter_name):
    """The constructor of the field that Wireshark's filters know."""
    title = lua_string(one.name.text)
    start = f'"{filter_name}", {title}'
    if one.kind == "uint" and one.bits >= 32 and not one.registry:
        return f"ProtoField.{'uint32' if one.bits == 32 else 'uint64'}({start}, base.HEX)"
    if one.kind == "varint" or one.kind == "uint" and one.bits > 32:
        return f"ProtoField.uint64({start}, base.DEC)"
    if one.kind in ("uint", "zeros"):
        return f"ProtoField.uint32({start}, base.DEC)"
    if one.kind in ITEM_KINDS + ("embed",):
        return f"ProtoField.none({start})"
    return f"ProtoField.{'string' if one.text else 'bytes'}({start})"


def subjects(model):
    """What bytes may be dissected as: each struct, each family."""
    out = [{"name": s.name.snake, "layouts": [symbol(s)]} for s in model.structs]
    return out + [{"name": f.name.snake, "layouts": [symbol(c) for c in f.cases]} for f in model.families]


def packet(one):
    parts = []
    for part in one.parts:
        view = {"kind": f'"{part.kind}"', "name": lua_string(part.name)}
        if part.layout is not None:
            view["subject"] = f'subjects["{part.layout.name.snake}"]'
        if part.kind == "sealed":
            view |= {"least": part.least, "most": part.most, "tag": part.bits // 8}
        if part.kind == "plain":
            view["bytes"] = part.bits // 8
        if part.test is not None:
            view["present"] = f"function(v) return {to_lua(part.test)} end"
        parts.append(view | {"least_bytes": least_bytes(part)})
    return {"name": one.name.text, "parts": parts}


def least_bytes(part):
    if part.kind == "sealed":
        return part.bits // 8 + (part.least and part.layout.bits // 8)
    if part.kind == "plain":
        return 0 if part.test is not None else part.bits // 8
    return part.layout.fixed_size or 0
