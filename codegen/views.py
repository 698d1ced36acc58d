"""View models: what the C templates need, ready to print. Nothing is decided in a template."""

import re

from . import cnames, expr, figure, view_print
from .view_read import Reader, Validator, item_place, locals_of, sum_name, walk_sum, walker
from .view_write import Writer


class Views:
    """Builds the views of one model."""

    def __init__(self, model, directory):
        self.model = model
        self.names = cnames.Names(model)
        self.directory = directory

    def common(self):
        model, names = self.model, self.names
        return {
            "spec_path": model.source.path,
            "low": names.low,
            "up": names.up,
            "dir": self.directory,
            "file": model.name.snake,
            "shown_bytes": str(view_print.SHOWN_BYTES),
            "errors": padded(
                [
                    {"c": names.error(e.name.text), "name": e.name.text, "number": e.number, "doc": e.doc}
                    for e in model.errors
                ]
            ),
            "limits": [self.limit(x) for x in model.limits],
            "sizes": self.sizes(),
            "texts": [{"c": names.limit(t.name), "value": t.value, "doc": t.doc} for t in model.texts],
            "registries": [self.registry(r) for r in model.registries],
            "structs": [self.layout(s) for s in model.structs],
            "cases": [self.layout(c) for f in model.families for c in f.cases],
            "prints": [self.layout(x) for x in model.layouts],
            "walks": [self.walk(f) for x in model.layouts for f in x.fields if f.is_repeat],
            "families": [self.family(f) for f in model.families],
        }

    def limit(self, limit):
        note = f"{limit.formula}: {limit.doc}" if not limit.formula.isdigit() else limit.doc
        return {"c": self.names.limit(limit.name), "value": cnames.number(limit.value), "note": note}

    def sizes(self):
        taken = {limit.name.snake for limit in self.model.limits}
        out = []
        for layout in self.model.structs:
            name = layout.name.snake + "_size"
            if layout.fixed_size is not None and name not in taken:
                out.append(
                    {
                        "c": f"{self.names.up}_{name.upper()}",
                        "value": layout.fixed_size,
                        "note": f"bytes of {layout.name.text}",
                    }
                )
        return out

    def registry(self, one):
        entries = [
            {
                "c": self.names.entry(one.name, e.name),
                "name": e.name.text,
                "number": e.number,
                "doc": e.doc + (f"; {e.mark.text}" if e.mark else ""),
            }
            for e in one.entries
        ]
        return {
            "snake": one.name.snake,
            "upper": one.name.upper,
            "docs": one.docs,
            "count": one.count,
            "entries": padded(entries),
        }

    def layout(self, layout):
        names = self.names
        writer, validator = Writer(names, layout), Validator(names, layout)
        where = names.model.source.where(layout.name.span)
        writes = ["uint64_t bits;"] * writer.needs_bits + writer.head()
        size = writer.size()
        validates = validator.lines()
        lines = figure.figure(layout)
        return {
            "snake": layout.name.snake,
            "upper": layout.name.upper,
            "name": layout.name.text,
            "c": names.struct(layout),
            "f": f"{names.low}_{layout.name.snake}",
            "docs": layout.docs,
            "where": where,
            "members": cnames.members(names, layout),
            "has_body": writer.has_body,
            "body": writer.body if writer.has_body else "",
            "writes": ([] if any("f->" in line for line in writes) else ["(void)f;"]) + writes,
            "put": self.put(layout, writer),
            "size": size,
            "size_uses_f": "f->" in size,
            "head_size": writer.size(with_body=False),
            "validates": validates,
            "validate_locals": validator.declarations(),
            "figure": "\n".join(figure.comment([where, ""] + lines)),
            "reads": self.struct_reads(layout),
            "locals": locals_of(names.low, [layout]),
            "embeds": any(f.kind == "embed" for f in layout.fields),
            "alias": layout.alias is not None,
            "prints": view_print.Printer(names).lines(layout),
            "walks": [self.walk(f) for f in layout.fields if f.is_repeat],
        }

    def put(self, layout, writer):
        verb = "put_head" if writer.has_body else "put"
        return f"{self.names.low}_{layout.name.snake}_{verb}"

    def struct_reads(self, layout):
        reader = Reader(
            self.names,
            "out->",
            lambda error: ([f"code = {self.names.error(error)};"] if error else ["code = got;"])
            + ["goto fail;"],
        )
        return [line for field in layout.fields for line in reader.statements(field)]

    def walk(self, field):
        names = self.names
        parameters = ["const uint8_t **next", "const uint8_t *pe"]
        parameters += ["uint64_t count"] if field.kind == "count" else []
        parameters += [f"struct {names.low}_bytes *view", "const uint8_t **fault"]
        parameters += [f"uint64_t *{sum_name(s)}" for s in field.sums]
        until = expr.to_c(field.until, item_place, names.const) if field.kind == "until" else ""
        return {
            "f": walker(names, field),
            "parameters": ", ".join(parameters),
            "kind": field.kind,
            "most": field.most,
            "item": names.struct(field.item),
            "item_snake": field.item.name.snake,
            "decode": names.function(field.item, "decode"),
            "each": [walk_sum(names, s) for s in field.sums],
            "until": until,
            "where": names.model.source.where(field.name.span),
            "figure": figure.shape(field).replace("*/", "* /"),
            "owner": field.owner.name.snake,
            "member": field.member,
        }

    def family(self, family):
        names = self.names
        cases = [self.case(c) for c in family.cases]
        tag_bytes = family.bits // 8
        flags = [self.flag(family, flag) for flag in names.model.flags]
        ends = {"snake": "last", "doc": "Runs to the end: nothing can stand behind it."}
        flags.append(self.flag_view(family, ends, [c for c in family.cases if c.runs_to_end]))
        known = {"snake": "known", "doc": "Is an assigned type."}
        flags.append(self.flag_view(family, known, family.cases))
        return {
            "p": f"{names.low}_{family.name.snake}",
            "name": family.name.text,
            "docs": family.docs,
            "uint": cnames.uint(family.bits),
            "tag_bytes": tag_bytes,
            "tag": "*p" if tag_bytes == 1 else "(uint16_t)(p[0] << 8 | p[1])",
            "cases": padded(cases, "type"),
            "flags": flags,
            "unassigned": unassigned(family),
            "locals": locals_of(names.low, family.cases),
        }

    def flag(self, family, flag):
        cases = [c for c in family.cases if flag.name.snake in c.flags]
        return self.flag_view(family, {"snake": flag.name.snake, "doc": flag.doc}, cases)

    def flag_view(self, family, view, cases):
        ranges = [self.in_range(c, family).replace("f->type", "type") for c in cases if c.is_range]
        return view | {
            "singles": [{"type": self.names.type(c)} for c in cases if not c.is_range],
            "ranges": " || ".join(ranges),
        }

    @staticmethod
    def in_range(case, family):
        parts = [f"f->type >= {cnames.number(case.first, True)}"] if case.first else []
        if case.last < 2**family.bits - 1:
            parts.append(f"f->type <= {cnames.number(case.last, True)}")
        return " && ".join(parts) or "true"

    def case(self, case):
        names = self.names
        view = self.layout(case)
        digits = case.family.bits // 4
        summary = (case.docs[0] if case.docs else case.name.text).split(". ")[0].rstrip(".")
        summary = re.sub(r" \(RFC[^)]*\)?", "", summary)
        if case.is_range:
            summary = f"to 0x{case.last:0{digits}x}: {summary}"
        return view | {
            "type": names.type(case),
            "machine": f"{case.family.name.snake}_{case.name.snake}",
            "first": f"0x{case.first:0{digits}x}",
            "summary": summary,
            "is_range": case.is_range,
            "flags": case.flags,
            "in_range": self.in_range(case, case.family),
            "pattern": pattern(case),
            "steps": self.steps(case),
            "figure_indented": "\n".join(f"    # {line}" for line in [view["where"]] + figure.figure(case)),
        }

    def steps(self, case):
        """One step for each byte the machine sees: the tag's last byte, then the first byte of each field."""

        def fail(error):
            return [
                f"code = {self.names.error(error)};" if error else "code = got;",
                "fault = field;",
                "fbreak;",
            ]

        reader = Reader(self.names, f"out->u.{case.name.snake}.", fail)
        first = [f"out->u.{case.name.snake}.type = out->type;"] if case.is_range else []
        steps = [{"name": f"{case.name.snake}_type", "first": True, "lines": []}]
        for field in case.fields:
            lines = reader.statements(field)
            if not lines:
                continue
            if field.kind in ("uint", "varint", "fixed", "literal"):
                steps.append({"name": f"{case.name.snake}_{field.member}", "first": False, "lines": []})
            steps[-1]["lines"] += lines
        if not steps[0]["lines"] and not first:
            steps.pop(0)
        else:
            steps[0]["lines"] = first + steps[0]["lines"]
        return steps


