"""Kills node and device with -9 while a log travels, starts them again at once, and compares what `tail` prints with
the log, byte for byte. A kill counts only if the victim had made progress since it was last started: the node had
stored records, the device had taken some from the log. KILLS=n kills each at least n times (10), with a log as long
as that needs; RATE and SEED change the pace and the order of the victims."""
import os
import random
import signal
import time

from lib import KEPT, LIMIT_S, Site, expect_same, folder, wait_for

DIR = folder()
KILLS = int(os.environ.get("KILLS", 10))
RATE = int(os.environ.get("RATE", 10000))
SEED = int(os.environ.get("SEED", time.time_ns() % 100000))
LINES_MAX = 200000 + 10000 * KILLS
random.seed(SEED)


class Run:
    """One log on its way, and its two victims."""

    def __init__(self, name, line_count, least):
        self.name = name
        self.least = least
        self.site = Site(DIR / name)
        self.log = self.site.dir / "log"
        self.line_count = 0
        self.lengthen(line_count)
        self.kills = {"node": 0, "device": 0}
        self.began = time.monotonic()
        self.node = self.site.serve()
        self.start_device()
        self.base = {"node": 0, "device": 0}

    def lengthen(self, line_count):
        with self.log.open("ab") as f:
            f.write(b"".join(b"%07d %s\n" % (self.line_count + i, b"a line of a log " * (i % 7))
                             for i in range(line_count)))
        self.line_count += line_count

    def start_device(self):
        said = open(self.site.dir / "device.err", "ab")
        self.device = self.site.start_send("--rate", RATE, "--resume", self.log, said=said)
        said.close()

    def progress(self, who):
        return self.site.stored() if who == "node" else self.site.given()

    def at_work(self):
        """The device runs, unless it ended because all is stored. On a slow machine that may be before all kills
        were done: then the log gets longer."""
        status = self.device.poll()
        if status == 0 and min(self.kills.values()) < self.least and self.line_count < LINES_MAX:
            self.lengthen(10000)
            self.start_device()
            return True
        if status in (None, 0, -signal.SIGKILL, KEPT):
            return status is None
        said = (self.site.dir / "device.err").read_text(errors="replace")
        raise AssertionError(f"{self.name}: the device ended with {status}: {said[-1000:]}")

    def wait_progress(self, who):
        """False when everything is stored before `who` made any."""
        def made():
            return not self.at_work() or self.progress(who) > self.base[who]
        wait_for(f"progress of the {who} after {self.kills} kills", made)
        return self.at_work()

    def kill(self, who, number):
        """Whether the victim was there to be killed; then it is started again."""
        if who == "node":
            status = self.node.kill(number)
            assert status == (0 if number == signal.SIGTERM else -number), f"node ended with {status}"
            self.node = self.site.serve(ready=False)
        else:
            self.device.send_signal(number)
            status = self.device.wait(LIMIT_S)
            if status == 0:
                return False
            assert status in (-number, KEPT), f"device ended with {status}"
            if random.random() < 0.3:
                time.sleep(random.random() / 10)
            self.start_device()
        self.note(who)
        return True

    def note(self, who):
        self.kills[who] += 1
        self.base[who] = self.progress(who)

    def kill_both(self):
        self.node.process.send_signal(signal.SIGKILL)
        self.device.send_signal(signal.SIGKILL)
        assert self.node.process.wait(LIMIT_S) == -signal.SIGKILL
        assert self.device.wait(LIMIT_S) == -signal.SIGKILL
        self.node = self.site.serve(ready=False)
        self.start_device()
        self.note("node")
        self.note("device")

    def finish(self):
        """Lets the rest arrive and judges."""
        while self.at_work():
            time.sleep(0.02)
        self.node.wait_ready()
        self.node.stop()
        took_s = time.monotonic() - self.began
        expect_same(self.log.read_bytes(), self.site.tail(), self.name)
        held = self.site.outbox_status()["outbox"]["held_records"]
        assert held == 0, f"{self.name}: {held} records are left in the outbox"
        print(f"{self.name}: {self.line_count} lines at {RATE}/s, node killed {self.kills['node']} times, device "
              f"{self.kills['device']} times, {took_s:.1f} s: every line once, in order, seed {SEED}", flush=True)
        assert min(self.kills.values()) >= self.least, f"{self.name}: fewer than {self.least} kills while at work"


def one_after_another(name, line_count, least, number):
    run = Run(name, line_count, least)
    while run.at_work():
        fewer = min(run.kills, key=run.kills.get)
        who = fewer if abs(run.kills["node"] - run.kills["device"]) > 1 else random.choice(["node", "device"])
        if not run.wait_progress(who):
            break
        time.sleep(random.random() / 50)
        run.kill(who, number)
    run.finish()


def both_at_once(name, line_count, least):
    run = Run(name, line_count, least)
    while run.at_work() and run.kills["node"] < least:
        if run.wait_progress("device") and run.wait_progress("node"):
            time.sleep(random.random() / 50)
            run.kill_both()
    run.finish()


one_after_another("kill -9", max(50000, 5000 * KILLS), KILLS, signal.SIGKILL)
both_at_once("kill -9 of both at once", 30000, 5)
one_after_another("SIGTERM", 30000, 3, signal.SIGTERM)
print("3 passed, 0 failed")
