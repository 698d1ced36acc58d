"""What the fuzzers are given comes from the spec and is good: seeds, dictionary, mutator, targets.

Built with gcc and run on files here; make fuzz-smoke runs the same targets under AFL++."""

import ctypes
import glob
import os
import re
import unittest

import build
import language
import readings
from language import LINK
from readings import Reading

SEED = 7
OUTPUTS = 6000
ROOM = 1200
FRAME_TARGETS = ("payload", "roundtrip", "differential")
FILE_TARGETS = ("keyfile", "senders")
SECOND = [path for path in sorted(glob.glob("crosscheck/codec/*.c")) if not path.endswith("main.c")]
COMMON = {
    "frames": ["fuzz/harness.c", *sorted(glob.glob("generated/link/*.c")), "src/wire/payload.c", *SECOND],
    "files": ["fuzz/harness.c", "src/crypto/base64.c", "src/crypto/wipe.c", "generated/link/link_errors.c"]
    + [f"src/io/{name}.c" for name in ("file", "keyfile", "senders", "senders_ragel", "text")],
}


class Mutator:
    """fuzz/mutator.c as AFL++ calls it."""

    def __init__(self, root, protocol="link"):
        path = os.path.join(root, f"{protocol}_mutator.so")
        sources = ["fuzz/mutator.c", *SECOND, os.path.join(root, "crosscheck", f"{protocol}_table.c")]
        flags = [*build.FLAGS, "-shared", "-fPIC", "-Icrosscheck", f"-DPROTOCOL={protocol}"]
        status, text = build.command(["gcc", *flags, *sources, "-o", path], language.ROOT)
        assert status == 0, text
        self.library = ctypes.CDLL(path)
        self.library.afl_custom_init.restype = ctypes.c_void_p
        for name in ("fuzz", "trim"):
            getattr(self.library, "afl_custom_" + name).restype = ctypes.c_size_t
        self.state = ctypes.c_void_p(self.library.afl_custom_init(None, SEED))

    def fuzz(self, data, other, room=ROOM):
        out = ctypes.POINTER(ctypes.c_ubyte)()
        n = self.library.afl_custom_fuzz(
            self.state,
            data,
            ctypes.c_size_t(len(data)),
            ctypes.byref(out),
            other,
            ctypes.c_size_t(len(other)),
            ctypes.c_size_t(room),
        )
        return bytes(out[:n])

    def trim(self, data, is_good):
        """The smallest that AFL++ would get: what is_good stays so."""
        steps = self.library.afl_custom_init_trim(self.state, data, ctypes.c_size_t(len(data)))
        done = 0
        while done < steps:
            out = ctypes.POINTER(ctypes.c_ubyte)()
            n = self.library.afl_custom_trim(self.state, ctypes.byref(out))
            smaller = bytes(out[:n])
            good = is_good(smaller)
            data = smaller if good else data
            done = self.library.afl_custom_post_trim(self.state, ctypes.c_ubyte(good))
        return data


