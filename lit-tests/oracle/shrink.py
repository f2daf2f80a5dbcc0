# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that breaks a claim smaller while it breaks one of the same kind: statements are left
out, branches and loops give way to their bodies, expressions to their operands."""
import itertools
import re
import time

from compile import Failure, run_text
from expression import Expr, constant
from program import Nest, Statement, unit_text

TOGETHER = 16  # candidates that are compiled as one file


def all_bodies(program):
    """Every list of statements of the program."""
    todo = [f.body for f in program.functions if f.body is not None]
    for body in todo:
        yield body
        for statement in body:
            todo += statement.bodies()


def all_expressions(program):
    """Places of expressions: a list and an index into it."""
    lists = []
    for body in all_bodies(program):
        for s in body:
            if isinstance(s, Nest):
                lists += [head.expressions for head in s.heads] + [s.tail_expressions]
            else:
                lists.append(s.expressions)
    for places in lists:
        for k, e in enumerate(places):
            yield places, k
            if isinstance(e, Expr):
                lists.append(e.operands)


def without_statements(program):
    """Copies that lack a run of statements, long runs first."""
    sizes = [len(body) for body in all_bodies(program)]
    for length in (8, 4, 2, 1):
        for b, size in enumerate(sizes):
            for first in range(0, size - length + 1, max(1, length // 2)):
                copy = program.copy()
                body = list(all_bodies(copy))[b]
                if any(s.declares in ("self", "sum") or "FUNCTION" in str(getattr(s, "form", "")) or
                       "return sum" in str(getattr(s, "form", "")) for s in body[first:first + length]):
                    continue
                del body[first:first + length]
                yield copy


def unnested(program):
    """Copies in which a branch or loop is its body, or lacks its last part."""
    sizes = [len(body) for body in all_bodies(program)]
    for b, size in enumerate(sizes):
        for k in range(size):
            if not isinstance(list(all_bodies(program))[b][k], Nest):
                continue
            copy = program.copy()
            body = list(all_bodies(copy))[b]
            body[k:k + 1] = [s for part in body[k].parts for s in part]
            yield copy
            copy = program.copy()
            nest = list(all_bodies(copy))[b][k]
            if len(nest.parts) > 1:
                nest.parts.pop()
                nest.heads.pop()
                yield copy


def simpler_expressions(program):
    count = sum(1 for _ in all_expressions(program))
    for at in range(count):
        places, k = list(all_expressions(program))[at]
        e = places[k]
        if not isinstance(e, Expr):
            continue
        options = list(e.operands)
        if e.operands:
            options += [constant(0), constant(1)]
        for option in options:
            copy = program.copy()
            places, k = list(all_expressions(copy))[at]
            places[k] = option
            yield copy


def fewer_parts(program):
    """Copies without a launch, a function or a parameter."""
    if program.launches:
        copy = program.copy()
        copy.launches = []
        yield copy
    for k in range(len(program.functions) - 1):
        copy = program.copy()
        del copy.functions[k]
        yield copy
    for k, (name, _, _) in enumerate(program.params):
        copy = program.copy()
        del copy.params[k]
        copy.functions[-1].head = copy.functions[-1].head.replace(program.declared(), copy.declared())
        if name not in "\n".join(copy.lines()):
            yield copy


def without_errors(candidates, failure):
    """Those candidates in whose lines the compiler found no error."""
    lines = [int(n) for n in re.findall(r"^unit\.cu:(\d+):\d+: error", failure, re.MULTILINE)]
    sound, first = [], 2
    for candidate in candidates:
        end = first + 1 + sum(1 for _ in candidate.lines())
        if not any(first <= line < end for line in lines):
            sound.append(candidate)
        first = end
    return sound


def breaks(tools, candidates, kinds, launches, seed):
    """The first of the candidates that breaks a claim of one of the kinds, or None."""
    for number, candidate in enumerate(candidates):
        rename(candidate, number)
    try:
        outcomes = run_text(tools, unit_text(candidates), launches, seed)
    except Failure as failure:
        sound = without_errors(candidates, str(failure))
        if len(candidates) == 1 or not sound:
            return None
        if len(sound) < len(candidates):
            return breaks(tools, sound, kinds, launches, seed)
        half = len(candidates) // 2
        return breaks(tools, candidates[:half], kinds, launches, seed) or \
            breaks(tools, candidates[half:], kinds, launches, seed)
    for candidate in candidates:
        outcome = outcomes.get(candidate.kernel)
        if outcome and any(v[0] in kinds for v in outcome.violations):
            return candidate
    return None


def rename(program, number):
    """Kernels of one file have names of their own; so have functions."""
    old = program.number
    program.number = number
    program.launches = [line.replace("k%d<" % old, "k%d<" % number) for line in program.launches]
    for f in program.functions:
        for letter in "kft":
            end = "(" if letter == "k" else "_"
            f.head = f.head.replace("%s%d%s" % (letter, old, end), "%s%d%s" % (letter, number, end))
    for body in all_bodies(program):
        for s in body:
            if isinstance(s, Statement):
                for letter in "ft":
                    s.form = s.form.replace("%s%d_" % (letter, old), "%s%d_" % (letter, number))


def text_size(program):
    return sum(len(line) for line in program.lines())


def candidates_of(program):
    """Everything that is smaller by one step, the largest steps first."""
    size = text_size(program)
    for ways in (fewer_parts, without_statements, unnested, simpler_expressions):
        for candidate in ways(program):
            if text_size(candidate) < size:
                yield candidate


def next_smaller(tools, program, kinds, launches, seed, skip):
    """The first candidate from number `skip` on that still breaks a claim, and its batch's number."""
    candidates = itertools.islice(candidates_of(program), skip, None)
    while True:
        batch = list(itertools.islice(candidates, TOGETHER))
        if not batch:
            return None, 0
        smaller = breaks(tools, batch, kinds, launches, seed)
        if smaller:
            return smaller, skip
        skip += len(batch)


def shrink(tools, program, kinds, launches, seed, seconds=120):
    """The smallest program that was found to break a claim of one of the kinds, in about that time."""
    best, skip = program.copy(), 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        # What could not be left out before can't in most cases now: go on from there, then look again.
        smaller, found = next_smaller(tools, best, kinds, launches, seed, skip)
        if not smaller and skip == 0:
            break
        best, skip = smaller or best, found
    return best
