"""Every spec through every back end: compiled by both compilers, tested, documented."""

import glob
import os
import re
import unittest

import build
import language
from language import FOREIGN, LINK, SPECS

DNS = "tests/spec/dns.wire"


class Backends(unittest.TestCase):
    def works(self, spec, compiler, style=None, more=()):
        with self.subTest(spec), language.folder() as root:
            build.generated(spec, root)
            model = language.model_of(spec)
            if style:
                build.with_style(root, model, style)
            runner, text = build.compile_all(root, model.name.snake, compiler, more)
            self.assertIsNotNone(runner, text)
            passing, failing, text = build.run_tests(runner)
            self.assertEqual(failing, 0, text)
            self.assertGreater(passing, 10, text)

    def test_gcc_sanitized(self):
        for spec in FOREIGN:
            self.works(spec, "gcc", more=build.SANITIZE)

    def test_clang(self):
        for spec in FOREIGN:
            self.works(spec, "clang")

    def test_tables_instead_of_gotos(self):
        for spec in SPECS:
            self.works(spec, "gcc", style="-T0")


class TestsCanFail(unittest.TestCase):
    """A change of the generated C that the generated tests do not see would make them worthless."""

    FAULTS = [
        ("dns/dns_validate.c", "f->ttl >= UINT64_C(2147483648)", "f->ttl > UINT64_C(2147483648)"),
        ("dns/dns_decode.c", "out->u.keepalive.size != 2", "out->u.keepalive.size > 9"),
        ("dns/dns_structs.c", "code = DNS_E_NOT_ZERO;", "code = DNS_E_RANGE;"),
        ("dns/dns_items.c", "if (i == 4)", "if (i == 5)"),
        ("dns/dns_encode.c", "p = dns_put_u16(p, f->qclass);", "p = dns_put_u16(p, f->qtype);"),
        ("dns/dns_print.c", '" qclass"', '" class"'),
        ("dns/dns_size.c", "f->bytes.n", "f->bytes.n + 1"),
        ("dns/dns_states.c", "m->state = DNS_QUERY_IDLE;", "m->state = DNS_QUERY_ASKED;"),
        ("dns/dns_states.c", "FACT_MATCHED) == 0", "FACT_MATCHED) != 0"),
        ("dns/dns_states.c", "return DNS_QUERY_FAILED;", "return DNS_QUERY_IDLE;"),
    ]

    def test_planted_faults_are_found(self):
        with language.folder() as root:
            build.generated(DNS, root)
            runner, said = build.compile_all(root, "dns")
            self.assertIsNotNone(runner, said)
            for path, good, bad in self.FAULTS:
                with self.subTest(path + ": " + bad):
                    self.plant(root, os.path.join(root, path), good, bad)

    def plant(self, root, path, good, bad):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(good, text)
        try:
            runner, said = self.rebuild(root, path, text.replace(good, bad))
            self.assertIsNotNone(runner, said)
            self.assertGreater(build.run_tests(runner)[1], 0, f"no test sees {bad}")
        finally:
            self.rebuild(root, path, text)

    @staticmethod
    def rebuild(root, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        made, said = build.compile_one(root, path)
        objects = glob.glob(os.path.join(root, "dns", "*.o")) + glob.glob(os.path.join(root, "tests", "*.o"))
        return build.link(root, sorted(objects)) if made else (None, said)


class Documents(unittest.TestCase):
    def test_everything_is_documented(self):
        for spec in SPECS:
            with self.subTest(spec), language.folder() as root:
                build.generated(spec, root)
                model = language.model_of(spec)
                with open(os.path.join(root, "docs", model.name.snake + ".md"), encoding="utf-8") as file:
                    text = file.read()
                for thing in model.layouts + model.machines + model.registries + model.packets:
                    self.assertRegex(text, rf"(?m)^### {re.escape(thing.name.text)}( \(|$)")
                for limit in model.limits:
                    self.assertIn(f"| {limit.name.text} | {limit.value:,} |", text)
                self.assertEqual(len(glob.glob(os.path.join(root, "docs", "*.svg"))), len(model.machines))
                for name in re.findall(r"\]\((.*?\.svg)\)", text):
                    with open(os.path.join(root, "docs", name), encoding="utf-8") as file:
                        self.assertIn("DejaVu Sans", file.read())

    def test_links_lead_somewhere(self):
        with language.folder() as root:
            build.generated(LINK, root)
            with open(os.path.join(root, "docs", "link.md"), encoding="utf-8") as file:
                text = file.read()
        heads = {
            re.sub(r"[^a-z0-9_ -]", "", h.lower()).replace(" ", "-")
            for h in re.findall(r"(?m)^#+ (.*)$", text)
        }
        for link in re.findall(r"\]\(#(.*?)\)", text):
            self.assertTrue(any(head == link or head.startswith(link + "-") for head in heads), link)


if __name__ == "__main__":
    unittest.main()
