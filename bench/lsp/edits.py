#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What precompiled headers save after an edit: the language server analyses each file as a whole,
has its headers precompiled, and analyses it again. Both reports must be the same to the byte.

    bench/lsp/edits.py --build-folder BUILD FILE...      # BUILD has a compile_commands.json

A program that takes clang's place runs it, and keeps its report and its processor time."""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPOSITORY, "tools", "lsp", "tests"))
from client import Client, uri_of # noqa: E402

REPORT = "-fplugin-arg-divcost-report="


def compile_and_record(record, clang, arguments):
    """As clang; a line in the record says what was done, and the report is copied."""
    status = subprocess.run([clang, *arguments]).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = next((a[len(REPORT):] for a in arguments if a.startswith(REPORT)), "")
    text = ""
    if os.path.exists(report):
        with open(report) as file:
            text = file.read()
    kind = "make" if "-emit-pch" in arguments else "with" if "-include-pch" in arguments else "whole"
    with open(record, "a") as file:
        file.write(json.dumps({"kind": kind, "status": status, "report": text,
                               "user": used.ru_utime}) + "\n")
    return status


def recorded(record):
    if not os.path.exists(record):
        return []
    with open(record) as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def wait_for_compilations(record, count, seconds=600):
    until = time.monotonic() + seconds
    while len(recorded(record)) < count and time.monotonic() < until:
        time.sleep(0.05)
    return recorded(record)


def analyse_twice(options, path, folder):
    """What ran: the first analysis, the making of the headers, the second analysis."""
    record = os.path.join(folder, "record")
    clang = os.path.join(folder, "clang")
    with open(clang, "w") as file:
        file.write("#!/bin/sh\nexec '%s' '%s' --record '%s' '%s' \"$@\"\n" %
                   (sys.executable, os.path.abspath(__file__), record, options.clang))
    os.chmod(clang, 0o755)
    client = Client([options.divcost, "lsp"])
    plugin = {"plugin": os.path.abspath(options.plugin)} if options.plugin else {}
    client.initialize(clang=clang, buildFolder=os.path.abspath(options.build_folder), **plugin)
    client.open(path)
    client.diagnostics(path, seconds=600)
    try:
        message = client.wait_for(lambda m: m.get("method") == "window/logMessage" and
                                  ": its headers are" in m["params"]["message"],
                                  60)["params"]["message"]
    except TimeoutError:
        message = "it begins with nothing that could be precompiled"
    if not message.endswith("are precompiled"):
        client.end()
        return [], message
    client.notify("textDocument/didSave", textDocument={"uri": uri_of(path)})
    entries = wait_for_compilations(record, 3)
    client.end()
    return entries, message


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--build-folder", required=True)
    parser.add_argument("--divcost", default=os.path.join(REPOSITORY, "build", "tools", "divcost"))
    parser.add_argument("--plugin", help="default: the one that belongs to the command")
    parser.add_argument("--clang", default="clang++-22")
    options = parser.parse_args()
    ratios, differ = [], 0
    print("%8s %8s %8s  file" % ("whole s", "make s", "with s"))
    for path in map(os.path.abspath, options.files):
        with tempfile.TemporaryDirectory() as folder:
            entries, message = analyse_twice(options, path, folder)
        if [e["kind"] for e in entries] != ["whole", "make", "with"]:
            print("%26s  %s: %s" % ("-", path, message.splitlines()[0]))
            continue
        whole, make, short = entries
        same = whole["report"] == short["report"] and short["status"] == 0
        differ += not same
        ratios.append((whole["user"], short["user"]))
        print("%8.2f %8.2f %8.2f  %s%s" % (whole["user"], make["user"], short["user"],
                                           os.path.basename(path), "" if same else ": NOT THE SAME"),
              flush=True)
    if ratios:
        print("%d files, median %.2f s whole, %.2f s with precompiled headers; %d reports differ" %
              (len(ratios), statistics.median(r[0] for r in ratios),
               statistics.median(r[1] for r in ratios), differ))
    return 1 if differ else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        sys.exit(compile_and_record(sys.argv[2], sys.argv[3], sys.argv[4:]))
    sys.exit(main())
