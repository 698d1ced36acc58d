"""The transitions of the spec's machines, and those that traces of the product hold (tests/interop/trace.c)."""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINES, NAME, STATES, EVENTS = 16, 32, 16, 16
SLOT = NAME + STATES * EVENTS
MACHINE = re.compile(r"^machine ([\w ]+?)(, later)? \{(.*?)^\}", re.M | re.S)
RULE = re.compile(r"^  ([\w ,]+?) on ([\w ,]+?)(?: if [^;]*)? -> ([\w ]+);", re.M)


def names(text):
    return [name.strip() for name in text.split(",")]


def declared():
    """[(machine, later, [(from, event, to)])] of spec/link.wire, in its order."""
    spec = (ROOT / "spec" / "link.wire").read_text()
    for machine, later, body in MACHINE.findall(spec):
        steps = [(state, event, to) for states, events, to in RULE.findall(body) for state in names(states)
                 for event in names(events)]
        yield machine, bool(later), steps


def seen(paths):
    """{(machine, from, event)} of trace files."""
    model = json.loads((ROOT / "generated" / "link" / "link_model.json").read_text())["machines"]
    found = set()
    for data in (path.read_bytes() for path in paths if path.exists()):
        for at in range(0, len(data), SLOT):
            machine = data[at:at + NAME].rstrip(b"\0").decode()
            for i, noted in enumerate(data[at + NAME:at + SLOT]):
                if noted:
                    state, event = divmod(i, EVENTS)
                    found.add((machine, model[machine]["states"][state], model[machine]["events"][event]))
    return found


def problems():
    """What this reader of the spec does not understand as the generator does; none."""
    model = json.loads((ROOT / "generated" / "link" / "link_model.json").read_text())["machines"]
    found = list(declared())
    if [machine for machine, _, _ in found] != list(model):
        yield f"machines {[machine for machine, _, _ in found]}, not {list(model)}"
    for machine, _, steps in found:
        known = model.get(machine, {"states": [], "events": []})
        for name in {s for step in steps for s in (step[0], step[2])} - set(known["states"]):
            yield f"{machine}: no state {name}"
        for name in {step[1] for step in steps} ^ set(known["events"]):
            yield f"{machine}: event {name} is in one of spec and model only, or in no transition"
