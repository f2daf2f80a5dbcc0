#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches are bound by: by a profiler's metrics, and as divcost says.

  bound.py build --out DIR [--samples DIR] [--checkouts DIR]     needs nvcc
  bound.py reports --plugin PLUGIN --out DIR [--samples DIR] [--checkouts DIR]
  bound.py classify METRICS.csv... [--references DIR]
  bound.py judge --metrics DIR --reports DIR [--all]
  bound.py times --metrics DIR --reports DIR                     how long they take

The launches are in bound-kernels.tsv. `build` makes the programs that profile_bounds.sh runs under
ncu, which makes the METRICS.csv; `reports` asks divcost of the same launches, telling it block, grid,
values of parameters, extents of arrays, distributions that data are drawn from, and that L2 is warm
(ncu runs a kernel several times). SAMPLES is NVIDIA's cuda-samples, CHECKOUTS the programs of
bench/foreign; what is left out there is skipped.

The table
---------

It goes from a launch's metrics to one class, and at times to a second one that would be right, too.
It was written before any metric of the launches was seen. Times are shares of the launch's time:
sm__cycles_elapsed.max. It is asked in this order:

  1  launch        for half of the time or more no SM has a warp:
                   1 - sm__cycles_active.max / sm__cycles_elapsed.max >= 50%
  2  a resource    the one that is used most, if it is for 60% or more of what can be had of it
  3  longest-warp  all blocks run at once (launch__waves_per_multiprocessor <= 1), and less than half of
                   the warps are there on average, of those that were launched, while any is:
                   sm__warps_active.sum / (warps * sm__cycles_active.max) < 50%
     tail          blocks come in waves, and less than 75% of the places for blocks are taken on average,
                   while any is: sm__ctas_active.sum / (places * sm__cycles_active.max) < 75%
     latency       anything else

Why so:

1  An empty kernel is over before half of its time had a warp anywhere; what is longer by less than
   that is still mostly launched.
2  60% is where Nsight Compute's own first rule (SpeedOfLight) begins to speak of a bottleneck, and
   below which it speaks of latency. Of SMs what counts is the busiest one (.max): the launch ends with
   it. Shares are of the launch's whole time, so that a resource which is short only at first, and
   then waits for stragglers, isn't what binds. The resources:

   issue  the greatest of: instructions executed by an SM; the busy cycles of its pipes for ordinary
          arithmetic, ALU, FMA and the heavy half of FMA. Integers go to one pipe or half a pipe, and
          fill it at 50% of the issue slots. Dividing arithmetic up further is nothing that the model
          does, so it all is issue.
   pipe   the greater of the pipes for double precision and for special functions (XU)
   l1     the greatest of what Nsight Compute holds for L1's and shared memory's throughput: wavefronts of
          the data pipe, requests that come in, reads and writes of the banks, writing back to registers
   l2     the greatest of: tags, sectors and data of its slices; what they take in and send out;
          atomics, of the busiest slice too; an SM's port to them, both ways
   dram   the greater of bytes moved and cycles active

   What can be had isn't 100% everywhere: single sectors at random keep a slice's tags or a DRAM page busy
   for little data. So the launches ref_* of the same session, which ask for nothing but that with
   all warps that there can be, say what it is. Of l2 and dram, between single sectors (ref_*_single) and
   whole lines (ref_*_rows), by the sectors of a request to L2 (1 to 4); of l1 (ref_l1_single) for
   launches that make more wavefronts for global memory than for shared, and whose requests
   have 4 sectors (100%) to 8 or more on average. Where a reference lacks: DEFAULTS.
3  If warps end evenly over a launch, half of them are there on average, and half of the time passes with less
   than half. Places of blocks: where they empty evenly at the end (half of them taken in that time),
   75% on average means that the end is half of the time. Of blocks that are all alike, in 1 to 1.5
   waves, the same comes out.

