#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of a Markdown page and compares what they print with what the page shows.

  examples.py --clang CLANG --plugin FILE [--divcost FILE] [--update] PAGE.md ...

A ```cuda block that starts with a line "// NAME.cu" becomes that file. In a ```console block, lines
that start with "$ " are commands of the page's reader, and what follows is all that they print.
They run in a folder with the page's files and links to bench/, runtime/ and build/; clang++-22 gets the flags
that it needs without a CUDA Toolkit, and gives no code. --update writes into the page what the
commands print now.
"""
import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```(cuda|console)\n(.*?)^```$", re.M | re.S)
NO_TOOLKIT = ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
              "-I" + os.path.join(REPOSITORY, "bench", "include"), "-include", "divcost_cuda.h",
              "--cuda-device-only", "-S", "-o", os.devnull]


def run(line, arguments, folder):
    words = shlex.split(line)
    if words[0] == "clang++-22":
        words = [arguments.clang, *(word for word in words[1:] if word != "-c"), *NO_TOOLKIT]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace",
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout


def ran_again(block, arguments, folder):
    """A console block with what its commands print now."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    text = ""
    for command in commands:
        text += command + "\n" + run(command[2:], arguments, folder)
    return text


def check(page, arguments):
    with open(page, encoding="utf-8") as file:
        before = file.read()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bench", "runtime"):
            os.symlink(os.path.join(REPOSITORY, name), os.path.join(folder, name))
        os.makedirs(os.path.join(folder, "build", "tools"))
        os.makedirs(os.path.join(folder, "build", "pass"))
        os.symlink(os.path.abspath(arguments.plugin),
                   os.path.join(folder, "build", "pass", "divcost.so"))
        if arguments.divcost:
            os.symlink(os.path.abspath(arguments.divcost),
                       os.path.join(folder, "build", "tools", "divcost"))
        for kind, block in FENCE.findall(before):
            name = re.match(r"// (\S+\.cu)\n", block)
            if kind == "cuda" and name:
                with open(os.path.join(folder, name[1]), "w", encoding="utf-8") as file:
                    file.write(block)
        after = FENCE.sub(lambda match: match[0] if match[1] == "cuda" else
                          "```console\n%s```" % ran_again(match[2], arguments, folder), before)
    if after == before:
        return True
    if arguments.update:
        with open(page, "w", encoding="utf-8") as file:
            file.write(after)
        return True
    sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True),
                                               page, "what is printed now"))
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--divcost")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    return 0 if all([check(page, arguments) for page in arguments.pages]) else 1


if __name__ == "__main__":
    sys.exit(main())
