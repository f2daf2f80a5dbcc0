#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_html.py DIVCOST SAMPLES REPOSITORY WRITE_ACCESSES FOLDER [PLUGIN CLANG]: `divcost report --html` without a
browser: what the page holds, and that its WebAssembly describes kernels as the command does. Pages
are left in FOLDER. With PLUGIN, and the CLANG that loads it, the kernels of bench/kernels and the
accesses of bench/memory are compiled for it, else the sample reports must do."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from page_block import block

DIVCOST, SAMPLES, REPOSITORY, WRITE_ACCESSES, FOLDER = map(os.path.abspath, sys.argv[1:6])
PLUGIN, CLANG = map(os.path.abspath, sys.argv[6:8]) if len(sys.argv) > 7 else (None, None)
HERE = os.path.dirname(os.path.abspath(__file__))
NODE, TIDY = shutil.which("node"), shutil.which("tidy")
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"><!--"


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **options)


def page(name, *reports, directory=None):
    """The path of the page of these reports."""
    done = run(DIVCOST, "report", "--html", *reports, cwd=directory)
    if b"this build has no HTML report" in done.stderr:
        print("skipped: " + done.stderr.decode().strip())
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    path = os.path.join(FOLDER, name + ".html")
    with open(path, "wb") as file:
        file.write(done.stdout)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def node(*arguments):
    done = run(NODE, os.path.join(HERE, "page.mjs"), *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def sample():
    with open(os.path.join(SAMPLES, "sample.json")) as file:
        return json.load(file)


def written(report):
    file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
    with file:
        json.dump(report, file)
    return file.name


def compiled(sources="bench/kernels/*.cu"):
    """Reports of these, made with the plugin."""
    folder = os.path.join(FOLDER, os.path.basename(os.path.dirname(sources)))
    os.makedirs(folder, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(REPOSITORY, sources))):
        report = os.path.join(folder, os.path.basename(path)[:-3] + ".json")
        if os.path.exists(report) and os.path.getmtime(report) > os.path.getmtime(PLUGIN):
            continue
        done = run(CLANG, "-fplugin=" + PLUGIN, "-fplugin-arg-divcost-report=" + report, "-x", "cuda",
                   "--cuda-gpu-arch=sm_90", "-O2", "-nocudainc", "-nocudalib",
                   "--cuda-path=/nonexistent", "--cuda-feature=+ptx78", "-I", "bench/include",
                   "-include", "divcost_cuda.h", "--cuda-device-only", "-S", "-o", os.devnull,
                   os.path.relpath(path, REPOSITORY), cwd=REPOSITORY)
        assert done.returncode == 0, done.stderr
    return sorted(glob.glob(folder + "/*.json"))


