#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin says of code that wasn't written here.

  corpus.py compile --out DIR NAME=CHECKOUT ...   every .cu of the checkouts, device side, with the
                                                  plugin; what compiled is not done again
  corpus.py table   --out DIR                     loops by class, warnings, crashes
  corpus.py warnings --out DIR                    the warnings with their source
  corpus.py sample  --out DIR [--count 100] [--seed 1] [--class strided]
                                                  random loops with their source, to read by hand
  corpus.py judge   --out DIR                     the classes against judgements.tsv
  corpus.py compare --out DIR --before OTHER      what a change did to the reports: those of the
                                                  other folder, byte for byte, and where they differ
                                                  the kernels whose verdicts or messages do

Needs a CUDA Toolkit. No corpus has a description here: a header that isn't found is looked for in
the checkout and the file compiled again with the nearest one's folder as include path; compat/ gives
back what CUDA 13 dropped (texture references, a few runtime functions), because older code uses it;
what needs libraries that aren't installed counts as not compiling. Loops and warnings count once a
source location, and only if the location is in the checkout.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# Worst last; a loop that several kernels reach counts with its worst.
CLASSES = ["uniform", "block-uniform", "warp-uniform", "strided", "lane-affine", "data-dependent",
           "unknown"]
MISSING = re.compile(r"fatal error: '([^']+)' file not found")
WARNING = re.compile(r"^(.+?):(\d+):(\d+): warning: .*\[(divcost-[a-z-]+)\]", re.M)


def headers_of(checkout):
    """From a header's file name to its paths."""
    found = collections.defaultdict(list)
    for folder, folders, files in os.walk(checkout):
        folders[:] = sorted(f for f in folders if f != ".git")
        for name in files:
            found[name].append(os.path.join(folder, name))
    return found


def include_path_for(header, source, headers):
    """The folder from which `header` is found, the nearest to the source; or None."""
    candidates = []
    for path in headers.get(os.path.basename(header), []):
        if path.endswith("/" + os.path.normpath(header)) or "/" not in header:
            shared = len(os.path.commonpath([path, source]))
            candidates.append((-shared, len(path), path[:len(path) - len(header)].rstrip("/")))
    return min(candidates)[2] if candidates else None


def compile_one(arguments, name, checkout, source, headers, stamp):
    relative = os.path.relpath(source, checkout)
    base = os.path.join(arguments.out, name + "-" + re.sub(r"[^A-Za-z0-9]+", "-", relative) + "-" +
                        hashlib.sha1(relative.encode()).hexdigest()[:8])
    if os.path.exists(base + ".result"):
        with open(base + ".result") as file:
            result = json.load(file)
        if result["stamp"] == stamp and result["outcome"] != "error":
            return result
    report = base + ".json"
    if os.path.exists(report):
        os.remove(report)
    command = [arguments.clang, "-x", "cuda", "--cuda-device-only", "-S", "-o", os.devnull,
               "--cuda-gpu-arch=" + arguments.arch, "-O2", "-Wno-everything", "-Wbackend-plugin",
               "-MD", "-MF", base + ".d", "-fno-caret-diagnostics", "-ferror-limit=3",
               "-include", os.path.join(HERE, "compat", "dropped.h"), *arguments.system_headers]
    if arguments.plugin:
        command += ["-fplugin=" + arguments.plugin, "-fplugin-arg-divcost-report=" + report]
    includes = [os.path.dirname(source)]
    while True:
        run = command + ["-I" + folder for folder in includes]
        run += ["-idirafter", os.path.join(HERE, "compat"), source]
        status, text = 0, ""
        try:
            done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=arguments.timeout, errors="replace")
            status, text = done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            status, text = "timeout", "ran longer than %d s" % arguments.timeout
        missing = MISSING.search(text)
        folder = missing and include_path_for(missing[1], source, headers)
        if folder and folder not in includes:
            includes.append(folder)
        elif "requires relocatable device code" in text and "-fgpu-rdc" not in command:
            command.append("-fgpu-rdc") # launches from the device
        else:
            break
    outcome = "compiled" if status == 0 else "error"
    if status == "timeout":
        outcome = "timeout"
    elif status not in (0, 1) or "PLEASE submit a bug report" in text:
        outcome = "crash"
    files = []
    if outcome == "compiled":
        with open(base + ".d") as file:
            words = file.read().replace("\\\n", " ").split()[1:]
        absolute = {os.path.normpath(os.path.join(os.getcwd(), word)) for word in words}
        files = sorted(f for f in absolute if f.startswith(checkout + "/"))
    result = {"stamp": stamp, "corpus": name, "checkout": checkout, "source": relative,
              "outcome": outcome, "command": run, "output": text, "files": files,
              "report": report if os.path.exists(report) else None}
    with open(base + ".part", "w") as file:
        json.dump(result, file, indent=1)
    os.rename(base + ".part", base + ".result")
    return result


