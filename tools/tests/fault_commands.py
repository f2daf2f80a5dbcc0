# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that faults.py runs, each with small inputs of its own."""
import dataclasses
import json
import os
import struct
import tempfile

import divprof

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FAKE_CLANG = os.path.join(ROOT, "tools", "check", "tests", "fake_clang.sh")


@dataclasses.dataclass
class Command:
    """What is run in a folder with these inputs. A cut is seen where an input says how long it is:
    JSON, profiles, objects; half of a listing is a listing."""
    name: str
    words: list
    inputs: dict = dataclasses.field(default_factory=dict)
    outputs: tuple = ()
    stdin: bytes = b""
    form: str = "text"        # of standard output: text, json, jsonl, rpc or none
    cut_seen: bool = True
    streams: bool = False     # prints while it reads: what failed may have printed something
    names: tuple = ()         # what messages may name beside the input: what that leads to
    kept: tuple = ()          # files that stay by design, by how their names begin
    environment: dict = dataclasses.field(default_factory=dict)
    places: int = 1           # of how many places an input is damaged at: a part of the usual


def small_report(samples):
    """One kernel of the sample; figures are made anew."""
    with open(os.path.join(samples, "sample_90.json")) as file:
        report = json.load(file)
    report["kernels"] = report["kernels"][:1]
    return json.dumps(report).encode()


def library(*members):
    return b"!<arch>\n" + b"".join(
        b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, 0, 0, 0, 0o644, len(content)) + content +
        b"\n" * (len(content) % 2) for name, content in members)


def elf(report):
    """An object with a report and nothing else."""
    section = b"divcost\0" + struct.pack("<IQ", 1, len(report)) + report
    names = b"\0.divcost\0.shstrtab\0"
    at = 64 + len(section)

    def header(name, kind, offset, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, 0, 0, 1, 0)
    return b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, at + len(names), 0, 64, 0, 0, 64, 3, 2) + section + names + \
        header(0, 0, 0, 0) + header(1, 1, 64, len(section)) + header(10, 3, at, len(names))


def rpc(*messages):
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)


def read(*path):
    with open(os.path.join(ROOT, *path), "rb") as file:
        return file.read()


def reports(report):
    inputs = {"unit.json": report}
    baseline = b'{"divcost-baseline": 1, "findings": [{"rule": "lost", "fingerprint": "' + b"0" * 16 + \
        b'", "file": "a.cu", "kernel": "k", "message": "m"}]}\n'
    yield Command("report", ["report", "unit.json"], inputs)
    for form, kind in (("json", "json"), ("jsonl", "jsonl"), ("sarif", "json"), ("html", "text")):
        yield Command("report --" + form, ["report", "--" + form, "unit.json"], inputs, form=kind)
    yield Command("report @-", ["report", "--json", "@-"], inputs, stdin=b"unit.json\n", form="json", names=("u",))
    yield Command("report one.o", ["report", "--json", "one.o"], {"one.o": elf(report)}, form="json")
    second = elf(report.replace(b"sparse.cu", b"second.cu"))
    yield Command("report all.a", ["report", "--json", "all.a"],
                  {"all.a": library((b"one.o/", elf(report)), (b"two.o/", second))}, form="json")
    yield Command("report --fail-on", ["report", "--fail-on", "any", "--baseline", "base.json",
                                       "unit.json"], {**inputs, "base.json": baseline}, places=4)
    yield Command("report --write-baseline", ["report", "--write-baseline", "out.json", "unit.json"],
                  inputs, ("out.json",), places=4)
    other = report.replace(b"poisson(30)", b"poisson(10)")
    both = {**inputs, "then.json": other}
    yield Command("diff", ["diff", "unit.json", "then.json"], both, places=4)
    yield Command("diff --json", ["diff", "--json", "unit.json", "then.json"], both, form="json", places=4)
    yield Command("what-if", ["what-if", "--block", "64", "unit.json"], inputs, places=4)
    yield Command("what-if --json", ["what-if", "--block", "64", "--json", "unit.json"], inputs,
                  form="json", places=4)


def profile(loops):
    with tempfile.NamedTemporaryFile() as file:
        divprof.write(file.name, loops)
        return file.read()


