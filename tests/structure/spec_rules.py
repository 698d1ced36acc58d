"""What the wire spec says is taken from generated/link, never typed again: its names, texts and numbers, and the
states of its machines. The names come from the generator's model, generated/link/link_model.json.

Each rule takes a Tree and returns findings, one line each: "path:line: what is wrong".
"""
import json
import re

import c_scan
from c_rules import sources

MODEL = "generated/link/link_model.json"
# Members that hold a number of the spec -> the registry it is from; None: every number is the spec's.
NUMBERED_MEMBERS = {"type": None, "version": None, "code": "Refusal"}


def model(tree):
    return json.loads(tree.text(MODEL))


def spec_names(spec):
    """Every C constant that the generator writes."""
    names = set(spec["limits"]) | set(spec["texts"]) | set(spec["errors"]) | set(spec["types"])
    names.update(*(entries for entries in spec["registries"].values()))
    return names | state_names(spec) | {f"{prefix(machine)}ON_{upper(event)}" for machine, parts
                                        in spec["machines"].items() for event in parts["events"]}


def state_names(spec):
    return {f"{prefix(machine)}{upper(state)}" for machine, parts in spec["machines"].items()
            for state in parts["states"]}


def prefix(machine):
    return f"PL_{upper(machine)}_"


def upper(name):
    return name.upper().replace(" ", "_")


def redefined_names(tree):
    """A name of the spec is defined by generated/link alone."""
    names, found = spec_names(model(tree)), []
    for path in sources(tree):
        text = tree.text(path)
        defined = [(token.line, match.group(1)) for token in c_scan.tokens(text) if token.kind == "directive"
                   for match in [re.match(r"\s*#\s*define\s+(\w+)", token.text)] if match]
        defined += enumerated(c_scan.code_tokens(text))
        found += [f"{path}:{line}: defines {name}, which is the spec's"
                  for line, name in defined if name in names]
    return found


def enumerated(code):
    """(line, name) of each constant that an enum defines."""
    found, inside, after_enum, before = [], False, False, ""
    for token in code:
        if token.text == "enum":
            after_enum = True
        elif token.text == "{":
            inside, after_enum = after_enum, False
        elif token.text == "}":
            inside = False
        elif token.kind != "name":
            after_enum = False
        elif inside and before in ("{", ","):
            found.append((token.line, token.text))
        before = token.text
    return found


def typed_texts(tree):
    """A text of the spec (a key derivation label) is typed in the spec alone."""
    texts, found = {f'"{text}"' for text in model(tree)["texts"].values()}, []
    for path in sources(tree):
        found += [f"{path}:{token.line}: types {token.text}; take it from generated/link"
                  for token in c_scan.code_tokens(tree.text(path))
                  if token.kind == "string" and token.text in texts]
    return found


def typed_numbers(tree):
    """In the engine no number, however small, stands beside a member that holds a number of the spec."""
    registries = model(tree)["registries"]
    members = {**{upper(name).lower(): name for name in registries}, **NUMBERED_MEMBERS}
    found = []
    for path in sources(tree, "src/wire/") + sources(tree, "src/link/"):
        code = c_scan.code_tokens(tree.text(path))
        for one, member, op, more, last in zip(code, code[1:], code[2:], code[3:], code[4:]):
            if one.text not in (".", "->") or member.text not in members:
                continue
            if op.text not in ("=", "!", "<", ">"):
                continue
            number = last if more.text == "=" else more
            registry = registries.get(members[member.text])
            value = c_scan.number_value(number.text) if number.kind == "number" else None
            if value is not None and (not registry or value in registry.values()):
                found.append(f"{path}:{member.line}: {member.text} beside {number.text}: use the spec's name")
        found += [f"{path}:{number.line}: case {number.text}: use the spec's name"
                  for word, number in zip(code, code[1:]) if word.text == "case" and number.kind == "number"]
    return found


def written_states(tree):
    """A machine's state is written by its generated step function alone."""
    states, found = state_names(model(tree)), []
    for path in sources(tree):
        code = c_scan.code_tokens(tree.text(path))
        for before, dot, member, op, more in zip(code, code[1:], code[2:], code[3:], code[4:]):
            if dot.text not in (".", "->") or member.text != "state" or op.text != "=" or more.text == "=":
                continue
            # In an initialiser `.state` may be of any struct; only a machine's own state gives it away.
            if before.text not in ("{", ",") or more.text in states:
                found.append(f"{path}:{member.line}: writes a state; step the machine")
    return found
