"""What a change of a spec breaks: python3 -m codegen diff OLD NEW.

Each spec's vectors, and their values moved to the borders of both specs, are encoded by the one and decoded
by the other. What is refused, or read as something else, is a break, and its bytes are the witness. Changes
that no bytes show (names, texts, timers, machines) are notes."""

from dataclasses import dataclass

from . import boundaries, codec, view_print

SIDES = {
    "reader": "old readers, given what new writers send",
    "writer": "new readers, given what old writers send",
}


@dataclass
class Break:
    """side: "reader" (an old reader breaks on new bytes) or "writer" (old bytes break a new reader)."""

    side: str
    what: str
    how: str
    witness: bytes


@dataclass
class Subject:
    """Something that both specs may read: a struct, or a family."""

    name: str
    layouts: list


def compare(old, new):
    """(breaks, notes) of the change from one model to another."""
    breaks, notes = [], []
    for side, writer, reader in (("reader", new, old), ("writer", old, new)):
        known = subjects(reader)
        for subject in subjects(writer).values():
            for layout in subject.layouts:
                there = known.get(subject.name)
                if there is not None:
                    judge(side, layout, there, counterpart(reader, layout), breaks, notes)
        packets(side, writer, reader, breaks)
        registries(side, writer, reader, breaks, notes)
    beside(old, new, notes)
    return breaks, sorted(set(notes))


def subjects(model):
    found = [Subject(s.name.snake, [s]) for s in model.structs]
    found += [Subject(f.name.snake, f.cases) for f in model.families]
    return {s.name: s for s in found}


def counterpart(model, layout):
    """The layout of the same name in another model."""
    return next((x for x in model.layouts if x.name.snake == layout.name.snake), None)


# --- single structs and cases ---


def judge(side, layout, subject, twin, breaks, notes):
    """Hand what a writer can send of this layout to the reader; the shortest witness of each break stays."""
    found = {}
    for values in instances(layout, twin):
        data = codec.encode(layout, values)
        how = reading(layout, values, subject, data, notes)
        if how is not None and (how not in found or len(data) < len(found[how])):
            found[how] = data
    words = [how.split(" ")[0] for how in found]
    for how, data in found.items():
        # One offset is enough for each error.
        if words.index(how.split(" ")[0]) == list(found).index(how):
            breaks.append(Break(side, layout.name.text, how, data))


def instances(layout, twin):
    """Valid values: the vectors, and each with one field at a border of this layout or of its twin."""
    twins = {f.member: f for f in twin.members} if twin else {}
    for vector in layout.vectors:
        first = boundaries.members_only(layout, vector.values)
        yield first
        for field in layout.members:
            tried = boundaries.candidates(field)
            other = twins.get(field.member)
            if other is not None and other.kind == field.kind:
                tried += boundaries.candidates(other)
            for _, value in tried:
                values = {**first, field.member: value}
                if boundaries.representable(layout, values) and codec.validate(layout, values) == "OK":
                    yield values


def reading(layout, values, subject, data, notes):
    """How a reader goes wrong with these bytes, or None; what is only called otherwise is a note."""
    size = subject.layouts[0].tag_bytes
    number = int.from_bytes(data[:size], "big")
    there = [x for x in subject.layouts if not x.is_case or x.first <= number <= x.last]
    if not there:
        return "UNKNOWN_TYPE at 0"
    sent = codec.decode_one(layout, data)
    try:
        read = codec.decode_one(there[0], data)
    except codec.Fault as fault:
        return str(fault)
    if there[0].is_range and not layout.is_range:
        notes.append(f"{layout.name.text}: who does not know it takes it as {there[0].name.text}")
        return None
    moved = sorted(map(repr, labels(there[0]))) == sorted(map(repr, labels(layout)))
    if labels(there[0]) != labels(layout) and moved or plain(there[0], read) != plain(layout, sent):
        return f"read as: {view_print.text_of(there[0], read)}"
    if labels(there[0]) != labels(layout):
        both = sorted({there[0].name.text, layout.name.text})
        notes.append(f"{' and '.join(both)}: the same bytes have other names")
    return None


def labels(layout):
    return [layout.name.snake] + [labels(f.item) if f.item else f.member for f in layout.members]


def plain(layout, values):
    """Values without their names."""
    out = [values["type"]] if layout.is_range else []
    for field in layout.members:
        value = values[field.member]
        if field.kind == "embed":
            value = plain(field.item, value)
        elif field.is_repeat:
            value = [plain(field.item, item) for item in value]
        out.append(value)
    return out


# --- packets ---


