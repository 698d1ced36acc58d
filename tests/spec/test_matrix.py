"""Each construct of the notation x each back end: a construct without all its cells is refused.

The specs of other protocols use every construct. Those of layouts (grammar rules, kinds of fields, operators)
have their cells filled by their vectors and rejects, which go through every back end here; the others by what
the back end makes of them. A new grammar rule, kind or operator fails until an example of it passes everywhere."""

import os
import re
import shutil
import unittest

import build
import language
import readings
from codegen import boundaries, diff, reader, source, view_table
from codegen.model import Negate, Op, Sum
from readings import Reading, key
from test_dissector import PORT, dissected, same_line

# Rules that say no more than that a name or a list stands here.
GLUE = {
    "start",
    "docs",
    "name",
    "name_list",
    "flags",
    "fields",
    "relop",
    "assign",
    "assigns",
    "dotted",
    "number",
}
# Rules that pass their only child on.
INLINED = {
    "item", "field", "machine_item", "target", "expr", "disjunction", "conjunction", "negation", "comparison",
    "sum", "product", "power", "atom",
}  # fmt: skip
# Constructs that no byte shows: for each back end a file and what must stand in it.
MADE = {
    "protocol": {
        "codec": ("dns/dns_structs.h", "struct dns_"),
        "dissector": ("wireshark/dns_wire.lua", "Proto("),
    },
    "flag": {"codec": ("dns/dns_frames.h", "_is_critical"), "reference": ("docs/dns.md", "critical")},
    "limit": {
        "codec": ("dns/dns_limits.h", "DNS_LABEL_MAX 63"),
        "reference": ("docs/dns.md", "| Label Max | 63 |"),
    },
    "size_of": {
        "codec": ("dns/dns_limits.h", "DNS_MESSAGE_HEAD 12"),
        "reference": ("docs/dns.md", "Message Head"),
    },
    "text": {"codec": ("dns/dns_limits.h", 'DNS_ALPN_DOQ "doq"'), "reference": ("docs/dns.md", "Alpn Doq")},
    "errors": {
        "codec": ("dns/dns_errors.c", '"NOT_A_LABEL"'),
        "crosscheck": ("crosscheck/dns_table.c", '{64, "NOT_A_LABEL"}'),
        "dissector": ("wireshark/dns_wire.lua", '"NOT_A_LABEL"'),
    },
    "registry": {
        "codec": ("dns/dns_registry.c", '"NXDOMAIN"'),
        "crosscheck": ("crosscheck/dns_table.c", '"NXDOMAIN"'),
        "dissector": ("wireshark/dns_wire.lua", '"NXDOMAIN"'),
        "reference": ("docs/dns.md", "NXDOMAIN"),
    },
    "entry": {
        "codec": ("dns/dns_registry.c", '"an IPv4 address"'),
        "reference": ("docs/dns.md", "an IPv4 address"),
    },
    "mark": {"codec": ("dns/dns_registry.c", "private"), "reference": ("docs/dns.md", "private")},
    "openness": {
        "codec": ("dns/dns_limits.h", "DNS_DIGEST_TYPE_COUNT"),
        "reference": ("docs/dns.md", "closed"),
    },
    "packet": {
        "dissector": ("wireshark/dns_wire.lua", 'name = "Datagram"'),
        "reference": ("docs/dns.md", "Datagram"),
    },
    "part_clear": {"dissector": ("wireshark/dns_wire.lua", 'kind = "clear"')},
    "part_plain": {"dissector": ("wireshark/dns_wire.lua", 'kind = "plain"')},
    "part_authenticated": {"dissector": ("wireshark/tlv_wire.lua", 'kind = "authenticated"')},
    "part_sealed": {
        "dissector": ("wireshark/tlv_wire.lua", 'kind = "sealed"'),
        "crosscheck": ("crosscheck/tlv_table.c", ".sealed = &subjects"),
        "fuzz": ("fuzz/tlv_seeds.txt", "together "),
    },
}
EDGE = ("docs/dns_query.dot", "->")
MACHINE = {
    "machine": "DNS_QUERY_STATES", "state": "DNS_QUERY_IDLE", "initial": "m->state = DNS_QUERY_IDLE",
    "final": "DNS_QUERY_FAILED", "after": "DNS_RETRY_US", "event": "DNS_QUERY_ON_ASK",
    "guard": "IF_TRIES_LEFT",
    "action": "DNS_QUERY_DO_SEND", "transition": "DNS_QUERY_ASKED", "sources": "DNS_QUERY_ON_CANCEL",
    "any_state": "DNS_QUERY_ON_CANCEL", "condition": "TRIES_LEFT", "negated": "TRIES_LEFT",
    "otherwise": "DNS_QUERY_IDLE", "stay": "DNS_QUERY_ASKED",
}  # fmt: skip
# Timers and actions are no part of the tables for Spin.
PROMELA = {
    "machine": "inline dns_query_step(m, event", "state": "#define DNS_QUERY_IDLE", "event": "DNS_QUERY_ON_ASK",
    "initial": "DNS_QUERY_INITIAL DNS_QUERY_IDLE", "guard": "#define DNS_QUERY_IF_TRIES_LEFT 1",
    "transition": "m = DNS_QUERY_ASKED", "any_state": "DNS_QUERY_ON_CANCEL -> m = DNS_QUERY_FAILED",
    "negated": "& DNS_QUERY_IF_TRIES_LEFT) == 0", "otherwise": ":: else -> skip",
}  # fmt: skip
# What is said of a machine beside its table: {construct: {back end: (file, what must stand in it)}}.
SAID = {
    "fact": {
        "codec": ("dns/dns_states.h", "DNS_QUERY_FACT_MATCHED = 1"),
        "reference": ("docs/dns.md", "- Fact *matched*"),
        "promela": ("promela/dns.pml", "#define DNS_QUERY_FACT_MATCHED 1"),
    },
    "property": {
        "codec": ("dns/dns_states.h", "*dns_query_broken("),
        "reference": ("docs/dns.md", "| property | says | meaning |"),
        "promela": ("promela/dns.pml", "inline dns_query_check(m, facts)"),
    },
    "claim_always": {
        "codec": ("dns/dns_states.c", 'return "Answers Match"'),
        "tests": ("tests/dns_states_test.c", '{DNS_QUERY_ANSWERED, 0, "Answers Match"}'),
        "reference": ("docs/dns.md", "always Answered implies matched"),
        "promela": ("promela/dns.pml", "assert(dns_query_answers_match)"),
    },
    "claim_once": {
        "tests": ("tests/dns_states_test.c", "Test(dns_states, dns_query_asked_for_good)"),
        "reference": ("docs/dns.md", "once Asked or Answered never Idle"),
        "promela": ("promela/dns.pml", "assert(!(dns_query_asked_for_good && (m == DNS_QUERY_IDLE)))"),
    },
}
LAYOUT_BACK_ENDS = ("codec", "crosscheck", "oracle", "dissector", "fuzz", "diff", "reference")


def rules_of_layouts(path):
    """{layout: grammar rules its item uses}."""
    out = {}
    text, _ = source.load(path)
    for _, item in text.items():
        if re.search(r"(?m)^(struct|case) ", item):
            tree = reader.parser().parse(item)
            name = re.search(r"(?m)^(?:struct|case) ([\w ]*\w)", item)[1]
            out[key(name)] = {str(node.data) for node in tree.iter_subtrees()}
    return out


def operators(expr):
    if isinstance(expr, Op):
        return {expr.op} | operators(expr.left) | operators(expr.right)
    if isinstance(expr, Negate):
        return {"not"} | operators(expr.operand)
    return {"sum"} | operators(expr.expr) if isinstance(expr, Sum) else set()


def constructs_of(layout, rules):
    """Rules, kinds and operators of a layout and of what it holds."""
    out = {f"rule {r}" for r in rules[layout.name.snake] - GLUE}
    out |= {"rule family"} if layout.is_case else set()
    for field in layout.fields:
        out.add(f"kind {field.kind}")
        for check in field.checks:
            out |= {f"operator {op}" for op in operators(check.expr)}
        if field.until is not None:
            out |= {f"operator {op}" for op in operators(field.until)}
        if field.item is not None:
            out |= constructs_of(field.item, rules)
    return out


def known_constructs():
    grammar = {str(rule.alias or rule.origin.name) for rule in reader.parser().rules}
    rules = {r for r in grammar if not r.startswith("_")} - GLUE - INLINED
    kinds = {
        "bytes",
        "count",
        "embed",
        "end",
        "fixed",
        "literal",
        "rest",
        "sized",
        "uint",
        "until",
        "varint",
        "zeros",
    }
    ops = set(view_table.OPS) | {"not", "sum"}
    return {f"rule {r}" for r in rules} | {f"kind {k}" for k in kinds} | {f"operator {o}" for o in ops}


def missing(known, filled, back_ends):
    """Cells of the matrix that are empty, as text; a construct nobody speaks of has none filled."""
    out = []
    for construct in sorted(known):
        cells = filled.get(construct, {})
        wanted = back_ends if any(b in cells for b in ("oracle", "diff")) or not cells else cells
        out += [f"{construct}: {b}" for b in wanted if not cells.get(b)]
    return out


