#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_arch_schema.py SCHEMA DATA: every architecture file in the folder DATA follows SCHEMA, and
files that are wrong don't. Needs python3-jsonschema; without it, exit status 77."""
import copy
import glob
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def read(path):
    with open(path) as file:
        return json.load(file)


def without(data, *path):
    broken = copy.deepcopy(data)
    place = broken
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return broken


def changed(data, value, *path):
    broken = copy.deepcopy(data)
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return broken


def main():
    schema, folder = read(sys.argv[1]), sys.argv[2]
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    paths = sorted(set(glob.glob(os.path.join(folder, "*.json"))) -
                   set(glob.glob(os.path.join(folder, "*.machine.json"))))
    failures = ["%s: %s" % (os.path.basename(path), error.message[:200])
                for path in paths for error in validator.iter_errors(read(path))]
    kepler, hopper = read(folder + "/kepler.json"), read(folder + "/sm_90.json")
    wrong = {
        "no rules": without(kepler, "rules"),
        "no stack": without(kepler, "stack"),
        "no spill": without(kepler, "spill"),
        "no provenance": without(kepler, "divergent_branch", "provenance"),
        "a chunk of 0": changed(kepler, 0, "stack", "chunk", "value"),
        "a negative cost": changed(kepler, -1, "spill", "value"),
        "an unknown policy": changed(kepler, "idle", "stack", "reload", "value"),
        "an unknown member": changed(kepler, 1, "pushes"),
        "a stack with barriers": changed(hopper, kepler["stack"], "stack"),
        "a machine without a clock": without(hopper, "machine", "clock"),
        "a machine with a cache more": changed(hopper, hopper["machine"]["l2"], "machine", "l3"),
        "half a multiprocessor": changed(hopper, 0.5, "machine", "sms", "value"),
        "a sector for nothing": changed(hopper, 0, "machine", "l2_sector", "value"),
        "17 schedulers": changed(hopper, 17, "machine", "schedulers", "value"),
        "another version": changed(hopper, 2, "divcost_arch"),
    }
    failures += ["%s passes" % name for name, data in wrong.items() if validator.is_valid(data)]
    print("\n".join(failures) if failures else "%d files follow the schema" % len(paths))
    return 1 if failures or len(paths) < 4 else 0


sys.exit(main())