def packets(side, writer, reader, breaks):
    there = {p.name.snake: p for p in reader.packets}
    for packet in writer.packets:
        other = there.get(packet.name.snake)
        if other is None:
            breaks.append(Break(side, packet.name.text, "no such packet", sample(packet)))
            continue
        if shape(packet) != shape(other):
            breaks.append(Break(side, packet.name.text, "its parts differ", sample(packet)))
        for part, twin in zip(packet.parts, other.parts):
            if part.kind == twin.kind == "sealed":
                counts(side, packet, part, twin, breaks)


def counts(side, packet, part, twin, breaks):
    """More or fewer of a family than the reader takes."""
    if part.most > twin.most:
        witness = smallest(part) * (twin.most + 1)
        breaks.append(Break(side, packet.name.text, f"LIMIT at {len(smallest(part)) * twin.most}", witness))
    if part.least < twin.least:
        breaks.append(Break(side, packet.name.text, "EMPTY at 0", smallest(part) * part.least))


def smallest(part):
    """The shortest vector of a sealed part's family that others may follow."""
    found = [v.data for case in part.layout.cases if not case.runs_to_end for v in case.vectors]
    return min(found, key=len, default=b"")


def shape(packet):
    return [(p.kind, p.name, p.tag, p.bits, p.condition) for p in packet.parts]


def sample(packet):
    """A packet with all parts there, its tag zeros."""
    out = b""
    for part in packet.parts:
        if part.kind == "sealed":
            out += smallest(part)
        elif part.layout is not None:
            out += part.layout.vectors[0].data
        out += bytes(part.bits // 8)
    return out


# --- registries and what no bytes show ---


def registries(side, writer, reader, breaks, notes):
    """A number that means something else; what is only added or gone is a note."""
    there = {r.name.snake: r.entries for r in reader.registries}
    for registry in writer.registries:
        entries = there.get(registry.name.snake, [])
        names = {e.name.snake: e.number for e in entries}
        numbers = {e.number: e.name.text for e in entries}
        for entry in registry.entries:
            how = f"{entry.number} means {numbers.get(entry.number, 'nothing')}, not {entry.name.text}"
            data = carrier(writer, registry, entry.number)
            if entry.number not in numbers and entry.name.snake not in names:
                word = "new" if side == "reader" else "gone"
                notes.append(f"registry {registry.name.text}: {entry.number} = {entry.name.text} is {word}")
            elif names.get(entry.name.snake) == entry.number:
                continue
            elif data is None:
                notes.append(f"registry {registry.name.text}: {how}; no field carries it")
            else:
                breaks.append(Break(side, registry.name.text, how, data))


def carrier(model, registry, number):
    """Bytes in which a field of this registry has this number, or None."""
    for layout in model.layouts:
        for field in layout.members:
            if field.registry is registry:
                for vector in layout.vectors:
                    values = {**boundaries.members_only(layout, vector.values), field.member: number}
                    if codec.validate(layout, values) == "OK":
                        return codec.encode(layout, values)
    return None


def beside(old, new, notes):
    for word, told in TOLD.items():
        changes(notes, word, told(old), told(new))


def flags(model):
    return {x.name.text: ", ".join(x.flags) or "none" for x in model.layouts + model.packets + model.machines}


def table(machine):
    """A machine as text that changes when it does."""
    names = [s.name.text for s in machine.states]
    rows = [
        (names[state], machine.events[event].name.text, [(e.guard, names[e.target], e.action) for e in edges])
        for (state, event), edges in sorted(machine.table.items())
    ]
    return repr((names, rows))


# What a note speaks of, by its name: the text that tells whether it changed.
TOLD = {
    "limit": lambda model: {x.name.text: x.value for x in model.limits},
    "text": lambda model: {x.name.text: x.value for x in model.texts},
    "flags of": flags,
    "machine": lambda model: {m.name.text: table(m) for m in model.machines},
    "property": lambda model: {
        p.name.text: f"'{p.text}' of {m.name.text}" for m in model.machines for p in m.properties
    },
    "error": lambda model: {e.name.text: e.number for e in model.errors},
    "registry": lambda model: {r.name.text: "closed" if r.closed else "open" for r in model.registries},
}


def changes(notes, word, old, new):
    for name in {**old, **new}:
        if name not in new:
            notes.append(f"{word} {name}: gone")
        elif name not in old:
            notes.append(f"{word} {name}: new")
        elif old[name] != new[name]:
            was = "" if word == "machine" else f" from {old[name]} to {new[name]}"
            notes.append(f"{word} {name}: changed{was}")


def report(breaks, notes):
    """The lines that are printed."""
    out = []
    for side, title in SIDES.items():
        mine = [b for b in breaks if b.side == side]
        out += [f"{title}:"] + [f"  {b.what}: {b.how}: {b.witness.hex() or 'no bytes'}" for b in mine]
        out += [] if mine else ["  nothing breaks"]
    if notes:
        out += ["notes:"] + [f"  {note}" for note in notes]
    return out
