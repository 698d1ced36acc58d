"""serve, tail and status with real processes: what they say, what signals do, and that a node and its readers
do not disturb one another."""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

PURELINK = os.environ["PURELINK"]
DIR = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".")
LIMIT_S = 30


def run(*args, stdin=b""):
    return subprocess.run([PURELINK, *map(str, args)], input=stdin, capture_output=True, timeout=LIMIT_S)


def make_key(path):
    run("genkey", path)
    return run("pubkey", path).stdout.decode().strip()


class Node:
    """A folder with keys and a list, and a node that can be started on it."""
    made = 0

    def __init__(self, *names):
        Node.made += 1
        self.dir = DIR / f"node{Node.made}"
        self.dir.mkdir()
        self.public = make_key(self.dir / "node.key")
        self.keys = {name: make_key(self.dir / f"{name}.key") for name in names}
        self.store = self.dir / "store"
        self.process = None
        self.write_senders()

    def write_senders(self, names=None):
        lines = [f"{name} {key}\n" for name, key in self.keys.items() if names is None or name in names]
        (self.dir / "senders").write_text("# who may send\n" + "".join(lines))

    def arguments(self, *listen):
        wanted = [part for address in listen for part in ("--listen", address)]
        return ["serve", "--key", self.dir / "node.key", "--senders", self.dir / "senders",
                "--store", self.store, *wanted]

    def start(self, *listen):
        command = [PURELINK, *map(str, self.arguments(*(listen or ["127.0.0.1:0"])))]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while True:
            line = self.process.stderr.readline()
            if not line:
                raise AssertionError("the node ended before it was ready")
            if "ready" in line:
                self.addresses = re.search(r"listening on (.*), public key", line).group(1).split()
                return line

    def stop(self, signum=signal.SIGTERM):
        began = time.monotonic()
        self.process.send_signal(signum)
        status = self.process.wait(LIMIT_S)
        self.process.stderr.close()
        self.took_s = time.monotonic() - began
        return status

    def send(self, name, data, stream="s", address=0, timeout_s=20):
        return run("send", "--key", self.dir / f"{name}.key", "--node", self.addresses[address],
                   "--node-key", self.public, "--outbox", self.dir / f"{name}.outbox", "--stream", stream,
                   "--timeout", timeout_s, stdin=data)

    def tail(self, *options):
        return run("tail", "--store", self.store, *options).stdout

    def status(self):
        return json.loads(run("status", "--store", self.store, "--json").stdout)


