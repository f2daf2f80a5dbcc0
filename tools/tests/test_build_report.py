#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_build_report.py DIVCOST SAMPLES: `divcost report` on a whole build."""
import copy
import json
import os
import random
import resource
import signal
import sys

from reports import Case, load, main, numbered, only, replace_text, run, sample

# Address space of the command alone is about 5 MiB; sanitizers need terabytes.
SANITIZED = any(name in open(sys.argv[1], "rb").read().decode("latin-1")
                for name in ("__asan_init", "__ubsan_handle"))


def small():
    report = load(sample("sample_90"))
    only(report, "spmv")
    for kernel in report["kernels"]:
        for name in ("loops", "branches", "name", "symbol", "file", "line", "block", "values"):
            kernel.pop(name, None) # these follow from the skeleton
    return report


class Arguments(Case):
    def test_folders_are_searched_and_lists_are_read(self):
        report = small()
        for k in range(7):
            self.write("build/%s/unit%d.json" % ("abc"[k % 3], k), numbered(report, k))
        self.write("build/compile_commands.json", "[]")
        self.write("build/a/broken-but-none-of-ours.json", "{ // comments\n")
        files = ["build/%s/unit%d.json" % ("abc"[k % 3], k) for k in range(7)]
        plain = self.done("report", "--json", *files, cwd=self.folder)
        done = run("report", "--json", "build", cwd=self.folder)
        self.assertEqual(done.stderr, "divcost: 2 JSON files are no reports and were left out, such "
                                      "as build/a/broken-but-none-of-ours.json\n")
        folder = json.loads(done.stdout)
        self.assertEqual(folder["kernels"], json.loads(plain)["kernels"])
        self.assertEqual(len(folder["kernels"]), 7)
        self.write("list", "\n".join(files) + "\n\n")
        self.assertEqual(self.done("report", "--json", "@list", cwd=self.folder), plain)
        self.assertEqual(self.done("report", "--json", "@-", cwd=self.folder,
                                   input="\r\n".join(files)), plain)

    def test_what_cannot_be_read_is_named(self):
        os.mkdir(self.path("empty"))
        self.refused(1, "empty: has no reports: no files *.json", "report", self.path("empty"))
        self.write("other/package.json", "{}")
        self.refused(1, "other: has no reports; its JSON files are others", "report",
                     self.path("other"))
        self.refused(1, "nothing: No such file", "report", self.path("nothing"))
        self.refused(1, "nothing: No such file", "report", "@" + self.path("nothing"))
        self.refused(1, "names no report", "report", "@" + self.write("blank", "\n"))
        with open(sample()) as file:
            text = file.read()
        self.write("torn/unit.json", text[:len(text) // 2])
        self.refused(1, "torn/unit.json: line", "report", self.path("torn"))
        self.write("torn/unit.json", text.replace('"divcost": 1', '"divcost": 7'))
        self.refused(1, "version 7 is not known", "report", self.path("torn"))
        if os.getuid() != 0:
            os.chmod(self.path("torn/unit.json"), 0)
            self.refused(1, "Permission denied", "report", self.path("torn"))

    def test_a_source_that_is_no_file_is_not_waited_for(self):
        os.mkfifo(self.path("pipe"))
        for name in (self.path("pipe"), "/dev/zero"):
            report = self.changed("odd.json", lambda report: replace_text(report, "src/sparse.cu",
                                                                          name))
            self.assertIn(name + ":8", self.done("report", report))
            self.assertEqual(run("report", "--html", report).returncode,
                             run("report", "--html", sample()).returncode)

    def test_damaged_reports_fail_and_never_crash(self):
        with open(sample()) as file:
            text = file.read()
        chance = random.Random(7)
        for _ in range(30):
            at = chance.randrange(len(text))
            damaged = chance.choice([text[:at], text[:at] + chance.choice('"{}[],:0-x\\') +
                                     text[at + 1:], text[:at] + text[at + chance.randrange(90):]])
            path = self.write("damaged.json", damaged)
            for arguments in (["report", "--json"], ["report", "--fail-on", "any"],
                              ["what-if", "--block", "64"]):
                done = run(*arguments, path)
                self.assertIn(done.returncode, (0, 1), (arguments, damaged[at - 50:at + 50]))
                self.assertTrue(done.returncode == 0 or done.stderr.startswith("divcost: ")
                                or "--fail-on" in arguments)

    def test_a_folder_for_temporary_files_that_is_none_is_said(self):
        done = run("report", sample(), env={**os.environ, "TMPDIR": self.path("nowhere")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere: No such file or directory; TMPDIR can name another", done.stderr)

    def test_a_full_disk_under_the_temporary_file_is_said(self):
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        done = run("report", "--json", sample(), preexec_fn=little_room)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("a temporary file in", done.stderr)
        self.assertIn("File too large; TMPDIR can name another folder", done.stderr)

    def test_the_worst_kernels_alone(self):
        text = self.done("report", "--top", "1", sample())
        self.assertIn("and 2 more kernels", text)
        self.assertEqual(text.count("issue cycles      lost"), 1) # a table of one kernel
        for words in (["--top"], ["--top", "0"], ["--top", "x"], ["--top", "-1"]):
            self.assertEqual(run("report", sample(), *words).returncode, 2)

    def test_no_option_is_taken_and_ignored(self):
        formats = ["--json", "--jsonl", "--sarif", "--html"]
        for k, option in enumerate(formats):
            other = formats[k - 1]
            self.refused(2, "%s and %s are given, only one of them can be" % (other, option),
                         "report", other, sample(), option)
            self.refused(2, "--top is for the report for people, not for '%s'" % option,
                         "report", "--top", "1", option, sample())
        self.done("report", "--json", "--json", sample())

    def test_kernels_that_lose_nothing_share_a_line(self):
        def calm(report):
            replace_text(report, "poisson(30)", "const(30)")
        report = small()
        calm(report)
        names = [self.write("r%d.json" % k, numbered(report, k)) for k in range(11)]
        self.assertIn("and 11 kernels that lose nothing", self.done("report", *names))
        self.assertNotIn("that lose nothing", self.done("report", *names[:10]))

    def test_long_names_lose_their_namespaces_first(self):
        def rename(report):
            strings = report["kernels"][0]["skeleton"]["strings"]
            strings[0] = "void one::two::(anonymous namespace)::spmv<a_rather_long_type, 7>(int)"
        text = self.done("report", self.changed("names.json", rename))
        self.assertIn("   spmv<a_rather_long_type, 7>\n", text)
        def shorten(report):
            report["kernels"][0]["skeleton"]["strings"][0] = "(anonymous namespace)::spmv(int)"
        text = self.done("report", self.changed("names.json", shorten))
        self.assertIn("   (anonymous namespace)::spmv\n", text)

    def test_help_names_all_formats(self):
        text = self.done("report", "--help")
        for option in ("--json", "--jsonl", "--sarif", "--top", "--fail-on", "--baseline"):
            self.assertIn(option, text)


class Merging(Case):
    """The merged report is what the library's merge makes of units in memory; here it is told by
    what that does."""

    def test_variants_of_a_kernel_stay_apart_and_newer_figures_win(self):
        def other_code(report):
            for kernel in report["kernels"]:
                kernel["skeleton"]["blocks"][0][5]["integer"] = 40
        variant = self.changed("variant.json", other_code, of="sample_90")
        both = json.loads(self.done("report", "--json", sample("sample_80"), variant))
        self.assertEqual([e["arch"] for k in both["kernels"] for e in k["estimates"]][:2],
                         ["sm_80", "sm_80"])
        self.assertEqual(len(both["kernels"]), 2 * len(load(sample())["kernels"]))
        # for an architecture that is there already, the later one replaces the earlier one
        again = json.loads(self.done("report", "--json", sample("sample_90"), variant))
        self.assertEqual(again, json.loads(self.done("report", "--json", variant)))

    def test_merging_in_two_steps_is_merging_in_one(self):
        report = small()
        names = [self.write("r%d.json" % k, numbered(report, k % 5)) for k in range(8)]
        names.append(sample("sample_80"))
        all_at_once = self.done("report", "--json", *names)
        first = self.write("first.json", self.done("report", "--json", *names[:4]))
        second = self.write("second.json", self.done("report", "--json", *names[4:]))
        self.assertEqual(self.done("report", "--json", first, second), all_at_once)

    def test_kernels_are_in_the_order_of_file_line_and_symbol(self):
        report = small()
        names = [self.write("r%d.json" % k, numbered(report, 9 - k)) for k in range(10)]
        kernels = json.loads(self.done("report", "--json", *names))["kernels"]
        self.assertEqual([k["file"] for k in kernels], sorted(k["file"] for k in kernels))


class Thousands(Case):
    COUNT, LIMIT = 2000, 32 << 20

    def limited(self, *arguments):
        return run(*arguments, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (self.LIMIT, self.LIMIT)))

    def test_memory_does_not_grow_with_the_build(self):
        report = small()
        text = json.dumps(report)
        for k in range(self.COUNT):
            self.write("reports/%d/unit%d.json" % (k % 10, k), text.replace(
                "sparse.cu", "sparse_%05d.cu" % k))
        # in memory the kernels would take more than the limit, several times over
        done = self.limited("report", "--json", self.path("reports"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        merged = json.loads(done.stdout)
        self.assertEqual(len(merged["kernels"]), self.COUNT)
        self.assertGreater(len(done.stdout), self.LIMIT // 3)
        done = self.limited("report", "--top", "3", "--fail-on", "imbalance=2", self.path("reports"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("and 1997 more kernels", done.stdout)


if SANITIZED:
    del Thousands


if __name__ == "__main__":
    main()
