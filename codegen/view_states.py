"""View models of the state machines."""

from . import claim


def machine(one, names):
    up = f"{names.up}_{one.name.upper}"
    states = [
        {
            "c": f"{up}_{s.name.upper}",
            "name": s.name.text,
            "quoted": f'"{s.name.text}"',
            "doc": s.doc,
            "final": s.final,
        }
        for s in one.states
    ]
    events = [
        {"c": f"{up}_ON_{e.name.upper}", "name": e.name.text, "quoted": f'"{e.name.text}"', "doc": e.doc}
        for e in one.events
    ]
    guards = [
        {"c": f"{up}_IF_{g.name.upper}", "bit": 1 << i, "doc": g.doc, "name": g.name.text}
        for i, g in enumerate(one.guards)
    ]
    actions = [{"c": f"{up}_DO_{a.name.upper}", "doc": a.doc, "name": a.name.text} for a in one.actions]
    facts = [
        {"c": f"{up}_FACT_{f.name.upper}", "bit": 1 << i, "doc": f.doc, "name": f.name.text}
        for i, f in enumerate(one.facts)
    ]
    view = {
        "f": f"{names.low}_{one.name.snake}",
        "u": up,
        "name": one.name.text,
        "docs": one.docs,
        "states": pad(states),
        "events": pad(events),
        "guards": guards,
        "actions": actions,
        "facts": facts,
        "initial": states[one.initial]["c"],
        "where": names.model.source.where(one.name.span),
        "matrix": matrix(one),
        "parameter": ", unsigned guards" if guards else "",
        "guarded": [],
        "action_rules": [],
        "timers": [timer(i, s, states, one, events, names) for i, s in enumerate(one.states) if s.timer],
    }
    for (state, event), edges in sorted(one.table.items()):
        for edge in edges:
            rule = {
                "state": states[state]["c"],
                "event": events[event]["c"],
                "test": test(edge, guards),
                "target": states[edge.target]["c"],
            }
            if edge.guard:
                view["guarded"].append(rule)
            if edge.action:
                view["action_rules"].append(rule | {"action": f"{up}_DO_{edge.action.upper()}"})
    view["always"] = [always(p, view, names) for p in one.properties if p.never is None]
    view["once"] = [once(p, one, view, names) for p in one.properties if p.never is not None]
    return view


def told(one, view, names):
    where = names.model.source.where(one.name.span)
    return {
        "name": one.name.text,
        "snake": one.name.snake,
        "where": where,
        "text": one.text,
        "variable": f"{view['f']}_{one.name.snake}",
    }


def always(one, view, names):
    """A property over states and facts: in C when it is broken, in Promela that it holds."""
    return told(one, view, names) | {
        "broken": claim.to_c(one.claim, "state", "facts", view, False),
        "holds": claim.to_c(one.claim, "(m)", "(facts)", view),
    }


def once(one, machine, view, names):
    """A property of the table: the states that begin it, and those that never follow."""

    def holding(expr):
        numbers = range(len(machine.states))
        return [view["states"][n]["c"] for n in numbers if claim.evaluate(expr, n, 0)]

    return told(one, view, names) | {"begin": holding(one.claim), "never": holding(one.never)}


def timer(number, state, states, one, events, names):
    index = [e.name.snake for e in one.events].index(state.timer[1].snake)
    return {"state": states[number]["c"], "event": events[index]["c"], "limit": names.limit(state.timer[0])}


def test(edge, guards):
    """The C of an edge's guard, or "" without one."""
    if not edge.guard:
        return ""
    number, wanted = edge.guard
    return f"{'' if wanted else '!'}(guards & {guards[number]['c']})"


def plain_target(one, state, event):
    """Where the table leads when no guard decides: the last edge."""
    return one.table[state, event][-1].target


def matrix(one):
    """Aligned rows; above each column its event."""
    widths = [max(3, len(e.name.text) + 1) for e in one.events]
    label = max(len(s.name.text) for s in one.states) + len(str(len(one.states))) + 1
    head = (
        "/* "
        + " " * (label + 3)
        + "".join(e.name.text.rjust(w) + " " for e, w in zip(one.events, widths)).rstrip()
    )
    rows = [head + " */"]
    for number, state in enumerate(one.states):
        cells = ",".join(str(plain_target(one, number, e)).rjust(w) for e, w in enumerate(widths))
        rows.append(f"/* {number} {state.name.text.ljust(label)} */ {{{cells}}},")
    return rows


def pad(items):
    widest = max(len(item["c"]) for item in items)
    return [item | {"pad": " " * (widest - len(item["c"]))} for item in items]