Second class: where a figure lies within 10 points of where another class would be, that one, the
nearest. For resources: where another one lies within 10 points of the greatest. 10 points is what
SpeedOfLight takes for balanced.
"""
import argparse
import collections
import csv
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import annotate
import tables

TABLE = os.path.join(tables.HERE, "bound-kernels.tsv")
CLASSES = ("issue", "pipe", "l1", "l2", "dram", "latency", "longest-warp", "tail", "launch")
RESOURCES = CLASSES[:5]
REFERENCE = "reference"

# ---- the table ----------------------------------------------------------------------------------

LAUNCH, BUSY, WARPS, PLACES, NEAR = 50, 60, 50, 75, 10  # percent

ELAPSED = "pct_of_peak_sustained_elapsed"
OF_PEAK = {
    "issue": ["sm__inst_executed.max", "sm__pipe_alu_cycles_active.max", "sm__inst_executed_pipe_alu.max",
              "sm__pipe_fma_cycles_active.max", "sm__pipe_fmaheavy_cycles_active.max"],
    "pipe": ["sm__inst_executed_pipe_fp64.max", "sm__pipe_fp64_cycles_active.max", "sm__inst_executed_pipe_xu.max"],
    "l1": ["l1tex__data_pipe_lsu_wavefronts.max", "l1tex__lsuin_requests.max", "l1tex__data_bank_reads.max",
           "l1tex__data_bank_writes.max", "l1tex__lsu_writeback_active.max"],
    "l2": ["lts__t_sectors.avg", "lts__t_tag_requests.avg", "lts__d_sectors.avg", "lts__lts2xbar_cycles_active.avg",
           "lts__xbar2lts_cycles_active.avg", "lts__d_atomic_input_cycles_active.max",
           "l1tex__m_xbar2l1tex_read_sectors.max", "l1tex__m_l1tex2xbar_req_cycles_active.max"],
    "dram": ["dram__throughput.avg", "dram__cycles_active.avg"],
}
GLOBAL_LOADS = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")
TO_L2 = ("lts__t_sectors_srcunit_tex.sum", "lts__t_requests_srcunit_tex.sum")
WAVEFRONTS = ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "l1tex__data_pipe_lsu_wavefronts.sum")
ELAPSED_CYCLES, ACTIVE_CYCLES = "sm__cycles_elapsed.max", "sm__cycles_active.max"
OTHERS = ["gpu__time_duration.sum", ELAPSED_CYCLES, ACTIVE_CYCLES, "sm__cycles_active.avg", "sm__warps_active.sum",
          "sm__warps_active.avg.pct_of_peak_sustained_active", "sm__maximum_warps_per_active_cycle_pct",
          "sm__ctas_active.sum", "smsp__issue_active.avg.pct_of_peak_sustained_active", "dram__bytes.sum",
          "lts__throughput.avg." + ELAPSED, "l1tex__throughput.avg." + ELAPSED, *GLOBAL_LOADS, *TO_L2, *WAVEFRONTS,
          "launch__waves_per_multiprocessor", "launch__grid_size", "launch__block_size",
          "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
          "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps"]
# What a saturated resource shows where the reference wasn't measured, percent of peak.
DEFAULTS = {"ref_dram_rows": 92, "ref_dram_single": 50, "ref_l2_rows": 85, "ref_l2_single": 85, "ref_l1_single": 100}
LEAST_REFERENCE = 15  # lower ones weren't bound by what they are made for


def metrics_wanted():
    return OTHERS + [name + "." + ELAPSED for names in OF_PEAK.values() for name in names]


def number(text):
    try:
        value = float(text.replace(",", ""))
    except (ValueError, AttributeError):
        return None
    return value if math.isfinite(value) else None


def read_metrics(path):
    """Of the last launch in ncu's raw page: metrics by name, and strings."""
    with open(path, encoding="utf-8", errors="replace") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    if len(rows) < 3 or rows[0][0] != "ID":
        raise ValueError("%s: no raw page of ncu" % path)
    return dict(zip(rows[0], rows[-1])), dict(zip(rows[0], rows[1]))


class Metrics:
    def __init__(self, path):
        self.values, self.units = read_metrics(path)

    def get(self, name, default=None):
        value = number(self.values.get(name))
        return default if value is None else value

    def greatest(self, resource):
        found = [self.get("%s.%s" % (name, ELAPSED)) for name in OF_PEAK[resource]]
        return max([value for value in found if value is not None], default=0)

    def ratio(self, names, default):
        above, below = (self.get(name, 0) for name in names)
        return above / below if below else default