class Page(unittest.TestCase):
    def test_nothing_is_loaded_and_only_its_own_script_runs(self):
        text = read(page("sample", os.path.join(SAMPLES, "sample.json")))
        policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe-inline", policy)
        self.assertNotRegex(text, r"(?i)<(link|img|iframe|object|embed)\b|\bsrc=(?!=)|@import|url\(")
        self.assertNotRegex(re.sub("http://www.w3.org/2000/svg", "", text), "https?://")

    def test_kernels_stand_worst_first_with_the_words_of_the_text_report(self):
        report = os.path.join(SAMPLES, "sample.json")
        text = read(page("sample", report))
        people = " ".join(run(DIVCOST, "report", report).stdout.decode().split())
        names = [row[0] for row in json.loads(block(text, "index"))["kernels"]]
        found = [people.rindex(" " + name + " at ") for name in names]
        self.assertEqual(found, sorted(found))
        for number in range(len(names)):
            for loop in json.loads(block(text, "k%d" % number))["view"]["loops"]:
                for _, words, _ in loop["figures"] if loop["full"] else []:
                    self.assertIn(words, people)

    def test_no_span_is_said_to_be_derived(self):
        rows = json.loads(block(read(page("sample", os.path.join(SAMPLES, "sample.json"))), "index"))["kernels"]
        intervals = [row for row in rows if any(isinstance(cell, str) and ".." in cell for cell in row)]
        self.assertTrue(intervals)
        self.assertLessEqual({row[8] for row in intervals}, {"assumed", "range"})

    def test_text_that_is_hostile_stays_text(self):
        report = sample()
        report["unit"] = HOSTILE
        for kernel in report["kernels"]:
            skeleton = kernel["skeleton"]
            skeleton["strings"] = [text if re.match(r"(poisson|list|histogram|const)\(", text) else HOSTILE + text
                                   for text in skeleton["strings"]]
            for finding in kernel["findings"]:
                finding["message"] = HOSTILE
        path = written(report)
        self.addCleanup(os.unlink, path)
        text = read(page("hostile", path))
        self.assertNotIn("<img", text)
        self.assertEqual(text.count("</script>"), text.count("<script"))
        self.assertIn(HOSTILE, json.loads(block(text, "index"))["path"])

    def test_sources_are_embedded_whole_and_bad_utf8_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "src"))
            with open(os.path.join(folder, "src", "sparse.cu"), "wb") as file:
                file.write(b"// caf\xc3\xa9 \xff \xed\xa0\x80 </script>\n__global__ void f();\n")
            text = read(page("sources", os.path.join(SAMPLES, "sample.json"), directory=folder))
        names = json.loads(block(text, "index"))["files"]
        sources = {name: json.loads(block(text, "s%d" % k)) for k, name in enumerate(names)}
        self.assertEqual(sources["src/sparse.cu"]["text"],
                         "// caf\u00e9 \ufffd \ufffd\ufffd\ufffd </script>\n__global__ void f();\n")
        missing = [source for source in sources.values() if "missing" in source]
        self.assertTrue(all(source["missing"] for source in missing))

    @unittest.skipUnless(TIDY, "tidy is not installed")
    def test_it_is_valid_html(self):
        done = run(TIDY, "-quiet", "-errors", page("sample", os.path.join(SAMPLES, "sample.json")))
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))

    def test_the_empty_page_is_small(self):
        report = sample()
        report["kernels"] = []
        path = written(report)
        self.addCleanup(os.unlink, path)
        self.assertLess(os.path.getsize(page("empty", path)), 350000)


