"""What the command line says to wrong options, keys, addresses and files: one line on standard error that names
what is wrong, the right exit status, and nothing made on the disk."""
import os
import pathlib
import stat
import subprocess
import sys
import time
import unittest

PURELINK = os.environ["PURELINK"]
DIR = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".")


def run(*args, stdin=b"", timeout=30):
    return subprocess.run([PURELINK, *map(str, args)], input=stdin, capture_output=True, timeout=timeout)


def key(name):
    path = DIR / name
    if not path.exists():
        run("genkey", path)
    return path


def public(name):
    return run("pubkey", key(name)).stdout.decode().strip()


class CommandLineTest(unittest.TestCase):
    def assert_refused(self, args, words, status=64, stdin=b""):
        result = run(*args, stdin=stdin)
        said = result.stderr.decode()
        self.assertEqual((status, 1), (result.returncode, said.count("\n")), f"{args}: {said}")
        self.assertTrue(said.startswith("purelink"), said)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(b"", result.stdout)

    def test_commands(self):
        self.assert_refused([], ["a command is missing", "--help"])
        self.assert_refused(["sned"], ["sned", "--help"])
        self.assertIn(b"genkey", run("--help").stdout)
        self.assertRegex(run("--version").stdout, rb"^purelink \d+\.\d+\.\d+\n$")
        for command in ["genkey", "pubkey", "send"]:
            shown = run(command, "--help")
            self.assertEqual((0, b""), (shown.returncode, shown.stderr))
            self.assertIn(f"Usage: purelink {command}".encode(), shown.stdout)


class KeyTest(CommandLineTest):
    def test_genkey(self):
        path = DIR / "made.key"
        self.assertEqual(0, run("genkey", path).returncode)
        self.assertEqual(0o600, stat.S_IMODE(path.stat().st_mode))
        self.assertEqual(45, path.stat().st_size)
        before = path.read_bytes()
        self.assert_refused(["genkey", path], ["made.key"], status=74)
        self.assertEqual(before, path.read_bytes())
        self.assert_refused(["genkey", DIR / "missing" / "x.key"], ["x.key"], status=74)
        self.assert_refused(["genkey", "a", "b"], ["b"])
        self.assert_refused(["genkey", "--force"], ["--force"])
        self.assertNotEqual(run("genkey").stdout, run("genkey").stdout)

    def test_pubkey(self):
        path = key("own.key")
        from_file = run("pubkey", path).stdout
        self.assertEqual(from_file, run("pubkey", stdin=path.read_bytes()).stdout)
        self.assertEqual(45, len(from_file))
        self.assert_refused(["pubkey"], ["standard input"], stdin=b"")
        self.assert_refused(["pubkey"], ["key"], stdin=b"short\n")
        self.assert_refused(["pubkey"], ["key"], stdin=b"A" * 500)
        self.assert_refused(["pubkey", DIR / "none.key"], ["none.key"])
        self.assert_refused(["pubkey", DIR], [str(DIR)])

    def test_readable_by_others(self):
        path = key("open.key")
        path.chmod(0o644)
        self.assert_refused(["pubkey", path], ["open.key", "chmod"])


class SendTest(CommandLineTest):
    def options(self, **changed):
        options = {"key": key("own.key"), "node": "127.0.0.1:9", "node-key": public("node.key"),
                   "outbox": DIR / "box", "stream": "s"}
        options.update({name.replace("_", "-"): value for name, value in changed.items()})
        return [x for name, value in options.items() if value is not None for x in ("--" + name, value)]

    def refused(self, words, *more, status=64, stdin=b"", **changed):
        self.assert_refused(["send", *self.options(**changed), *more], words, status, stdin)

    def test_options(self):
        for name in ["key", "node", "node_key", "outbox", "stream"]:
            self.refused(["--" + name.replace("_", "-"), "missing"], **{name: None})
        self.refused(["--no-such"], "--no-such")
        self.refused(["-x"], "-x")
        self.refused(["--stream"], "--stream", "again")
        self.refused(["--framed"], "--framed=yes")
        self.refused(["--rate"], "--rate")
        for rate in ["0", "x", "-1", "1x", "99999999999999999999"]:
            self.refused(["--rate", rate], "--rate", rate)
        self.refused(["--timeout"], "--timeout", "1.5")
        self.refused(["suite", "aes-256", "aes-128-gcm", "chacha20-poly1305"], "--suite", "aes-256")
        self.refused(["--stream"], stream="")

    def test_combinations(self):
        self.refused(["--resume", "--follow"], "--resume", "a", "--follow", "b")
        self.refused(["--resume"], "--resume", "a", "b")
        self.refused(["--timeout"], "--follow", "a", "--timeout", "1")
        self.refused(["standard input"], "--resume", "-")
        self.refused(["standard input"], "--follow", "-")

    def test_keys_and_addresses(self):
        self.refused(["--node-key"], node_key="x")
        self.refused(["node key"], node_key=public("own.key"))
        self.refused(["node key"], node_key="A" * 43 + "=")
        self.refused(["none.key"], key=DIR / "none.key")
        for node in ["127.0.0.1", "127.0.0.1:", ":7", "1.2.3:7", "127.0.0.1:0", "127.0.0.1:65536", "[::1:7", "[::1]",
                     "a b:7", "::1:7"]:
            self.refused(["--node"], node=node)
        self.assertFalse((DIR / "box").exists())

    def test_files(self):
        self.refused(["none.log"], DIR / "none.log")
        self.refused(["none.log"], "--resume", DIR / "none.log")
        self.refused(["none.log"], "--follow", DIR / "none.log")
        (DIR / "file").write_text("x")
        self.refused(["file"], outbox=DIR / "file")
        self.assertFalse((DIR / "box").exists())

    def test_stream_names(self):
        self.refused(["stream"], stream="n" * 256, stdin=b"x\n")
        self.refused(["stream"], stream="a\tb", stdin=b"x\n")

    def test_not_stored_in_time(self):
        box = DIR / "late"
        options = self.options(outbox=box)
        result = run("send", *options, "--timeout", 0, stdin=b"one\ntwo\n")
        self.assertEqual(75, result.returncode, result.stderr)
        self.assertIn(b"2 records are kept", result.stderr)
        again = run("send", *options, "--timeout", 0, stdin=b"three\n")
        self.assertIn(b"3 records are kept", again.stderr)

    def test_second_process(self):
        options = self.options(outbox=DIR / "shared")
        first = subprocess.Popen([PURELINK, "send", *map(str, options)], stdin=subprocess.PIPE)
        try:
            first.stdin.write(b"x\n")
            first.stdin.flush()
            deadline = time.monotonic() + 10
            while not (DIR / "shared" / "data.mdb").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            result = run("send", *options, "--timeout", 0, stdin=b"y\n")
            self.assertEqual(74, result.returncode)
            self.assertIn(str(first.pid).encode(), result.stderr)
        finally:
            first.terminate()
            self.assertEqual(75, first.wait(10))
            first.stdin.close()

    def test_too_large(self):
        lines = b"ok\n" + b"x" * (1 << 20) + b"y\n"
        result = run("send", *self.options(outbox=DIR / "large"), "--timeout", 0, stdin=lines)
        self.assertEqual(75, result.returncode)
        self.assertIn(b"line 2", result.stderr)
        self.assertIn(b"1 records are kept", result.stderr)


if __name__ == "__main__":
    outcome = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules["__main__"]))
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
