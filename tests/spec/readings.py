"""Programs and inputs that hold different readings of one spec against each other."""

import glob
import os
import random
import re
import sys

import build
import language

sys.path.insert(0, os.path.join(language.ROOT, "crosscheck", "oracle"))

import oracle  # noqa: E402
from wire_text import key  # noqa: E402

SEED = int(os.environ.get("SPEC_SEED", "7"))
ODD_BYTES = (0, 1, 2, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0xFF)


class Reading:
    """A spec as the oracle reads it, with its subjects: structs and families in their order."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            names = re.search(r'(?m)^protocol (\w+) prefix (\w+)(?: "(\w+)")?', file.read())
        self.path, self.protocol, self.prefix = path, names[1], names[2]
        self.title = names[3] or names[1]
        self.spec = oracle.load(path)
        self.subjects = [*self.spec.structs, *self.spec.families]

    def subject(self, name):
        layout = self.spec.layout(name)
        return self.subjects.index(key(layout.get("family", name)))

    def examples(self):
        """(subject, bytes) of each vector and reject."""
        return [(self.subject(x["of"]), x["bytes"]) for x in self.spec.vectors + self.spec.rejects]

    def judged(self, subject, data):
        if subject == "*":
            return oracle.verdict_payload(self.spec, data)
        return oracle.verdict(self.spec, self.subjects[subject], data)

    def seeds(self):
        """For each subject the bytes to begin changing at."""
        out = {}
        for subject, data in self.examples():
            out.setdefault(subject, []).append(data)
        return out


def changed(chance, data):
    """The bytes with a few of them changed, put in, taken out; often cut."""
    data = bytearray(data)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data) + 1)
        new = chance.choice(ODD_BYTES) if chance.random() < 0.7 else chance.randrange(256)
        way = chance.randrange(4)
        if way == 0:
            data.insert(at, new)
        elif at < len(data) and way == 1:
            del data[at]
        elif at < len(data):
            data[at] = new ^ (data[at] & 0x0F if way == 2 else 0)
    return bytes(data[: chance.randrange(len(data) + 1)] if chance.random() < 0.2 else data)


def mutated_subjects(reading, count):
    """(subject, bytes): examples of every struct and family, changed."""
    chance = random.Random(SEED)
    seeds = reading.seeds()
    subjects = sorted(seeds)
    for number in range(count):
        subject = subjects[number % len(subjects)]
        yield subject, changed(chance, chance.choice(seeds[subject]))


def mutated_payloads(reading, count):
    """("*", bytes): one to five frames behind one another, some of them changed; a few with very many."""
    chance = random.Random(SEED)
    good = [v["bytes"] for v in reading.spec.vectors if "family" in reading.spec.layout(v["of"])]
    short = [data for data in good if len(data) <= 5]
    for number in range(count):
        if number % 500 == 0:
            parts = [chance.choice(short)] * chance.randint(62, 67)  # mixed, one would soon take the rest
        else:
            parts = [chance.choice(good) for _ in range(chance.randrange(1, 6))]
        if chance.random() < 0.6:
            place = chance.randrange(len(parts))
            parts[place] = changed(chance, parts[place])
        yield "*", b"".join(parts)


def product(reading, root, more=()):
    """The product codec's program for this spec, generated and compiled below root."""
    build.generated(reading.path, root)
    folder = os.path.join(root, reading.protocol)
    sources = [os.path.join(folder, x) for x in sorted(os.listdir(folder)) if x.endswith(".c")]
    sources += [os.path.join(root, "tests", f"{reading.protocol}_vectors.c"), "tests/spec/product.c"]
    defines = [
        f"-DPROTOCOL={reading.protocol}",
        f"-DPREFIX={reading.prefix}",
        f'-DVECTORS="tests/{reading.protocol}_vectors.h"',
    ]
    if reading.protocol == "link":
        defines += ["-DPAYLOAD", "-Isrc"]
        sources.append("src/wire/payload.c")
    return compiled(root, "product", sources, [*defines, f"-I{root}", *more])


def crosscheck(reading, root, more=()):
    """The second codec's program for this spec; product() has generated its table below root."""
    sources = sorted(glob.glob("crosscheck/codec/*.c"))
    sources.append(os.path.join(root, "crosscheck", f"{reading.protocol}_table.c"))
    flags = [f"-DPROTOCOL={reading.protocol}", "-Icrosscheck", *more]
    return compiled(root, "crosscheck-codec", sources, flags)


def compiled(root, name, sources, flags):
    program = os.path.join(root, name)
    flags = [*build.FLAGS, *build.RAGEL_FLAGS, *build.SANITIZE, *flags]
    status, text = build.command(["gcc", *sources, *flags, "-o", program], language.ROOT)
    assert status == 0, text
    return program


def answers(program, inputs):
    """What a program says to each (subject, bytes)."""
    given = "".join(f"{subject} {data.hex()}\n" for subject, data in inputs)
    status, text = build.command([program], language.ROOT, given)
    assert status == 0, text[-2000:]
    return text.split("\n")[:-1]


def disagreement(inputs, readings):
    """The first input on which the readings ({name: [line, ...]}) differ, as text; "" if there is none."""
    for name, lines in readings.items():
        if len(lines) != len(inputs):
            return f"{name} answered {len(lines)} of {len(inputs)} inputs"
    for number, (subject, data) in enumerate(inputs):
        said = {name: lines[number] for name, lines in readings.items()}
        if len(set(said.values())) != 1:
            told = "".join(f"\n  {name}: {line}" for name, line in said.items())
            return f"seed {SEED}, subject {subject}, {data.hex() or 'no bytes'}:{told}"
    return ""
