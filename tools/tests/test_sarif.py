#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_sarif.py DIVCOST SAMPLES FOLDER: what divcost writes as SARIF, judged by Microsoft's SARIF
Multitool, which npm installs into FOLDER. Exit status 77: npm has no way to its registry."""
import collections
import copy
import json
import os
import re
import shutil
import subprocess
import sys

from reports import Case, load, main, replace_text, run, sample

PACKAGE, VERSION = "@microsoft/sarif-multitool-linux", "5.7.0"
FOLDER = os.path.abspath(sys.argv[3])
TOOL = os.path.join(FOLDER, "node_modules", PACKAGE, "Sarif.Multitool")
SKIPPED = 77


def install():
    """Installs the validator, once for a build."""
    if os.path.exists(TOOL):
        return
    if not shutil.which("npm"):
        print("skipped: there is no npm")
        sys.exit(SKIPPED)
    os.makedirs(FOLDER, exist_ok=True)
    done = subprocess.run(["npm", "install", "--prefix", FOLDER, "--no-save", "--no-package-lock",
                           "--no-audit", "--no-fund", "--ignore-scripts",
                           "--fetch-retries=1",
                           "%s@%s" % (PACKAGE, VERSION)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        print(done.stdout)
        unreachable = any(word in done.stdout for word in
                          ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ECONNRESET"))
        if unreachable:
            print("skipped: npm can't reach its registry")
        sys.exit(SKIPPED if unreachable else 1)
    os.chmod(TOOL, 0o755)


def line_hashes(text):
    """As github/codeql-action's src/fingerprints.ts has them: 100 UTF-16 units without blanks from
    each line on, the file's end being 0xffff and then zeroes."""
    bare = re.sub(r"[ \t]", "", text.replace("\r\n", "\n").replace("\r", "\n")) + "\uffff"
    raw = bare.encode("utf-16-le")
    units = [raw[k] + 256 * raw[k + 1] for k in range(0, len(raw), 2)]
    starts = [0] + [k + 1 for k, unit in enumerate(units) if unit == 10]
    seen, out = collections.Counter(), []
    for start in starts:
        value = 0
        for k in range(start, start + 100):
            value = (37 * value + (units[k] if k < len(units) else 0)) % 2 ** 64
        seen[value] += 1
        out.append("%x:%d" % (value, seen[value]))
    return out


