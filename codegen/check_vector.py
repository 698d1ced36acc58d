"""Checks vectors and rejects against the model: the spec's own examples must agree with the spec."""

from . import codec, tree
from .constants import near
from .model import Reject, Vector


def attach(spec, model, found):
    """Give each layout its vectors and rejects; report contradictions."""
    layouts = {x.name.snake: x for x in model.layouts}
    errors = {e.name.text for e in model.errors}
    titles = {}
    for item in spec.items:
        if not isinstance(item, (tree.Vector, tree.Reject)):
            continue
        layout = layouts.get(item.name.snake)
        if layout is None:
            found.error(
                item.span,
                f"no struct or case is called '{item.name.text}'",
                near(item.name.text, layouts.values()),
            )
            continue
        key = (layout.name.snake, item.title)
        if key in titles:
            found.error(
                item.span, f'"{item.title}" is the title of another one', None, (titles[key], "this one")
            )
        titles[key] = item.span
        if isinstance(item, tree.Vector):
            vector(item, layout, found)
        else:
            reject(item, layout, errors, found)
    for layout in layouts.values():
        if not layout.vectors or not layout.rejects:
            what = "vector" if not layout.vectors else "reject"
            found.error(
                layout.name.span,
                f"'{layout.name.text}' has no {what}",
                f'add: {what} {layout.name.text} "what it shows" <00> ...',
            )


def vector(item, layout, found):
    try:
        values = codec.decode_one(layout, item.data)
    except codec.Fault as fault:
        found.error(item.span, f"the vector does not decode: {fault.error} at {fault.offset}")
        return
    again = codec.encode(layout, values)
    if again != item.data:
        found.error(item.span, f"the vector is not canonical: it encodes as <{again.hex()}>")
    compare(item.assigns, values, layout, item.span, found)
    layout.vectors.append(Vector(item.title, item.data, values, item.span))


def compare(assigns, values, layout, span, found):
    given = {a.name.snake: a for a in assigns}
    members = {f.member: f for f in layout.members}
    if layout.is_range:
        members["type"] = None
    for key, assign in given.items():
        if key not in members:
            found.error(
                assign.span,
                f"'{layout.name.text}' has no member '{assign.name.text}'",
                near(assign.name.text, layout.members) or "derived lengths are not given",
            )
        else:
            compare_one(assign, members[key], values[key], found)
    missing = [key for key in members if key not in given]
    if missing:
        found.error(span, f"no value for {', '.join(missing)}", "a vector gives every member")


def compare_one(assign, field, value, found):
    given = assign.value
    if field is not None and field.is_repeat:
        if not isinstance(given, tuple) or len(given[1]) != len(value):
            found.error(
                assign.span, f"'{assign.name.text}' has {len(value)} items", "write [{ ... }, { ... }]"
            )
            return
        for one, item in zip(given[1], value):
            compare(one, item, field.item, assign.span, found)
    elif field is not None and field.kind == "embed":
        if not isinstance(given, list):
            found.error(assign.span, f"'{assign.name.text}' is a struct", "write { ... }")
            return
        compare(given, value, field.item, assign.span, found)
    elif type(given) is not type(value) or given != value:
        shown = f"<{value.hex()}>" if isinstance(value, bytes) else f"0x{value:x} ({value})"
        found.error(
            assign.span, f"the bytes say '{assign.name.text}' = {shown}", "correct the bytes or the value"
        )


def reject(item, layout, errors, found):
    if item.error.text not in errors or item.error.text == "OK":
        found.error(item.error.span, f"no error is called '{item.error.text}'")
        return
    try:
        codec.decode_one(layout, item.data)
    except codec.Fault as fault:
        if (fault.error, fault.offset) != (item.error.text, item.offset):
            found.error(item.error.span, f"the bytes are rejected as {fault.error} at {fault.offset}")
    else:
        found.error(item.span, "the bytes are accepted")
    layout.rejects.append(Reject(item.title, item.data, item.error.text, item.offset, item.span))
