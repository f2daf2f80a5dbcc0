#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the place of clang with the plugin: what it does stands in the text that it is to compile,
as "// fake: WORD"; "// fake pch: WORD" is for the makers and users of its precompiled headers. Without, it leaves the report $FAKE_REPORT, of src/sparse.cu, as the report of its
file. What it was called with is added to $FAKE_LOG."""
import json
import os
import re
import signal
import sys
import time

arguments = sys.argv[1:]
makes, uses = "-emit-pch" in arguments, "-include-pch" in arguments
report = next((a.split("=", 1)[1] for a in arguments if a.startswith("-fplugin-arg-divcost-report=")), None)
file = arguments[arguments.index("cuda", arguments.index("-fsyntax-only")) + 1]
remapped = dict(a.split(";", 1) for a in arguments if ";" in a)
with open(remapped.get(file, file), newline="", errors="replace") as stream:
    text = stream.read()
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(json.dumps({"pid": os.getpid(), "arguments": arguments, "text": text,
                          "headers": {path: open(copy).read() for path, copy in remapped.items()
                                      if path != file}}) + "\n")
with open(os.environ["FAKE_REPORT"]) as stream:
    unit = stream.read().replace("src/sparse.cu", os.path.abspath(file))

about = re.search(r"// fake pch: (.*)", text)
about = about[1].strip() if about else ""
if makes:
    if about == "slow":
        time.sleep(60) # what waits for it has ended by then
    elif about == "lost":
        print("%s:1:9: error: a pragma is lost" % file, file=sys.stderr)
        sys.exit(1)
    with open(arguments[arguments.index("-o") + 2], "w") as stream:
        stream.write(text)
    sys.exit(0)
if uses:
    with open(arguments[arguments.index("-include-pch") + 2]) as stream:
        begins = next(a for a in arguments if a.startswith("-preamble-bytes="))
        assert text.encode()[:int(begins.split("=")[1].split(",")[0])] == stream.read().encode()
    if about == "useless":
        print("fatal error: file has been modified", file=sys.stderr)
        sys.exit(1)

word = re.search(r"// fake: (.*)", text)
word = word[1].strip() if word else ""
if word == "hang":
    if os.fork() == 0: # as cc1 runs below the driver
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
elif word == "slow":
    time.sleep(0.2)
elif word.startswith("first"): # a report with one kernel fewer, long before the whole one
    first = json.loads(unit)
    del first["kernels"][0]
    path = next(a.split("=", 1)[1] for a in arguments if a.startswith("-fplugin-arg-divcost-first-report="))
    with open(path + ".new", "w") as stream:
        json.dump(first, stream)
    os.rename(path + ".new", path)
    time.sleep(600 if word == "first, then hang" else 1)
elif word == "suppressed":
    unit = unit.replace('"suppressed": false', '"suppressed": true')
elif word == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
elif word.startswith("error"):
    print("%s:%s" % (file, word[len("error "):]), file=sys.stderr)
    sys.exit(1)
elif word == "noise": # more than a pipe holds, and no text
    sys.stderr.buffer.write(b"\xff\xfe\0 error \n" * 200000)
    sys.exit(1)
elif word == "half":
    unit = unit[:len(unit) // 2]
elif word == "nothing":
    sys.exit(0)
elif word == "header": # the loop stands in the header that is beside the file
    unit = unit.replace(os.path.abspath(file), os.path.join(os.path.dirname(file), "rows.cuh"))
with open(report, "w") as stream:
    stream.write(unit)
