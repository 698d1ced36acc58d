"""What serve deletes by --keep-bytes: status and tail say which positions are gone, and what was deleted is not stored
again when it is sent again."""
import shutil
import time
import unittest

from lib import KEPT, USAGE, Site, expect_same, folder, lines, run, run_tests, wait_for

DIR = folder()
RECORDS, WIDTH = 30000, 100


class RetentionTest(unittest.TestCase):
    def setUp(self):
        self.site = Site(DIR / self.id().split(".")[-1])

    def store(self):
        return self.site.status()["store"]

    def trimmed(self):
        """The first position there is, once retention has come to rest."""
        first = -1
        while first != self.store()["first_position"] or first == 0:
            first = self.store()["first_position"]
            time.sleep(0.5)
        return first

    def test_trim_and_send_again(self):
        self.site.send("--timeout", 0, input=lines(RECORDS, WIDTH), status=KEPT)
        copy = self.site.dir / "copy.box"
        shutil.copytree(self.site.dir / "sensor.box", copy)
        node = self.site.serve("--keep-bytes", "1M")
        self.site.send()
        wait_for("trimmed store", lambda: self.store()["first_position"] > 0)
        first = self.trimmed()
        status = self.site.status()
        self.assertEqual(1 << 20, status["node"]["keep_bytes"])
        self.assertEqual(RECORDS, status["store"]["end_position"])
        self.assertEqual((RECORDS, RECORDS), (status["streams"][0]["heard"], status["streams"][0]["stored"]))
        self.expect_shown(first)

        self.site.send(outbox=copy)
        self.assertEqual(status["streams"], self.site.status()["streams"])
        self.assertEqual(RECORDS, self.store()["end_position"], "nothing was stored again")
        node.stop()
        node = self.site.serve()
        self.site.send(input=b"more\n", outbox=copy)
        self.assertEqual(RECORDS + 1, self.store()["end_position"])
        self.assertEqual(first, self.store()["first_position"])
        node.stop()

    def expect_shown(self, first):
        """What is left is the end, about as much as was asked for, and who asks for more is told."""
        left = b"".join(lines(RECORDS, WIDTH).splitlines(keepends=True)[first:])
        self.assertGreater(len(left), 600000)
        self.assertLess(len(left), 1 << 20)
        expect_same(left, self.site.tail(), "what is left")
        old = run("tail", "--store", self.site.store, "--from", 7)
        self.assertEqual(0, old.returncode)
        expect_same(left, old.stdout, "from a trimmed position")
        self.assertIn(f"positions 7 to {first - 1} are not there any more", old.stderr.decode())
        text = run("status", "--store", self.site.store).stdout.decode()
        self.assertIn(f"trimmed       positions 0 to {first - 1}", text)
        self.assertIn("keeps         1048576 bytes", text)

    def test_wrong_sizes(self):
        for option, value in [("--keep-bytes", v) for v in ("1", "1023K", "x", "1X", "1MB", "-1M", "", "17000000T")] + \
                             [("--keep-days", v) for v in ("x", "-1", "1.5", "36501")]:
            wrong = run("serve", *self.site.serve_options(option, value))
            said = wrong.stderr.decode()
            self.assertEqual((USAGE, 1), (wrong.returncode, said.count("\n")), f"{option} {value}: {said}")
            self.assertIn("keep", said)
            self.assertFalse(self.site.store.exists())

    def test_zero_keeps_all(self):
        node = self.site.serve("--keep-bytes", "0", "--keep-days", "0")
        self.site.send(input=lines(RECORDS, WIDTH))
        time.sleep(1.5)
        self.assertEqual(0, self.store()["first_position"])
        self.assertNotIn("trimmed", run("status", "--store", self.site.store).stdout.decode())
        node.stop()


if __name__ == "__main__":
    run_tests()
