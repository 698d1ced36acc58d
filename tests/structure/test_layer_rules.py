"""The dependency rule on this tree, and each part with its planted fault."""
import os
import subprocess
from pathlib import Path

import layer_rules
from planted import RuleTest
from tree import ROOT, Tree

GOOD = {"generated/link/link_types.h": "",
        "src/link/link.h": '#include "link/link_types.h"\n#include "wire/packet.h"\n',
        "src/wire/packet.h": '#include "link/link_types.h"\n', "src/io/text.h": "", "src/store/log.h": "",
        "src/store/log.c": '#include "store/log.h"\n#include "io/text.h"\n', "src/node/shard.h": "",
        "src/node/shard.c": '#include "link/link.h"\n#include "store/log.h"\n', "include/purelink.h": "",
        "src/cli/send.c": '#include "purelink.h"\n'}


class DependencyTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(layer_rules.dependencies)

    def test_clean(self):
        self.assert_clean(layer_rules.dependencies, GOOD)

    def test_planted(self):
        for path, header in (("src/wire/a.c", "link/link.h"), ("src/link/a.c", "io/text.h"),
                             ("src/link/a.c", "store/log.h"), ("src/store/a.c", "link/link.h"),
                             ("src/io/a.c", "store/log.h"), ("src/cli/a.c", "node/shard.h"),
                             ("src/node/a.c", "cli/send.h"), ("generated/link/a.c", "wire/packet.h"),
                             ("src/odd/a.c", "wire/packet.h"), ("src/link/a.c", "missing/a.h")):
            self.assert_found(layer_rules.dependencies, {**GOOD, path: f'\n#include "{header}"\n'},
                              f"{path}:2:")


class CrosscheckTest(RuleTest):
    OWN = {"crosscheck/codec/codec.h": "", "crosscheck/node.c": '#include "codec.h"\n#include <nettle/gcm.h>\n'}

    def test_tree(self):
        self.assert_holds_here(layer_rules.crosscheck_apart)

    def test_planted(self):
        self.assert_clean(layer_rules.crosscheck_apart, self.OWN)
        for path, text in (("crosscheck/a.c", '#include "link/link_frames.h"\n'),
                           ("crosscheck/a.c", "#include <purelink.h>\n"),
                           ("src/link/a.c", '#include "crosscheck/codec/codec.h"\n')):
            self.assert_found(layer_rules.crosscheck_apart, {**self.OWN, path: text}, f"{path}:1:")


class ForeignHeaderTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(layer_rules.foreign_headers)

    def test_planted(self):
        self.assert_clean(layer_rules.foreign_headers, {"src/crypto/a.c": "#include <openssl/evp.h>\n"})
        for path, header in (("src/link/a.c", "openssl/evp.h"), ("src/node/a.c", "lmdb.h"),
                             ("src/wire/a.c", "sys/socket.h")):
            self.assert_found(layer_rules.foreign_headers, {path: f"#include <{header}>\n"}, f"{path}:1:")


class UndefinedSymbolTest(RuleTest):
    def libraries(self, texts):
        """Archives of one object each, compiled from texts, beside a tree that has their sources."""
        tree = self.plant({f"src/{name}/a.c": text for name, text in texts.items()})
        for name in texts:
            source, objekt = tree.root / f"src/{name}/a.c", tree.root / f"{name}.o"
            subprocess.run(["gcc", "-std=c11", "-O0", "-fno-builtin", "-c", "-o", objekt, source], check=True)
            subprocess.run(["ar", "rcs", tree.root / f"{name}.a", objekt], check=True)
        return tree

    def test_tree(self):
        if os.environ.get("BUILD"):
            libraries = Path(ROOT, os.environ["BUILD"], "lib")
        else:
            libraries = Path(ROOT, "build", "lib")
        self.assert_none(layer_rules.undefined_symbols(Tree(ROOT), libraries))

    def test_clean(self):
        tree = self.libraries({"link": "int pl_w(void); void *memset(void *, int, unsigned long);\n"
                                       "int pl_l(char *p) { memset(p, 0, 1); return pl_w(); }\n",
                               "wire": "int pl_w(void) { return 0; }\n"})
        self.assertEqual([], layer_rules.undefined_symbols(tree, tree.root))

    def test_planted(self):
        for name in ("malloc", "time", "pl_store_commit"):
            tree = self.libraries({"link": f"long {name}(long); long pl_l(void) {{ return {name}(0); }}\n"})
            self.assertIn(f"link.a: needs {name},", layer_rules.undefined_symbols(tree, tree.root)[0])

    def test_not_built(self):
        tree = self.plant({"src/wire/a.c": ""})
        self.assertEqual(["wire.a: not built"], layer_rules.undefined_symbols(tree, tree.root))