class Validated(Case):
    def complaints(self, log):
        """(level, rule) of all that the validator has to say of a log, a text."""
        path, to = self.write("log.sarif", log), self.path("complaints.sarif")
        environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
                       "DOTNET_BUNDLE_EXTRACT_BASE_DIR": self.path("extracted")}
        done = subprocess.run([TOOL, "validate", path, "--output", to, "--log", "ForceOverwrite"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, env=environment, timeout=300)
        self.assertTrue(os.path.exists(to), done.stdout)
        with open(to, encoding="utf-8-sig") as file:
            results = json.load(file)["runs"][0]["results"]
        return {(result.get("level", "warning"), result["ruleId"]) for result in results}

    def valid(self, *arguments, allowed=frozenset()):
        """The results of a log about which the validator says nothing but SARIF2005, the driver
        names no web site. That it says: of what it can't read it says nothing at all."""
        done = run("report", "--sarif", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.complaints(done.stdout) - allowed, {("warning", "SARIF2005")})
        return json.loads(done.stdout)["runs"][0]["results"]

    def test_findings_are_valid(self):
        self.assertEqual(len(self.valid(sample())), 2)

    def test_rules_have_what_code_hosts_sort_by(self):
        rules = json.loads(run("report", "--sarif", sample()).stdout)["runs"][0]["tool"]["driver"]["rules"]
        for rule in rules:
            self.assertTrue(rule["fullDescription"]["text"])
            self.assertIn(rule["properties"]["precision"], ("very-high", "high", "medium", "low"))
            self.assertIn(rule["properties"]["problem.severity"], ("error", "warning", "recommendation"))

    def with_sources(self, text):
        """The sample's results, where its files exist and have this text."""
        folder = self.path("source")
        os.makedirs(os.path.join(folder, "src"), exist_ok=True)
        for name in ("sparse.cu", "reduce.cu"):
            with open(os.path.join(folder, "src", name), "wb") as file:
                file.write(text)
        moved = self.changed("moved.json", lambda report: replace_text(report, "src/", folder + "/src/"))
        return self.valid(moved)

    def test_a_message_links_the_places_that_it_depends_on(self):
        linked = 0
        for result in self.valid(sample()):
            related = {place["id"]: place["message"]["text"] for place in result.get("relatedLocations", [])}
            links = re.findall(r"\[((?:[^\\\]]|\\.)*)\]\(([0-9]+)\)", result["message"]["text"])
            self.assertEqual({int(number): re.sub(r"\\(.)", r"\1", text) for text, number in links}, related)
            linked += len(links)
        self.assertGreater(linked, 2)

    def test_brackets_in_a_link_are_escaped(self):
        def change(report):
            replace_text(report, "threadIdx.x", "begin[i\\]")
        texts = [result["message"]["text"] for result in self.valid(self.changed("odd.json", change))]
        self.assertTrue(any("begin\\[i\\\\\\]" in text for text in texts), texts)

    def test_regions_end_where_the_word_ends(self):
        line = "\u00e9\u00e9 for_each(x); ".encode() * 20 + b"\n"
        for result in self.with_sources(line * 200):
            region = result["locations"][0]["physicalLocation"]["region"]
            self.assertEqual(region["endLine"], region["startLine"])
            self.assertGreater(region["endColumn"], region["startColumn"])
        for result in self.valid(sample()): # which nobody can read
            region = result["locations"][0]["physicalLocation"]["region"]
            self.assertEqual((region["endLine"], "endColumn" in region), (region["startLine"], False))

    def test_lines_have_the_hash_that_github_gives_them(self):
        texts = ["".join("line %d: \u00e9 \U0001f600\r\n" % (k % 7) for k in range(200)),
                 "x\n\n \t\n" * 80 + "last", "y" * 300 + "\n" + "z\n" * 120]
        for text in texts:
            hashes = line_hashes(text)
            for result in self.with_sources(text.encode()):
                line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
                self.assertEqual(result["partialFingerprints"].get("primaryLocationLineHash"),
                                 hashes[line - 1] if line <= len(hashes) else None)
        for result in self.valid(sample()):
            self.assertNotIn("primaryLocationLineHash", result["partialFingerprints"])

    def test_a_log_without_findings_is_valid(self):
        clean = self.changed("clean.json", lambda report: [
            kernel.update(findings=[]) for kernel in report["kernels"]])
        self.assertEqual(self.valid(clean), [])

    def test_instances_of_a_place_are_one_result(self):
        before = self.valid(sample())
        def instantiate(report):
            for number in range(3):
                more = copy.deepcopy(report["kernels"][0])
                more["name"], more["symbol"] = "other<%d>()" % number, "_Z5otherILi%dEvv" % number
                report["kernels"].append(more)
                more["findings"][0]["fingerprint"] = "%016x" % number
            # An ignored one isn't an instance of those that aren't.
            report["kernels"][-1]["findings"][0]["suppressed"] = True
        results = self.valid(self.changed("instances.json", instantiate))
        self.assertEqual(len(results), len(before) + 1)
        self.assertEqual([result.get("properties", {}).get("instances", 1) for result in results], [3, 1, 1])
        # An instance that the baseline doesn't have makes its place new.
        baseline = self.path("before.json")
        run("report", "--json", "--write-baseline", baseline, sample())
        done = run("report", "--sarif", "--baseline", baseline, self.path("instances.json"))
        states = [result.get("baselineState") for result in json.loads(done.stdout)["runs"][0]["results"]]
        self.assertEqual(states, ["new", None, "unchanged"])

    def test_suppressed_findings_and_odd_paths_are_valid(self):
        def change(report):
            report["kernels"][0]["findings"][0]["suppressed"] = True
            replace_text(report, "src/sparse.cu", "/a b/\u00e9%#?.cu")
        results = self.valid(self.changed("odd.json", change))
        self.assertTrue(any("suppressions" in result for result in results))

    def test_baseline_states_are_valid(self):
        baseline = self.path("baseline.json")
        def old(report):
            findings = report["kernels"][0]["findings"]
            findings[0]["message"] = "loop loses 41% of the kernel's issue cycles"
        run("report", "--json", "--write-baseline", baseline, self.changed("old.json", old))
        known = load(baseline)
        known["findings"].append({"file": "src/gone.cu", "rule": "barrier", "message": "was there",
                                  "fingerprint": "00000000000000aa", "kernel": "gone()"})
        known["findings"] = [entry for entry in known["findings"]
                             if entry["rule"] != "barrier" or entry["kernel"] == "gone()"]
        # SARIF2017: what is gone has no line any more
        results = self.valid("--baseline", self.write("baseline.json", known), sample(),
                             allowed={("warning", "SARIF2017")})
        self.assertEqual(sorted(result["baselineState"] for result in results),
                         ["absent", "new", "updated"])

    def test_the_validator_finds_what_is_wrong(self):
        log = json.loads(run("report", "--sarif", sample()).stdout)
        log["runs"][0]["results"][0]["massage"] = {"text": "?"}
        log["runs"][0]["results"][1]["ruleIndex"] = 99
        self.assertLessEqual({("error", "JSON1005"), ("error", "SARIF1009")}, self.complaints(log))


if __name__ == "__main__":
    install()
    main()
