# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lowered_limits.py REPOSITORY DIVCOST FOLDER COMPILER...: each limit of pass/analysis/limits.h, but for
the one at which the analysis stops, is lowered to 0. Then the compiler says nothing of it, the report
can be read, and some verdict is weaker than before, but none is stronger.
docs/internals/analysis-limits.md has them all."""
import json
import os
import re
import subprocess
import sys

REPOSITORY, DIVCOST, FOLDER, COMPILER = *sys.argv[1:4], sys.argv[4:]
# Where each one shows, of lit-tests/analysis.
SHOWS_IN = {
    "block_dims": "shapes", "dims_operations": "conditions", "term_operations": "shapes",
    "stride_operations": "strided", "search_operations": "trips", "sum_depth": "barriers",
    "sum_steps": "barriers", "sum_terms": "barriers", "sum_factors": "barriers",
    "bisection_depth": "bisection", "bisection_ends": "bisection", "shared_variables": "shared_memory",
    "reasons": "data_dependent", "pointer_targets": "pointers", "launch_depth": "shapes", "launch_steps": "shapes",
    "live_words": "shapes",
}
# LLVM 19 gives no loop there the form whose strides are tried out.
SHOWS_FROM_20 = {"stride_operations"}
CLASSES = ["uniform", "block-uniform", "warp-uniform", "strided", "lane-affine", "data-dependent",
           "unknown"]
BISECTION = """\
__global__ void bisection(const float *sorted, const float *wanted, int *out, int n) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < wanted[threadIdx.x])
      low = middle + 1;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}
"""


def loops(name, limits=""):
    """(class, everything said) of each loop of each kernel, with what is known of its registers."""
    path, report = os.path.join(REPOSITORY, "lit-tests/analysis", name + ".cu"), FOLDER + "/limits.json"
    if name == "bisection":
        path = FOLDER + "/bisection.cu"
        with open(path, "w") as file:
            file.write(BISECTION)
    done = subprocess.run(
        [*COMPILER, "-fsyntax-only", "-fplugin-arg-divcost-no-warn=imbalance,barrier", path,
         "-fplugin-arg-divcost-report=" + report],
        env={**os.environ, "DIVCOST_LIMITS": limits}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    assert done.returncode == 0 and "gave-up" not in done.stdout, done.stdout
    again = subprocess.run([DIVCOST, "report", "--json", report], stdout=subprocess.PIPE, check=True)
    return [(kernel["name"], loop["class"], loop["trips"].get("expr"),
             loop["trips"].get("distribution"), len(loop["reasons"]),
             kernel["skeleton"]["resources"].get("live"))
            for kernel in json.loads(again.stdout)["kernels"] for loop in kernel["loops"]]


def llvm_version():
    text = subprocess.run([COMPILER[0], "--version"], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout
    return int(re.search(r"version (\d+)", text)[1])


def main():
    with open(os.path.join(REPOSITORY, "pass/analysis/limits.h")) as file:
        text = file.read()
    room = dict(re.findall(r"(DCP_MAX_\w+) = (\d+)", text))
    limits = {name: room.get(value, value) for name, value in re.findall(r"  X\((\w+), (\w+)\)", text)}
    with open(os.path.join(REPOSITORY, "docs/internals/analysis-limits.md")) as file:
        documented = dict(re.findall(r"`(\w+)` (\d+)", file.read()))
    assert limits == documented, (limits, documented)
    whole = {name: loops(name) for name in set(SHOWS_IN.values())}
    for limit in limits:
        if limit == "steps":
            continue
        before, after = whole[SHOWS_IN[limit]], loops(SHOWS_IN[limit], limit + "=0")
        if limit == "pointer_targets":  # whose loops aren't there
            assert set(after) < set(before)
            continue
        assert [loop[0] for loop in before] == [loop[0] for loop in after], limit
        if limit not in SHOWS_FROM_20 or llvm_version() >= 20:
            assert before != after, "%s=0 shows nowhere" % limit
        for x, y in zip(before, after):
            assert CLASSES.index(y[1]) >= CLASSES.index(x[1]), (limit, x, y)
    print("%d limits" % len(limits))


main()
