#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_schema.py DOCS SAMPLES: every report in the folder SAMPLES follows DOCS/divcost-1.schema.json,
and has no member that the schema, and DOCS/json-schema.md, leave out. Needs python3-jsonschema;
without it, exit status 77."""
import copy
import glob
import json
import os
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def objects(schema):
    """All subschemas that describe an object with known members."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for child in schema.values():
            yield from objects(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from objects(child)


def main():
    docs, samples = sys.argv[1:]
    with open(os.path.join(docs, "divcost-1.schema.json")) as file:
        schema = json.load(file)
    with open(os.path.join(docs, "json-schema.md")) as file:
        page = file.read()
    jsonschema.Draft202012Validator.check_schema(schema)
    failures = []
    for described in objects(schema):
        described["additionalProperties"] = False # a report may have more, ours must not
        for member in described["properties"]:
            if not re.search(r"`%s`" % re.escape(member), page):
                failures.append("json-schema.md doesn't explain `%s`" % member)
    validator = jsonschema.Draft202012Validator(schema)
    paths = sorted(glob.glob(os.path.join(samples, "*.json")))
    for path in paths:
        with open(path) as file:
            report = json.load(file)
        for error in validator.iter_errors(report):
            where = "".join("[%r]" % step for step in error.absolute_path)
            failures.append("%s%s: %s" % (os.path.basename(path), where, error.message[:200]))
    # The schema must be able to fail.
    with open(os.path.join(samples, "sample.json")) as file:
        sample = json.load(file)
    for member in ("divcost", "archs", "kernels"):
        broken = copy.deepcopy(sample)
        del broken[member]
        if validator.is_valid(broken):
            failures.append("a report without '%s' passes" % member)
    sample["kernels"][0]["skeleton"]["nodes"][0][0] = "unheard-of"
    if validator.is_valid(sample):
        failures.append("a node with an unknown operator passes")
    example = re.search(r"```json\n(.*?)```", page, re.S)
    if not example:
        failures.append("json-schema.md has no example")
    else:
        for error in validator.iter_errors(json.loads(example[1])):
            failures.append("the example in json-schema.md: " + error.message[:200])
    print("\n".join(failures) if failures else "%d reports follow the schema" % len(paths))
    return 1 if failures or len(paths) < 40 else 0


sys.exit(main())
