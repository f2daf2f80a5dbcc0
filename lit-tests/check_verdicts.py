#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the verdicts in the plugin's JSON report with those that a source file expects.

  check_verdicts.py SOURCE REPORT

Each loop of the source has a comment on the line where its statement begins:

  // expect: class=CLASS [warn[=RULE] ...] [may-vanish]

CLASS is one of the classes of the JSON schema. RULE is a rule of a finding that the loop must have
(`warn` alone: the one that is called like the class); without it, it must have none (remarks aside).
A loop that `may-vanish`, because a pragma has it unrolled, may be missing from the report. Each instance of a loop
(templates, inlining, kernels) must have the expected class; one with the expected finding is
enough, as divcost reports the worst. Loops in other files than SOURCE (headers) aren't looked at,
nor are findings of branches.

Prints each mismatch as "file:line: what". Exit status: 0 all as expected; 1 mismatches; 2 the
arguments, the report or an expectation can't be read.
"""

import json
import os
import re
import sys

CLASSES = {
    "uniform",
    "block-uniform",
    "warp-uniform",
    "lane-affine",
    "strided",
    "data-dependent",
    "unknown",
}
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "warnings.md")


def read_rules():
    """The rules that warn from the start, and those that don't: as the manual lists them, which is
    held against the library's table by cost-models/tests/test_rules.c."""
    with open(PAGE, encoding="utf-8") as file:
        rows = re.findall(r"^\| \[`([a-z-]+)`\]\(.*?\) \| a (warning|remark) \|", file.read(), re.M)
    return {rule for rule, kind in rows if kind == "warning"}, {rule for rule, kind in rows if kind == "remark"}


RULES, REMARKS = read_rules()
OF_NO_LOOP = {"branch"}


class Unreadable(Exception):
    pass


class Expectation:
    def __init__(self, text, where):
        self.loop_class = None
        self.warnings = set()
        self.may_vanish = False
        for word in text.split():
            key, _, value = word.partition("=")
            if key == "class" and value in CLASSES and self.loop_class is None:
                self.loop_class = value
            elif key == "warn" and value in RULES:
                self.warnings.add(value)
            elif word == "warn" and self.loop_class in RULES:
                self.warnings.add(self.loop_class)
            elif word == "may-vanish":
                self.may_vanish = True
            else:
                raise Unreadable("%s: can't read '%s' in the expectation" % (where, word))
        if self.loop_class is None:
            raise Unreadable("%s: an expectation needs class=CLASS" % where)


def read_expectations(source):
    """The expectations of a file, by line."""
    expectations = {}
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.search(r"//\s*expect:(.*)", line)
            if match:
                where = "%s:%d" % (source, number)
                expectations[number] = Expectation(match.group(1), where)
    return expectations


def same_file(a, b):
    return os.path.realpath(a) == os.path.realpath(b)


class Report:
    """What a report says about one source file: classes and rules of findings by line. What has no
    line, or is of the whole kernel, counts for the kernel's line."""

    def __init__(self, report, source):
        self.classes = {}
        self.findings = {}
        self.others = []  # (line, text) of what can't be expected
        for kernel in report["kernels"]:
            kernel_line = kernel.get("line", 0)
            for loop in kernel["loops"]:
                if "line" not in loop:
                    self.others.append((kernel_line, "a loop without a line: " + loop["class"]))
                elif same_file(loop["file"], source):
                    self.classes.setdefault(loop["line"], set()).add(loop["class"])
            for finding in kernel["findings"]:
                rule = finding["rule"]
                if rule in REMARKS | OF_NO_LOOP or finding.get("suppressed"):
                    continue
                loop = kernel["loops"][finding["loop_index"]] if "loop_index" in finding else {}
                if "line" not in loop:
                    text = "unexpected warning %s: %s" % (rule, finding["message"])
                    self.others.append((kernel_line, text))
                elif same_file(loop["file"], source):
                    self.findings.setdefault(loop["line"], set()).add(rule)


def compare(expectations, report):
    """Yields (line, text) for each mismatch."""
    for line, expected in expectations.items():
        if line not in report.classes:
            if not expected.may_vanish:
                yield line, "expected class %s, no loop is reported" % expected.loop_class
            continue
        for found in sorted(report.classes[line] - {expected.loop_class}):
            yield line, "expected class %s, got %s" % (expected.loop_class, found)
        found = report.findings.get(line, set())
        for rule in sorted(expected.warnings - found):
            yield line, "expected a warning %s, got none" % rule
        for rule in sorted(found - expected.warnings):
            yield line, "unexpected warning %s" % rule
    for line in report.classes.keys() - expectations.keys():
        classes = ", ".join(sorted(report.classes[line]))
        yield line, "unexpected loop of class %s: the line has no expectation" % classes
    yield from report.others


def main(arguments):
    if len(arguments) != 2:
        sys.stderr.write("usage: check_verdicts.py SOURCE REPORT\n")
        return 2
    source, report_path = arguments
    try:
        expectations = read_expectations(source)
        if not expectations:
            raise Unreadable("%s: no line says what to expect" % source)
        with open(report_path, encoding="utf-8") as file:
            report = Report(json.load(file), source)
    except (OSError, ValueError, Unreadable) as error:
        sys.stderr.write("check_verdicts.py: %s\n" % error)
        return 2
    except (LookupError, TypeError, AttributeError) as error:
        sys.stderr.write("check_verdicts.py: %s: not a report: %r\n" % (report_path, error))
        return 2
    mismatches = sorted(set(compare(expectations, report)))
    for line, text in mismatches:
        print("%s:%d: %s" % (source, line, text))
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
