#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`divcost profile import-ncu`, on what Nsight Compute really exported (ncu/README.md), whole and cut at
many places.

  test_import_ncu.py COMMAND
"""
import csv
import json
import lzma
import os
import stat
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.path.abspath(sys.argv.pop(1))
PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ncu")
FAKE = """#!/bin/sh
case "$*" in
*"--page source --csv --print-source cuda,sass --print-kernel-base mangled") cat %s ;;
*"--page raw --csv --print-kernel-base mangled") cat %s ;;
*) exit 9 ;;
esac
"""


def page(name):
    with lzma.open(os.path.join(PAGES, name + ".csv.xz")) as file:
        return file.read()


def raw_rows(name):
    """The launches of a raw page, by the names of its columns."""
    rows = [row for row in csv.reader(page(name).decode().splitlines()) if len(row) > 20]
    return [dict(zip(rows[0], row)) for row in rows[2:]]


def number(text):
    return float(text.replace(",", ""))


class Import(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = self.path("out.json")

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def run_command(self, *words, path=None):
        environment = dict(os.environ, PATH=path) if path is not None else None
        done = subprocess.run([COMMAND, "profile", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=environment)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return done.returncode, done.stdout, done.stderr

    def import_files(self, *names):
        """What became of files of PAGES."""
        paths = [self.write(name, page(name)) for name in names]
        status, out, err = self.run_command("import-ncu", "-o", self.out, *paths)
        self.assertEqual((status, out), (0, ""), err)
        with open(self.out) as file:
            return json.load(file), err

    def refused(self, *words, files=(), why):
        paths = [self.write("file%d" % k, data) for k, data in enumerate(files)]
        status, out, err = self.run_command("import-ncu", "-o", self.out, *words, *paths)
        self.assertEqual((status, out), (1, ""), err)
        self.assertIn(why, err)
        self.assertFalse(os.path.exists(self.out))

    def check_counts(self, measured, raw):
        """As much as ncu's own sums over the kernel; and every idle lane-slot is charged."""
        for kernel in measured["kernels"]:
            own = [row for row in raw if row["Kernel Name"] == kernel["symbol"]]
            self.assertEqual(kernel["launches"], len(own))
            self.assertEqual(kernel["warps"], sum(number(row["inst_executed"]) for row in own))
            self.assertEqual(kernel["lanes"], sum(number(row["thread_inst_executed"]) for row in own))
            idle = kernel["untold"] + sum(site["idle"] for site in kernel["sites"])
            self.assertAlmostEqual(idle / (32 * kernel["warps"]), 1 - kernel["lanes"] / (32 * kernel["warps"]), 9)

    def test_counts_are_those_of_ncu(self):
        for name in "loops", "metrics", "full":
            measured, err = self.import_files(name + ".source", name + ".raw")
            raw = raw_rows(name + ".raw")
            self.assertEqual({k["symbol"] for k in measured["kernels"]}, {row["Kernel Name"] for row in raw})
            self.check_counts(measured, raw)
            self.assertEqual(err, "divcost: %d kernels, %d launches in %s\n" % (
                len(measured["kernels"]), len(raw), self.out))

    def test_samples_and_traffic_are_those_of_ncu(self):
        names = {"global": "memory_l2_theoretical_sectors_global", "shared": "memory_l1_wavefronts_shared"}
        for name in "waits", "full":
            measured, _ = self.import_files(name + ".source", name + ".raw")
            for kernel in measured["kernels"]:
                own = [row for row in raw_rows(name + ".raw") if row["Kernel Name"] == kernel["symbol"]]
                self.assertEqual(kernel["counted"], ["global", "shared"])
                self.assertEqual(sum(sum(use["samples"].values()) for use in kernel["uses"]),
                                 sum(number(row["smsp__pcsamp_sample_count"]) for row in own))
                for kind, metric in names.items():
                    self.assertEqual(sum(use.get(kind, {}).get("taken", 0) for use in kernel["uses"]),
                                     sum(number(row[metric]) for row in own), (kernel["symbol"], kind))
        measured, _ = self.import_files("loops.source", "loops.raw")  # which weren't asked for
        self.assertEqual({(tuple(kernel["counted"]), len(kernel["uses"])) for kernel in measured["kernels"]},
                         {((), 0)})

    def test_samples_and_traffic_are_at_their_lines(self):
        measured, _ = self.import_files("waits.source", "waits.raw")
        columns = next(k for k in measured["kernels"] if "columns" in k["symbol"])
        load = next(u for u in columns["uses"] if measured["lines"][u["lines"][-1]][2] == "sum += in[row * width + k];")
        self.assertEqual(load["global"], {"warps": 32768, "taken": 32 * 32768, "ideal": 4 * 32768})
        lines = self.run_command("show", self.out)[1].splitlines()
        at = lines.index("columns")
        self.assertEqual(lines[at + 2:at + 10], [
            "  521 samples of its warps, of which 2.3% issue; the others wait most for",
            "   90.2%  what they read of global, local or texture memory (long_sb)",
            "    6.9%  the instruction before, whose time is fixed (wait)",
            "  and stand most at",
            "   97.9%  /src/waits.cu:52: sum += in[row * width + k];",
            "         92% of these wait for what they read of global, local or texture memory (long_sb)",
            "  1048704 sectors of global memory, of which 87.5% weren't needed",
            "   87.5%  /src/waits.cu:52: sum += in[row * width + k];"])
        self.assertIn("         32.0 wavefronts for each access of a warp, where 1.0 would do", lines)
        # malloc of the device, which ncu's source page hasn't
        at = lines.index("make")
        self.assertIn("   99.9%  in code that the source page doesn't list", lines[at:at + 10])

    def changed(self, *changes):
        """What becomes of the pages of waits, with texts replaced in both."""
        source, raw = page("waits.source"), page("waits.raw")
        for old, new in changes:
            self.assertIn(old, source + raw)
            source, raw = source.replace(old, new), raw.replace(old, new)
        status, _, err = self.run_command("import-ncu", "-o", self.out, self.write("s", source), self.write("r", raw))
        self.assertEqual(status, 0, err)
        with open(self.out) as file:
            return {kernel["symbol"]: kernel for kernel in json.load(file)["kernels"]}

    def test_what_is_not_counted_is_not_known(self):
        shared, sectors = b"L1 Wavefronts Shared Ideal", b"L2 Theoretical Sectors Global Ideal"
        raw = (b"memory_l1_wavefronts_shared_ideal", b"x"), (b"memory_l2_theoretical_sectors_global_ideal", b"y")
        for kernel in self.changed((shared, b"x"), raw[0]).values():
            self.assertEqual(kernel["counted"], ["global"])
            self.assertFalse(any("shared" in use for use in kernel["uses"]))
        # Where the lines don't have it, the sum over a kernel tells only that there is nothing.
        kernels = self.changed((shared, b"x"), (sectors, b"y"))
        self.assertEqual({name: kernel["counted"] for name, kernel in kernels.items()}, {
            name: ["shared"] if "transpose" not in name else [] for name in kernels})
        self.assertFalse(any("global" in use for kernel in kernels.values() for use in kernel["uses"]))

    def test_figures_that_ncu_does_not_know_are_left_out(self):
        source = page("waits.source")
        at = source.index(b"LDG.E", source.index(b'"Function Name","_Z7columns'))
        row = source[at:source.index(b"\n", at)]
        self.write("s", source.replace(row, row.replace(b'"0"', b'"n/a"')))
        status, _, err = self.run_command("import-ncu", "-o", self.out, self.path("s"))
        self.assertEqual(status, 0, err)

    def test_reasons_that_are_new_are_other_ones(self):
        kernels = self.changed((b'"stall_long_sb"', b'"stall_new"'), (b"stalled_long_scoreboard", b"stalled_new"))
        samples = [use["samples"] for use in kernels["_Z7columnsPKfPfii"]["uses"]]
        self.assertEqual(sum(sum(of.values()) for of in samples), 521)
        self.assertEqual(sum(of.get("misc", 0) for of in samples), 470)

    def test_seconds(self):
        for name, unit in ("loops", 1e-6), ("metrics", 1e-9):  # as the row of units says
            measured, _ = self.import_files(name + ".source", name + ".raw")
            seconds = unit * sum(number(row["gpu__time_duration.sum"]) for row in raw_rows(name + ".raw"))
            self.assertAlmostEqual(sum(k["seconds"] for k in measured["kernels"]) / seconds, 1, 9)

    def test_the_order_of_files_does_not_matter(self):
        one, _ = self.import_files("loops.source", "loops.raw", "full.source", "full.raw")
        other, _ = self.import_files("full.raw", "loops.raw", "full.source", "loops.source")
        def plain(measured, kernel):  # lines have numbers by the order in which they were read
            uses = [dict(use, lines=[measured["lines"][line] for line in use["lines"]]) for use in kernel["uses"]]
            return dict(kernel, sites=0, uses=sorted(uses, key=lambda use: use["lines"]))

        self.assertEqual([plain(one, k) for k in one["kernels"]], [plain(other, k) for k in other["kernels"]])

    def test_show_names_the_lines(self):
        self.import_files("loops.source", "loops.raw")
        status, out, _ = self.run_command("show", self.out)
        lines = out.splitlines()
        self.assertEqual((status, lines[0]), (0, "6 kernels, 53.7 us"))
        self.assertEqual(lines[2:5], [
            "spmv",
            "  3 launches, 20.2 us, 37.6% of the time; 43.0% of the lane-slots idle (SIMT efficiency 57.0%)",
            "   43.0%  /src/rows.cuh:5: for (int k = offsets[row]; k < offsets[row + 1]; ++k)"])
        self.assertIn("   63.5%  /src/loops.cu:26: if (in[i] % 3 == 0) {", lines)
        self.assertEqual(lines[-3:], ["2 kernels that lose next to nothing (less than 1% of the lane-slots idle)",
                                      "    6.4% of the time  reduce", "    6.1% of the time  saxpy"])
        self.assertEqual(self.run_command("show", "--json", self.out)[0], 2)

    def test_what_recursion_loses_is_told(self):
        self.import_files("metrics.source", "metrics.raw")
        out = self.run_command("show", self.out)[1]
        self.assertIn("   78.9%  /src/functions.cu:11: __device__ int fib(int n)", out)

    def test_launches_and_instructions_that_are_missing_are_told(self):
        source, raw = page("loops.source"), page("loops.raw")
        self.write("a", source)
        self.write("b", b"\n".join(raw.split(b"\n")[:-2]) + b"\n")
        err = self.run_command("import-ncu", "-o", self.out, self.path("a"), self.path("b"))[2]
        self.assertNotIn("raw pages", err)  # of another kernel, which has no time now
        self.write("b", raw.replace(b'"2","1372"', b'"ID","1372"', 1))
        self.write("b", b"\n".join(line for line in raw.split(b"\n") if not line.startswith(b'"1",')))
        err = self.run_command("import-ncu", "-o", self.out, self.path("a"), self.path("b"))[2]
        self.assertIn("_Z4spmviPKiPKfPf: 3 launches in source pages, 2 in raw pages", err)
        self.write("b", raw.replace(b'"404367"', b'"999999"', 1).replace(b'"404,367"', b'"999,999"', 1))
        err = self.run_command("import-ncu", "-o", self.out, self.path("a"), self.path("b"))[2]
        self.assertIn("_Z4spmviPKiPKfPf: the source page has ", err)
        err = self.run_command("import-ncu", "-o", self.out, self.path("a"))[2]
        self.assertIn("no times, since there is no raw page", err)

    def test_launches_that_did_not_end_are_left_out(self):
        source, raw = page("metrics.source"), page("metrics.raw")
        at = source.index(b'"Function Name","_Z4saysi"')
        begin = source.rindex(b'"File Path"', 0, at)
        rest = source[begin:].replace(b'"inst_executed","thread_inst_executed"', b'"x","y"')
        raw = b"\n".join(line.replace(b'"34,688"', b'"-nan"') if b"_Z4saysi" in line else line
                         for line in raw.split(b"\n"))
        self.assertIn(b"-nan", raw)
        status, _, err = self.run_command("import-ncu", "-o", self.out, self.write("s", source[:begin] + rest),
                                          self.write("r", raw))
        self.assertEqual(status, 0, err)
        self.assertIn("_Z4saysi: 1 launch without a time: interrupted?", err)
        self.assertIn("3 kernels, 3 launches", err)

    def made(self, *tables):
        """A source page of (file, function, row of the source, is it a kernel) and so on; what becomes of it."""
        text, last = "", None
        for k, (file, function, source, kernel) in enumerate(tables):
            text += '"File Path","%s"\n' % file if file != last else ""
            text += '"Function Name","%s"\n' % function
            text += '"Line No","Source","Address","Source","inst_executed","thread_inst_executed"\n'
            text += '"%d","%s","-","-","8","200"\n' % (k + 1, source)
            first = "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]" if kernel else "@P0 EXIT"
            for number, sass in enumerate((first, "EXIT")):
                text += '"","","%#x","%s","4","100"\n' % (256 + 32 * k + 16 * number, sass)
            last = file
        status, _, err = self.run_command("import-ncu", "-o", self.out, self.write("made", text.encode()))
        self.assertEqual(status, 0, err)
        with open(self.out) as file:
            return json.load(file)

    def test_launches_follow_each_other_without_a_mark(self):
        measured = self.made(("/a/main.cu", "one", "", True), ("/a/math.cuh", "two", "", False),
                             ("/a/math.cuh", "helper", "", False), ("/a/solver.cu", "two", "", True),
                             ("/a/main.cu", "one", "", True), ("/a/b.cuh", "helper", "", False),
                             ("/a/solver.cu", "two", "", True))
        self.assertEqual([(k["symbol"], k["launches"], k["warps"]) for k in measured["kernels"]],
                         [("one", 2, 16), ("two", 2, 40)])

    def test_sources_that_look_like_fields(self):
        for source in ('if (check(x, "a",', 'f("a","b","c",', '{"Name","Address","Source","x"}', '","', '"'):
            measured = self.made(("/a.cu", "k", source, True), ("/b.cu", "k", source, False))
            self.assertIn(["/b.cu", 2, source], measured["lines"])

    def test_what_is_no_page_is_refused(self):
        self.refused(files=[page("demangled")], why="is demangled; export with --print-kernel-base mangled")
        self.refused(files=[page("nolines")], why="no kernel with source lines in these files")
        self.refused(files=[b""], why="is no page of Nsight Compute")
        self.refused(files=[b"\x89PNG\r\n\x1a\n\0\0\0"], why="zero byte")
        self.refused(files=[b'"a","b"\n' * 9], why="is no page of Nsight Compute")
        self.refused(files=[b"==ERROR== Option is wrong\n"], why="line 1: Nsight Compute failed: Option is wrong")
        self.refused(files=[page("loops.raw")], why="no kernel with source lines")
        self.refused(self.folder.name, why="")
        self.refused(self.path("none"), why="none")

    def test_tables_that_lack_something_are_refused(self):
        source, raw = page("loops.source"), page("loops.raw")
        for old, new, why in (
                (b'"thread_inst_executed"', b'"x"', "lacks inst_executed and thread_inst_executed"),
                (b'"Address"', b'"x"', "the page lacks instructions or lines"),
                (b'"2048","65536"', b'"2048","65537"', "65537 lanes in 2048 warps"),
                (b'"2048","65536"', b'"2048","n/a"', "are no whole numbers"),
                (b'"File Path"', b'"x"', "a function without a file"),
                (b'"Function Name"', b'"x"', "a table without a function"),
                (b'"0x7f1ff97ac210"', b'"yes"', "the address is no number")):
            self.assertIn(old, source)
            self.refused(files=[source.replace(old, new, 1) if b"Name" in old else source.replace(old, new)], why=why)
        self.refused(files=[raw.replace(b'"gpu__time_duration.sum"', b'"x"')], why="lacks gpu__time_duration.sum")
        self.refused(files=[raw.replace(b'"us"', b'"fortnight"')], why="the unit of gpu__time_duration.sum")

    def test_cut_anywhere(self):
        """Of a page that ends early there is an error, or a kernel less; and whoever has the raw page is told."""
        source = page("metrics.source")
        raw = self.write("raw", page("metrics.raw"))
        whole = {row["Kernel Name"]: number(row["inst_executed"]) for row in raw_rows("metrics.raw")}
        errors = 0
        for end in list(range(0, len(source), 1499)) + [k + 1 for k, c in enumerate(source) if c == 10][::97]:
            if os.path.exists(self.out):
                os.remove(self.out)
            status, _, err = self.run_command("import-ncu", "-o", self.out, self.write("cut", source[:end]), raw)
            self.assertEqual(status == 0, os.path.exists(self.out), err)
            errors += status
            if status == 0:
                with open(self.out) as file:
                    kernels = json.load(file)["kernels"]
                for kernel in kernels:
                    self.assertEqual(kernel["warps"], whole[kernel["symbol"]])
                    short = kernel["untold"] > 0.05 * 32 * kernel["warps"]
                    if short:
                        self.assertIn(kernel["symbol"] + ": the source page has", err)
        self.assertGreater(errors, 50)

    def test_reports_are_read_by_ncu(self):
        report = self.write("run.ncu-rep", b"NVR\0and so on")
        source, raw = self.write("s", page("metrics.source")), self.write("r", page("metrics.raw"))
        os.mkdir(self.path("bin"))
        fake = self.write("bin/ncu", (FAKE % (source, raw)).encode())
        os.chmod(fake, stat.S_IRWXU)
        status, _, err = self.run_command("import-ncu", "-o", self.out, report,
                                          path=self.path("bin") + ":/usr/bin:/bin")
        self.assertEqual((status, err), (0, "divcost: 4 kernels, 4 launches in %s\n" % self.out))
        os.remove(self.out)
        status, _, err = self.run_command("import-ncu", "-o", self.out, report, path=self.path("none"))
        self.assertEqual(status, 1)
        self.assertIn("is read by ncu, which can't be started", err)
        self.write("bin/ncu", b"#!/bin/sh\necho '==ERROR== The file is not a report'; exit 1\n")
        status, _, err = self.run_command("import-ncu", "-o", self.out, report, path=self.path("bin"))
        self.assertEqual(status, 1)
        self.assertIn("Nsight Compute failed: The file is not a report", err)
        self.assertFalse(os.path.exists(self.out))

    def test_wrong_usage(self):
        for words in ((), ("-o", "x"), ("x",), ("--help-me", "-o", "x", "y"), ("-o",)):
            self.assertEqual(self.run_command("import-ncu", *words)[0], 2)
        self.assertIn("import-ncu", self.run_command("--help")[1])
        status, _, err = self.run_command("import-ncu", "-o", self.path("no/such/folder"),
                                          self.write("a", page("metrics.source")))
        self.assertEqual(status, 1)
        self.assertIn("cannot write", err)


if __name__ == "__main__":
    unittest.main()