def seeds(path="generated/fuzz/link_seeds.txt"):
    """{name: bytes} of the generated seeds."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {name: bytes.fromhex(data) for name, data in lines}


def objects(root, name):
    """What all targets of frames, or of files, have in common, compiled once."""
    folder = os.path.join(root, "objects-" + name)
    if not os.path.exists(folder):
        os.makedirs(folder)
        sources = [os.path.abspath(path) for path in COMMON[name]]
        include = ["-I" + os.path.abspath(path) for path in ("src", "generated", "crosscheck")]
        flags = [*build.FLAGS, *build.RAGEL_FLAGS, "-Wno-unused-label", *build.SANITIZE, *include]
        status, text = build.command(["gcc", *flags, "-c", *sources], folder)
        assert status == 0, text
    return glob.glob(os.path.join(folder, "*.o"))


def target(root, name, table="generated/crosscheck/link_table.c"):
    of_frames = name in FRAME_TARGETS
    sources = [f"fuzz/{name}.c", *objects(root, "frames" if of_frames else "files")]
    include = ["-Isrc", "-Igenerated", "-Icrosscheck", "-lcrypto"]
    return readings.compiled(root, name, sources + ([table] if of_frames else []), include)


def replay(program, files):
    return build.command([program, *files], language.ROOT)


def written(root, folder, inputs):
    os.makedirs(os.path.join(root, folder))
    paths = [os.path.join(root, folder, str(number)) for number in range(len(inputs))]
    for path, data in zip(paths, inputs):
        with open(path, "wb") as file:
            file.write(data)
    return paths


class FromTheSpec(unittest.TestCase):
    def setUp(self):
        self.reading = Reading(LINK)
        self.cases = self.reading.spec.cases

    def first_types(self, inputs):
        found = {data[0] for data in inputs}
        return {case["name"] for case in self.cases if found & set(range(case["first"], case["last"] + 1))}

    def test_every_frame_has_a_seed_and_a_token(self):
        names = {case["name"] for case in self.cases}
        self.assertEqual(self.first_types(seeds().values()), names)
        self.assertTrue(self.reading.judged("*", seeds()["together"]).startswith("OK "))
        with open("generated/fuzz/link.dict", encoding="utf-8") as file:
            tokens = [line for line in file if not line.startswith("#")]
        for line in tokens:
            self.assertRegex(line, r'^[a-z0-9_]+="(\\x[0-9a-f]{2}){1,128}"$')
        for case in self.cases:
            wanted = f'="\\x{case["first"]:02x}"\n'
            self.assertTrue(any(line.endswith(wanted) for line in tokens), case["name"])

    def test_mutator_and_targets(self):
        with language.folder() as root:
            build.generated(LINK, root, tools=False)
            mutator = Mutator(root)
            inputs = self.mutated(mutator)
            self.trimmed(mutator)
            paths = written(root, "inputs", [*seeds().values(), *inputs[:2000]])
            for name in FRAME_TARGETS:
                status, text = replay(target(root, name), paths)
                self.assertEqual(status, 0, f"{name}: {text[-2000:]}")

    def mutated(self, mutator):
        """From a PING alone, every frame comes up; a good part is valid; nothing is too long."""
        inputs = [mutator.fuzz(b"\x01", b"\x01") for _ in range(OUTPUTS)]
        together = seeds()["together"]
        inputs += [mutator.fuzz(together, together) for _ in range(500)]
        self.assertLessEqual(max(map(len, inputs)), ROOM)
        self.assertLessEqual(len(mutator.fuzz(together, together, room=5)), 5)
        self.assertEqual(self.first_types([x for x in inputs if x]), {case["name"] for case in self.cases})
        verdicts = [self.reading.judged("*", data).split(" ")[0] for data in inputs[::10]]
        self.assertGreater(verdicts.count("OK"), len(verdicts) // 5)
        self.assertGreater(len(set(verdicts)), 5)
        return inputs

    def trimmed(self, mutator):
        """Every frame but the one that matters goes."""
        stream = next(v["bytes"] for v in self.reading.spec.vectors if v["of"] == "STREAM")
        self.assertEqual(mutator.trim(seeds()["together"], lambda data: stream in data), stream)

    def test_a_difference_is_found(self):
        with language.folder() as root:
            with open("generated/crosscheck/link_table.c", encoding="utf-8") as file:
                text = file.read()
            self.assertIn(".most = 31", text)
            table = os.path.join(root, "wrong.c")
            with open(table, "w", encoding="utf-8") as file:
                file.write(text.replace(".most = 31", ".most = 1"))
            paths = written(root, "inputs", list(seeds().values()))
            status, text = replay(target(root, "differential", table), paths)
            self.assertNotEqual(status, 0)
            self.assertRegex(text, r"at 0: OK at \d+, but the second codec: LIMIT at \d+")


class Files(unittest.TestCase):
    def test_targets_take_their_corpus(self):
        with language.folder() as root:
            for name in FILE_TARGETS:
                paths = sorted(glob.glob(f"fuzz/corpus/{name}/*"))
                self.assertGreater(len(paths), 2)
                status, text = replay(target(root, name), paths)
                self.assertEqual(status, 0, f"{name}: {text[-2000:]}")

    def test_every_target_is_in_the_makefile(self):
        with open("fuzz/fuzz.mk", encoding="utf-8") as file:
            listed = re.search(r"FUZZ_TARGETS := (.*)", file.read())[1].split()
        there = []
        for path in glob.glob("fuzz/*.c"):
            with open(path, encoding="utf-8") as file:
                if "\nvoid fuzz_one(" in file.read():
                    there.append(os.path.basename(path)[:-2])
        self.assertEqual(sorted(listed), sorted(there))
        self.assertLessEqual(set(FRAME_TARGETS + FILE_TARGETS), set(listed))


if __name__ == "__main__":
    unittest.main()