class ServeTest(unittest.TestCase):
    def setUp(self):
        self.node = Node("a", "b")

    def tearDown(self):
        if self.node.process and self.node.process.poll() is None:
            self.node.process.kill()
            self.node.process.wait()
        if self.node.process:
            self.node.process.stderr.close()

    def assert_refused(self, args, words, status):
        result = run(*args)
        said = result.stderr.decode()
        self.assertEqual(status, result.returncode, said)
        for word in words:
            self.assertIn(word, said)

    def test_ready_tells_addresses_and_key(self):
        line = self.node.start("127.0.0.1:0", "[::1]:0")
        self.assertRegex(line, r"ready, listening on 127\.0\.0\.1:\d+ \[::1\]:\d+, public key ")
        self.assertIn(self.node.public, line)
        for address in (0, 1):
            self.assertEqual(0, self.node.send("a", b"x\n", address=address).returncode)
        self.assertEqual(b"x\nx\n", self.node.tail())
        self.assertEqual(0o700, self.node.store.stat().st_mode & 0o777)
        self.assertEqual(0, self.node.stop())
        self.assertLess(self.node.took_s, 5)

    def test_interrupt_ends_it_too(self):
        self.node.start()
        self.assertEqual(0, self.node.stop(signal.SIGINT))

    def test_wrong_arguments(self):
        good = self.node.arguments("127.0.0.1:0")
        (self.node.dir / "bad").write_text("a nokey\n")
        (self.node.dir / "own").write_text(f"a {self.node.public}\n")
        os.chmod(self.node.dir / "b.key", 0o644)
        changed = [("--senders", "bad", ["bad:1:"], 64), ("--senders", "own", ["own:1:", "own key"], 64),
                   ("--senders", "none", ["none"], 74), ("--key", "none", ["none"], 64),
                   ("--key", "b.key", ["chmod 600"], 64)]
        for option, value, words, status in changed:
            args = list(good)
            args[args.index(option) + 1] = self.node.dir / value
            self.assert_refused(args, words, status)
            self.assertFalse(self.node.store.exists(), value)
        self.assert_refused(self.node.arguments("nowhere"), ["nowhere"], 64)
        self.assert_refused(self.node.arguments("192.0.2.1:7"), ["192.0.2.1:7"], 64)

    def test_one_process_on_a_store_and_on_a_port(self):
        self.node.start()
        self.assert_refused(self.node.arguments("127.0.0.1:0"), [str(self.node.process.pid)], 74)
        other = Node()
        self.assert_refused(other.arguments(self.node.addresses[0]), [self.node.addresses[0]], 74)
        self.assertEqual(0, self.node.send("a", b"x\n").returncode)

    def wait_for(self, what):
        end = time.monotonic() + LIMIT_S
        while (status := self.node.status())["node"] is None or not what(status):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def test_a_list_is_reloaded_whole_or_not_at_all(self):
        self.node.write_senders(["a"])
        self.node.start()
        (self.node.dir / "senders").write_text("broken\n")
        self.node.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda s: "senders:1:" in s["node"]["senders_error"])
        self.assertGreater(self.node.status()["node"]["senders_error_ms"], 0)
        self.assertEqual(0, self.node.send("a", b"1\n").returncode)
        self.node.write_senders(["b"])
        self.node.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda s: s["node"]["senders_error"] == "" and s["store"]["list_generation"] == 2)
        self.assertEqual(0, self.node.send("b", b"2\n").returncode)
        self.assertEqual(75, self.node.send("a", b"3\n", timeout_s=1).returncode)
        self.node.write_senders()
        self.node.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda s: s["store"]["list_generation"] == 3)
        self.assertEqual(0, self.node.send("a", b"").returncode)
        self.assertEqual(b"1\n2\n3\n", self.node.tail())

    def test_a_new_key_hears_the_same_senders(self):
        """The key ids in the store belong to the key before: the list is read again though its file is the same."""
        self.node.start()
        self.assertEqual(0, self.node.send("a", b"1\n").returncode)
        self.node.stop()
        (self.node.dir / "node.key").unlink()
        self.node.public = make_key(self.node.dir / "node.key")
        self.node.start()
        for name in ("a.outbox", "b.outbox"):
            shutil.rmtree(self.node.dir / name, ignore_errors=True)
        self.assertEqual(0, self.node.send("b", b"2\n").returncode)
        self.assertEqual(b"1\n2\n", self.node.tail())


class ReaderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = Node("a", "b")
        cls.node.start()
        cls.node.send("a", b"one\ntwo\n")
        cls.node.send("b", b"\n\xff\xfe\n", stream="other")
        cls.node.send("a", "d\u00e4\"y\n".encode())

    @classmethod
    def tearDownClass(cls):
        cls.node.stop()

    def test_forms_and_filters(self):
        everything = b"one\ntwo\n\n\xff\xfe\nd\xc3\xa4\"y\n"
        self.assertEqual(everything, self.node.tail())
        self.assertEqual(b"one\ntwo\nd\xc3\xa4\"y\n", self.node.tail("--source", "a"))
        self.assertEqual(b"\n\xff\xfe\n", self.node.tail("--stream", "other"))
        self.assertEqual(b"", self.node.tail("--source", "c"))
        framed = b"".join(struct.pack(">I", len(r)) + r for r in everything[:-1].split(b"\n"))
        self.assertEqual(framed, self.node.tail("--framed"))

    def test_json_and_positions(self):
        entries = [json.loads(line) for line in self.node.tail("--json").splitlines()]
        self.assertEqual([("a", "s", 1), ("a", "s", 2), ("b", "other", 1), ("b", "other", 2), ("a", "s", 3)],
                         [(e["name"], e["stream"], e["number"]) for e in entries])
        self.assertEqual("d\u00e4\"y", entries[4]["data"])
        self.assertEqual(b"\xff\xfe", base64.b64decode(entries[3]["base64"]))
        self.assertRegex(entries[0]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        rest = self.node.tail("--from", entries[3]["position"] + 1)
        self.assertEqual("d\u00e4\"y\n".encode(), rest)

    def test_status(self):
        status = self.node.status()
        self.assertEqual({("a", "s", 3, 3), ("b", "other", 2, 2)},
                         {(s["name"], s["stream"], s["heard"], s["stored"]) for s in status["streams"]})
        self.assertEqual(self.node.process.pid, status["node"]["pid"])
        self.assertEqual(self.node.public, status["node"]["public_key"])
        text = run("status", "--store", self.node.store).stdout.decode()
        self.assertIn("a / s: heard 3, stored 3, lost 0", text)
        outbox = json.loads(run("status", "--outbox", self.node.dir / "a.outbox", "--json").stdout)
        stream = outbox["streams"][0]
        self.assertEqual(("s", 4, 0), (stream["stream"], stream["next_number"], stream["held_records"]))
        self.assertEqual(0, outbox["outbox"]["held_records"])

    def test_status_with_fewer_streams(self):
        """A store of very many devices: none listed, or so many; what is there says whether that is all."""
        self.assertFalse(self.node.status()["streams_cut"])
        for place in (["--store", self.node.store], ["--outbox", self.node.dir / "a.outbox"]):
            whole = json.loads(run("status", *place, "--json").stdout)
            summary = json.loads(run("status", *place, "--json", "--summary").stdout)
            self.assertEqual(set(whole) - {"streams", "streams_cut"}, set(summary))
            self.assertNotIn(b"streams", run("status", *place, "--summary").stdout)
            for wrong in (["--summary", "--limit", 3], ["--limit", 0]):
                result = run("status", *place, *wrong)
                self.assertEqual(64, result.returncode)
                self.assertIn(b"--limit", result.stderr)
        cut = json.loads(run("status", "--store", self.node.store, "--json", "--limit", 1).stdout)
        self.assertEqual((1, True), (len(cut["streams"]), cut["streams_cut"]))
        self.assertEqual(self.node.status()["streams"][0], cut["streams"][0])
        all_two = json.loads(run("status", "--store", self.node.store, "--json", "--limit", 2).stdout)
        self.assertEqual((2, False), (len(all_two["streams"]), all_two["streams_cut"]))
        text = run("status", "--store", self.node.store, "--limit", 1).stdout.decode()
        self.assertTrue(text.endswith("  and more\n"), text)
        self.assertEqual(1, text.count(": heard "))

    def test_status_without_a_node(self):
        node = Node("a")
        node.start()
        node.send("a", b"x\n")
        node.stop()
        self.assertIsNone(node.status()["node"])
        (node.store / "status.json").write_bytes(bytes(1000))
        self.assertIn(b"not running", run("status", "--store", node.store).stdout)

    def test_status_where_processes_have_other_numbers(self):
        """As from another container: the node is known by the lock it holds, not by the number of its process."""
        shown = subprocess.run(["unshare", "--pid", "--fork", PURELINK, "status", "--json", "--store", self.node.store],
                               capture_output=True, timeout=LIMIT_S)
        if b"unshare" in shown.stderr:
            self.skipTest(shown.stderr.decode())
        self.assertEqual(self.node.public, json.loads(shown.stdout)["node"]["public_key"])

    def test_following_ends_with_its_reader(self):
        follow = subprocess.Popen([PURELINK, "tail", "--store", str(self.node.store), "--follow"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(b"one\n", follow.stdout.readline())
        self.assertIsNone(follow.poll())
        follow.stdout.close()
        self.assertEqual(b"", follow.stderr.read())
        self.assertEqual(0, follow.wait(LIMIT_S))
        follow.stderr.close()

    def test_a_stopped_reader_holds_nothing_back(self):
        node = Node("a")
        node.start()
        node.send("a", b"x" * 100000 + b"\n")
        reader = subprocess.Popen([PURELINK, "tail", "--store", str(node.store), "--follow"],
                                  stdout=subprocess.PIPE)
        time.sleep(0.3)
        readers = node.status()["store"]["readers"]
        for _ in range(20):
            self.assertEqual(0, node.send("a", b"y" * 50000 + b"\n").returncode)
        self.assertLessEqual(node.status()["store"]["readers"], readers)
        reader.kill()
        reader.wait()
        reader.stdout.close()
        node.stop()

    def test_no_store(self):
        for command in (["tail"], ["status"]):
            result = run(*command, "--store", DIR / "nothing")
            self.assertEqual(74, result.returncode)
            self.assertIn("nothing", result.stderr.decode())
            self.assertFalse((DIR / "nothing").exists())


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed or result.testsRun == 0 else 0)
