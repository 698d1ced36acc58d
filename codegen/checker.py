"""From tree to model: resolves names, checks everything, collects all errors before it stops."""

from . import check_machine, check_property, check_vector, cnames, tree
from .check_layout import LayoutBuilder
from .constants import Constants, names_field, near
from .expr import to_text
from .model import LANGUAGE_ERRORS, Entry, Family, Flag, Limit, Model, Packet, Part, Registry, Text
from .source import SpecError, Span
from .tree import Name

LOCAL_ERRORS_FROM = 64
MAX_ENUM = 2**31 - 1


def check(spec, source, found):
    """Return the Model, or raise SpecError when `found` holds errors."""
    try:
        return build(spec, source, found)
    except RecursionError:
        found.error(Span(1, 1), "an expression is nested too deeply", "split it into limits")
        raise SpecError() from None


def build(spec, source, found):
    protocol = one_protocol(spec, found)
    check_names(spec, found)
    constants = Constants(spec, found)
    registries = {r.name.snake: registry(r, found) for r in spec.all(tree.Registry)}
    errors = error_list(registries)
    constants.error_names = {e.name.text for e in errors}
    flags = {f.name.snake: Flag(f.name, " ".join(f.docs)) for f in spec.all(tree.Flag)}
    builder = LayoutBuilder(constants, found, registries, flags)
    check_marks(registries, builder)
    structs = [builder.build(item) for item in spec.all(tree.Struct)]
    families = [family(item, spec, builder, found) for item in spec.all(tree.Family)]
    check_orphans(spec, families, found)
    packets = [packet(item, constants, builder, families, found) for item in spec.all(tree.Packet)]
    machines = [check_machine.build(m, constants, found, builder.flag_names) for m in spec.all(tree.Machine)]
    check_property.attach(spec, machines, found)
    limits = [
        Limit(i.name, doc_of(i), constants.limit(i.name), to_text(i.expr)) for i in spec.all(tree.Limit)
    ]
    for flag in flags.values():
        if not getattr(flag, "used", False):
            found.error(flag.name.span, f"flag '{flag.name.text}' is never used", "remove it")
    found.stop_if_any()
    texts = [Text(i.name, doc_of(i), i.value) for i in spec.all(tree.Text)]
    model = Model(
        source,
        protocol.name,
        protocol.prefix,
        protocol.title or protocol.name.snake,
        protocol.docs,
        list(flags.values()),
        limits,
        texts,
        errors,
        [r for r in registries.values() if r.name.snake != "error"],
        structs,
        families,
        packets,
        machines,
    )
    check_identifiers(model, found)
    check_vector.attach(spec, model, found)
    found.stop_if_any()
    return model


def doc_of(item):
    return item.doc or " ".join(item.docs)


def one_protocol(spec, found):
    items = spec.all(tree.Protocol)
    if not items:
        found.error(Span(1, 1), "no protocol", "begin with: protocol NAME prefix PREFIX")
        return tree.Protocol(Span(1, 1), [], Name("none", Span(1, 1)), "none")
    for extra in items[1:]:
        found.error(extra.span, "a second protocol", None, (items[0].span, "the first one"))
    if not items[0].prefix.islower() or not items[0].prefix.isalnum():
        found.error(items[0].span, f"prefix '{items[0].prefix}'", "small letters and digits only")
    if items[0].title and not items[0].title.isidentifier():
        found.error(items[0].span, f"title '{items[0].title}'", "one word, as tools call the protocol")
    return items[0]


def check_names(spec, found):
    """Names that would meet in C must differ."""
    spaces = [
        (tree.Struct, tree.Case),
        (tree.Limit, tree.Text),
        (tree.Registry,),
        (tree.Machine,),
        (tree.Property,),
        (tree.Family,),
        (tree.Flag,),
        (tree.Packet,),
    ]
    for kinds in spaces:
        seen = {}
        for item in spec.items:
            if type(item) in kinds:
                other = seen.setdefault(item.name.snake, item)
                if other is not item:
                    found.error(
                        item.span,
                        f"'{item.name.text}' is taken",
                        "choose another name",
                        (other.span, "by this"),
                    )


def check_identifiers(model, found):
    """Two things of the spec must not get one name in C."""
    seen = {}
    for identifier, name in cnames.Names(model).identifiers():
        other = seen.setdefault(identifier, name)
        if other is not name:
            found.error(
                name.span,
                f"'{name.text}' becomes {identifier} in C, which is taken",
                "choose another name",
                (other.span, "by this"),
            )


def registry(item, found):
    entries = []
    names, numbers = {}, {}
    for e in item.entries:
        for seen, key, what in (
            (names, e.name.snake, f"'{e.name.text}'"),
            (numbers, e.number, f"number {e.number}"),
        ):
            if key in seen:
                found.error(e.span, f"{what} stands here twice", None, (seen[key].span, "the first one"))
            seen.setdefault(key, e)
        if e.number > MAX_ENUM:
            found.error(e.span, f"number {e.number} is too large", f"entries are at most {MAX_ENUM}")
        entries.append(Entry(e.name, e.number, e.doc or " ".join(e.docs), e.mark, e.span))
    entries.sort(key=lambda e: e.number)
    if item.openness == "errors":
        for e in entries:
            if e.number < LOCAL_ERRORS_FROM or e.name.text in {n for _, n, _ in LANGUAGE_ERRORS}:
                found.error(
                    e.span,
                    f"'{e.name.text}' = {e.number}",
                    "own errors begin at 64 and differ from the notation's",
                )
    return Registry(item.name, item.docs, item.openness == "closed", entries)


