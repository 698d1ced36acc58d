"""Two processes on one store or one outbox, signals, keys that others may read, senders files with mistakes: the
second process is refused by the name of the first and harms it not; what cannot be read is said by file and line and
what was in force stays in force."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from lib import FAILED, KEPT, LIMIT_S, PURELINK, USAGE, Site, expect_same, folder, lines, run, run_tests, spawn, wait_for

DIR = folder()
END_S = 10  # a signal ends a process within 5 s; the rest is for a busy machine


class SiteTest(unittest.TestCase):
    def setUp(self):
        self.site = Site(DIR / self.id().split(".")[-1])

    def refused(self, args, *words, status=FAILED):
        """Ends by itself with one line that holds the words."""
        result = run(*args, timeout=END_S)
        said = result.stderr.decode(errors="replace")
        self.assertEqual((status, 1), (result.returncode, said.count("\n")), f"{args}: {said}")
        for word in words:
            self.assertIn(str(word), said)
        return said

    def held_by(self, pid):
        """A second node on the store and its refusal."""
        other = Site(self.site.dir / "other")
        options = other.serve_options()
        options[options.index(other.store)] = self.site.store
        return self.refused(["serve", *options], self.site.store, pid)


class TwoNodesTest(SiteTest):
    def test_second_node(self):
        node = self.site.serve()
        self.site.send(input=b"1\n")
        print(self.held_by(node.process.pid).strip(), end="; ")
        self.site.send(input=b"2\n")
        self.assertEqual(b"1\n2\n", self.site.tail())
        node.kill()
        self.site.serve()
        self.site.send(input=b"3\n")
        self.assertEqual(b"1\n2\n3\n", self.site.tail())

    def test_second_node_on_the_port(self):
        """Another store, the same port: refused by the address."""
        self.site.serve()
        other = Site(self.site.dir / "other")
        other.port = self.site.port
        self.refused(["serve", *other.serve_options()], f"127.0.0.1:{other.port}")
        self.site.send(input=b"1\n")

    def test_stopped_node(self):
        """A node that sleeps (SIGSTOP) keeps its store, and goes on when it wakes."""
        node = self.site.serve()
        self.site.send(input=b"1\n")
        node.process.send_signal(signal.SIGSTOP)
        self.held_by(node.process.pid)
        self.site.send("--timeout", 1, input=b"2\n", status=KEPT)
        node.process.send_signal(signal.SIGCONT)
        self.site.send(input=b"3\n")
        self.assertEqual(b"1\n2\n3\n", self.site.tail())

    def test_at_the_same_instant(self):
        """Five nodes at once on a store not made yet, ten times: one serves, four name it."""
        for turn in range(10):
            site = Site(self.site.dir / str(turn))
            nodes = []
            for i in range(5):
                site.port += 1
                with open(site.dir / f"{i}.err", "wb") as err:
                    nodes.append(spawn(PURELINK, "serve", *site.serve_options(), stderr=err))
            wait_for("four refusals", lambda: sum(n.poll() is not None for n in nodes) == 4)
            serving = next(i for i, n in enumerate(nodes) if n.poll() is None)
            wait_for("ready node", lambda: b": ready" in (site.dir / f"{serving}.err").read_bytes())
            for i, node in enumerate(nodes):
                if i != serving:
                    said = (site.dir / f"{i}.err").read_text()
                    self.assertEqual(FAILED, node.returncode, said)
                    self.assertIn(str(nodes[serving].pid), said)
            site.port += serving - 4
            site.send(input=b"x\n")
            self.assertEqual(b"x\n", site.tail())
            nodes[serving].kill()
        print("10 times 5 nodes; ", end="")


class TwoSendersTest(SiteTest):
    def test_second_send(self):
        self.site.serve()
        first = self.site.start_send(stdin=subprocess.PIPE)
        first.stdin.write(b"1\n")
        first.stdin.flush()
        wait_for("record", lambda: self.site.stored() == 1)
        for number in (signal.SIGCONT, signal.SIGSTOP):
            first.send_signal(number)
            said = self.refused(self.site.send_options("--timeout", 0), self.site.dir / "sensor.box", first.pid)
        print(said.strip(), end="; ")
        first.send_signal(signal.SIGCONT)
        first.stdin.write(b"2\n")
        first.stdin.close()
        self.assertEqual(0, first.wait(LIMIT_S))
        self.assertEqual(b"1\n2\n", self.site.tail())

    def test_at_the_same_instant(self):
        """Three senders at once of the same log, ten times: it arrives once."""
        self.site.serve()
        log = self.site.dir / "log"
        for turn in range(10):
            with log.open("ab") as f:
                f.write(b"turn %d\n" % turn)
            senders = [self.site.start_send("--resume", log) for _ in range(3)]
            ends = sorted(s.wait(LIMIT_S) for s in senders)
            self.assertIn(0, ends)
            self.assertLessEqual(set(ends), {0, FAILED})
        expect_same(log.read_bytes(), self.site.tail(), "log sent by three")


class CopyTest(SiteTest):
    """One key in use twice: nothing is lost, nothing called stored that is not, and status names the sender."""

    def copy(self, name):
        path = self.site.dir / f"{name}.box"
        shutil.copytree(self.site.dir / "sensor.box", path)
        return path

    def expect_named(self, forks):
        def named():
            node = self.site.status()["node"]
            return node["forks"] >= forks and "sensor: a stream was forked" in node["last_event"]
        wait_for("fork in status", named)

    def test_restored(self):
        """An outbox put back from a backup: what is given to it then is stored beside what was stored before."""
        self.site.serve()
        self.site.send(input=b"0\n" * 10)
        saved = self.copy("saved")
        self.site.send(input=lines(100, 1))
        self.site.send(input=lines(100, 2), outbox=saved)
        self.assertEqual(b"0\n" * 10 + lines(100, 1) + lines(100, 2), self.site.tail())
        self.expect_named(1)

    def test_cloned(self):
        """Two copies that send at the same time: each one's records arrive once and in order."""
        self.site.serve()
        self.site.send(input=b"0\n" * 10)
        boxes = [self.copy(name) for name in ("left", "right")]
        senders = []
        for box in boxes:
            log = self.site.dir / f"{box.name}.log"
            log.write_bytes(b"".join(b"%s %d\n" % (box.stem.encode(), i) for i in range(3000)))
            senders.append(self.site.start_send("--rate", 2000, log, outbox=box))
        self.assertEqual([0, 0], [s.wait(LIMIT_S) for s in senders])
        stored = self.site.tail().splitlines(keepends=True)[10:]
        self.assertEqual(6000, len(stored))
        for box in boxes:
            own = b"".join(line for line in stored if line.startswith(box.stem.encode()))
            expect_same((self.site.dir / f"{box.name}.log").read_bytes(), own, box.name)
        self.expect_named(1)


