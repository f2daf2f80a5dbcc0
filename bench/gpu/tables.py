# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts that draw measurements share."""
import sys


def read_table(path):
    """The origin, and the lines as dicts, of a file of tab-separated values as the measuring
    programs write it: "# origin", the names of the columns, the values."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    origin = lines[0][2:] if lines and lines[0].startswith("# ") else ""
    table = [line.split("\t") for line in lines if not line.startswith("#")]
    for number, fields in enumerate(table[1:], 1):
        if len(fields) != len(table[0]):
            sys.exit("%s: %d values in measurement %d, and %d columns" % (
                path, len(fields), number, len(table[0])))
    return origin, [dict(zip(table[0], fields)) for fields in table[1:]]


def matplotlib_or_skip():
    """matplotlib.pyplot for files; without it the exit code 77, which tests take as skipped."""
    try:
        import matplotlib
    except ImportError:
        print("needs matplotlib (Debian: python3-matplotlib)", file=sys.stderr)
        sys.exit(77)
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot
