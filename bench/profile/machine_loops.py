# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a profiler counted of each machine instruction of a kernel (the source page of ncu), and from
it the SIMT efficiency of the kernel's loops: sum of the threads over 32 times the sum of the warps
that executed their instructions. Loops are found in the branches of the machine code."""
import collections
import csv
import re

WARPS, THREADS, DIVERGENT = ("Instructions Executed", "Thread Instructions Executed",
                             "Divergent Branches")
COLUMNS = ("Address", "Source", WARPS, THREADS, DIVERGENT)

Instruction = collections.namedtuple("Instruction", "address text warps threads divergent")
# Of the instructions in loops at some depth: their share of the warps' instructions and of the
# threads', their efficiency, that of the whole kernel, and whether lanes were parted at a branch that
# leaves no loop.
Figures = collections.namedtuple("Figures", "share threads loop kernel parted")


def number(text):
    text = text.replace(",", "").strip()
    return int(float(text)) if text and text != "-" else 0


def read(lines):
    """[(kernel, [Instruction])] of the launches, as `ncu --page source --csv` prints them. Lines of
    other kinds are skipped."""
    launches, columns = [], None
    for row in csv.reader(lines):
        if row and row[0] == "Kernel Name":
            launches.append((row[1], []))
            columns = None
        elif "Address" in row and WARPS in row:
            columns = [row.index(column) for column in COLUMNS]
            width = len(row)
        elif launches and columns and len(row) == width:
            address, text, *counts = (row[column] for column in columns)
            launches[-1][1].append(Instruction(int(address, 0), " ".join(text.split()),
                                               *map(number, counts)))
    return launches


def from_zero(instructions):
    """The same code, at 0."""
    base = instructions[0].address
    known = {i.address for i in instructions}

    def moved(target):
        at = int(target[0], 16)
        return hex(at - base if at in known else at)
    return [i._replace(address=i.address - base, text=re.sub(r"0x[0-9a-f]+", moved, i.text)
                       if re.search(r"\b(BRA|JMP|CALL)\b", i.text) else i.text)
            for i in instructions]


def successors(instructions):
    """Of each instruction those that may follow, as indices. Calls are followed by what stands
    behind them."""
    index = {i.address: k for k, i in enumerate(instructions)}
    base = instructions[0].address
    out = []
    for k, i in enumerate(instructions):
        guarded, text = i.text.startswith("@"), re.sub(r"^@\S+ ", "", i.text)
        operation = text.split(" ")[0].rstrip(";").split(".")[0]
        follows = [k + 1] if k + 1 < len(instructions) else []
        if operation in ("EXIT", "RET", "BRX", "JMX"):
            follows = follows if guarded else []
        elif operation in ("BRA", "JMP"):
            target = re.search(r"0x[0-9a-f]+", text)
            if not target:
                raise ValueError("a branch without an address: " + i.text)
            target = int(target[0], 16)
            to = index.get(target, index.get(base + target))
            if to is None:
                raise ValueError("a branch to nowhere: " + i.text)
            condition = text[:text.index("0x")].split(" ", 1)[1:]
            guarded = guarded or text.startswith("BRA.DIV") or bool(condition and condition[0].strip())
            follows = (follows if guarded else []) + [to]
        out.append(follows)
    return out


def cycles(nodes, follows):
    """The sets of nodes that can be reached from themselves, each from all others of its set."""
    reach = {}
    for start in nodes:
        seen, waiting = set(), [start]
        while waiting:
            for to in follows[waiting.pop()]:
                if to in nodes and to not in seen:
                    seen.add(to)
                    waiting.append(to)
        reach[start] = seen
    found = []
    for node in sorted(nodes):
        if node in reach[node] and not any(node in other for other in found):
            found.append({to for to in reach[node] if node in reach[to]})
    return found


def loops(instructions, depth):
    """The loops at the depth, 1 for the outermost, as sets of indices."""
    follows = successors(instructions)
    found = cycles(set(range(len(instructions))), follows)
    # Behind the last instruction stand branches to themselves, that nothing comes to.
    found = [loop for loop in found if len(loop) > 1 or instructions[min(loop)].warps]
    for _ in range(1, depth):
        inner = []
        for loop in found:
            entered = {to for k, after in enumerate(follows) if k not in loop
                       for to in after if to in loop}
            inner += cycles(loop - (entered or {min(loop)}), follows)
        found = inner
    return found


def figures(launches, depth=1):
    """The Figures of launches of one kernel together; None where no loop was executed."""
    inside, outside, threads_inside, threads_outside, parted = 0, 0, 0, 0, False
    for instructions in launches:
        found = loops(instructions, depth)
        follows = successors(instructions)
        for k, i in enumerate(instructions):
            loop = next((loop for loop in found if k in loop), None)
            if loop is None:
                outside, threads_outside = outside + i.warps, threads_outside + i.threads
                continue
            inside, threads_inside = inside + i.warps, threads_inside + i.threads
            parted = parted or (i.divergent > 0 and all(to in loop for to in follows[k]))
    if not inside:
        return None
    threads = threads_inside + threads_outside
    return Figures(inside / (inside + outside), threads_inside / threads, threads_inside / (32 * inside),
                   threads / (32 * (inside + outside)), parted)