def system_headers(clang):
    """The C++ library that CUDA 13 keeps in a folder of its own, and gcc's OpenMP header."""
    version = subprocess.run([clang, "-v"], stderr=subprocess.PIPE, universal_newlines=True).stderr
    toolkit = re.search(r"Found CUDA installation: (.*), version", version)
    if not toolkit:
        sys.exit("corpus.py: %s finds no CUDA Toolkit" % clang)
    folders = ["-isystem", os.path.join(toolkit[1], "include", "cccl")]
    gcc = re.search(r"Selected GCC installation: (.*)", version)
    return folders + (["-idirafter", os.path.join(gcc[1], "include")] if gcc else [])


def plugin_stamp(plugin):
    if not plugin:
        return "none"
    with open(plugin, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()


def compile_all(arguments):
    os.makedirs(arguments.out, exist_ok=True)
    stamp = plugin_stamp(arguments.plugin) + " " + arguments.arch + " " + arguments.clang
    arguments.system_headers = system_headers(arguments.clang)
    work = []
    for item in arguments.corpora:
        name, _, checkout = item.partition("=")
        checkout = os.path.abspath(checkout)
        if not os.path.isdir(checkout):
            sys.exit("corpus.py: %s is no folder; name a checkout as NAME=FOLDER" % item)
        headers = headers_of(checkout)
        work += [(name, checkout, path, headers) for file in sorted(headers) if file.endswith(".cu")
                 for path in headers[file]]
    outcomes = collections.Counter()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = pool.map(lambda w: compile_one(arguments, *w, stamp), work)
        for done, result in enumerate(jobs, 1):
            outcomes[result["outcome"]] += 1
            if sys.stderr.isatty() or done == len(work):
                print("\r%d of %d: %s " % (done, len(work), dict(outcomes)), end="", file=sys.stderr)
    print(file=sys.stderr)


def results_in(out):
    for name in sorted(os.listdir(out)):
        if name.endswith(".result"):
            with open(os.path.join(out, name)) as file:
                yield json.load(file)


def loops_of(result):
    """The loops of a unit's report whose source is in the checkout, with their kernel."""
    if not result["report"] or not os.path.exists(result["report"]):
        return
    with open(result["report"]) as file:
        unit = json.load(file)
    for kernel in unit["kernels"]:
        for loop in kernel["loops"]:
            path = os.path.normpath(os.path.join(result["checkout"], loop.get("file", "")))
            if path.startswith(result["checkout"] + "/"):
                yield path, kernel, loop


def distinct_loops(results):
    """Per source location the loop with the worst class, and the classes that were seen."""
    loops = {}
    for result in results:
        for path, kernel, loop in loops_of(result):
            key = (path, loop["line"], loop.get("column", 0))
            rank = CLASSES.index(loop["class"])
            if key not in loops or rank > loops[key]["rank"]:
                seen = loops[key]["seen"] if key in loops else set()
                loops[key] = {"rank": rank, "corpus": result["corpus"], "kernel": kernel,
                              "loop": loop, "seen": seen, "checkout": result["checkout"]}
            loops[key]["seen"].add(loop["class"])
    return loops


def warnings_of(result):
    """What the plugin warned of in a unit, as (file, line, column, rule) and the message's line."""
    for match in WARNING.finditer(result["output"]):
        path = os.path.normpath(os.path.join(result["checkout"], match[1]))
        yield (path, int(match[2]), int(match[3]), match[4]), match[0]


def print_source(path, line, before, after):
    with open(path, errors="replace") as file:
        text = file.read().splitlines()
    for at in range(max(0, line - 1 - before), min(len(text), line + after)):
        print("%s%5d  %s" % (">" if at == line - 1 else " ", at + 1, text[at]))


def warnings(arguments):
    found = {}
    for result in results_in(arguments.out):
        for key, message in warnings_of(result):
            found.setdefault(key, message)
    for (path, line, _, _), message in sorted(found.items()):
        print("=" * 100)
        print(message)
        print_source(path, line, arguments.before, arguments.after)


def table(arguments):
    results = list(results_in(arguments.out))
    corpora = sorted({r["corpus"] for r in results})
    # A .cu that another one includes need not compile by itself.
    included = {path for r in results for path in r["files"]}
    for result in results:
        path = os.path.join(result["checkout"], result["source"])
        if result["outcome"] == "error" and path in included:
            result["outcome"] = "part of another"
    loops = distinct_loops(results)
    columns = {c: collections.Counter() for c in corpora}
    for found in loops.values():
        columns[found["corpus"]][found["loop"]["class"]] += 1
    warned = {c: set() for c in corpora}
    files = {c: set() for c in corpora}
    outcomes = {c: collections.Counter() for c in corpora}
    for result in results:
        corpus = result["corpus"]
        outcomes[corpus][result["outcome"]] += 1
        files[corpus].update(result["files"])
        warned[corpus].update(key for key, _ in warnings_of(result))

    def row(title, values):
        print("%-28s" % title + "".join("%16s" % value for value in values))

    row("", corpora + ["all"])
    for outcome in ["compiled", "part of another", "error", "crash", "timeout"]:
        counts = [outcomes[c][outcome] for c in corpora]
        row("files: " + outcome, counts + [sum(counts)])
    totals = [sum(columns[c].values()) for c in corpora]
    totals.append(sum(totals))
    row("distinct source loops", totals)
    for loop_class in CLASSES:
        counts = [columns[c][loop_class] for c in corpora]
        counts.append(sum(counts))
        row("  " + loop_class, ["%d (%.1f%%)" % (n, 100 * n / t if t else 0)
                                for n, t in zip(counts, totals)])
    several = sum(len(found["seen"]) > 1 for found in loops.values())
    print("%-28s%d" % ("classes differ by call path", several))
    lines = []
    for corpus in corpora:
        count = 0
        for path in files[corpus]:
            with open(path, "rb") as file:
                count += file.read().count(b"\n")
        lines.append(count)
    counts = [len(warned[c]) for c in corpora]
    lines.append(sum(lines))
    counts.append(sum(counts))
    row("lines (compiled, with theirs)", lines)
    row("warnings", counts)
    row("warnings per 1000 lines",
        ["%.2f" % (1000 * n / t if t else 0) for n, t in zip(counts, lines)])
    rules = collections.Counter(w[3] for c in corpora for w in warned[c])
    for rule, count in rules.most_common():
        print("  %-26s%d" % (rule, count))
    if arguments.verbose:
        for result in results:
            if result["outcome"] not in ("compiled", "part of another"):
                first = re.search(r".*(error|Stack dump|longer).*", result["output"])
                print("%s %s/%s: %s" % (result["outcome"], result["corpus"], result["source"],
                                        first[0] if first else ""))


def sample(arguments):
    loops = distinct_loops(results_in(arguments.out))
    keys = sorted(k for k in loops if not arguments.loop_class or
                  loops[k]["loop"]["class"] == arguments.loop_class)
    chosen = random.Random(arguments.seed).sample(keys, min(arguments.count, len(keys)))
    for number, key in enumerate(sorted(chosen), 1):
        path, line, column = key
        found = loops[key]
        loop = found["loop"]
        print("=" * 100)
        print("%d. %s/%s:%d:%d in %s" % (number, found["corpus"], os.path.relpath(
            path, found["checkout"]), line, column, found["kernel"].get("name", "?")))
        print("   class %s%s; trips %s" % (
            loop["class"], ", if " + loop["condition"] if loop.get("condition") else "",
            loop.get("trips", {}).get("expr", "not known")))
        for reason in loop.get("reasons", []):
            print("   - %s:%s: %s" % (os.path.basename(reason.get("file", "?")),
                                      reason.get("line", "?"), reason["text"]))
        print_source(path, line, arguments.before, arguments.after)


def judge(arguments):
    """Holds the classes against those in judgements.tsv. A loop that was judged strided counts as
    recognised where the plugin now says so, or a stronger class that the judge gave."""
    found = {(loop["corpus"], os.path.relpath(path, loop["checkout"]), line): loop["loop"]["class"]
             for (path, line), loop in ((key[:2], value) for key, value
                                        in distinct_loops(list(results_in(arguments.out))).items())}
    part, totals = "", collections.defaultdict(collections.Counter)
    with open(arguments.judgements) as file:
        for row in file:
            if row.startswith("# Part") and ":" not in row:
                part = row[2:].strip()
            if row.startswith("#"):
                continue
            corpus, path, line, before, judged = row.rstrip("\n").split("\t")[:5]
            remark = (row.rstrip("\n").split("\t") + [""])[5]
            now = found.get((corpus, path, int(line)), "no loop")
            debatable = "debatable" in remark
            same = "agree" if now == judged else "debatable" if debatable else "differ"
            totals[part][same] += 1
            if same != "agree":
                print("%s/%s:%s: judged %s, called %s%s" %
                      (corpus, path, line, judged, now, " (%s)" % remark if remark else ""))
    for part, counts in totals.items():
        count = sum(counts.values())
        print("%s: %d loops, %s; %.1f%% agree" % (
            part, count, ", ".join("%d %s" % (counts[k], k) for k in ("agree", "debatable", "differ")),
            100 * counts["agree"] / count))


def kernels_in(path):
    """Per kernel its verdicts (its loops with their classes), and its messages."""
    with open(path) as file:
        unit = json.load(file)
    kernels = {}
    for kernel in unit["kernels"]:
        verdicts = ["%s:%s: %s" % (loop.get("file", "?"), loop.get("line", "?"), loop["class"])
                    for loop in kernel["loops"]]
        messages = ["%s: %s" % (f["rule"], f["message"]) for f in kernel["findings"]]
        kernels[kernel["symbol"]] = (kernel["name"], sorted(verdicts), sorted(messages))
    return kernels


def compare(arguments):
    counts = collections.Counter()
    for name in sorted(os.listdir(arguments.out)):
        paths = [os.path.join(folder, name) for folder in (arguments.before, arguments.out)]
        if not name.endswith(".json") or not os.path.exists(paths[0]):
            continue
        texts = []
        for path in paths:
            with open(path) as file:
                texts.append(file.read())
        counts["reports"] += 1
        counts["identical"] += texts[0] == texts[1]
        if texts[0] == texts[1]:
            continue
        old, new = (kernels_in(path) for path in paths)
        for symbol in sorted(set(old) | set(new)):
            was, now = old.get(symbol, ("", [], [])), new.get(symbol, ("", [], []))
            for what, title in ((1, "verdicts"), (2, "messages")):
                if was[what] == now[what]:
                    continue
                counts[title] += 1
                print("%s: %s of %s" % (name[:-5], title, was[0] or now[0]))
                for sign, lines, others in (("-", was[what], now[what]), ("+", now[what], was[what])):
                    for line in (collections.Counter(lines) - collections.Counter(others)).elements():
                        print("  %s %s" % (sign, line))
    print("%d reports, %d identical; verdicts differ in %d kernels, messages in %d" % (
        counts["reports"], counts["identical"], counts["verdicts"], counts["messages"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    compile_ = commands.add_parser("compile")
    compile_.add_argument("corpora", nargs="+", metavar="NAME=CHECKOUT")
    compile_.add_argument("--clang", default="clang++-22")
    compile_.add_argument("--plugin", default=os.path.join(REPOSITORY, "build", "pass",
                                                           "divcost.so"),
                          help="empty: without, to see what compiles at all")
    compile_.add_argument("--arch", default="sm_80")
    compile_.add_argument("--jobs", type=int, default=os.cpu_count())
    compile_.add_argument("--timeout", type=int, default=300, help="seconds for a file")
    table_ = commands.add_parser("table")
    table_.add_argument("--verbose", action="store_true", help="list what didn't compile, and why")
    sample_ = commands.add_parser("sample")
    sample_.add_argument("--count", type=int, default=100)
    sample_.add_argument("--seed", type=int, default=1)
    sample_.add_argument("--class", dest="loop_class", choices=CLASSES)
    judge_ = commands.add_parser("judge")
    judge_.add_argument("--judgements", default=os.path.join(HERE, "judgements.tsv"))
    compare_ = commands.add_parser("compare")
    compare_.add_argument("--before", required=True, help="folder of the results to compare with")
    warnings_ = commands.add_parser("warnings")
    for command in (sample_, warnings_):
        command.add_argument("--before", type=int, default=12, help="lines of source before")
        command.add_argument("--after", type=int, default=8)
    for command in (compile_, table_, sample_, judge_, compare_, warnings_):
        command.add_argument("--out", required=True, help="folder of the results")
    arguments = parser.parse_args()
    {"compile": compile_all, "table": table, "sample": sample, "judge": judge,
     "compare": compare, "warnings": warnings}[arguments.command](arguments)


if __name__ == "__main__":
    main()
