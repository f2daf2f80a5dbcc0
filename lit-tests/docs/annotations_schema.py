#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""annotations_schema.py DOCS COMMAND...: the schema of annotation files and the plugin agree on
what is one, and the examples of the manual follow it. COMMAND compiles a file with the plugin; the
option for the annotations is added to it."""
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

LOOP = {"file": "a.cu", "line": 3, "trips": "const(2)"}
ID = {"id": "0123456789abcdef", "ignore": "why"}

KERNEL = {"function": "f", "launch": "block=32"}


def less(entry, member):
    return {key: value for key, value in entry.items() if key != member}


# Entries of a file's list, and whether they are good.
ENTRIES = [
    (LOOP, True),
    ({**less(LOOP, "file"), "function": "f"}, True),
    ({**LOOP, "function": "space::f", "ignore": "why"}, True),
    (ID, True),
    ({**ID, "file": "a.cu", "line": 3, "function": "f"}, True),
    ({**ID, "function": "f"}, True),
    ({}, False),
    ("const(2)", False),
    (less(LOOP, "file"), False),
    (less(LOOP, "line"), False),
    (less(LOOP, "trips"), False),
    (less(ID, "ignore"), False),
    ({**LOOP, "line": 0}, False),
    ({**LOOP, "line": "3"}, False),
    ({**LOOP, "line": 2 ** 32}, False),
    ({**LOOP, "file": ""}, False),
    ({**LOOP, "function": 1}, False),
    ({**LOOP, "trips": ["const(2)"]}, False),
    ({**LOOP, "ignore": ""}, False),
    ({**LOOP, "trip": "const(2)"}, False),
    ({**ID, "id": "0123456789ABCDEF"}, False),
    ({**ID, "id": "123"}, False),
    ({**ID, "id": 81985529216486895}, False),
]
KERNELS = [
    (KERNEL, True),
    ({**KERNEL, "file": "a.cu"}, True),
    (less(KERNEL, "function"), False),
    (less(KERNEL, "launch"), False),
    ({**KERNEL, "file": ""}, False),
    ({**KERNEL, "function": 1}, False),
    ({**KERNEL, "launch": 32}, False),
    ({**KERNEL, "line": 3}, False),
    ("block=32", False),
]
FILES = [({"divcost-annotations": 1, "loops": [entry]}, good) for entry, good in ENTRIES] + [
    ({"divcost-annotations": 1, "kernels": [entry]}, good) for entry, good in KERNELS] + [
    ({"divcost-annotations": 1, "kernels": []}, True),
    ({"divcost-annotations": 1, "loops": [LOOP], "kernels": [KERNEL]}, True),
    ({"divcost-annotations": 1, "loops": [LOOP], "kernels": {}}, False),
    ({"divcost-annotations": 1, "loops": []}, True),
    ({"divcost-annotations": 1, "$schema": "x", "loops": []}, True),
    ({"divcost-annotations": 1, "loops": [], "kernel": []}, False),
    ({"divcost-annotations": 1, "loops": [LOOP, ID]}, True),
    ({"divcost-annotations": 2, "loops": []}, False),
    ({"divcost-annotations": 1}, False),
    ({"loops": []}, False),
    ([], False),
]


def plugin_takes(command, path):
    done = subprocess.run([*command, "-fplugin-arg-divcost-annotations=" + path],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    refused = "error: divcost: '%s'" % path in done.stdout
    if refused == (done.returncode == 0):
        sys.exit("the compiler ended with %d: %s" % (done.returncode, done.stdout))
    return not refused


def main():
    docs, command = sys.argv[1], sys.argv[2:]
    with open(os.path.join(docs, "divcost-annotations-1.schema.json")) as file:
        schema = json.load(file)
    with open(os.path.join(docs, "annotations.md")) as file:
        page = file.read()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.S)]
    if not examples:
        print("annotations.md has no example")
        return 1
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "notes.json")
        with open(os.path.join(folder, "rows.txt"), "w") as file: # an example names it
            file.write("3 1\n")
        for data, good in FILES + [(example, True) for example in examples]:
            with open(path, "w") as file:
                json.dump(data, file)
            for name, takes in (("the schema", validator.is_valid(data)),
                                ("the plugin", plugin_takes(command, path))):
                if takes != good:
                    failures += 1
                    print("%s %s %s" % (name, "takes" if takes else "refuses", json.dumps(data)))
    for member in {**schema["$defs"]["loop"]["properties"],
                   **schema["$defs"]["kernel"]["properties"]}:
        if not re.search(r"`%s`" % member, page):
            failures += 1
            print("annotations.md doesn't explain `%s`" % member)
    return 1 if failures else 0


sys.exit(main())
