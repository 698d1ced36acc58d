"""Figures of layouts in the notation of RFC 9000 section 1.3, for comments and documents."""


def figure(layout):
    """Lines of a layout's figure."""
    head = f"{layout.name.text} {layout.family.name.text}" if layout.is_case else layout.name.text
    lines = [head + " {"]
    if layout.is_case:
        kind = f"0x{layout.first:02x}" + (f"..0x{layout.last:02x}" if layout.is_range else "")
        lines.append(f"  Type ({layout.family.bits}) = {kind},")
    for field in layout.fields:
        lines.append(f"  {shape(field)}{rules(field)},")
    return lines + ["}"]


def shape(field):
    """A field's name and width."""
    name = field.name.text
    if field.kind in ("uint", "fixed", "literal"):
        return f"{name} ({field.bits})"
    if field.kind == "varint":
        return f"{name} (i)"
    if field.kind == "bytes":
        return f"{name} (8*{field.length.name.text})"
    if field.kind in ("rest", "zeros"):
        return f"{name} ({8 * field.least or ''}..)"
    if field.kind == "embed":
        return f"{name} of {field.item.name.text}"
    extent = {
        "count": lambda: field.length.name.text,
        "sized": lambda: f"{field.length.name.text} bytes",
        "end": lambda: "..",
        "until": lambda: field.until_text,
    }[field.kind]()
    return f"{name} [{extent}] of {field.item.name.text} at most {field.most}"


def rules(field):
    """A field's constraints, as the spec says them."""
    out = []
    if field.registry:
        out.append(f"of {field.registry.name.text}")
    out += [check.text for check in field.checks if not check.text.startswith("of ")]
    if field.kind == "zeros":
        out.append("zeros")
    if field.text:
        out.append("text")
    return " " + " ".join(out) if out else ""


def comment(lines, indent=""):
    """Lines of a C block comment around text."""
    safe = [line.replace("*/", "* /") for line in lines]
    return [f"{indent}/* {safe[0]}"] + [f"{indent} * {line}".rstrip() for line in safe[1:]] + [f"{indent} */"]
