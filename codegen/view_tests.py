"""Views for the generated tests: vectors, rejects and borders as C data."""

from . import boundaries, claim, cnames, codec, view_print
from .cnames import c_string


class TestViews:
    """Builds the data tables that the test templates print."""

    def __init__(self, model):
        self.model = model
        self.names = cnames.Names(model)

    def common(self):
        layouts = self.model.layouts
        return {
            "subjects": self.subjects(),
            "vectors": [self.vector(x, v) for x in layouts for v in x.vectors],
            "rejects": [self.reject(x, r) for x in layouts for r in x.rejects],
            "borders": [self.border(x, *b) for x in layouts for b in boundaries.of_layout(x)],
            "unions": [{"c": self.names.struct(s), "member": s.name.snake} for s in self.model.structs]
            + [
                {"c": f"struct {self.names.low}_{f.name.snake}", "member": f"any_{f.name.snake}"}
                for f in self.model.families
            ],
        }

    def subjects(self):
        out = [
            {
                "f": f"{self.names.low}_{s.name.snake}",
                "member": s.name.snake,
                "c": self.names.struct(s),
                "family": False,
                "number": self.subject(s),
            }
            for s in self.model.structs
        ]
        return out + [
            {
                "f": f"{self.names.low}_{f.name.snake}",
                "member": f"any_{f.name.snake}",
                "c": f"struct {self.names.low}_{f.name.snake}",
                "family": True,
                "number": f"SUBJECT_{f.name.upper}",
            }
            for f in self.model.families
        ]

    def subject(self, layout):
        return f"SUBJECT_{(layout.family or layout).name.upper}"

    def vector(self, layout, vector):
        values = boundaries.members_only(layout, vector.values)
        return {
            "subject": self.subject(layout),
            "title": c_string(f"{layout.name.text}: {vector.title}"),
            "data": c_bytes(vector.data),
            "n": len(vector.data),
            "value": self.value(layout, values),
            "line": c_string(view_print.text_of(layout, vector.values)),
            "to_end": self.truth(layout.runs_to_end),
            "where": self.model.source.where(vector.span),
        }

    @staticmethod
    def truth(value):
        return "true" if value else "false"

    def reject(self, layout, reject):
        return {
            "subject": self.subject(layout),
            "title": c_string(f"{layout.name.text}: {reject.title}"),
            "data": c_bytes(reject.data),
            "n": len(reject.data),
            "error": self.names.error(reject.error),
            "offset": reject.offset,
            "where": self.model.source.where(reject.span),
        }

    def border(self, layout, title, values, error, data, decode_error, offset):
        return {
            "subject": self.subject(layout),
            "title": c_string(f"{layout.name.text}: {title}"),
            "value": self.value(layout, values),
            "error": self.names.error(error),
            "data": c_bytes(data) if data is not None else "NULL",
            "n": len(data or b""),
            "decode_error": self.names.error(decode_error),
            "offset": offset,
        }

    def value(self, layout, values):
        """An initializer of union any."""
        inner = self.members(layout, values)
        if not layout.is_case:
            return f"{{.{layout.name.snake} = {inner}}}"
        number = cnames.number(values["type"], True) if layout.is_range else self.names.type(layout)
        return f"{{.any_{layout.family.name.snake} = {{.type = {number}, .u.{layout.name.snake} = {inner}}}}}"

    def members(self, layout, values):
        parts = [f".type = {cnames.number(values['type'], True)}"] if layout.is_range else []
        parts += [f".{f.member} = {self.member(f, values[f.member])}" for f in layout.members]
        return "{" + (", ".join(parts) or "0") + "}"

    def member(self, field, value):
        if field.kind == "fixed":
            return "{" + ", ".join(str(b) for b in value) + "}"
        if field.kind == "embed":
            return self.members(field.item, boundaries.members_only(field.item, value))
        if field.is_repeat:
            value = b"".join(codec.encode(field.item, item) for item in value)
        if isinstance(value, bytes):
            return f"{{{c_bytes(value)}, {len(value)}}}"
        return cnames.number(value)


def c_bytes(data):
    if not data:
        return "NOTHING"
    return '(const uint8_t *)"' + "".join(f"\\{byte:03o}" for byte in data) + '"'


def machine_rows(machine, view):
    """(state, event, guards, next, action) for every pair and every truth of the guards."""
    rows = []
    for state in range(len(machine.states)):
        for event in range(len(machine.events)):
            for guards in range(1 << len(machine.guards)):
                edge = first_edge(machine.table[state, event], guards)
                action = f"{view['u']}_DO_{edge.action.upper()}" if edge.action else f"{view['u']}_DO_NOTHING"
                rows.append(
                    {
                        "state": view["states"][state]["c"],
                        "event": view["events"][event]["c"],
                        "guards": guards,
                        "next": view["states"][edge.target]["c"],
                        "action": action,
                    }
                )
    return rows


def fact_rows(machine, view):
    """(state, facts, name of the first property that does not hold) for every state and all facts."""
    claims = [p for p in machine.properties if p.never is None]
    rows = []
    for state in range(len(machine.states)):
        for facts in range(1 << len(machine.facts)):
            broken = next((p.name.text for p in claims if not claim.evaluate(p.claim, state, facts)), None)
            said = f'"{broken}"' if broken else "NULL"
            rows.append({"state": view["states"][state]["c"], "facts": facts, "broken": said})
    return rows


def first_edge(edges, guards):
    return next(e for e in edges if e.guard is None or bool(guards >> e.guard[0] & 1) == e.guard[1])
