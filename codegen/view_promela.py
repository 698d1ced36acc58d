"""View of the state machines for Promela: states, events and what leads elsewhere, nothing else."""

from . import view_states


def common(model, names):
    """What promela/machines.pml.j2 prints."""
    return {"spec_path": model.source.path, "machines": [machine(m, names) for m in model.machines]}


def machine(one, names):
    """What C prints of a machine, and the moves between its states in place of the matrix."""
    view = view_states.machine(one, names)
    return view | {
        "moves": [
            {
                "state": view["states"][state]["c"],
                "event": view["events"][event]["c"],
                "test": guard(edge, view),
                "target": view["states"][edge.target]["c"],
            }
            for (state, event), edges in sorted(one.table.items())
            for edge in edges
            if edge.target != state
        ],
        "parameter": ", guards" if view["guards"] else "",
    }


def guard(edge, view):
    """The guard as a condition over the number `guards`, or "" without one."""
    if not edge.guard:
        return ""
    number, wanted = edge.guard
    return f" && (((guards) & {view['guards'][number]['c']}) {'!=' if wanted else '=='} 0)"
