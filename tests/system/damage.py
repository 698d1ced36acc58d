"""Files that come back from a power cut or a bad disk as zeros, empty, halved or not at all, and disks that are full.
What was stored or kept before is either all there, or the start ends with one line that names the file; nothing is
lost in silence, and what was damaged is left as it was for whoever can mend it."""
import os
import shutil
import subprocess
import time
import unittest

from lib import FAILED, KEPT, Site, expect_same, folder, lines, run, run_tests, wait_for

DIR = folder()
DAMAGES = {
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "emptied": lambda path: path.write_bytes(b""),
    "halved": lambda path: os.truncate(path, path.stat().st_size // 2),
    "removed": lambda path: path.unlink(),
    "last page cut": lambda path: os.truncate(path, max(path.stat().st_size - 100, 0)),
    "first page zeroed": lambda path: path.write_bytes(bytes(min(4096, path.stat().st_size)) + path.read_bytes()[4096:]),
}


class DamageTest(unittest.TestCase):
    def each(self, template, part):
        """A copy of the folder for each file of its part and each damage."""
        for name in sorted(p.name for p in (template.dir / part).iterdir()):
            for what, damage in DAMAGES.items():
                with self.subTest(f"{name} {what}"):
                    copy = Site(DIR / self.id().split(".")[-1] / f"{name} {what}".replace(" ", "-"))
                    for path in template.dir.iterdir():
                        if path.is_dir():
                            shutil.copytree(path, copy.dir / path.name)
                        else:
                            shutil.copy(path, copy.dir)
                    copy.node_key = template.node_key
                    victim = copy.dir / part / name
                    damage(victim)
                    yield copy, victim

    def expect_refusal(self, process_status, said, victim, before):
        """One line that names the damaged file; the file as it was."""
        self.assertIn(process_status, (FAILED,), said)
        self.assertEqual(1, said.count("\n"), said)
        self.assertIn(str(victim), said)
        self.assertEqual(before, victim.read_bytes() if victim.exists() else None)

    def test_store(self):
        template = Site(DIR / "store-template")
        node = template.serve()
        template.send(input=lines(2000, 50))
        template.send(input=lines(10), stream="other")
        node.stop()
        text = template.tail()
        outcomes = {"refused": 0, "whole": 0}
        for site, victim in self.each(template, "store"):
            before = victim.read_bytes() if victim.exists() else None
            seen = run("tail", "--store", site.store)
            self.assertTrue(seen.stdout == text if seen.returncode == 0 else str(victim) in seen.stderr.decode(),
                            seen.stderr)
            node = site.serve(ready=False)
            wait_for("start or end", lambda: ": ready" in node.said() or node.process.poll() is not None)
            if node.process.poll() is not None:
                self.expect_refusal(node.process.returncode, node.said(), victim, before)
                outcomes["refused"] += 1
                continue
            site.send(input=b"new\n")
            expect_same(text + b"new\n", site.tail(), victim.name)
            node.stop()
            outcomes["whole"] += 1
        print(outcomes, end=" ")
        self.assertTrue(all(outcomes.values()), outcomes)

    def test_outbox(self):
        """What an outbox keeps arrives, or send says what is damaged; what was stored before is not stored again."""
        template = Site(DIR / "outbox-template")
        node = template.serve()
        template.send(input=lines(100))
        node.stop()
        template.send("--timeout", 0, input=lines(1000, 50), status=KEPT)
        expected = lines(100) + lines(1000, 50)
        outcomes = {"refused": 0, "whole": 0}
        for site, victim in self.each(template, "sensor.box"):
            node = site.serve()
            before = victim.read_bytes() if victim.exists() else None
            result = run(*site.send_options(), input=b"new\n")
            if result.returncode == 0:
                expect_same(expected + b"new\n", site.tail(), victim.name)
                outcomes["whole"] += 1
            else:
                self.expect_refusal(result.returncode, result.stderr.decode(), victim, before)
                self.assertEqual(lines(100), site.tail())
                outcomes["refused"] += 1
            node.stop()
        print(outcomes, end=" ")
        self.assertTrue(all(outcomes.values()), outcomes)


def can_mount():
    if os.geteuid() != 0:
        return False
    probe = DIR / "probe"
    probe.mkdir()
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", probe], capture_output=True).returncode == 0 \
        and subprocess.run(["umount", probe]).returncode == 0


@unittest.skipUnless(can_mount(), "needs root to mount a small file system")
class FullDiskTest(unittest.TestCase):
    def setUp(self):
        self.site = Site(DIR / self.id().split(".")[-1])

    def mount(self, path, size_mib):
        path.mkdir()
        path.chmod(0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mib}m,mode=0700", "tmpfs", path], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", path])

    def fill(self, path, leave_mib):
        with open(path / "filler", "wb") as f:
            space = os.statvfs(path)
            left = space.f_bavail * space.f_frsize - (leave_mib << 20)
            while left > 0:
                left -= f.write(bytes(min(left, 1 << 20)))

    def store_full(self):
        node = self.site.status()["node"]
        return node and node["store_full"] == 1

    def test_full_store(self):
        """The node says 'store full', the sender keeps; with space again all goes on by itself, four times."""
        self.mount(self.site.store, 64)
        node = self.site.serve()
        expected = b""
        for turn in range(4):
            text = lines(500, turn)
            expected += text
            self.fill(self.site.store, 0 if turn % 2 else 8)
            said = self.site.send("--timeout", 2, input=text, status=KEPT)
            self.assertRegex(said, "(?i)store.full")
            wait_for(f"store full in status, turn {turn}", self.store_full, 20)
            waiting = self.site.start_send()
            time.sleep(0.3)
            (self.site.store / "filler").unlink()
            self.assertEqual(0, waiting.wait(90))
            wait_for("no store full in status", lambda: not self.store_full())
            expect_same(expected, self.site.tail(), f"turn {turn}")
        print(said.strip(), end="; ")
        node.stop()

    def test_full_outbox_disk(self):
        """A full disk under the outbox: send says so and keeps its place; with space again the log goes on."""
        self.mount(self.site.dir / "sensor.box", 32)
        self.site.serve()
        log = self.site.dir / "log"
        log.write_bytes(lines(2000, 50))
        self.site.send("--resume", log)
        self.fill(self.site.dir / "sensor.box", 0)
        with log.open("ab") as f:
            f.write(lines(3000, 50))
        result = run(*self.site.send_options("--resume", log, "--timeout", 2))
        self.assertIn(result.returncode, (FAILED, KEPT), result.stderr)
        self.assertIn(b"sensor.box", result.stderr)
        print(result.stderr.decode().strip(), end="; ")
        (self.site.dir / "sensor.box" / "filler").unlink()
        self.site.send("--resume", log)
        expect_same(log.read_bytes(), self.site.tail(), "log")

    def test_start_on_a_full_disk(self):
        """A node that cannot make its store says why; with space it starts."""
        self.mount(self.site.store, 1)
        self.fill(self.site.store, 0)
        result = run("serve", *self.site.serve_options(), timeout=10)
        self.assertEqual(FAILED, result.returncode, result.stderr)
        self.assertIn(str(self.site.store), result.stderr.decode())
        print(result.stderr.decode().strip(), end="; ")
        (self.site.store / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", self.site.store], check=True)
        self.site.serve()
        self.site.send(input=b"x\n")


run_tests()
