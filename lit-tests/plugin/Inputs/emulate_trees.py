# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""emulate_trees.py DIVCOST INTERLEAVED.json SEQUENTIAL.json: the divergent branches of a block, for
each size, if none is predicated. The reports are changed."""
import json
import subprocess
import sys

divcost, *reports = sys.argv[1:]
for report in reports:
    with open(report, encoding="utf-8") as file:
        text = file.read()
    with open(report, "w", encoding="utf-8") as file:
        file.write(text.replace('"likely"', '"unlikely"'))
for threads in (32, 64, 128, 256, 512, 1024):
    counts = [json.loads(subprocess.check_output([divcost, "emulate", report, "--json", "--block",
                                                  str(threads)]))["divergent_branches"]
              for report in reports]
    print("%d threads: %d and %d" % (threads, *counts))
