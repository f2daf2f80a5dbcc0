# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that users name and that aren't what the command takes them for: pipes without a writer,
devices without an end, texts with a zero byte, files named by mistake. Every one is refused, with
its name, soon, and without what stands in it; what comes through a pipe on purpose is read.

  test_inputs.py COMMAND SAMPLES LISTINGS
"""
import os
import subprocess
import sys
import tempfile
import unittest

COMMAND, SAMPLES, LISTINGS = sys.argv[1:]
del sys.argv[1:]
REPORT = os.path.join(SAMPLES, "sample.json")
PLAIN = "it is no plain file"
LONG = "it has more than 64 MiB, the most that is read"


def run(*arguments, **options):
    return subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=100, **options)


class Inputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.mkfifo(self.path("pipe"))

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def refused(self, words, *arguments, **options):
        done = run(*arguments, **options)
        self.assertIn(done.returncode, (1, 2), (arguments, done.stderr)) # a failure, or wrong usage
        self.assertEqual(done.stdout, b"")
        self.assertIn(words, done.stderr.decode())
        return done.stderr.decode()

    def test_a_pipe_without_a_writer_ends(self):
        pipe = self.path("pipe")
        os.symlink("pipe", self.path("arch.json"))
        self.refused("pipe': " + PLAIN, "model", 'histogram("%s")' % pipe)
        self.refused("arch.json': " + PLAIN, "emulate", os.path.join(LISTINGS, "single_loop.sass"),
                     "--arch", self.path("arch.json"))
        self.refused("pipe: cannot read: " + PLAIN, "profile", "show", pipe)
        waiting = [subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
                   for arguments in (["report", pipe], ["report", "@" + pipe], ["emulate", pipe],
                                     ["diff", REPORT, pipe], ["what-if", pipe, "--block", "64"],
                                     ["report", REPORT, "--baseline", pipe,
                                      "--fail-on", "any"])] # all at once: each waits for seconds
        for process in waiting:
            out, err = process.communicate(timeout=100)
            self.assertEqual((process.returncode, out), (1, b""), (process.args, err))
            self.assertIn(b"pipe: nobody writes to this pipe", err)

    def test_what_has_no_end_ends(self):
        self.refused("/dev/zero': " + PLAIN, "model", 'histogram("/dev/zero")')
        self.refused("/dev/zero: line 1, column 1: ", "report", "/dev/zero")
        self.refused("/dev/zero: " + LONG, "emulate", "/dev/zero")
        self.refused("/dev/zero: " + LONG, "report", "@/dev/zero")
        with open("/dev/zero") as zero:
            self.refused("standard input: " + LONG, "report", "@-", stdin=zero)

    def test_large_texts_take_no_memory(self):
        """A file of 4 GiB that takes no room on the disk."""
        for name in ("large", "large.json"):
            with open(self.path(name), "wb") as file:
                file.truncate(1 << 32)
        self.refused(LONG, "model", 'histogram("%s")' % self.path("large"))
        self.refused(LONG, "emulate", self.path("large"))
        self.refused("cannot read: it has more than 1024 MiB", "profile", "show", self.path("large"))

    def test_pipes_on_purpose_are_read(self):
        with open(REPORT, "rb") as file:
            text = file.read()
        wanted = run("report", REPORT).stdout
        for name in ("/dev/stdin", "/proc/self/fd/0"):
            done = run("report", name, input=text)
            self.assertEqual((done.returncode, done.stdout), (0, wanted), done.stderr)
        self.assertEqual(run("report", "@-", input=REPORT.encode()).stdout, wanted)
        self.assertEqual(run("report", "@/dev/stdin", input=REPORT.encode()).stdout, wanted)
        done = subprocess.run(["bash", "-c", '"$0" report <(sleep 0.3; cat "$1")', COMMAND, REPORT],
                              stdout=subprocess.PIPE)
        self.assertEqual(done.stdout, wanted)
        reader = subprocess.Popen([COMMAND, "report", self.path("pipe")], stdout=subprocess.PIPE)
        with open(self.path("pipe"), "wb") as pipe: # after who reads it
            pipe.write(text)
        self.assertEqual(reader.communicate(timeout=100)[0], wanted)
        with open(os.path.join(LISTINGS, "single_loop.sass"), "rb") as file:
            self.assertEqual(run("emulate", "/dev/stdin", input=file.read()).returncode, 0)

    def test_a_zero_byte_does_not_end_a_text(self):
        listing = self.write("a.sass", b"EXIT\nNOP\0 and what comes then\n")
        self.refused("a.sass: line 2, column 4: a zero byte", "emulate", listing)
        reports = self.write("list", REPORT.encode() + b"\n" + REPORT.encode() + b"\0.old\n")
        self.refused("list: line 2, column %d: a zero byte" % (len(REPORT) + 1), "report",
                     "@" + reports)
        counts = self.write("counts", b"3 10\n5\0 7\n")
        self.refused("line 2: ", "model", 'histogram("%s")' % counts)

    def test_errors_do_not_quote_the_file(self):
        for text in (b"secret", b"{secret}", b'{"a": "secret\n', b"[secret", b'{"a": 1 "secret"}',
                     b"S2R R1,\nsecret\n", b"MOV R1, \nsecret\n"):
            path = self.write("a.json", text)
            errors = [self.refused("a.json: line", "report", path),
                      self.refused("a.json: line", "report", REPORT, "--fail-on", "any",
                                   "--baseline", path),
                      self.refused("line", "emulate", os.path.join(LISTINGS, "single_loop.sass"),
                                   "--arch", path)]
            if not text.startswith(b"secret"): # of assembly, a word that is none is named
                errors.append(self.refused("a.sass: line", "emulate", self.write("a.sass", text)))
            for error in errors:
                self.assertNotIn("secret", error, text)


if __name__ == "__main__":
    unittest.main()
