# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""emulate_all.py DIVCOST FOLDER -- CLANG FLAGS... -- KERNELS: compiles every kernel of a folder, and
emulates one warp of each under all rules; tokens and barriers must see the same divergence."""
import glob
import json
import os
import subprocess
import sys

divcost, folder = sys.argv[1:3]
first, second = [k for k, word in enumerate(sys.argv) if word == "--"][:2]
compiler, kernels = sys.argv[first + 1:second], sys.argv[second + 1]
emulated = 0
for path in sorted(glob.glob(kernels + "/*.cu")):
    report = os.path.join(folder, "kernel.json")
    subprocess.check_call(compiler + [path, "-fplugin-arg-divcost-report=" + report])
    for kernel in json.load(open(report))["kernels"]:
        figures = {}
        for rules in ("stack", "barriers", "none"):
            done = subprocess.run([divcost, "emulate", report, "--kernel", kernel["symbol"], "--json",
                                   "--warp", "0", "--rules", rules],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
            if done.returncode:
                print("failed: %s under %s: %s" % (path, rules, done.stderr.decode()))
                continue
            figures[rules] = json.loads(done.stdout)
        if len({(f["divergent_branches"], f["divergent_exits"]) for rules, f in figures.items()
                if rules != "none"}) != 1:
            print("failed: %s: tokens and barriers differ" % path)
        emulated += 1
print("%d kernels under 3 sets of rules" % emulated)