def error_list(registries):
    here = Span(1, 1)
    own = registries["error"].entries if "error" in registries else []
    return [Entry(Name(name, here), number, doc, None, here) for number, name, doc in LANGUAGE_ERRORS] + own


def check_marks(registries, builder):
    for one in registries.values():
        builder.flag_names([e.mark for e in one.entries if e.mark])


def family(item, spec, builder, found):
    made = Family(item.name, item.docs, item.bits)
    if item.bits not in (8, 16):
        found.error(item.span, f"types of {item.bits} bits", "8 or 16")
        made.bits = 8
    cases = [c for c in spec.all(tree.Case) if c.family.snake == item.name.snake]
    if not cases:
        found.error(item.span, f"family '{item.name.text}' has no case")
    for case in cases:
        check_types(case, cases, made, found)
        made.cases.append(builder.build(case, made))
    for case, built in zip(cases, list(made.cases)):
        if case.alias:
            built.alias = alias(case, built, made, found)
    made.cases.sort(key=lambda c: c.first)
    return made


def check_types(case, cases, made, found):
    if not case.first <= case.last < 2**made.bits:
        found.error(
            case.span,
            f"type 0x{case.last:x} of '{case.name.text}'",
            f"types are below 2^{made.bits}, lowest first",
        )
    for other in cases:
        if other is case:
            break
        if case.first <= other.last and other.first <= case.last:
            found.error(
                case.span,
                f"type 0x{max(case.first, other.first):02x} is taken",
                "choose a free one",
                (other.span, f"by '{other.name.text}'"),
            )


def alias(case, built, made, found):
    other = next((c for c in made.cases if c.name.snake == case.alias.snake and c is not built), None)
    if other is None:
        found.error(
            case.alias.span, f"no case is called '{case.alias.text}'", near(case.alias.text, made.cases)
        )
        return None

    def shape(layout):
        return [
            (
                f.member,
                f.bits if f.kind in ("uint", "fixed") else "bytes" if f.kind in ("bytes", "rest") else f.kind,
            )
            for f in layout.members
        ]

    if shape(other) != shape(built) or built.is_range or other.is_range:
        found.error(
            case.alias.span,
            f"'{case.name.text}' has not the members of '{other.name.text}'",
            "lengths apart, both need the same fields",
        )
    return other


def check_orphans(spec, families, found):
    known = {f.name.snake for f in families}
    for case in spec.all(tree.Case):
        if case.family.snake not in known:
            found.error(
                case.family.span,
                f"no family is called '{case.family.text}'",
                near(case.family.text, families),
            )


def packet(item, constants, builder, families, found):
    made = Packet(item.name, item.docs, builder.flag_names(item.flags), [])
    sealed = 0
    for part in item.parts:
        one = Part(part.kind, part.name.text, part.docs)
        if part.kind in ("clear", "authenticated"):
            one.layout = builder.layouts.get(part.name.snake)
            if one.layout is None or one.layout.is_case:
                found.error(part.span, f"no struct is called '{part.name.text}'")
        if part.kind == "sealed":
            sealed += 1
            one.layout = next((f for f in families if f.name.snake == part.name.snake), None)
            one.least, one.most = constants.evaluate(part.least), constants.evaluate(part.most)
            one.tag = part.tag.text
            if one.layout is None:
                found.error(part.span, f"no family is called '{part.name.text}'")
            if one.most != 0 and None not in (one.least, one.most) and not 0 <= one.least <= one.most:
                found.error(part.span, f"from {one.least} to {one.most}", "the lower bound stands first")
            if one.most == 0:
                found.error(part.span, f"at most 0 of '{part.name.text}'", "none could ever stand there")
        if part.bits is not None:
            one.bits = constants.evaluate(part.bits) or 0
            if one.bits % 8 or one.bits == 0:
                found.error(part.span, f"{one.bits} bits", "write a multiple of 8")
        if part.condition is not None:
            one.condition = to_text(part.condition)
            one.test = check_condition(part, item, builder, constants, found)
        made.parts.append(one)
    check_ends(item, made, found)
    if sealed > 1:
        found.error(item.span, "two sealed regions", "a packet has one")
    return made


def check_ends(item, made, found):
    """A struct that runs to the end leaves nothing for the parts behind it."""
    for part, one in zip(item.parts[:-1], made.parts):
        if part.kind in ("clear", "authenticated") and one.layout is not None and one.layout.runs_to_end:
            found.error(
                part.span, f"'{one.layout.name.text}' runs to the end, but parts follow it", "make it the last part"
            )


def check_condition(part, item, builder, constants, found):
    """What decides about a part must be in a part before it."""
    from .expr import Resolve

    fields = []
    for earlier in item.parts[: item.parts.index(part)]:
        layout = builder.layouts.get(earlier.name.snake)
        if earlier.kind in ("clear", "authenticated") and layout is not None:
            fields += layout.fields
    return Resolve(constants, found, fields).boolean(part.condition)
