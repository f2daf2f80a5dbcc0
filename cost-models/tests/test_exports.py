#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_exports.py NM HEADERS ARCHIVE ...: the archives export what the headers declare.

Every symbol that an archive exports is declared in HEADERS/*.h, or begins with dc__, which is for the
libraries alone; and every function that is declared there is exported by one of them."""
import glob
import re
import subprocess
import sys

INTERNAL = "dc__"
COMPILERS = "__" # what sanitizers, say, add


def exports(nm, archive):
    lines = subprocess.run([nm, "--extern-only", "--defined-only", archive], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    names = {line.split()[2] for line in lines if len(line.split()) == 3}
    return {name for name in names if not name.startswith(COMPILERS)}


def declarations(headers):
    """(functions, variables) that the headers declare, but not those that they define."""
    functions, variables = set(), set()
    for path in glob.glob(headers + "/*.h"):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*|/\*.*?\*/|\\\n", "", file.read(), flags=re.DOTALL)
        text = re.sub(r'^#.*$|^extern "C" \{', "", text, flags=re.MULTILINE)
        functions |= set(re.findall(r"^[A-Za-z][\w *]*?\b(\w+)\([^;{}]*\);", text, flags=re.MULTILINE))
        for names in re.findall(r"^extern ([^;(]*);", text, flags=re.MULTILINE):
            variables |= set(re.findall(r"(\w+)(?:\[\w*\])?(?=,|$)", names))
    return functions, variables


def main():
    nm, headers, *archives = sys.argv[1:]
    functions, variables = declarations(headers)
    found = set().union(*(exports(nm, archive) for archive in archives))
    undeclared = sorted(name for name in found - functions - variables if not name.startswith(INTERNAL))
    missing = sorted((functions | variables) - found)
    for name in undeclared:
        print(f"'{name}' is exported, and no header declares it: make it static, or name it {INTERNAL}...")
    for name in missing:
        print(f"'{name}' is declared in {headers}, and no archive has it")
    print(f"{len(found)} exported, {len(functions)} functions and {len(variables)} variables declared")
    return 1 if undeclared or missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
