"""Views for the reference in Markdown, the state diagrams and the model in JSON."""

import json

from . import figure
from .cnames import Names


def common(model):
    names = Names(model)
    return {
        "spec_path": model.source.path,
        "name": model.name.text,
        "docs": model.docs,
        "file": model.name.snake,
        "flags": [{"name": f.name.text, "doc": f.doc} for f in model.flags],
        "packets": [packet(p) for p in model.packets],
        "structs": [layout(s, names) for s in model.structs],
        "families": [family(f, names) for f in model.families],
        "registries": [registry(r) for r in model.registries],
        "errors": [{"number": e.number, "name": e.name.text, "doc": cell(e.doc)} for e in model.errors],
        "limits": [
            {"name": x.name.text, "value": f"{x.value:,}", "formula": cell(x.formula), "doc": cell(x.doc)}
            for x in model.limits
        ],
        "texts": [{"name": t.name.text, "value": cell(t.value), "doc": cell(t.doc)} for t in model.texts],
        "machines": [machine(m) for m in model.machines],
    }


def cell(text):
    """Text that may stand in a cell of a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def prose(docs):
    return "\n".join(line.replace("<", "&lt;") for line in docs)


def packet(one):
    return {"name": one.name.text, "docs": prose(one.docs), "figure": packet_figure(one), "flags": one.flags}


def packet_figure(one):
    lines = [one.name.text + " {"]
    for part in one.parts:
        if part.kind in ("clear", "authenticated"):
            lines.append(f"  {part.name}," + ("   authenticated" if part.kind == "authenticated" else ""))
        elif part.kind == "sealed":
            count = str(part.least) if part.least == part.most else f"{part.least}..{part.most}"
            lines += [
                f"  Sealed {{ {part.name} ({count}) }},   encrypted and authenticated",
                f"  {part.tag} ({part.bits}),",
            ]
        elif part.condition:
            lines.append(f"  [{part.name} ({part.bits})],   if {part.condition}")
        else:
            lines.append(f"  {part.name} ({part.bits}),")
    return "\n".join(lines + ["}"])


def layout(one, names):
    return {
        "name": one.name.text,
        "anchor": one.name.snake,
        "docs": prose(one.docs),
        "flags": one.flags,
        "figure": "\n".join(figure.figure(one)),
        "fields": [field(f) for f in one.fields],
        "c": names.struct(one),
        "type": types(one) if one.is_case else "",
        "vectors": [{"title": cell(v.title), "data": v.data.hex(" ")} for v in one.vectors],
        "rejects": [
            {"title": cell(r.title), "data": r.data.hex(" "), "error": r.error, "offset": r.offset}
            for r in one.rejects
        ],
        "size": "" if one.fixed_size is None else f"{one.fixed_size} bytes",
    }


def types(case):
    digits = case.family.bits // 4
    return f"0x{case.first:0{digits}x}" + (f" to 0x{case.last:0{digits}x}" if case.is_range else "")


def field(one):
    width = figure.shape(one)[len(one.name.text) + 1 :]
    member = one.member if one.is_member else ""
    return {
        "name": one.name.text,
        "width": cell(width),
        "rules": cell(figure.rules(one).strip()),
        "doc": cell(" ".join(one.docs)),
        "member": member,
    }


def family(one, names):
    return {
        "name": one.name.text,
        "docs": prose(one.docs),
        "bits": one.bits,
        "cases": [layout(c, names) for c in one.cases],
    }


def registry(one):
    return {
        "name": one.name.text,
        "docs": prose(one.docs),
        "kind": "closed" if one.closed else "open",
        "entries": [
            {
                "number": e.number,
                "name": e.name.text,
                "doc": cell(e.doc),
                "mark": e.mark.text if e.mark else "",
            }
            for e in one.entries
        ],
    }


def machine(one):
    rows = []
    for number, state in enumerate(one.states):
        cells = [answer(one, number, event) for event in range(len(one.events))]
        rows.append({"name": state.name.text, "cells": cells})
    return {
        "name": one.name.text,
        "snake": one.name.snake,
        "docs": prose(one.docs),
        "flags": one.flags,
        "initial": one.states[one.initial].name.text,
        "states": [
            {
                "name": s.name.text,
                "doc": cell(s.doc),
                "final": s.final,
                "timer": f"{s.timer[1].text} after {s.timer[0].text}" if s.timer else "",
            }
            for s in one.states
        ],
        "events": [{"name": e.name.text, "doc": cell(e.doc)} for e in one.events],
        "words": [("Guard", cell(g.name.text), cell(g.doc)) for g in one.guards]
        + [("Action", cell(a.name.text), cell(a.doc)) for a in one.actions]
        + [("Fact", cell(f.name.text), cell(f.doc)) for f in one.facts],
        "properties": [
            {"name": p.name.text, "text": cell(p.text), "doc": cell(" ".join(p.docs))} for p in one.properties
        ],
        "rows": rows,
    }


def answer(one, state, event):
    """A cell of the table: the states to come, with guard and action; a dot for staying."""
    parts = []
    for edge in one.table[state, event]:
        text = one.states[edge.target].name.text if edge.target != state else "."
        if edge.guard:
            text = f"{'if' if edge.guard[1] else 'if not'} {one.guards[edge.guard[0]].name.text}: {text}"
        parts.append(text + (f" / {edge.action.replace('_', ' ')}" if edge.action else ""))
    return "; ".join(parts)


def dot(one):
    """The machine as a graph: events that lead the same way share an arrow; staying is not drawn."""
    lines = [
        f'digraph "{one.name.text}" {{',
        '  rankdir=LR; bgcolor="white";',
        '  node [shape=box, style=rounded, fontname="DejaVu Sans", fontsize=11];',
        '  edge [fontname="DejaVu Sans", fontsize=9];',
        '  begin [shape=point];',
    ]
    for number, state in enumerate(one.states):
        extra = ", peripheries=2" if state.final else ""
        lines.append(f'  s{number} [label="{state.name.text}"{extra}];')
    lines.append(f"  begin -> s{one.initial};")
    arrows = {}
    for (state, event), edges in sorted(one.table.items()):
        for edge in edges:
            if edge.target != state:
                label = one.events[event].name.text + (f" [{guard_text(one, edge)}]" if edge.guard else "")
                arrows.setdefault((state, edge.target), []).append(label)
    for (state, target), labels in sorted(arrows.items()):
        text = "\\n".join(labels)
        lines.append(f'  s{state} -> s{target} [label="{text}"];')
    return "\n".join(lines + ["}"]) + "\n"


def guard_text(one, edge):
    return ("" if edge.guard[1] else "not ") + one.guards[edge.guard[0]].name.text


def to_json(model):
    """Every number and name of the wire, for tests that look for them in hand-written code."""
    names = Names(model)
    data = {
        "protocol": model.name.text,
        "limits": {names.limit(x.name): x.value for x in model.limits},
        "texts": {names.limit(t.name): t.value for t in model.texts},
        "errors": {names.error(e.name.text): e.number for e in model.errors},
        "registries": {
            r.name.text: {names.entry(r.name, e.name): e.number for e in r.entries} for r in model.registries
        },
        "structs": {names.struct(s): members(s) | {"size": s.fixed_size} for s in model.structs},
        "types": {names.type(c): [c.first, c.last] for f in model.families for c in f.cases},
        "cases": {names.struct(c): members(c) for f in model.families for c in f.cases},
        "machines": {
            m.name.text: {
                "states": [s.name.text for s in m.states],
                "events": [e.name.text for e in m.events],
            }
            | ({"properties": [p.name.text for p in m.properties]} if m.properties else {})
            for m in model.machines
        },
    }
    return json.dumps(data, indent=2) + "\n"


def members(layout):
    return {"members": [f.member for f in layout.members]}