def unassigned(family):
    """Some types that no case has: the neighbours of those that are taken."""
    taken = [(c.first, c.last) for c in family.cases]
    near = {n for first, last in taken for n in (first - 1, last + 1)}
    return sorted(n for n in near if 0 <= n < 2 ** family.bits and not any(a <= n <= b for a, b in taken))


def padded(items, key="c"):
    """Adds `pad`, so that what follows stands in a column."""

    def width(item):
        return len(str(item[key])) + len(str(item.get("number", item.get("first", ""))))

    widest = max(map(width, items), default=0)
    return [item | {"pad": " " * (widest - width(item))} for item in items]


def pattern(case):
    """The Ragel pattern of a case's types."""
    if case.family.bits == 8:
        return hexed(case.first) if not case.is_range else f"{hexed(case.first)}..{hexed(case.last)}"
    parts = []
    for high in range(case.first >> 8, (case.last >> 8) + 1):
        low = case.first & 255 if high == case.first >> 8 else 0
        top = case.last & 255 if high == case.last >> 8 else 255
        if parts and parts[-1][1:] == [high - 1, 0, 255] and (low, top) == (0, 255):
            parts[-1][1] = high
        else:
            parts.append([high, high, low, top])
    return " | ".join(f"{span(a, b)} {span(low, top)}" for a, b, low, top in parts)


def hexed(byte):
    return f"0x{byte:02x}"


def span(low, high):
    return hexed(low) if low == high else f"{hexed(low)}..{hexed(high)}"
