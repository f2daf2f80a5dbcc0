# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the verdicts of a report, one per line and in the order of the source, for FileCheck:
#
#   kernel NAME BLOCK (FROM)
#   calls FUNCTION (KIND)           what the figures leave out; "others" has no name
#   WHERE: CLASS, TRIPS[ (CONDITION)][, N of M exits divergent]
#   WHERE: branch CONDITION         a divergent branch that is no loop exit
#   WHERE: RULE                     a finding other than those on cost
#
# WHERE is a line of the kernel, "in FUNCTION" for what was inlined or is called.
import json
import sys

COST = ("imbalance", "data-dependent", "efficiency", "branch")


def place(item, kernel):
    function = item.get("function")
    if function and function != kernel["name"].split("(")[0]:
        return "in " + function
    return str(item.get("line", "?"))


def describe(loop):
    text = "%s, %s" % (loop["class"], loop["trips"].get("expr", "-"))
    if "condition" in loop:
        text += " (%s)" % loop["condition"]
    divergent = sum(exit["divergent"] for exit in loop["exits"])
    if 0 < divergent < len(loop["exits"]):
        text += ", %d of %d exits divergent" % (divergent, len(loop["exits"]))
    return text


def lines_of(kernel):
    for loop in kernel["loops"]:
        yield loop.get("line", 0), loop.get("column", 0), place(loop, kernel) + ": " + describe(loop)
    for branch in kernel["branches"]:
        if "exits" in branch:
            continue
        condition = branch.get("condition", "-")
        yield branch.get("line", 0), 0, "%s: branch %s" % (place(branch, kernel), condition)
    for finding in kernel["findings"]:
        if finding["rule"] not in COST:
            at = place(finding, kernel)
            yield finding.get("line", 0), 0, "%s: %s" % (at, finding["rule"])


with open(sys.argv[1]) as stream:
    unit = json.load(stream)
for kernel in sorted(unit["kernels"], key=lambda kernel: kernel["line"]):
    block = "x".join(str(n) for n in kernel["block"])
    print("kernel %s %s (%s)" % (kernel["name"].split("(")[0], block, kernel["block_from"]))
    for call in kernel.get("calls", []):
        print("calls %s (%s)" % (call.get("function", "others"), call["kind"]))
    for _, _, text in sorted(lines_of(kernel)):
        print(text)
