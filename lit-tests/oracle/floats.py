# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that floating-point numbers count, bound, or begin."""
from expression import LANE, UNIFORM, Expr, binary, compare, constant, join, variable
from program import Statement


class Floats:
    """Mixed into the generator."""

    def whole(self, most, mask=31):
        """A whole number that a conversion keeps."""
        return binary("&", self.small(most), constant(mask))

    def float_loop(self, context):
        """for (float x = a; x < b; x += d)"""
        t, x = self.pick([("float", 4), ("double", 1)]), self.name("x")
        start = Expr("(%s){}" % t, t, [self.whole(self.ends())])
        end = Expr(self.pick([("(%s){}" % t, 3), ("%s + (%s){}" % (start.form, t), 2)]), t, [])
        end.operands = [*start.operands, self.whole(self.ends())][-end.form.count("{}"):]
        step = self.pick([(Expr("1.0f", t), 3), (Expr("0.5f", t), 1), (Expr("0.1f", t), 1),
                          (Expr("(%s){} + 0.25f" % t, t, [self.whole(UNIFORM, 3)]), 2)])
        self.note("loop over floats")
        level = join(*start.operands, *end.operands)
        head = Statement("LOOP for (%s %s = {}; %s %s {}; %s += {}) {{ TRIP" % (t, x, x, self.one(["<", "<="]), x),
                         [start, end, step])
        body = self.in_loop(context, level, []) + [Statement("sum = SHORT(sum ^ (u32)(i32)%s) * 5u + 1u;" % x)]
        return self.make_loop(head, body)

    def rounded_bound(self, context):
        """An integer's bound that is computed in floating point, where products may be fused with sums."""
        most, i = self.ends(), self.name("c")
        form = self.one(["(i32)((float){} * 0.37f + 1.5f)", "(i32)((float){} / 3.0f)", "(i32)((double){} * 1.01)"])
        bound = Expr(form, "i32", [self.whole(most)], most)
        self.note("bound from floats")
        head = Statement("LOOP for (i32 %s = {}; %s < {}; ++%s) {{ TRIP" % (i, i, i),
                         [self.small(most) if self.chance(40) else constant(0), bound])
        return self.make_loop(head, self.in_loop(context, most, [variable(i, "i32", LANE)]))

    def counted_by_floats(self, context):
        """A counter that an inner loop over floats advances."""
        i, x = self.name("c"), self.name("x")
        self.note("counter advanced by a loop over floats")
        ends = [self.whole(self.one([UNIFORM, UNIFORM, LANE]), 7)] * 2
        inner = self.make_loop(
            Statement("LOOP for (float %s = -(float){}; %s <= (float){}; %s += 1.0f) {{ TRIP" % (x, x, x), ends),
            [Statement("%s += %d;" % (i, self.random.randint(1, 3))),
             Statement("sum = SHORT(sum ^ (u32)(i32)%s) * 5u + 1u;" % x)])
        head = Statement("LOOP for (i32 %s = 0; {};) {{ TRIP" % i,
                         [compare("<", variable(i, "i32", LANE), self.small(self.ends()))])
        return self.make_loop(head, inner + [Statement("%s += 1;" % i)])