class SignalTest(SiteTest):
    def black_hole(self):
        hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        hole.bind(("127.0.0.1", 0))
        self.addCleanup(hole.close)
        return hole.getsockname()[1]

    def test_node_at_rest_and_at_work(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            node = self.site.serve()
            self.assertEqual(0, node.kill(number))
            node = self.site.serve()
            device = self.site.start_send("--rate", 5000, stdin=subprocess.PIPE)
            device.stdin.write(lines(2000))
            device.stdin.flush()
            before = self.site.stored()
            wait_for("records", lambda: self.site.stored() > before)
            self.assertEqual(0, node.kill(number))
            device.kill()
            device.wait()
            device.stdin.close()

    def test_second_signal(self):
        """A node and a sender end at once on a second signal, whatever they wait for."""
        node = self.site.serve()
        node.process.send_signal(signal.SIGSTOP)
        node.process.send_signal(signal.SIGTERM)
        node.process.send_signal(signal.SIGINT)
        node.process.send_signal(signal.SIGCONT)
        self.assertIn(node.process.wait(END_S), (0, 128 + signal.SIGINT, 128 + signal.SIGTERM))
        self.site.port = self.black_hole()
        device = self.site.start_send(stdin=subprocess.PIPE)
        device.stdin.write(b"x\n")
        device.stdin.flush()
        wait_for("record", lambda: self.site.given() == 1)
        device.send_signal(signal.SIGTERM)
        device.send_signal(signal.SIGINT)
        self.assertEqual(KEPT, device.wait(END_S))
        device.stdin.close()

    def test_send_into_nothing(self):
        """SIGTERM ends a sender that retries, whether nobody listens or nobody answers; all is kept."""
        log = self.site.dir / "log"
        log.write_bytes(lines(3000))
        for port in (self.black_hole(), self.site.port):
            device = self.site.start_send("--resume", log, port=port, said=subprocess.PIPE)
            wait_for("records in the outbox", lambda: self.site.given() == 3000)
            time.sleep(0.5)
            device.send_signal(signal.SIGTERM)
            said = device.communicate(timeout=END_S)[1]
            self.assertEqual(KEPT, device.returncode)
            self.assertIn(b"3000 records are kept", said)
        self.site.serve()
        self.site.send("--resume", log)
        expect_same(log.read_bytes(), self.site.tail(), "log")

    def test_terminal_gone(self):
        """SIGHUP asks the node to read its list again; it is not the end of it."""
        node = self.site.serve()
        for _ in range(20):
            node.process.send_signal(signal.SIGHUP)
        wait_for("list in force", lambda: "in force" in node.said())
        self.site.send(input=b"x\n")
        node.stop()


class KeyTest(SiteTest):
    def test_readable_by_others(self):
        for name, command in [("node", lambda: ["serve", *self.site.serve_options()]),
                              ("sensor", lambda: self.site.send_options())]:
            path = self.site.dir / f"{name}.key"
            for mode in (0o644, 0o640, 0o604, 0o660):
                path.chmod(mode)
                said = self.refused(command(), path, "chmod", status=USAGE)
            path.chmod(0o600)
        print(said.strip(), end="; ")
        self.assertFalse(self.site.store.exists())

    def test_damaged(self):
        path = self.site.dir / "node.key"
        good = path.read_bytes()
        for text in [b"", b"\0" * 45, good[:20], good + b"x", b"A" * 100000, good[:-2] + b"\n", b"\xff" * 44]:
            path.write_bytes(text)
            self.refused(["serve", *self.site.serve_options()], path, status=USAGE)
        path.unlink()
        self.refused(["serve", *self.site.serve_options()], path, status=USAGE)
        path.mkdir()
        self.refused(["serve", *self.site.serve_options()], path, status=USAGE)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become somebody else")
    def test_unreadable(self):
        """Without root: a key of somebody else cannot be read, a store of somebody else not be written."""
        options = {"capture_output": True, "user": 65534, "group": 65534, "extra_groups": [], "timeout": END_S}
        os.chmod(self.site.dir, 0o755)
        with tempfile.TemporaryDirectory(dir="/tmp") as place: # the tree may lie where others may not look
            os.chmod(place, 0o755)
            program = shutil.copy(PURELINK, place)
            result = subprocess.run([program, "serve", *map(str, self.site.serve_options())], **options)
        self.assertEqual(USAGE, result.returncode, result.stderr)
        self.assertRegex(result.stderr, rb"node.key.*[Pp]ermission")


class SendersTest(SiteTest):
    def mistakes(self):
        good = self.site.senders.read_text().strip()
        name, key = good.split()
        return {
            "no key": (f"{good}\nalone\n", 2),
            "a short key": (f"# first\n\nshort {key[:-5]}\n", 3),
            "a name twice": (f"{good}\n{self.site.sender_line('b')}{name} {key}\n", 3),
            "a key twice": (f"{good}\nother {key}\n", 2),
            "a third field": (f"{good} more\n", 1),
            "a name of 256 bytes": (f"{good}\n{'n' * 256} {key}\n", 2),
            "a control character": (f"{good}\na\x01b {key}\n", 2),
            "a zero byte": (f"{good}\n\0\n", 2),
            "a line without end": (f"{good}\n" + "x" * 100000, 2),
        }

    def test_at_start(self):
        for what, (text, line) in self.mistakes().items():
            self.site.senders.write_text(text)
            with self.subTest(what):
                said = self.refused(["serve", *self.site.serve_options()], f"{self.site.senders}:{line}: ",
                                    status=USAGE)
        print(said.strip()[-80:], end="; ")
        self.site.senders.unlink()
        self.refused(["serve", *self.site.serve_options()], self.site.senders, status=FAILED)

    def reload(self, node, word):
        """SIGHUP; waits until the node said something with this word that it had not said before."""
        before = node.said().count(word)
        node.process.send_signal(signal.SIGHUP)
        wait_for(word, lambda: node.said().count(word) > before)

    def error_in_status(self):
        return (self.site.status()["node"] or {}).get("senders_error", "")

    def test_reload(self):
        """Whatever cannot be read: the list before it stays, status says so and since when, until a good one comes."""
        node = self.site.serve()
        good = self.site.senders.read_text()
        sent = 0
        for what, (text, line) in self.mistakes().items():
            self.site.senders.write_text(text)
            with self.subTest(what):
                self.reload(node, "stays in force")
                self.assertIn(f"{self.site.senders}:{line}: ", node.said())
                wait_for("error in status", lambda: f":{line}: " in self.error_in_status())
                self.site.send(input=b"%d\n" % sent)
                sent += 1
        self.site.senders.unlink()
        self.reload(node, "stays in force")
        self.site.senders.mkdir()
        self.reload(node, "stays in force")
        self.site.send(input=b"%d\n" % sent)
        self.site.senders.rmdir()
        self.site.senders.write_text(good + self.site.sender_line("new"))
        self.reload(node, ": in force")
        wait_for("no error in status", lambda: self.error_in_status() == "")
        self.site.send(input=b"new\n", device="new")
        self.assertEqual(sent + 2, self.site.stored())
        node.stop()

    def test_removed(self):
        """A sender taken off the list is served no more; its records stay; a name may move to another key."""
        node = self.site.serve()
        self.site.send(input=b"1\n")
        self.site.senders.write_text(self.site.sender_line("other"))
        self.reload(node, ": in force")
        self.site.send("--timeout", 1, input=b"2\n", status=KEPT)
        self.assertEqual(b"1\n", self.site.tail())
        self.site.senders.write_text(self.site.sender_line("sensor"))
        self.reload(node, ": in force")
        self.site.send(input=b"3\n")
        self.assertEqual(b"1\n2\n3\n", self.site.tail())


run_tests()