def references_in(folder):
    """Percent of peak by the reference's name."""
    found = dict(DEFAULTS)
    for name in DEFAULTS:
        path = os.path.join(folder, name + ".csv") if folder else ""
        if not os.path.exists(path):
            continue
        seen = min(100, Metrics(path).greatest(name.split("_")[1]))
        if seen >= LEAST_REFERENCE:
            found[name] = seen
        else:
            print("%s shows %.1f%% of peak: not used" % (name, seen), file=sys.stderr)
    return found


def between(low, high, at):
    return low + (high - low) * min(1, max(0, at))


def to_be_had(metrics, references):
    """Of each resource, percent of peak."""
    lines = (metrics.ratio(TO_L2, 4) - 1) / 3
    had = {resource: 100 for resource in RESOURCES}
    for resource in ("l2", "dram"):
        had[resource] = between(references["ref_%s_single" % resource], references["ref_%s_rows" % resource], lines)
    if metrics.ratio(WAVEFRONTS, 1) < 0.5:
        had["l1"] = between(100, references["ref_l1_single"], (metrics.ratio(GLOBAL_LOADS, 4) - 4) / 4)
    return had


def launched_warps(metrics):
    return metrics.get("launch__grid_size") * math.ceil(metrics.get("launch__block_size") / 32)


class Figures:
    """What the table asks for, in percent."""

    def __init__(self, metrics, references):
        had = to_be_had(metrics, references)
        self.busy = {resource: min(100, 100 * metrics.greatest(resource) / had[resource]) for resource in RESOURCES}
        active, grid = metrics.get(ACTIVE_CYCLES), metrics.get("launch__grid_size")
        self.launch = 100 * (1 - min(1, active / metrics.get(ELAPSED_CYCLES)))
        self.waves = metrics.get("launch__waves_per_multiprocessor")
        warps, blocks = metrics.get("sm__warps_active.sum"), metrics.get("sm__ctas_active.sum")
        if self.waves <= 1:
            self.left = 100 * warps / (launched_warps(metrics) * active)
        elif blocks is not None:
            self.left = 100 * blocks / (grid / self.waves * active)
        else:
            self.left = 100 * warps / (launched_warps(metrics) / self.waves * active)

    def order(self):
        return sorted(RESOURCES, key=lambda resource: -self.busy[resource])

    def text(self):
        return "launch %.0f, %s, waves %.2f, left %.0f" % (
            self.launch, ", ".join("%s %.0f" % (name, self.busy[name]) for name in RESOURCES), self.waves, self.left)


def verdict(launch, best, busy, waves, left):
    if launch >= LAUNCH:
        return "launch"
    if busy >= BUSY:
        return best
    if waves <= 1:
        return "longest-warp" if left < WARPS else "latency"
    return "tail" if left < PLACES else "latency"


def classes_of(figures):
    """The class, and the second one or None."""
    best, other = figures.order()[:2]
    launch, busy, waves, left = figures.launch, figures.busy[best], figures.waves, figures.left
    first = verdict(launch, best, busy, waves, left)
    limit = WARPS if waves <= 1 else PLACES
    beyond = 1000  # percent: surely on the other side
    near = [(abs(launch - LAUNCH), verdict(beyond if launch < LAUNCH else -beyond, best, busy, waves, left)),
            (abs(busy - BUSY), verdict(launch, best, beyond if busy < BUSY else -beyond, waves, left)),
            (abs(left - limit), verdict(launch, best, busy, waves, beyond if left < limit else -beyond))]
    if first == best:
        near.append((busy - figures.busy[other], other))
    near = [(apart, name) for apart, name in near if name != first and apart <= NEAR]
    return first, min(near)[1] if near else None


# ---- the launches -------------------------------------------------------------------------------

