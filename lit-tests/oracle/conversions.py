# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose ends are computed in one type and compared in another."""
from expression import BLOCK, LANE, UNIFORM, binary, bits, cast, constant, join, variable
from program import Statement


class Conversions:
    """Mixed into the generator."""

    def loop_between(self, t, start, bound, context):
        i = self.name("c")
        head = Statement("LOOP for (%s %s = {}; %s %s {}; ++%s) {{ TRIP" % (t, i, i, self.one(["<", "<", "<="]), i),
                         [start, bound])
        level = join(start, bound)
        return self.make_loop(head, self.in_loop(context, level, [variable(i, t, level)]))

    def narrowed_bound(self, context):
        """A sum that is cut to 8 or 16 bits, where the counter has more."""
        narrow = self.one(["u8", "u8", "i8", "u16", "i16"])
        far = bits(narrow) == 16 and self.chance(50) # needs more than 8 bits
        some = self.random.randint(290, 330) if far else self.one([1, 2, 9, 60, 100, 200])
        sum_ = binary(self.one("+-"), self.leaf(self.ends()), constant(some))
        self.note("bound that is narrowed")
        start = constant(some - 20) if far else constant(0) if self.chance(60) else self.small(self.ends())
        return self.loop_between(self.pick([("i32", 3), ("u32", 2), ("i64", 1)]), start, cast(narrow, sum_), context)

    def ends_of_parts(self, context):
        """Ends that share a part and differ in others, some below 0, computed in one type and cut to another."""
        wide, t = self.one([("i64", "u32"), ("i64", "u32"), ("i64", "i32"), ("i32", "u32"), ("i32", "u16")])
        numbers = [v for v in self.scope if v.type in ("i32", "i64") and v.level <= BLOCK] or [constant(3)]
        shared = cast(wide, self.small(LANE))
        own = [binary("-", cast(wide, self.one(numbers)), constant(self.one([0, 3, 20]))) for _ in range(2)]
        start, bound = (binary(self.one("++-"), *self.random.sample([shared, part], 2)) for part in own)
        if self.chance(60): # such that there are iterations, as often as not
            start = binary("+", start, constant(self.one([1, 3, 25])))
        if self.chance(70):
            bound = cast(t, bound)
        self.note("ends of parts below 0")
        return self.loop_between(t, cast(t, start), bound, context)

    def cut_ends(self, context):
        """Both ends from values of 64 bits, of which one or both lose the upper half."""
        wide = self.pick([("i64", 2), ("u64", 1)])
        t = self.one(["u32", "u32", "i32", "i32", "u16", "i64"])
        numbers = [v for v in self.scope if bits(v.type) == 64 and v.level <= BLOCK]
        a = cast(wide, self.one(numbers) if numbers and self.chance(70) else self.leaf(UNIFORM))
        b = self.small(LANE) if self.chance(50) else self.leaf(UNIFORM)
        start = binary(self.one("+-"), *self.random.sample([a, b], 2))
        length = binary("&", self.leaf(self.one([UNIFORM, LANE])), constant(self.one([1, 7, 15])))
        bound = binary("+", start, length)
        if self.chance(50):
            bound = cast(self.one(["u32", "i32", "i64", "u64"]), bound)
        self.note("ends that are cut from 64 bits")
        return self.loop_between(t, start, bound, context)