class Matrix(unittest.TestCase):
    maxDiff = None

    def test_every_cell_is_filled(self):
        self.filled = {}
        # Vectors and rejects pass or fail by themselves: they are the rows, so they have no cells.
        for rule in (
            "vector",
            "reject",
            "int_value",
            "bytes_value",
            "string_value",
            "struct_value",
            "list_value",
        ):
            self.fill(f"rule {rule}", "codec", True)
        with language.folder() as root:
            for spec in language.FOREIGN:
                self.reading, self.model = Reading(spec), language.model_of(spec)
                build.generated(spec, root)
                self.layouts(root)
            self.made(root)
        back_ends = [b for b in LAYOUT_BACK_ENDS if b != "dissector" or shutil.which("tshark")]
        self.assertEqual(missing(known_constructs(), self.filled, back_ends), [])

    def test_an_unknown_construct_is_refused(self):
        known = {"rule width_bits", "rule of_tomorrow"}
        filled = {"rule width_bits": dict.fromkeys(LAYOUT_BACK_ENDS, True)}
        self.assertEqual(len(missing(known, filled, LAYOUT_BACK_ENDS)), len(LAYOUT_BACK_ENDS))
        filled["rule width_bits"]["fuzz"] = False
        self.assertIn("rule width_bits: fuzz", missing(known, filled, LAYOUT_BACK_ENDS))

    def fill(self, construct, back_end, good):
        cells = self.filled.setdefault(construct, {})
        cells[back_end] = cells.get(back_end, True) and good

    def layouts(self, root):
        """Send every example through every back end; what fails in one leaves its constructs' cells empty."""
        rules, said = rules_of_layouts(self.reading.path), self.said(root)
        name = self.reading.protocol
        seeds = text_of(os.path.join(root, "fuzz", f"{name}_seeds.txt"))
        words = text_of(os.path.join(root, "fuzz", f"{name}.dict"))
        reference = text_of(os.path.join(root, "docs", f"{name}.md"))
        for layout in self.model.layouts:
            mine = [n for n, x in enumerate(self.examples()) if key(x["of"]) == layout.name.snake]
            good = {name: all(lines[n] for n in mine) for name, lines in said.items()}
            good["diff"] = any(boundaries.representable(layout, v) for v in diff.instances(layout, None))
            good["reference"] = f"### {layout.name.text}" in reference
            good["fuzz"] = any(v.data.hex() in seeds for v in layout.vectors if v.data)
            if layout.is_case:
                token = layout.first.to_bytes(layout.tag_bytes, "big")
                good["fuzz"] = '="' + "".join(f"\\x{byte:02x}" for byte in token) + '"' in words
            good["fuzz"] = good["fuzz"] or self.without_seeds(layout)
            for construct in constructs_of(layout, rules):
                for back_end, is_good in good.items():
                    self.fill(construct, back_end, is_good)

    def without_seeds(self, layout):
        """Where packets have a sealed part, the fuzzers' inputs are made of what stands in it."""
        sealed = [p.layout for x in self.model.packets for p in x.parts if p.kind == "sealed"]
        return bool(sealed) and layout.family is not sealed[0]

    def examples(self):
        return self.reading.spec.vectors + self.reading.spec.rejects

    def said(self, root):
        """{back end: for each example whether it said what the spec says}."""
        inputs = self.reading.examples()
        judged = [self.reading.judged(*one) for one in inputs]
        programs = {"codec": readings.product, "crosscheck": readings.crosscheck}
        out = {"oracle": [right(x, line) for x, line in zip(self.examples(), judged)]}
        for name, make in programs.items():
            lines = readings.answers(make(self.reading, root), inputs)
            out[name] = [line == other for line, other in zip(lines, judged)]
        if shutil.which("tshark"):
            out["dissector"] = self.shown(root, inputs, judged)
        return out

    def shown(self, root, inputs, judged):
        """Wireshark hands no empty datagram to a dissector: those count as shown."""
        packets = iter(
            dissected(root, self.reading, [(PORT + s, data) for s, data in inputs if data])
        )
        out = []
        for (_, data), line in zip(inputs, judged):
            packet = next(packets) if data else None
            word, place, *text = line.split(" ", 2)
            if packet is None or word != "OK":
                out.append(packet is None or packet.wrong == [f"{word} at {place}"])
            else:
                out.append(packet.wrong == [] and same_line(packet.lines(), text[0] if text else ""))
        return out

    def made(self, root):
        for rule, places in {**MADE, **SAID}.items():
            for back_end, (path, text) in places.items():
                self.fill(f"rule {rule}", back_end, text in text_of(os.path.join(root, path)))
        states = text_of(os.path.join(root, "dns", "dns_states.c"))
        states += text_of(os.path.join(root, "dns", "dns_states.h"))
        for rule, text in MACHINE.items():
            self.fill(f"rule {rule}", "codec", text in states)
            self.fill(f"rule {rule}", "reference", EDGE[1] in text_of(os.path.join(root, EDGE[0])))
        tables = text_of(os.path.join(root, "promela", "dns.pml"))
        for rule, text in PROMELA.items():
            self.fill(f"rule {rule}", "promela", text in tables)


def right(example, line):
    if "error" in example:
        return line == f"{example['error']} {example['offset']}"
    return line.startswith(f"OK {len(example['bytes'])}")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    unittest.main()