def launches():
    with open(TABLE, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def pairs_of(cell, between_them=","):
    parts = cell.split(between_them) if cell != "-" else []
    return [tuple(word.strip() for word in part.split("=", 1)) for part in parts]


def numbers_of(dims):
    return dims.strip("()").split(",")


# ---- building -----------------------------------------------------------------------------------

def parameters_of(kernel, text):
    """Type and name of each."""
    declared = re.search(r"__global__ void %s\(([^)]*)\)" % kernel, text).group(1)
    found = []
    for part in declared.split(",") if declared.strip() else []:
        kind, name = re.match(r"\s*(.*?)\s*(\w+)$", part.replace("__restrict__", " "), re.S).groups()
        found.append((" ".join(kind.replace("const ", "").split()), name))
    return found


def launch_code(row, text):
    values, extents = dict(pairs_of(row["parameters"])), dict(pairs_of(row["extents"]))
    fills, trips = dict(pairs_of(row["fills"], ";")), annotate.named(row["trips"])
    lines, arguments = [], []
    for kind, name in parameters_of(row["kernel"], text):
        if not kind.endswith("*"):
            arguments.append(values[name])
            continue
        fill = fills.get(name)
        made = {"ring": "arrays.ring(%s)" % extents[name],
                None: "arrays.zeros<%s>(%s)" % (kind[:-1].strip(), extents[name]),
                "draws": "arrays.draws(%s, \"%s\")" % (extents[name], trips.get(row["kernel"]))}[fill]
        lines.append("%s%s = %s;" % (kind, name, made))
        arguments.append(name)
    block, grid = (", ".join(numbers_of(row[column])) for column in ("block", "grid"))
    return """    {"%s", [](Arrays &arrays) {
       (void)arrays; %s
       return std::function<void()>([=] { %s<<<dim3(%s), dim3(%s)>>>(%s); });
     }},
""" % (row["name"], " ".join(lines), row["kernel"], grid, block, ", ".join(arguments))


def write_launches(path):
    with open(os.path.join(tables.HERE, "bounds.cu"), encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write("static const std::vector<Launch> launches = {\n")
        file.writelines(launch_code(row, text) for row in launches() if row["origin"] == "bounds")
        file.write("};\n")


def run(command, folder=None):
    """What went wrong, or nothing."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    wrong = [line for line in done.stdout.splitlines() if "error" in line or "undefined" in line]
    return "\n".join(wrong[:3]) or done.stdout[-300:] or "it failed" if done.returncode else ""


def foreign_program(name):
    sys.path.insert(0, os.path.join(tables.HERE, "..", "foreign"))
    import programs
    return next(p for p in programs.programs() if p.name == name and p.half == "open")


def sources_in(folder, endings):
    return [name for name in sorted(os.listdir(folder)) if name.endswith(endings)]


def sample_folder(options, row):
    return os.path.join(os.path.abspath(options.samples), "Samples", row["program"])


def program_command(options, row):
    """Command, folder, and the binary's name."""
    compat = os.path.join(tables.HERE, "..", "foreign", "compat.h")
    base = ["nvcc", "-O3", "-std=c++17", "-arch=sm_90", "-cudart=static", "-w"]
    if row["origin"] == "samples":
        folder = sample_folder(options, row)
        return base + ["-I", os.path.join(os.path.abspath(options.samples), "Common"),
                       *sources_in(folder, (".cu", ".cpp"))], folder, os.path.basename(row["program"])
    program = foreign_program(row["program"])
    flags = program.flags.split()
    return base + ["-include", compat, *flags, *program.sources], program.root(os.path.abspath(options.checkouts)), \
        program.name


def build_bounds(out, made):
    write_launches(os.path.join(made, "bound_launches.h"))
    include = ["-I" + tables.HERE, "-I" + made]
    return run(["nvcc", "-O3", "-std=c++17", "-arch=sm_90", "-cudart=static", *include,
                os.path.join(tables.HERE, "run_bounds.cu"), "-o", os.path.join(out, "run_bounds")])


def write_jobs(path):
    """For the shell: a line for each launch that isn't of run_bounds, and one for each group of those."""
    groups = collections.OrderedDict()
    with open(path, "w", encoding="utf-8") as file:
        for row in launches():
            if row["origin"] == "bounds":
                groups.setdefault(row["expected"], []).append(row["name"])
        for group, names in groups.items():
            file.write("bounds\t%s\trun_bounds\t-\t-\t%s\n" % (group, " ".join(names)))
        for row in launches():
            if row["origin"] != "bounds":
                file.write("\t".join([row["origin"], row["name"], os.path.basename(row["program"]),
                                      row["kernel"].split("<")[0], row["skip"], row["arguments"]]) + "\n")


def build_pairs(out, made):
    wrong = run([sys.executable, os.path.join(tables.HERE, "build.py"), "--out", made])
    if not wrong:
        shutil.move(os.path.join(made, "run_pairs"), os.path.join(out, "run_pairs"))
    return wrong


def build(options):
    out = os.path.abspath(options.out)
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "metrics.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(metrics_wanted()) + "\n")
    write_jobs(os.path.join(out, "jobs.tsv"))
    with tempfile.TemporaryDirectory() as made:
        wrong = [("run_bounds", build_bounds(out, made)), ("run_pairs", build_pairs(out, made))]
    done = set()
    for row in launches():
        root = {"samples": options.samples, "foreign": options.checkouts}.get(row["origin"])
        if not root or row["program"] in done:
            continue
        done.add(row["program"])
        command, folder, name = program_command(options, row)
        wrong.append((name, run(command + ["-o", os.path.join(out, name)], folder)))
    for name, why in wrong:
        print("%s: %s" % (name, why or "built"))
        if not why:
            subprocess.run(["strip", os.path.join(out, name)], check=False)
    return 0


# ---- divcost's reports --------------------------------------------------------------------------

def pragma_of(row):
    parts = ["block=%s" % row["block"], "grid=%s" % row["grid"]]
    parts += ["%s=%s" % pair for pair in pairs_of(row["parameters"])] + ["l2=warm"]
    parts += ["extent(%s, %s)" % pair for pair in pairs_of(row["extents"])]
    return "_Pragma(\"divcost launch(%s)\") " % ", ".join(parts)


def with_pragma(text, row):
    """In front of the kernel's definition, on the same line; None if it isn't there."""
    kernel = row["kernel"].split("<")[0]
    for found in re.finditer(r"__global__", text):
        head = text[found.start():].split("{", 1)[0].split(";", 1)
        only = len(head) == 1 and head[0].count("__global__") == 1
        if only and re.search(r"\b%s\s*\(" % kernel, head[0]):
            at = text.rfind("\n", 0, found.start()) + 1
            before = text[at:found.start()]
            if "template" in before or before.strip() not in ("", "static", "void", "__launch_bounds__(128)"):
                at = found.start()
            return text[:at] + pragma_of(row) + text[at:]
    return None


def clang_command(plugin, report, source, extra):
    return ["clang++-22", "-x", "cuda", "--cuda-gpu-arch=sm_90", "--cuda-path=" + tables.cuda_root(), "-O3",
            "-std=c++17", "--cuda-device-only", "-fsyntax-only", "-w", "-Wno-unknown-cuda-version", "-fplugin=" + plugin,
            "-fplugin-arg-divcost-arch=sm_90", "-fplugin-arg-divcost-report=" + report, *extra, source]


# In host code: clang's headers have no such max of floats there.
CLANG_LACKS = {"scale_factor = max(": "scale_factor = fmaxf("}


def has_kernel(report, row):
    if not os.path.exists(report):
        return False
    with open(report, encoding="utf-8") as file:
        return kernel_in(json.load(file), row) is not None


def report_of(options, row):
    """What went wrong, or nothing."""
    folder, report = os.path.join(options.out, row["name"]), os.path.join(options.out, row["name"] + ".json")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    extra, units = [], None
    if row["origin"] == "bounds":
        here, files, edited = tables.HERE, ["bounds.cu"], "bounds.cu"
    elif row["origin"] == "samples":
        here = sample_folder(options, row)
        files, edited = sources_in(here, (".cu", ".cuh", ".h")), row["file"]
        extra = ["-I", os.path.join(os.path.abspath(options.samples), "Common")]
    else:
        program = foreign_program(row["program"])
        root = program.root(os.path.abspath(options.checkouts))
        source = program.sources[0]
        here, edited = os.path.join(root, os.path.dirname(source)), os.path.basename(source)
        files, units = [edited], [edited]
        flags = program.flags.split()
        extra = ["-include", os.path.join(tables.HERE, "..", "foreign", "compat.h"), "-iquote", here] + \
            ["-I" + os.path.join(root, flag[2:]) if flag.startswith("-I") else flag for flag in flags
             if flag[:2] in ("-I", "-D")]
    for name in files:
        with open(os.path.join(here, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        for old, new in CLANG_LACKS.items():
            text = text.replace(old, new)
        if name == edited:
            text = with_pragma(text, row)
            if text is None:
                return "the kernel isn't found"
            if row["trips"] != "-":
                notes = os.path.join(folder, "annotations.json")
                loops = [{"file": name, "line": annotate.marked_line(text.splitlines(), "loop", marker, name),
                          "trips": trips} for marker, trips in annotate.named(row["trips"]).items()]
                with open(notes, "w", encoding="utf-8") as file:
                    json.dump({"divcost-annotations": 1, "loops": loops}, file, indent=1)
                extra = extra + ["-fplugin-arg-divcost-annotations=" + notes]
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    host = subprocess.run(["gcc", "-print-file-name=include"], stdout=subprocess.PIPE, text=True, check=True)
    extra = extra + ["-isystem", os.path.join(tables.cuda_root(), "include", "cccl"), "-idirafter", host.stdout.strip()]
    wrong = "no unit has it"
    for unit in units or [name for name in files if name.endswith(".cu")]:
        if os.path.exists(report):
            os.remove(report)
        wrong = run(clang_command(os.path.abspath(options.plugin), report, os.path.join(folder, unit), extra))
        if has_kernel(report, row):
            return ""
    return wrong or "no unit has it"


def reports(options):
    options.out = os.path.abspath(options.out)
    os.makedirs(options.out, exist_ok=True)
    pairs = {row["name"]: row for row in tables.read(tables.of_half("open"))}
    for row in launches():
        if options.only and row["name"] not in options.only:
            continue
        if row["origin"] == "pairs":
            good = annotate.annotate(pairs[row["name"]], os.path.abspath(options.plugin), options.out)
            wrong = "" if good else "clang failed"
        elif row["origin"] == "samples" and not options.samples or row["origin"] == "foreign" and not options.checkouts:
            wrong = "left out"
        else:
            wrong = report_of(options, row)
        if wrong:
            print("%s: %s" % (row["name"], wrong))
        else:
            said, why = prediction(options.out, row)
            if said is None:
                print("%s: %s" % (row["name"], why))
    return 0


def kernel_in(report, row):
    base, _, arguments = row["kernel"].partition("<")
    for kernel in report["kernels"]:
        name = kernel["name"].split("(")[0]
        if re.search(r"\b%s\b" % re.escape(base), name) and (not arguments or "<" + arguments[:-1] in name):
            return kernel
    return None


def time_said(folder, row):
    """What divcost says of a launch's time, or None; and why there is none."""
    path = os.path.join(folder, row["name"] + ".json")
    if not os.path.exists(path):
        return None, "no report"
    with open(path, encoding="utf-8") as file:
        kernel = kernel_in(json.load(file), row)
    if kernel is None or not kernel["estimates"]:
        return None, "no estimate"
    time = kernel["estimates"][0].get("time", {})
    return (time, "") if "bound" in time else (None, "unknown: %s" % time.get("unknown", "no time"))


def prediction(folder, row):
    """The class, or None and why there is none."""
    time, why = time_said(folder, row)
    return (time["bound"] if time else None), why


# ---- judging ------------------------------------------------------------------------------------

class Judged:
    def __init__(self, row, figures, said):
        self.row, self.figures, self.said = row, figures, said
        self.first, self.second = classes_of(figures)
        self.right = said == self.first
        self.right_of_two = said in (self.first, self.second)


def share(rights):
    rights = list(rights)
    return "%d of %d, %3.0f%%" % (sum(rights), len(rights), 100 * sum(rights) / len(rights)) if rights else "none"


def print_confusion(judged):
    print("by the metrics (rows), as divcost says (columns)")
    print("%-13s" % "" + "".join("%13s" % name for name in CLASSES))
    for name in CLASSES:
        counts = collections.Counter(one.said for one in judged if one.first == name)
        print("%-13s" % name + "".join("%13s" % (counts[said] or ".") for said in CLASSES))


def print_share(name, of):
    print("%-13s  %-16s  %s" % (name, share(one.right for one in of), share(one.right_of_two for one in of)))


def print_recall(judged):
    print("\n%-13s  %-16s  %s" % ("recall", "the first class", "or the second"))
    for name in (*CLASSES, None):
        of = [one for one in judged if name in (None, one.first)]
        print_share(name or "all", of)
    for origin in sorted({one.row["origin"] for one in judged}):
        print_share(origin, [one for one in judged if one.row["origin"] == origin])


def judge(options):
    references = references_in(options.metrics)
    print("to be had, percent of peak: " + ", ".join("%s %.0f" % item for item in references.items()))
    judged, left, made = [], [], []
    for row in launches():
        path = os.path.join(options.metrics, row["name"] + ".csv")
        if row["expected"] == REFERENCE:
            continue
        try:
            figures = Figures(Metrics(path), references)
        except (OSError, ValueError, TypeError, ZeroDivisionError) as error:
            left.append((row, "no metrics (%s)" % error))
            continue
        if row["origin"] == "bounds":
            made.append(classes_of(figures)[0] == row["expected"])
        said, why = prediction(options.reports, row)
        if said is None:
            left.append((row, "%s; by the metrics %s" % (why, classes_of(figures)[0])))
        else:
            judged.append(Judged(row, figures, said))
    print("kernels made for a class that are of it by the metrics: %s\n" % share(made))
    print_confusion(judged)
    print_recall(judged)
    print("\nwrong, or all" if options.all else "\nwrong")
    for one in judged:
        if options.all or not one.right:
            how = "right" if one.right else "second" if one.right_of_two else "wrong"
            either = one.first + (" or " + one.second if one.second else "")
            print("%-30s %s: %s, said %s (%s)" % (one.row["name"], how, either, one.said, one.figures.text()))
    print("\nnot judged: %d" % len(left))
    for row, why in left:
        print("%-30s %s" % (row["name"], why))
    return 0


def print_times(name, ratios):
    off = sorted(max(ratio, 1 / ratio) for ratio in ratios)
    print("%-8s %9d %8.2f %7.2f %9d" % (name, len(off), statistics.median(off), off[math.ceil(0.9 * len(off)) - 1],
                                        sum(ratio <= 2 for ratio in off)))


def times(options):
    """The middles of divcost's intervals over what ncu measured."""
    ratios = {}
    for row in launches():
        path = os.path.join(options.metrics, row["name"] + ".csv")
        said, _ = time_said(options.reports, row)
        if said and os.path.exists(path):
            middle = math.sqrt(said["seconds"]["low"] * said["seconds"]["high"])
            ratios[row["origin"], row["name"]] = middle / (Metrics(path).get("gpu__time_duration.sum") * 1e-9)
    print("%-8s %9s %8s %7s %9s" % ("", "launches", "median", "90%", "within 2"))
    for origin in ("bounds", "pairs", "samples", "foreign"):
        of_it = [ratio for (of, _), ratio in ratios.items() if of == origin]
        if of_it:
            print_times(origin, of_it)
    print_times("all", list(ratios.values()))
    print("\noff by more than 2")
    for (_, name), ratio in ratios.items():
        if not 0.5 <= ratio <= 2:
            print("%-30s %.2f" % (name, ratio))
    return 0


def classify(options):
    for path in options.files:
        references = references_in(options.references or os.path.dirname(path))
        figures = Figures(Metrics(path), references)
        first, second = classes_of(figures)
        print("%s\t%s\t%s\t%s" % (os.path.basename(path)[:-len(".csv")], first, second or "-", figures.text()))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("build", "reports"):
        command = commands.add_parser(name)
        command.add_argument("--out", required=True)
        command.add_argument("--samples")
        command.add_argument("--checkouts")
        if name == "reports":
            command.add_argument("--plugin", required=True)
            command.add_argument("--only", nargs="+", metavar="NAME")
    command = commands.add_parser("classify")
    command.add_argument("files", nargs="+", metavar="METRICS.csv")
    command.add_argument("--references", metavar="DIR")
    command = commands.add_parser("judge")
    command.add_argument("--metrics", required=True, metavar="DIR")
    command.add_argument("--reports", required=True, metavar="DIR")
    command.add_argument("--all", action="store_true", help="list those that are right, too")
    command = commands.add_parser("times")
    command.add_argument("--metrics", required=True, metavar="DIR")
    command.add_argument("--reports", required=True, metavar="DIR")
    options = parser.parse_args()
    return {"build": build, "reports": reports, "classify": classify, "judge": judge,
            "times": times}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
