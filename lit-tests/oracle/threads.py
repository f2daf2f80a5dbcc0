# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose ends are made of a thread's index, by formulas that nearly let all lanes of a warp step together."""
from expression import (GRID_INDEX, LANE, LINEAR_INDEX, UNIFORM, Expr, binary, cast, compare, constant, logic, variable)
from program import Nest, Statement


class Threads:
    """Mixed into the generator."""

    def index(self):
        return Expr(self.pick([("threadIdx.x", 6), (LINEAR_INDEX, 3), ("LANE_INDEX", 1.5), (GRID_INDEX, 1)]), "u32", [],
                    LANE)

    def counting(self, context, t, start, bound, step, sign="<"):
        """A for loop over these."""
        i = self.name("c")
        head = Statement("LOOP for (%s %s = {}; %s %s {}; %s += {}) {{ TRIP" % (t, i, i, sign, i), [start, bound, step])
        return self.make_loop(head, self.in_loop(context, LANE, [variable(i, t, LANE)]))

    def short_bound(self):
        return self.pick([(self.leaf(UNIFORM), 3), (constant(self.random.randint(20, 110)), 2),
                          (binary("*", self.leaf(UNIFORM), constant(self.one([2, 8]))), 1)])

    def elements(self, context):
        """Several elements for each thread, or several threads for each: the step covers a warp, or doesn't quite."""
        start, k = self.index(), self.one([2, 3, 4, 8])
        form = self.pick([("one", 3), ("several", 3), ("shared", 3)])
        spread = {"one": 31, "several": 31 * k, "shared": 31 // k}[form]
        if form == "several":
            start = binary("*", start, constant(k))
        elif form == "shared":
            start = binary("/", start, constant(k))
        self.note("thread's elements, " + form)
        step = self.pick([(constant(spread), 1), (constant(spread + 1), 2), (constant(32), 2), (constant(1), 1),
                          (constant(k), 1), (Expr("blockDim.x", "u32"), 1),
                          (binary("*", Expr("blockDim.x", "u32"), constant(k)), 1)])
        t = self.pick([("i32", 4), ("u32", 2), ("i64", 1)])
        if self.chance(25):
            start = binary("+", cast(t, start), self.leaf(UNIFORM))
        return self.counting(context, t, start, self.short_bound(), step)

    def groups(self, context):
        """From or up to the index of a group of threads."""
        self.note("loop over groups of threads")
        group, other = self.thread_group(), self.pick([(constant(0), 2), (self.leaf(UNIFORM), 2)])
        ends = (group, self.leaf(UNIFORM)) if self.chance(50) else (other, group)
        return self.counting(context, self.pick([("i32", 3), ("u32", 1), ("i64", 1)]), *ends, constant(1))

    def few_bits(self, context):
        """As many iterations as a small part of a thread's index has digits."""
        self.note("digits of a thread's index")
        form = self.pick([("({} & %d)" % self.one([1, 3, 7, 15]), 3), ("({} >> %d)" % self.one([2, 3, 4]), 2),
                          ("({} %% %d)" % self.one([3, 5, 9]), 1)])
        part = Expr(form, "u32", [Expr(self.pick([("threadIdx.x", 3), ("LANE_INDEX", 1)]), "u32", [], LANE)], LANE)
        if self.chance(30):
            part = binary("+", part, constant(self.one([1, 2, 5, 8, 16])))
        i = self.name("c")
        if self.chance(60):
            step = self.pick([(">>= 1", 3), (">>= 2", 1), ("/= 2", 1), ("/= 3", 1), ("/= 10", 1)])
            head = Statement("LOOP for (i32 %s = {}; %s > 0; %s %s) {{ TRIP" % (i, i, i, step), [part])
        else:
            step = self.pick([("<<= 1", 3), ("<<= 2", 1), ("*= 3", 1)])
            head = Statement("LOOP for (i32 %s = 1; %s < {}; %s %s) {{ TRIP" % (i, i, i, step), [part])
        return self.make_loop(head, self.in_loop(context, LANE, [variable(i, "i32", LANE)]))

    def two_bounds(self, context):
        """Two counters, each with a bound: the first that meets its own ends the loop."""
        self.note("two counters with two bounds")
        i, j = self.name("c"), self.name("c")
        first = compare("<", variable(i, "i32", LANE), self.short_bound())
        second = compare(">", variable(j, "i32", LANE), self.pick([(constant(0), 2), (self.leaf(UNIFORM), 1)]))
        conditions = [first, second]
        self.random.shuffle(conditions)
        step = self.one([constant(32), Expr("blockDim.x", "u32"), constant(1)])
        head = Statement("LOOP for (i32 %s = {}, %s = {}; {}; %s += {}, --%s) {{ TRIP" % (i, j, i, j),
                         [self.pick([(self.index(), 3), (self.leaf(UNIFORM), 1)]),
                          binary("&", self.pick([(self.index(), 3), (self.leaf(UNIFORM), 1)]), constant(31)),
                          logic("&&", *conditions), step])
        return self.make_loop(head, self.in_loop(context, LANE, [variable(n, "i32", LANE) for n in (i, j)]))

    # ---- lanes that leave several loops at once ----------------------------------------------------

    def return_from_nest(self, context):
        """A return in an inner loop, under a condition that is the same for all who are still there."""
        if context.loops > 1 or context.leave < LANE:
            return self.counted(context)
        self.note("return from a loop in a loop")
        i, j = self.name("c"), self.name("c")
        outer, inner = variable(i, "i32", UNIFORM), variable(j, "i32", UNIFORM)
        inside = context.loop(LANE, LANE)
        last = constant(self.random.randrange(6)) if self.chance(60) else self.leaf(UNIFORM)
        leave = [Nest([Statement("if ({}) {{", [compare(self.one(["==", ">"]), inner, last)])],
                      [[Statement("out[self] = sum;")] * (context.kernel and self.chance(30)) +
                       [Statement("LEAVE_ALL return;" if context.kernel else "LEAVE_ALL return sum;")]])]
        if self.chance(20): # for some lanes only, and these in different iterations
            leave = [Nest([Statement("if ({}) {{", [self.condition(LANE, 1)])], [leave])]
        body = leave + [self.kept_sum([inner])]
        bound = self.small()
        tests_last = not self.chance(50)
        if not tests_last:
            self.random.shuffle(body)
        loop = self.loop_from_0(j, bound, body, tests_last)
        head = Statement("LOOP for (i32 %s = 0; %s < {}; ++%s) {{ TRIP" % (i, i, i), [self.small(UNIFORM)])
        before = self.body(inside, 1) if self.chance(40) else []
        return self.make_loop(head, [self.kept_sum([outer])] + before + loop)