def profiles():
    loops = [divprof.loop_of([[3] * 32, [1, 2, 5]]), divprof.loop_of([[2000]], kernel="other")]
    inputs = {"a.divprof": profile(loops), "b.divprof": profile(loops[:1])}
    yield Command("profile show", ["profile", "show", "a.divprof"], {"a.divprof": inputs["a.divprof"]})
    yield Command("profile show --json", ["profile", "show", "--json", "a.divprof"],
                  {"a.divprof": inputs["a.divprof"]}, form="json")
    yield Command("profile merge", ["profile", "merge", "-o", "out.divprof", "a.divprof", "b.divprof"],
                  inputs, ("out.divprof",), form="none")
    yield Command("profile diff", ["profile", "diff", "a.divprof", "b.divprof"], inputs)


def others(report):
    histogram = {"trips.txt": b"1 10\n2 20\n30 5\n"}
    yield Command("model", ["model", "poisson(3)", "--lanes", "8"])
    yield Command("model --json", ["model", "poisson(3)", "--json"], form="json")
    yield Command("model --counts", ["model", "--counts", "3,5,8", "-n", "3", "--json"], form="json")
    yield Command("model histogram", ["model", 'histogram("trips.txt")'], histogram, cut_seen=False)
    listing = {"loop.sass": read("bench", "listings", "single_loop.sass")}
    for option, form in (("", "text"), ("--json", "json"), ("--csv", "text"), ("--svg", "text"),
                         ("--trace", "text")):
        words = ["emulate", "loop.sass", "--steps", "100000"] + ([option] if option else [])
        yield Command(("emulate " + option).strip(), words, listing, form=form, cut_seen=False,
                      streams=option in ("--csv", "--trace"))
    yield Command("emulate report", ["emulate", "unit.json", "--json", "--steps", "100000"],
                  {"unit.json": report}, form="json", places=4)
    yield Command("emulate --arch", ["emulate", "loop.sass", "--arch", "mine.json", "--steps", "100000"],
                  {**listing, "mine.json": read("cost-models", "data", "sm_90.json")}, cut_seen=False)
    measured = {"measured/" + name: read("bench", "results", "h200", name)
                for name in ("loops.tsv", "branches.tsv", "instructions.tsv", "counters.csv")}
    yield Command("calibrate", ["calibrate", "--from", "measured", "--out", "out.json"], measured,
                  ("out.json",), cut_seen=False, streams=True, places=20, names=("measured",))
    yield Command("lsp", ["lsp"], stdin=rpc(
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"id": 2, "method": "shutdown"}, {"method": "exit"}), form="rpc", streams=True)
    yield Command("--help", ["--help"])
    yield Command("--version", ["--version"])
    yield Command("report --help", ["report", "--help"])
    yield Command("check --help", ["check", "--help"])


def checks(report):
    """With a script in place of clang, which copies unit.json."""
    words = ["check", "--clang", FAKE_CLANG, "--plugin", "plugin.so", "--report", "out.json",
             "--timeout", "5"]
    inputs = {"rows.cu": b"// OWN\n", "plugin.so": b"plugin", "unit.json": report}
    environment = {"FAKE_LOG": "/dev/null", "FAKE_REPORT": "%s/unit.json"} # /dev/zero in its place would fill the disk
    yield Command("check", words + ["rows.cu", "--", "-O2"], inputs, ("out.json",),
                  environment=environment, cut_seen=False, streams=True, places=10, form="none",
                  names=("rows.cu", "plugin"))
    database = json.dumps([{"directory": "/", "file": "%s/rows.cu", "arguments": [
        "clang++", "-x", "cuda", "-c", "%s/rows.cu"]}]).encode()
    yield Command("check -p", words + ["-p", "build", "-j", "1"],
                  {**inputs, "build/compile_commands.json": database}, ("out.json",),
                  environment=environment, cut_seen=False, streams=True, kept=("build/divcost-check/",),
                  places=10, form="none", names=("rows.cu", "plugin"))


def commands(samples):
    report = small_report(samples)
    return [*reports(report), *profiles(), *others(report), *checks(report)]
