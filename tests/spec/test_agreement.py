"""The C decoders and the slow codec the generator checks vectors with agree: verdict, error, offset."""

import itertools
import os
import random
import unittest

import build
import language
from codegen import cnames, codec, model as models

SEED = 7
MUTATIONS = 8000

MAIN = '''
#include <stdio.h>
#include "%(name)s/%(name)s_frames.h"

/* For each line of hexadecimal digits: the number of the error and the end. */
int main(void)
{
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t data[2048];
        size_t n = 0, end = 0;
        unsigned byte = 0;
        struct %(low)s_%(family)s got;

        for (const char *p = line; sscanf(p, "%%2x", &byte) == 1; p += 2)
            data[n++] = (uint8_t)byte;
        int code = (int)%(low)s_%(family)s_decode((struct %(low)s_bytes){data, n}, 0, &got, &end);
        printf("%%d %%zu\\n", code, end);
    }
    return 0;
}
'''


def verdict(family, numbers, data):
    """What the slow codec says, as the program above prints it."""
    tag = data[: family.bits // 8]
    number = int.from_bytes(tag, "big")
    case = next((c for c in family.cases if c.first <= number <= c.last), family.cases[0])
    try:
        _, end = codec.decode(case, data, 0)
        return f"{numbers['OK']} {end}"
    except codec.Fault as fault:
        return f"{numbers[fault.error]} {fault.offset}"


def inputs(family):
    """All of up to two bytes, every type with a byte, and changed vectors."""
    yield from (bytes(x) for n in range(3) for x in itertools.product(range(256), repeat=n))
    chance = random.Random(SEED)
    vectors = [v.data for c in family.cases for v in c.vectors] + [
        r.data for c in family.cases for r in c.rejects
    ]
    for _ in range(MUTATIONS):
        data = bytearray(chance.choice(vectors) + chance.choice(vectors)[: chance.randrange(4)])
        for _ in range(chance.randint(1, 3)):
            if data:
                data[chance.randrange(len(data))] = chance.choice(
                    (0, 1, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xFF, chance.randrange(256))
                )
        yield bytes(data[: chance.randint(0, len(data))] if chance.random() < 0.3 else data)


class Agreement(unittest.TestCase):
    def agree(self, spec):
        model = language.model_of(spec)
        numbers = {name: number for number, name, _ in models.LANGUAGE_ERRORS}
        numbers |= {e.name.text: e.number for e in model.errors}
        with language.folder() as root:
            build.generated(spec, root)
            for family in model.families:
                with self.subTest(f"{spec}: {family.name.text}"):
                    self.agree_on(root, model, family, numbers)

    def agree_on(self, root, model, family, numbers):
        program = self.compile(root, model, family)
        data = list(inputs(family))
        status, text = build.command([program], root, "\n".join(x.hex() for x in data) + "\n")
        self.assertEqual(status, 0, text)
        said = text.split("\n")[:-1]
        self.assertEqual(len(said), len(data))
        for one, line in zip(data, said):
            self.assertEqual(line, verdict(family, numbers, one), one.hex())
        accepted = sum(line.startswith("0 ") for line in said)
        self.assertGreater(accepted, 100)
        self.assertGreater(len(said) - accepted, 100)

    def compile(self, root, model, family):
        name = model.name.snake
        main = os.path.join(root, "main.c")
        with open(main, "w", encoding="utf-8") as file:
            file.write(MAIN % {"name": name, "low": cnames.Names(model).low, "family": family.name.snake})
        program = os.path.join(root, "main")
        sources = [f"{name}/{x}" for x in sorted(os.listdir(os.path.join(root, name))) if x.endswith(".c")]
        flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", *build.SANITIZE, "-I."]
        status, text = build.command(["gcc", *flags, main, *sources, "-o", program], root)
        self.assertEqual(status, 0, text)
        return program

    def test_every_spec(self):
        for spec in language.SPECS:
            self.agree(spec)


if __name__ == "__main__":
    unittest.main()