@unittest.skipUnless(NODE, "node is not installed")
class Model(unittest.TestCase):
    def test_the_page_describes_kernels_as_the_command_does(self):
        pages = [page("sample", os.path.join(SAMPLES, "sample.json"))]
        if PLUGIN:
            pages.append(page("kernels", *compiled(), directory=REPOSITORY))
        status, out, errors = node("same", *pages)
        self.assertEqual(status, 0, errors)
        self.assertRegex(out, r"^[1-9]\d* agree, 0 differ\n$")

    def test_what_if_answers_as_the_command_does(self):
        report = os.path.join(SAMPLES, "sample.json")
        path = page("sample", report)
        rows = json.loads(block(read(path), "index"))["kernels"]
        number = next(k for k, row in enumerate(rows) if row[0].startswith("spmv_csr"))
        view = json.loads(block(read(path), "k%d" % number))["view"]
        place = view["loops"][0]["at"]
        for option, question in [
                (["--block", "32"], {"block": [32, 1, 1]}), (["--arch", "sm_35"], {"arch": "sm_35"}),
                (["--trips", "%s:%d=zipf(2,1000)" % (place[0], place[1])], {"distributions": [[0, "zipf(2,1000)"]]}),
                (["--block", "64", "--arch", "sm_50", "--trips", "%s:%d=uniform(1,9)" % (place[0], place[1])],
                 {"block": [64, 1, 1], "arch": "sm_50", "distributions": [[0, "uniform(1,9)"]]})]:
            done = run(DIVCOST, "what-if", "--json", *option, report)
            self.assertEqual(done.returncode, 0, done.stderr)
            wanted = next(kernel for kernel in json.loads(done.stdout)["kernels"]
                          if kernel["name"].startswith("spmv_csr"))["estimates"]
            status, out, errors = node("ask", path, str(number), json.dumps(question))
            self.assertEqual(status, 0, errors)
            got = json.loads(out)["estimates"]
            self.assertEqual(len(got), len(wanted))
            for mine, theirs in zip(got, wanted):
                low, high = mine["intervals"]["cycles"]
                cycles = theirs["cycles"]["total"]
                cycles = [cycles["low"], cycles["high"]] if isinstance(cycles, dict) else [cycles, cycles]
                self.assertEqual("%.8g %.8g" % (low, high), "%.8g %.8g" % tuple(cycles))
                if "distributions" in question:
                    self.assertNotIn([low, high], [e["intervals"]["cycles"] for e in view["estimates"]])

    def test_granularity_and_imbalance_are_those_of_divcost_model(self):
        path = page("sample", os.path.join(SAMPLES, "sample.json"))
        rows = json.loads(block(read(path), "index"))["kernels"]
        number = str(next(k for k, row in enumerate(rows) if row[0].startswith("spmv_csr")))
        model = json.loads(run(DIVCOST, "model", "poisson(30)", "-n", "32", "--json").stdout)
        distribution = json.loads(node("call", path, number, "model_imbalance", "0")[1])["distributions"][0]
        self.assertEqual(distribution["distribution"], "poisson(30)")
        self.assertAlmostEqual(distribution["aggregate"], model["aggregate"], 8)
        self.assertAlmostEqual(distribution["mean"], model["mean"], 8)
        self.assertAlmostEqual(sum(distribution["masses"]), 1, 8)
        rows = json.loads(node("call", path, number, "model_granularity", "0")[1])["rows"]
        self.assertEqual([row["lanes"] for row in rows], [1, 2, 4, 8, 16, 32])
        self.assertAlmostEqual(rows[0]["efficiency"][0], model["efficiency"], 8)

    def test_the_depth_is_that_of_divcost_emulate(self):
        report = os.path.join(SAMPLES, "sample.json")
        path = page("sample", report)
        rows = json.loads(block(read(path), "index"))["kernels"]
        number = str(next(k for k, row in enumerate(rows) if row[0].startswith("spmv_csr")))
        drawn = json.loads(node("call", path, number, "model_depth")[1])
        done = run(DIVCOST, "emulate", report, "--kernel", "spmv_csr", "--arch", "sm_80", "--warp", "0",
                   "--csv")
        depths = [int(line.split(b",")[3]) for line in done.stdout.splitlines()[1:]]
        self.assertEqual((drawn["steps"], max(drawn["depths"])), (len(depths), max(depths)))

    def drawn(self, path):
        """What is drawn of each access of a page; it fits together."""
        status, out, errors = node("accesses", path)
        self.assertEqual(status, 0, errors)
        accesses = json.loads(out)
        for access in accesses:
            request = access["request"]
            if request["known"] != "known":
                continue
            passes = {piece[2] for piece in request["pieces"]}
            pieces = len(passes) if request["unit"] == "passes" else len(request["pieces"])
            self.assertEqual(pieces, request["taken"], access)
            self.assertLessEqual(request["needed"], request["taken"], access)
            there = {lane for lane, address in enumerate(request["addresses"]) if address is not None}
            touching = {lane for piece in request["pieces"] for lane in range(32) if piece[1] >> lane & 1}
            self.assertEqual(there, touching, access)
        return accesses

    def test_what_is_drawn_of_accesses_is_what_is_said_of_them(self):
        report = os.path.join(FOLDER, "taught.json")
        self.assertEqual(run(WRITE_ACCESSES, report).returncode, 0)
        lines = {}
        for access in self.drawn(page("taught", report)):
            lines.setdefault(access["line"], []).append(access)
        requests = {line: [access["request"] for access in accesses] for line, accesses in lines.items()}
        sums = {line: accesses[0]["sums"] for line, accesses in lines.items()}
        self.assertEqual(sums[10], [["sectors", "4", "4"]])
        self.assertEqual(requests[10][0]["addresses"], list(range(0, 128, 4)))
        self.assertEqual(requests[10][0]["pieces"], [[k, 0xff << 8 * k, 0] for k in range(4)])
        self.assertEqual(sums[13], [["passes", "32", "1"]])  # tile[x][y]: all in one bank
        self.assertEqual({piece[0] % 32 for piece in requests[13][0]["pieces"]}, {0})
        self.assertEqual(sums[14], [["passes", "1", "1"]])  # padded by a word
        self.assertEqual({piece[0] % 32 for piece in requests[14][0]["pieces"]}, set(range(32)))
        self.assertEqual(sums[15], [["sectors", "32", "4"]])
        self.assertEqual(requests[15][0]["pieces"], [[128 * k, 1 << k, 0] for k in range(32)])
        self.assertEqual(sums[16], [["addresses", "32", "1"]])
        self.assertEqual(sums[17], [["sectors", "5..36", "5..8"]])
        self.assertEqual([request["known"] for request in requests[17]], ["loaded", "known"])  # the worst first
        self.assertEqual((requests[18][0]["known"], requests[18][0]["stride"]), ("strided", "n"))

    @unittest.skipUnless(PLUGIN, "there is no plugin")
    def test_the_taught_accesses_are_drawn_as_they_were_counted(self):
        """Against the comments of bench/memory/cases.cu, where these name one figure."""
        claims = {}
        with open(os.path.join(REPOSITORY, "bench/memory/cases.cu")) as file:
            for number, line in enumerate(file, 1):
                for taken, needed in re.findall(r"(?:load|store|atomic) \w+ \d+ \w+: (\d+) of (\d+)\b(?!\.\.)", line):
                    claims.setdefault(number, []).append([int(taken), int(needed)])
        found = {}
        accesses = self.drawn(page("memory", *compiled("bench/memory/cases.cu"), directory=REPOSITORY))
        for access in accesses:
            if access["request"]["known"] == "known" and access["line"] in claims:
                found.setdefault(access["line"], []).append([access["request"]["taken"], access["request"]["needed"]])
        self.assertGreater(len(found), 80)
        self.assertEqual({line: sorted(figures) for line, figures in found.items()},
                         {line: sorted(figures) for line, figures in claims.items()})
        by_kernel = {}
        for access in accesses:
            by_kernel.setdefault(access["kernel"], []).append(access)
        off = [address is None for address in by_kernel["half_a_warp"][0]["request"]["addresses"]]
        self.assertEqual(off, [False] * 16 + [True] * 16)
        steps = [access["request"] for access in by_kernel["reduction_interleaved"] if "3.92 passes" in access["words"]]
        self.assertEqual([(step["taken"], step["iterations"]) for step in steps], [(8, [2])] * 3)
        self.assertIn("strided by -4 bytes", by_kernel["reversed"][0]["words"])

    def test_questions_that_make_no_sense_are_refused_with_the_reason(self):
        path = page("sample", os.path.join(SAMPLES, "sample.json"))
        for question, words in [({"block": [2000, 1, 1]}, "1024"), ({"arch": "sm_1"}, "sm_1"),
                                ({"distributions": [[0, "poison(3)"]]}, "poison"), ({"distributions": [[99, "const(1)"]]}, "no such loop"),
                                ({"params": [[0, "x"]]}, "whole number"), ({"lanes": 3}, "lanes")]:
            status, _, errors = node("ask", path, "0", json.dumps(question))
            self.assertNotEqual(status, 0, question)
            self.assertIn(words, errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
