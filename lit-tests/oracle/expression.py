# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of the oracle's programs: trees with C's types and the level among whom they are alike.

Casts are written as I32(x), U8(x) ..., of which the host notices whether they keep the value. A cast
in C's own notation, (u32)x, is for indices and sums that are of no loop's concern."""
from dataclasses import dataclass, field

UNIFORM, BLOCK, WARP, LANE = range(4)  # among whom a value is the same

# Texts that name a thread.
GRID_INDEX = "(blockIdx.x * blockDim.x + threadIdx.x)"
LINEAR_INDEX = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"

TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def bits(type_name):
    return int(type_name[1:])


def is_signed(type_name):
    return type_name[0] == "i"


def promoted(a, b="i32"):
    """The type of an operation on two types: C's usual arithmetic conversions."""
    width = max(bits(a), bits(b), 32)
    unsigned = any(not is_signed(t) and bits(t) == width for t in (a, b))
    return ("u" if unsigned else "i") + str(width)


@dataclass
class Expr:
    """`form` is a text with one {} for each operand."""

    form: str
    type: str
    operands: list = field(default_factory=list)
    level: int = UNIFORM

    def __str__(self):
        return self.form.format(*self.operands)


def constant(value, type_name="i32"):
    suffix = {"i32": "", "u32": "u", "i64": "ll", "u64": "ull"}.get(type_name, "")
    return Expr("%d%s" % (value, suffix), type_name if bits(type_name) >= 32 else "i32")


def variable(name, type_name, level):
    return Expr(name, type_name, [], level)


def join(*operands):
    return max((e.level for e in operands), default=UNIFORM)


def binary(sign, a, b):
    result = promoted(a.type, a.type if sign in ("<<", ">>") else b.type)
    return Expr("({} %s {})" % sign, result, [a, b], join(a, b))


def compare(sign, a, b):
    return Expr("({} %s {})" % sign, "i32", [a, b], join(a, b))


def logic(sign, a, b):
    return Expr("({} %s {})" % sign, "i32", [a, b], join(a, b))


def choose(condition, a, b):
    return Expr("({} ? {} : {})", promoted(a.type, b.type), [condition, a, b], join(condition, a, b))


def cast(type_name, e):
    if e.type == type_name:
        return e
    return Expr("%s({})" % type_name.upper(), type_name, [e], e.level)


def extreme(name, a, b):
    """min or max, whose operands have one type."""
    both = promoted(a.type, b.type)
    return Expr("%s({}, {})" % name, both, [cast(both, a), cast(both, b)], join(a, b))


def index(array, e, mask, type_name, level):
    return Expr("%s[(u32){} & %d]" % (array, mask), type_name, [e], level)
