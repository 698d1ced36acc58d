"""What was measured beside the baseline: what got dearer, and what to say about it.

A measure of one size is {"records", "packets", "sends", "answers", "sender": {file: instructions}, "receiver": ...}.
"""
ALLOWED = 0.03
SIDES = ("sender", "receiver")
FILES_NAMED = 3
ACCEPT = "if it is worth it: make guard-accept, and commit tests/guard/baseline.json"
# (name, what over what, whether less of it is better)
RATIOS = (("packets a record", "packets", "records", True), ("segments a send", "packets", "sends", False),
          ("acks a packet", "answers", "packets", True))


def a_record(measure, side):
    return sum(measure[side].values()) / measure["records"]


def ratio(measure, over, under):
    return measure[over] / measure[under]


def grown_files(size, old, new, side):
    """The files that account for most of it, as text."""
    grown = []
    for name in set(old[side]) | set(new[side]):
        more = new[side].get(name, 0) / new["records"] - old[side].get(name, 0) / old["records"]
        if more > 0:
            grown.append((more, name))
    return ", ".join(f"{name} +{more:.2f}" for more, name in sorted(grown, reverse=True)[:FILES_NAMED])


def judge_instructions(size, old, new, side):
    """(passed, text)."""
    before, now = a_record(old, side), a_record(new, side)
    change = round(now / before - 1, 9)
    what = f"{size} B, {side}: {now:.2f} instructions a record, {before:.2f} in the baseline ({100 * change:+.1f} %)"
    if change > ALLOWED:
        return False, (f"{what}, at most {100 * ALLOWED:+.0f} % may be added; "
                       f"most by {grown_files(size, old, new, side)}; {ACCEPT}")
    if change < -ALLOWED:
        return True, f"{what}: better; make guard-accept keeps it so"
    return True, what


def judge_count(size, old, new, name, over, under, less_is_better):
    before, now = ratio(old, over, under), ratio(new, over, under)
    what = f"{size} B: {now:.5f} {name}, {before:.5f} in the baseline"
    if now == before:
        return True, what
    if (now < before) == less_is_better:
        return True, f"{what}: better; make guard-accept keeps it so"
    return False, f"{what}: worse, and it must not change unseen; {ACCEPT}"


def judge_size(size, old, new, instructions_too):
    """[(passed, text)] of one size."""
    verdicts = [judge_count(size, old, new, *kind) for kind in RATIOS]
    for side in SIDES:
        if instructions_too:
            verdicts.append(judge_instructions(size, old, new, side))
    return verdicts
