# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`divcost profile`, on files that another implementation of the format wrote (divprof.py).

  test_profile.py COMMAND
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import unittest

import divprof

COMMAND = sys.argv.pop(1)


def run(*arguments):
    done = subprocess.run([COMMAND, "profile", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    return done.returncode, done.stdout, done.stderr


class Profile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.random = random.Random(7)

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def warps(self, count, most=40):
        return [[self.random.randint(0, most) for _ in range(self.random.randint(1, 32))]
                for _ in range(count)]

    def some(self, name, **names):
        loops = [divprof.loop_of(self.warps(5), **{"number": number, **names})
                 for number in range(3)]
        divprof.write(self.path(name), loops)
        return loops

    def test_show_prints_what_was_counted(self):
        divprof.write(self.path("a"), [divprof.loop_of(
            [[1, 2, 3, 6], [5, 5, 5, 5]], path="kernel:4:15", function="inner", line=12,
            kernel="_Z6kernelPi")], runs=3)
        status, out, err = run("show", self.path("a"))
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines(), [
            "1 loop, 3 runs",
            "/a.cu:12:3: loop 0 of inner, in _Z6kernelPi by kernel:4:15",
            "  entered by 2 warps with 8 lanes; 11 warp-iterations, 32 lane-iterations",
            "  trips: mean 4, standard deviation 1.658; least 1, median 5, 99% 6, most 6",
            "  SIMT efficiency 9.1%, imbalance 1.375, correlation of lanes 0.15"])

    def test_show_reports_claims_that_are_wrong(self):
        loop = divprof.loop_of([[1, 2]], level=2, parted=9)
        divprof.write(self.path("a"), [loop, {**loop, "number": 1, "level": 3}])
        out = run("show", self.path("a"))[1]
        self.assertEqual(out.count("WRONG"), 1)
        self.assertIn("WRONG: called warp-uniform, but 9 lanes left it with another", out)

    def test_json_has_every_bin(self):
        loop = divprof.loop_of([[1, 2, 3, 70000, 70001]])
        divprof.write(self.path("a"), [loop])
        status, out, _ = run("show", "--json", self.path("a"))
        shown = json.loads(out)["loops"][0]
        self.assertEqual(status, 0)
        self.assertEqual(shown["histogram"], [[1, 1, 1], [2, 1, 2], [3, 1, 3], [65536, 2, 140001]])
        self.assertEqual(shown["iterations"], 140007)
        self.assertEqual(shown["hash"], "0000000000000001")

    def with_blocks(self, name, **names):
        body = {"kernel": "_Z1kPi", "path": "", "function": "_Z1kPi", "hash": 7,
                "blocks": {0: (4, 128), 3: (4, 100), 9: (0, 0)}}
        kernel = {"symbol": "_Z1kPi", "more": 0, "launches": [((2, 1, 1), (64, 1, 1), 0, 1)]}
        divprof.write(self.path(name), [divprof.loop_of([], function="k", kernel="_Z1kPi")], bodies=[body],
                      kernels=[kernel], **names)

    def test_show_prints_blocks_and_launches(self):
        self.with_blocks("a")
        status, out, err = run("show", self.path("a"))
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines(), [
            "1 loop, 1 run",
            "_Z1kPi: 1 launch",
            "  grid 2x1x1, block 64x1x1: 1",
            "/a.cu:1:3: loop 0 of k, in _Z1kPi",
            "  never entered",
            "blocks of _Z1kPi",
            "  0: by 4 warps, 128 lanes, 32.0 each",
            "  3: by 4 warps, 100 lanes, 25.0 each",
            "  9: by 0 warps, 0 lanes"])
        shown = json.loads(run("show", "--json", self.path("a"))[1])
        self.assertEqual(shown["bodies"][0]["blocks"][1], {"number": 3, "warps": 4, "lanes": 100})
        self.assertEqual(shown["kernels"][0]["launches"],
                         [{"grid": [2, 1, 1], "block": [64, 1, 1], "shared": 0, "count": 1}])

    def test_blocks_and_launches_add_up(self):
        self.with_blocks("a")
        self.assertEqual(run("merge", "-o", self.path("out"), *3 * [self.path("a")]), (0, "", ""))
        _, runs, bodies, kernels = divprof.read_all(self.path("out"))
        self.assertEqual(runs, 3)
        self.assertEqual(bodies[0]["blocks"], {0: (12, 384), 3: (12, 300), 9: (0, 0)})
        self.assertEqual(kernels[0]["launches"], [((2, 1, 1), (64, 1, 1), 0, 3)])

    def test_profiles_of_version_1_are_read(self):
        loops = [divprof.loop_of(self.warps(5))]
        divprof.write(self.path("old"), loops, version=1)
        divprof.write(self.path("new"), loops)
        self.assertEqual(run("show", self.path("old")), run("show", self.path("new")))
        self.assertEqual(run("diff", self.path("old"), self.path("new")), (0, "no difference\n", ""))

    def test_merge_adds_up_in_any_order(self):
        names = ["a", "b", "c"]
        everything = [self.some(name, kernel="k" + str(k % 2)) for k, name in enumerate(names)]
        self.assertEqual(run("merge", "-o", self.path("1"), *map(self.path, names)), (0, "", ""))
        self.assertEqual(run("merge", *map(self.path, names[::-1]), "-o", self.path("2"))[0], 0)
        with open(self.path("1"), "rb") as one, open(self.path("2"), "rb") as two:
            self.assertEqual(one.read(), two.read())
        loops, runs = divprof.read(self.path("1"))
        self.assertEqual((runs, len(loops)), (3, 6))
        for name in ("entries", "warp_iterations", "pairs", "spread"):
            self.assertEqual(sum(loop[name] for loop in loops),
                             sum(loop[name] for loops in everything for loop in loops))

    def test_a_link_stays_and_what_is_no_file_is_written_to(self):
        self.some("whole")
        self.some("target")
        whole = self.path("whole")
        os.symlink("target", self.path("link"))
        self.assertEqual(run("merge", "-o", self.path("link"), whole)[0], 0)
        self.assertTrue(os.path.islink(self.path("link")))
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE)
        self.assertEqual(run("merge", "-o", self.path("pipe"), whole)[0], 0)
        with open(self.path("link"), "rb") as file:
            self.assertEqual(reader.communicate()[0], file.read())

    def test_merge_refuses_a_broken_file_and_merges_the_others(self):
        self.some("a")
        self.some("b")
        with open(self.path("a"), "rb") as file:
            content = file.read()
        with open(self.path("cut"), "wb") as file:
            file.write(content[:77])
        with open(self.path("flipped"), "wb") as file:
            file.write(content[:60] + bytes([content[60] ^ 1]) + content[61:])
        status, _, err = run("merge", "-o", self.path("out"), *map(
            self.path, ["a", "cut", "flipped", "none", "b"]))
        self.assertEqual(status, 1)
        self.assertIn("cut: byte 77: cut off: the file should have %d bytes" % len(content), err)
        self.assertIn("flipped: byte 40: the checksum of a record is wrong", err)
        self.assertIn("none: cannot read: No such file or directory", err)
        self.assertEqual(divprof.read(self.path("out"))[1], 2)

    def test_counts_that_cannot_be_are_refused(self):
        """The checksums are right; the sums would be a mean of -9.2e18 trips."""
        loop = divprof.loop_of([[5, 70000]], function="walk", file="/b.cu", line=7)
        loop["sums"][divprof.bin_of(70000)] = 2**64 - 1
        divprof.write(self.path("a"), [loop])
        for arguments in (["show", self.path("a")], ["show", "--json", self.path("a")],
                          ["merge", "-o", self.path("b"), self.path("a")],
                          ["diff", self.path("a"), self.path("a")]):
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (1, ""))
            self.assertIn("a: byte 49: the loop at /b.cu:7 in 'walk': 1 lanes of 65536 to 81919 "
                          "trips can't have a sum of 18446744073709551615; record it anew", err)

    def test_efficiency_is_at_most_1(self):
        loop = divprof.loop_of([[100] * 32])
        divprof.write(self.path("good"), [loop])
        self.assertIn("SIMT efficiency 100.0%", run("show", self.path("good"))[1])
        loop["warp_iterations"] = 99
        divprof.write(self.path("a"), [loop])
        status, out, err = run("show", self.path("a"))
        self.assertEqual((status, out), (1, ""))
        self.assertIn("99 iterations of warps can't be 3200 of lanes", err)

    def test_merge_says_which_file_is_too_much(self):
        loop = divprof.loop_of([[0]])
        loop["lanes"][0] = loop["entries"] = 2**63
        for name in "ab":
            divprof.write(self.path(name), [loop])
        status, _, err = run("merge", "-o", self.path("out"), self.path("a"), self.path("b"))
        self.assertEqual(status, 1)
        self.assertIn("b: the counts of the loop at /a.cu:1 in 'kernel' add up to more than 2^64",
                      err)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_thousands_of_files_take_the_memory_of_one(self):
        self.some("a")
        names = [self.path("a")] * 5000
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
        usable = subprocess.run([COMMAND, "--version"], preexec_fn=limit, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL).returncode == 0 # not with sanitizers
        status = subprocess.run([COMMAND, "profile", "merge", "-o", self.path("out"), *names],
                                preexec_fn=limit if usable else None).returncode
        self.assertEqual(status, 0)
        self.assertEqual(divprof.read(self.path("out"))[1], 5000)

    def test_diff_shows_what_changed(self):
        narrow, wide = [[4] * 32] * 10, [[1] * 16 + [7] * 16] * 10
        divprof.write(self.path("a"), [divprof.loop_of(narrow), divprof.loop_of(narrow, number=1)])
        divprof.write(self.path("b"), [divprof.loop_of(wide), divprof.loop_of(narrow, number=1),
                                       divprof.loop_of(narrow, number=2)])
        self.assertEqual(run("diff", self.path("a"), self.path("a")), (0, "no difference\n", ""))
        status, out, _ = run("diff", self.path("a"), self.path("b"))
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines(), [
            "/a.cu:1:3: loop 0 of kernel",
            "  mean trips 4 -> 4, efficiency 100.0% -> 57.1%, 100.0% of the entries moved",
            "/a.cu:1:3: loop 2 of kernel",
            "  in the second file alone"])

    def test_diff_names_functions_that_changed(self):
        divprof.write(self.path("a"), [divprof.loop_of([[4, 4]])])
        divprof.write(self.path("b"), [divprof.loop_of([[4, 4]], hash=2)])
        self.assertIn("the function's text is another one", run("diff", self.path("a"),
                                                                self.path("b"))[1])

    def test_wrong_usage_is_said(self):
        for arguments in ([], ["frob"], ["show"], ["show", "a", "b"], ["merge", "a"],
                          ["merge", "-o", "x"], ["merge", "-x", "a"], ["diff", "a"]):
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("divcost: ", err)
        self.assertEqual(run("show", self.path("none"))[0], 1)
        self.assertIn("usage: divcost profile show", run("--help")[1])


if __name__ == "__main__":
    unittest.main()
