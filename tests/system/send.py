"""purelink send with a real node: pipes, several files, framed records of all sizes, IPv6, resuming, following a log
through rotation and truncation, a node that comes late, signals. What `tail` prints is what went in."""
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

PURELINK = os.environ["PURELINK"]
DIR = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".")
LIMIT_S = 60


def run(*args, **more):
    return subprocess.run([PURELINK, *map(str, args)], capture_output=True, timeout=LIMIT_S, **more)


def wait_for(what, truth):
    deadline = time.monotonic() + LIMIT_S
    while not truth():
        if time.monotonic() > deadline:
            raise AssertionError(f"no {what} within {LIMIT_S} s")
        time.sleep(0.02)


def free_port():
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
        s.bind(("::", 0))
        return s.getsockname()[1]


class SendTest(unittest.TestCase):
    def setUp(self):
        self.port = free_port()
        self.dir = DIR / self.id().split(".")[-1]
        self.dir.mkdir()
        self.host = "127.0.0.1"
        for name in ["node.key", "device.key"]:
            run("genkey", self.dir / name)
        self.node_key = run("pubkey", self.dir / "node.key").stdout.decode().strip()
        device_key = run("pubkey", self.dir / "device.key").stdout.decode()
        (self.dir / "senders").write_text("sensor " + device_key)
        self.node = None

    def tearDown(self):
        self.stop_node()

    def start_node(self):
        self.node = subprocess.Popen(
            [PURELINK, "serve", "--key", self.dir / "node.key", "--senders", self.dir / "senders", "--store",
             self.dir / "store", "--listen", f"{self.host}:{self.port}"], stderr=subprocess.PIPE)
        said = b""
        for line in self.node.stderr:
            said += line
            if b"ready" in line:
                return
        self.fail("the node did not get ready: " + said.decode())

    def stop_node(self):
        if self.node:
            self.node.terminate()
            self.assertEqual(0, self.node.wait(10))
            self.node.stderr.close()
            self.node = None

    def command(self, *more, stream="s"):
        return [str(x) for x in (
            PURELINK, "send", "--key", self.dir / "device.key", "--node", f"{self.host}:{self.port}", "--node-key",
            self.node_key, "--outbox", self.dir / "box", "--stream", stream, *more)]

    def send(self, *more, status=0, **changed):
        stream = changed.pop("stream", "s")
        result = subprocess.run(self.command(*more, stream=stream), capture_output=True, timeout=LIMIT_S, **changed)
        self.assertEqual(status, result.returncode, result.stderr.decode())
        return result.stderr.decode()

    def stored(self, *more):
        result = run("tail", "--store", self.dir / "store", *more)
        self.assertEqual(0, result.returncode, result.stderr.decode())
        return result.stdout

    def log(self, name="log", text=""):
        path = self.dir / name
        path.write_text(text)
        return path

    def test_files_and_standard_input(self):
        self.start_node()
        self.send(self.log("a", "1\n\n3"), self.log("b", "4\r\n"))
        self.send(input=b"5\n6")
        self.send("-", self.log("c", "8\n"), input=b"7\n")
        self.send(input=b"")
        self.assertEqual(b"1\n\n3\n4\r\n5\n6\n7\n8\n", self.stored())

    def test_framed_records_of_all_sizes(self):
        self.start_node()
        records = [os.urandom(n) for n in [0, 1, 0, 61, 1900, 1901, 16013, 1 << 20, 5]]
        framed = b"".join(struct.pack(">I", len(r)) + r for r in records)
        self.send("--framed", input=framed)
        self.assertEqual(framed, self.stored("--framed"))
        said = self.send("--framed", input=framed[:-1], status=74)
        self.assertIn("record 9", said)

    def test_ipv6(self):
        self.host = "[::1]"
        self.start_node()
        self.send(input=b"six\n")
        self.assertEqual(b"six\n", self.stored())

    def test_name(self):
        self.start_node()
        self.host = "localhost"
        self.send(input=b"named\n")
        self.assertEqual(b"named\n", self.stored())

    def test_slow_pipe(self):
        self.start_node()
        process = subprocess.Popen(self.command(), stdin=subprocess.PIPE)
        for i in range(5):
            process.stdin.write(b"%d\n" % i)
            process.stdin.flush()
            wait_for("record", lambda: self.stored().count(b"\n") == i + 1)
        process.stdin.close()
        self.assertEqual(0, process.wait(LIMIT_S))

    def test_resume(self):
        self.start_node()
        log = self.log(text="".join(f"{i}\n" for i in range(1000)))
        self.send("--resume", log)
        self.send("--resume", log)
        with log.open("a") as f:
            f.write("more\n")
        self.send("--resume", log)
        self.assertEqual(log.read_bytes(), self.stored())
        self.send("--resume", log, stream="other")
        self.assertEqual(log.read_bytes(), self.stored("--stream", "other"))

    def test_resume_of_a_file_written_anew(self):
        self.start_node()
        log = self.log(text="old 1\nold 2\n")
        self.send("--resume", log)
        log.write_text("new 1\nnew 2\nnew 3\n")
        self.assertIn("from its start", self.send("--resume", log))
        self.assertEqual(b"old 1\nold 2\nnew 1\nnew 2\nnew 3\n", self.stored())

    def test_follow(self):
        self.start_node()
        log = self.log(text="1\n2\nhal")
        process = subprocess.Popen(self.command("--follow", log))

        def add(text, mode="a"):
            with log.open(mode) as f:
                f.write(text)

        def expect(text):
            wait_for(repr(text), lambda: self.stored() == text)
        expect(b"1\n2\n")
        add("f\n4\n")
        expect(b"1\n2\nhalf\n4\n")
        log.rename(self.dir / "log.1")
        with (self.dir / "log.1").open("a") as f:
            f.write("5\n")
        add("6\n", "w")
        expect(b"1\n2\nhalf\n4\n5\n6\n")
        process.kill()
        process.wait()
        add("7\n")
        process = subprocess.Popen(self.command("--follow", log))
        expect(b"1\n2\nhalf\n4\n5\n6\n7\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(0, process.wait(5))

    def test_node_comes_late(self):
        process = subprocess.Popen(self.command(), stdin=subprocess.PIPE)
        process.stdin.write(b"early\n")
        process.stdin.close()
        time.sleep(0.5)
        self.start_node()
        self.assertEqual(0, process.wait(LIMIT_S))
        self.assertEqual(b"early\n", self.stored())

    def test_kept_and_sent_by_the_next(self):
        self.assertIn("3 records are kept", self.send("--timeout", 0, input=b"1\n2\n3\n", status=75))
        self.start_node()
        self.send(input=b"4\n")
        self.assertEqual(b"1\n2\n3\n4\n", self.stored())

    def test_signal(self):
        process = subprocess.Popen(self.command("--rate", 100, self.log(text="x\n" * 10000)), stderr=subprocess.PIPE)
        wait_for("outbox", (self.dir / "box").exists)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=5)[1]
        self.assertEqual(75, process.returncode)
        self.assertIn(b"before the end of the input", said)

    def test_rate(self):
        self.start_node()
        log = self.log(text="".join(f"{i}\n" for i in range(300)))
        began = time.monotonic()
        self.send("--rate", 200, log)
        self.assertGreater(time.monotonic() - began, 1.2)
        self.assertEqual(log.read_bytes(), self.stored())

    def test_suites(self):
        """Both sides seal in the one that is named: it stands in two bits of a packet's first byte."""
        node = (self.host, self.port)
        for name, suite in [("aes-128-gcm", 1), ("chacha20-poly1305", 2)]:
            self.port = node[1]
            self.start_node()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as relay:
                relay.bind((self.host, 0))
                relay.settimeout(LIMIT_S)
                self.port = relay.getsockname()[1]
                process = subprocess.Popen(self.command("--suite", name, self.log("one", name + "\n")))
                sent, device = relay.recvfrom(2048)
                relay.sendto(sent, node)
                answer, _ = relay.recvfrom(2048)
                relay.sendto(answer, device)
                self.assertEqual((suite, suite), (sent[0] >> 2 & 3, answer[0] >> 2 & 3))
                while process.poll() is None:
                    relay.settimeout(0.1)
                    try:
                        data, source = relay.recvfrom(2048)
                        relay.sendto(data, device if source == node else node)
                    except TimeoutError:
                        continue
                self.assertEqual(0, process.returncode)
            self.stop_node()
        self.assertEqual(b"aes-128-gcm\nchacha20-poly1305\n", self.stored())

    def test_full_outbox(self):
        lines = b"".join(b"%d %s\n" % (i, b"x" * 1000) for i in range(40000))
        process = subprocess.Popen(self.command("--outbox-max", 16), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        threading.Thread(target=lambda: (process.stdin.write(lines), process.stdin.close())).start()
        self.assertIn(b"full", process.stderr.readline())
        self.start_node()
        self.assertEqual(0, process.wait(LIMIT_S))
        process.stderr.close()
        self.assertEqual(lines, self.stored())


if __name__ == "__main__":
    outcome = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules["__main__"]))
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
