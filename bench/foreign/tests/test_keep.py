#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""keep.py on made-up CSV of ncu; and programs.ini has a program for each drawn kernel."""
import os
import sys
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import keep
import launches
import programs

HEAD = ('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",'
        '"Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit",'
        '"Metric Value"')


def line(launch, kernel, metric, value, unit="inst", grid="(10, 1, 1)", block="(128, 1, 1)"):
    return ",".join('"%s"' % cell for cell in (
        launch, 77, "a", "127.0.0.1", kernel, 1, 7, block, grid, 0, "9.0", "Command line profiler",
        metric, unit, value))


def csv_of(*lines):
    return "\n".join(("==PROF== Connected to process 77", HEAD) + lines) + "\n"


def launch(number, kernel, inst, thread_inst, **other):
    return [line(number, kernel, "smsp__inst_executed.sum", inst, **other),
            line(number, kernel, "smsp__thread_inst_executed.sum", thread_inst, **other),
            line(number, kernel, "gpu__time_duration.sum", "2,000",
                 **dict(other, unit="nsecond"))]


def drawn(kernel, file="a.cu"):
    return {"half": "open", "repository": "someone/r", "file": file, "kernel": kernel,
            "program": "a.cu", "commit": "-"}


def program(*rows):
    return types.SimpleNamespace(name="a_1.5", rows=list(rows), dropped="")


class Keep(unittest.TestCase):
    def row(self, row, text, of=None):
        return keep.row_of(row, of or program(row), keep.launches_in(text),
                           [{"program": "a_1.5", "phase": "plain", "status": "exit 1"}])

    def test_sums_of_launches(self):
        row = self.row(drawn("walk"), csv_of(
            *launch(0, "void space::walk<int, 4>(const int *, int)", "1,000", "32,000"),
            *launch(1, "void space::walk<int, 4>(const int *, int)", "1,000", "8,000",
                    grid="(20, 2, 1)", block="(64, 2, 1)"),
            *launch(2, "walker(int)", "5", "5")))
        self.assertEqual((row["dropped"], row["launches"], row["inst"]), ("-", "2", "2000"))
        self.assertEqual((row["efficiency"], row["lowest"], row["highest"]),
                         ("0.6250", "0.2500", "1.0000"))
        self.assertEqual((row["grid"], row["block"]), ("20x2x1", "128x1x1 64x2x1"))
        self.assertEqual(row["time_us"], "4.0")

    def test_late_launches_stand_for_others(self):
        lines = [line for number in range(launches.STRATA[1][0] + 1)
                 for line in launch(number, "walk(int)", "10", "320" if number < 300 else "160")]
        row = self.row(drawn("walk"), csv_of(*lines))
        self.assertEqual((row["launches"], row["stand_for"], row["inst"]), ("302", "320", "3200"))
        self.assertEqual(row["efficiency"], "%.4f" % ((300 * 320 + 20 * 160) / 320 / 320))

    def test_each_stands_for_those_around_it(self):
        for (first, step), (after, _) in zip(launches.STRATA, launches.STRATA[1:] + ((launches.END, 0),)):
            own = [number for number in launches.MEASURED if first <= number < after]
            self.assertEqual(len(own) * step, after - first)
            self.assertEqual({launches.weight(launches.MEASURED.index(number)) for number in own}, {step})

    def test_units(self):
        text = csv_of(line(0, "walk(int)", "smsp__inst_executed.sum", "1"),
                      line(0, "walk(int)", "smsp__thread_inst_executed.sum", "1"),
                      line(0, "walk(int)", "gpu__time_duration.sum", "1.5", unit="ms"))
        self.assertEqual(self.row(drawn("walk"), text)["time_us"], "1500.0")

    def test_names(self):
        for name, names in (("walk(int)", ["walk"]), ("void walk<(bool)1>(int *)", ["walk"]),
                            ("void a::b::walk<std::less<int>>(T1)", ["a", "b", "walk"]),
                            ("(anonymous namespace)::walk(int)", ["anonymous", "walk"])):
            self.assertEqual(keep.names_in(name), names)

    def test_namespace_tells_two_apart(self):
        rows = [drawn("walk", "src/walk_v0.cu"), drawn("walk", "src/walk_v4.cu")]
        text = csv_of(*launch(0, "v0::walk(int)", "10", "320"),
                      *launch(1, "v4::walk(int)", "20", "320"))
        self.assertEqual([self.row(row, text, program(*rows))["inst"] for row in rows],
                         ["10", "20"])

    def test_why_it_dropped_out(self):
        self.assertEqual(self.row(drawn("walk"), "")["dropped"], "not launched; plain exit 1")
        self.assertEqual(keep.row_of(drawn("walk"), program(), [], [])["dropped"], "not built")

    def test_cut_off(self):
        text = csv_of(*launch(0, "walk(int)", "10", "320"))[:-5] + '\n"1","77","a'
        self.assertEqual(self.row(drawn("walk"), text)["launches"], "1")

    def test_files_of_a_program(self):
        row = drawn("walk")
        old = programs.drawn
        programs.drawn = lambda: [row]
        self.addCleanup(setattr, programs, "drawn", old)
        rows = keep.rows_of("open", {"a_1.5.0.csv": csv_of(*launch(0, "walk()", "10", "320")),
                                     "a_1.5.1.csv": csv_of(*launch(0, "walk()", "10", "320"))},
                            [program(row)])
        self.assertEqual([row["launches"] for row in rows], ["2"])


class Programs(unittest.TestCase):
    def test_each_kernel_has_one(self):
        found = programs.programs()
        self.assertEqual(programs.missing(found), [])
        self.assertEqual(sum(len(program.rows) for program in found), len(programs.drawn()))


if __name__ == "__main__":
    unittest.main()
