#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_object_file.py DIVCOST SAMPLES CC: `divcost report` on object files and libraries, with reports
from the folder SAMPLES put into them by objcopy; whole ones, and damaged ones."""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

DIVCOST, SAMPLES = map(os.path.abspath, sys.argv[1:3])
CC = sys.argv[3]


def section(*reports):
    return b"".join(b"divcost\0" + struct.pack("<IQ", 1, len(report)) + report for report in reports)


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **options)


class ObjectFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SAMPLES, "sample.json"), "rb") as file:
            cls.report = file.read()
        cls.other = cls.report.replace(b"sparse.cu", b"padded.cu").replace(b"_Z", b"_Y")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        done = run(CC, "-x", "c", "-c", "-", "-o", self.path("plain.o"), input=b"typedef int plain;\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def make(self, name, content):
        """An object with that section."""
        done = run("objcopy", "--add-section", ".divcost=" + self.write("section", content),
                   "--set-section-flags", ".divcost=exclude,readonly", self.path("plain.o"),
                   self.path(name))
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def shown(self, *paths):
        done = run(DIVCOST, "report", "--json", *paths)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def refused(self, path, words):
        done = run(DIVCOST, "report", path)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr.decode(), "divcost: %s\n" % words)

    def test_an_object_is_as_good_as_its_report(self):
        expected = self.shown(self.write("unit.json", self.report))
        self.assertEqual(self.shown(self.make("unit.o", section(self.report))), expected)
        with open(self.path("unit.o"), "rb") as stream: # any name, and standard input
            done = run(DIVCOST, "report", "--json", "/dev/stdin", stdin=stream)
        self.assertEqual(done.stdout, expected)

    def test_several_reports_in_one_object_or_library(self):
        both = self.shown(self.write("1.json", self.report), self.write("2.json", self.other))
        self.assertEqual(self.shown(self.make("both.o", section(self.report) + b"\0\0\0" +
                                              section(self.other))), both)
        one, two = self.make("one.o", section(self.report)), self.make("two.o", section(self.other))
        run("ar", "rc", self.path("all.a"), one, self.path("plain.o"), two)
        self.assertEqual(self.shown(self.path("all.a")), both)
        run("ld", "-r", one, two, "-o", self.path("linked.o"))
        self.assertEqual(self.shown(self.path("linked.o")), both)

    def test_what_has_no_report_is_an_error_that_says_what_to_do(self):
        plain = self.path("plain.o")
        self.refused(plain, plain + ": no report is in it; compile with -fplugin-arg-divcost-embed")
        run("ar", "rc", self.path("plain.a"), plain)
        self.refused(self.path("plain.a"), self.path("plain.a") +
                     ": no report is in it; compile with -fplugin-arg-divcost-embed")
        program = self.path("program")
        shutil.copy(sys.executable, program)
        self.refused(program, program + ": no report is in it: linkers leave reports out of what they "
                     "link; give the object files")
        run("ar", "rcT", self.path("thin.a"), plain)
        self.refused(self.path("thin.a"), self.path("thin.a") +
                     ": a thin library has no objects in it; give the object files themselves")
        bitcode = self.write("bitcode.o", b"BC\xc0\xde and so on")
        self.refused(bitcode, bitcode + ": this is LLVM's bitcode, of a compilation for link-time "
                     "optimisation; add -ffat-lto-objects, write reports to files, or give the object "
                     "files themselves")

    def test_damaged_sections_are_errors(self):
        cut = self.make("cut.o", section(self.report)[:-1])
        self.refused(cut, cut + ": section .divcost is cut off: a report of %d bytes begins at byte 0 of %d"
                     % (len(self.report), len(section(self.report)) - 1))
        noise = self.make("noise.o", b"something else, of somebody else")
        self.refused(noise, noise + ": byte 0 of section .divcost begins no report")
        empty = self.make("empty.o", section(b""))
        self.refused(empty, empty + ": the report is empty")
        one = self.make("one.o", section(self.report, b"{}"))
        run("ar", "rc", self.path("all.a"), one)
        done = run(DIVCOST, "report", self.path("all.a"))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertTrue(done.stderr.decode().startswith("divcost: %s(one.o): " % self.path("all.a")))

    def library(self, *members):
        """A library of (name as ar pads it, bytes), as ar writes it."""
        return b"!<arch>\n" + b"".join(
            b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, 0, 0, 0, 0o644, len(content)) + content +
            b"\n" * (len(content) % 2) for name, content in members)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def cuts(self, whole):
        step = max(1, len(whole) // 150)
        return sorted({*range(1, len(whole), step), *range(len(whole) - 70, len(whole)), 8, 67, 68, 69})

    def test_what_is_cut_off_anywhere_is_refused(self):
        one, two = self.make("one.o", section(self.report)), self.make("two.o", section(self.other))
        run("ar", "rc", self.path("all.a"), one, self.path("plain.o"), two)
        for name in ("one.o", "all.a"):
            whole = self.read(name)
            for length in self.cuts(whole):
                path = self.write("cut", whole[:length])
                done = run(DIVCOST, "report", "--json", "--fail-on", "imbalance=32", path)
                self.assertEqual((done.returncode, done.stdout), (1, b""), (name, length, len(whole)))
                self.assertTrue(done.stderr.startswith(b"divcost: %s" % path.encode()), done.stderr)
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                if length > 68 or name == "one.o" and length > 3:
                    self.assertIn(b" is cut off: ", done.stderr)

    def test_a_library_that_ends_early_says_in_which_member_and_where(self):
        one, two = self.read(self.make("one.o", section(self.report))), b"\177ELF" + bytes(95)
        path = self.path("cut")
        whole = self.library((b"one.o/", one), (b"two.o/", two))
        at = len(whole) - len(two) - len(two) % 2 - 60
        self.write("cut", whole[:-1]) # the byte of padding alone
        self.refused(path, "%s: the library is cut off: the member 'two.o' at byte %d goes to byte %d, "
                     "but the file ends at byte %d" % (path, at, len(whole), len(whole) - 1))
        self.write("cut", whole[:at + 59])
        self.refused(path, "%s: the library is cut off: at byte %d begins a member, whose header has 60 "
                     "bytes, but the file ends at byte %d" % (path, at, at + 59))
        self.write("cut", whole[:at + 48] + b"many      " + whole[at + 58:])
        self.refused(path, "%s: the library is damaged: the member 'two.o' at byte %d has a size that is "
                     "no number" % (path, at))
        self.write("cut", whole[:at + 48] + b"9999999999" + whole[at + 58:])
        self.refused(path, "%s: the library is cut off: the member 'two.o' at byte %d goes to byte %d, "
                     "but the file ends at byte %d" % (path, at, at + 60 + 10**10, len(whole)))
        self.write("cut", whole[:at + 58] + b"\n`" + whole[at + 60:])
        self.refused(path, "%s: the library is damaged: at byte %d is no header of a member" % (path, at))

    def test_an_object_that_ends_early_says_so(self):
        whole = self.read(self.make("one.o", section(self.report)))
        path = self.write("cut.o", whole[:-1])
        self.refused(path, "%s: the object is cut off: the table of its sections goes to byte %d, but it "
                     "ends at byte %d" % (path, len(whole), len(whole) - 1))
        path = self.write("cut.a", self.library((b"cut.o/", whole[:-1])))
        self.refused(path, "%s(cut.o): the object is cut off: the table of its sections goes to byte %d, "
                     "but it ends at byte %d" % (path, len(whole), len(whole) - 1))

    def test_members_that_cannot_be_looked_into_are_named(self):
        one = self.read(self.make("one.o", section(self.report)))
        for name, content, words in (
                (b"in.a/", self.library((b"one.o/", one)), "is a library inside the library"),
                (b"empty.o/", b"", "is an empty member"),
                (b"text/", b"hello", "is something that is no object file")):
            path = self.write("all.a", self.library((b"one.o/", one), (name, content)))
            done = run(DIVCOST, "report", path)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertTrue(done.stderr.decode().startswith("divcost: %s(%s): at byte %d %s" % (
                path, name.decode()[:-1], len(self.library((b"one.o/", one))), words)), done.stderr)
        path = self.write("all.a", self.library((b"one.o/", one), (b"lto.o/", b"BC\xc0\xde....")))
        done = run(DIVCOST, "report", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("(lto.o): this is LLVM's bitcode", done.stderr.decode())

    def test_names_of_every_kind(self):
        """Which of them is meant is told by an error in the member."""
        bad = self.read(self.make("bad.o", b"noise"))
        long = b"a_rather_long_name_of_an_object.o"
        for name, members in (
                ("short.o", [(b"short.o/", bad)]),
                ("bsd.o", [(b"bsd.o", bad)]),
                (long.decode(), [(b"/", b"\0\0\0\0"), (b"//", long + b"/\nother.o/\n"), (b"/0", bad)]),
                ("other.o", [(b"/SYM64/", bytes(8)), (b"//", long + b"/\nother.o/\n"), (b"/35", bad)]),
                ("blanks in it.o", [(b"__.SYMDEF SORTED", bytes(8)),
                                    (b"#1/20", b"blanks in it.o".ljust(20, b"\0") + bad)]),
                ("x.o", [(b"#1/20", b"__.SYMDEF".ljust(20, b"\0") + b"1234567"), (b"x.o/", bad)])):
            path = self.write("names.a", self.library(*members))
            self.refused(path, "%s(%s): byte 0 of section .divcost begins no report" % (path, name))
        for member in ((b"/7", bad), (b"/x", bad)):
            path = self.write("names.a", self.library(member))
            self.refused(path, "%s: the member at byte 8 has the name '%s', which is in no table of names "
                         "before it" % (path, member[0].decode()))

    def test_damaged_files_crash_nothing(self):
        run("ar", "rc", self.path("all.a"), self.make("one.o", section(self.report)))
        choose = random.Random(7)
        for name in ("one.o", "all.a"):
            whole = self.read(name)
            interesting = list(range(64)) + list(range(len(whole) - 1200, len(whole)))
            for round in range(60):
                damaged = bytearray(whole)
                for _ in range(choose.randint(1, 8)):
                    damaged[choose.choice(interesting)] = choose.randrange(256)
                if round % 3 == 0:
                    del damaged[choose.randrange(len(damaged)):]
                done = run(DIVCOST, "report", "--json", self.write("damaged", bytes(damaged)))
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertEqual(done.returncode == 1, done.stderr.startswith(b"divcost: "))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
