# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose counters and ends are easily mistaken: at the ends of their types, in several widths, with steps that
change or bring it all the way round, and with a second way out."""
from expression import LANE, UNIFORM, Expr, binary, bits, cast, compare, constant, join, variable
from program import Nest, Statement


def has_continue(statements):
    """Whether one of them goes on with the next iteration."""
    return any("continue" in line for statement in statements for line in statement.lines(""))


class Counters:
    """Mixed into the generator."""

    def limited(self, loop, limit=None):
        """A loop with an end to its iterations, whatever its condition says."""
        self.note("limit on the iterations")
        at = max(k for k, statement in enumerate(loop) if isinstance(statement, Nest) and statement.is_loop)
        w, body = self.name("w"), loop[at].parts[0]
        limit = limit or self.pick([(constant(self.random.randint(2, 20)), 1), (self.small(UNIFORM), 1)])
        leave = Nest([Statement("if ({}) {{", [compare(">=", Expr("%s++" % w, "i32", [], UNIFORM), limit)])],
                     [[Statement("LEAVE break;")]])
        body.insert(0 if has_continue(body) else self.random.randint(0, len(body)), leave)
        return loop[:at] + [Statement("i32 %s = 0;" % w, [], w)] + loop[at:]

    def effect(self, context):
        """What can't be done on two ways at once, so that these stay apart."""
        return Statement("out[self] = sum;" if context.kernel else "sum = SHORT(sum) * 9u;")

    def small_limit(self):
        return binary("&", self.leaf(self.one([UNIFORM, LANE])), constant(15))

    def last_number(self, context):
        """Up to a number that may be the last of its type: the loop has another way out."""
        t, i = self.pick([("u64", 6), ("i64", 1), ("u32", 2), ("i32", 1), ("u8", 1)]), self.name("c")
        most = self.ends()
        bound = self.leaf(most)
        if self.chance(50):
            bound = binary("-", bound, constant(1))
        before, start, bound = self.ahead(t, self.leaf(most), cast(t, bound))
        counter = variable(i, t, start.level)
        self.note("up to the last number")
        head = Statement("LOOP for (%s %s = {}; %s <= {}; ++%s) {{ TRIP" % (t, i, i, i), [start, bound])
        body = self.in_loop(context, LANE, [counter], 2) + [self.effect(context)]
        return self.limited(before + self.make_loop(head, body), self.small_limit())

    def do_unequal(self, context):
        """do ... while (++i != n), which may have begun at n."""
        t, i = self.pick([("u64", 4), ("i64", 2), ("u32", 2), ("i32", 1), ("u8", 1)]), self.name("w")
        start = cast(t, self.leaf(self.ends()))
        bound = binary("+", start, constant(self.random.randint(0, 3))) if self.chance(30) else self.leaf(self.ends())
        before, start, bound = self.ahead(t, start, cast(t, bound))
        counter = variable(i, t, LANE)
        self.note("do, !=")
        body = self.in_loop(context, LANE, [counter], 2) + [self.effect(context)]
        nest = Nest([Statement("LOOP do {{ TRIP")], [body], "}} while (UNTIL {});",
                    [compare("!=", Expr("++%s" % i, t, [], LANE), bound)], True)
        return before + self.limited([Statement("%s %s = {};" % (t, i), [start], i), nest], self.small_limit())

    def step_of_counter(self, context):
        """A counter that another one advances."""
        t, i, j = self.pick([("i32", 4), ("u32", 2), ("i64", 1), ("u64", 1)]), self.name("w"), self.name("c")
        most = self.ends()
        down = self.chance(25)
        before, start, bound = self.ahead(t, self.small(most), self.small(most))
        counters = [variable(i, t, start.level), variable(j, "i32", UNIFORM)]
        self.note("step that is another counter's")
        step = self.pick([("({} & 3) + 1", 3), ("{}", 2), ("{} * 2 + 1", 1), ("({} >> 1)", 1), ("({} + 7) / 4", 1)])
        first = self.one([constant(0), constant(1), binary("&", self.leaf(UNIFORM), constant(7))])
        head = Statement("LOOP for (i32 %s = {}; %s %s {}; %s) {{ TRIP" %
                         (j, i, ">" if down else "<", self.one(["++%s", "++%s", "%s += 2"]) % j), [first, bound])
        body = self.in_loop(context, join(start, bound), counters, 2)
        body.append(Statement("%s %s %s;" % (i, "-=" if down else "+=", step.format(j))))
        return before + [Statement("%s %s = {};" % (t, i), [start], i)] + self.make_loop(head, body)

    def wide_step(self, context):
        """A counter whose next number is computed in more bits, and needed there."""
        i, x = self.name("w"), self.name("x")
        most = self.ends()
        before, start, bound = self.ahead("i32", self.small(most), self.small(most))
        step = self.leaf(UNIFORM)
        if self.chance(40):
            step = cast(self.one(["i8", "i16"]), step)
        counter = variable(i, "i32", start.level)
        self.note("counter stepped in more bits")
        head = Statement("LOOP while ({}) {{ TRIP", [compare(self.one("<>"), counter, bound)])
        body = self.in_loop(context, join(start, bound), [counter], 2)
        body += [Statement("i64 %s = (i64)%s %s (i64){};" % (x, i, self.one("++-")), [step], x),
                 Statement("sum = SHORT(sum) ^ (u32)(%s >> 1);" % x), Statement("%s = I32(%s);" % (i, x))]
        return before + [Statement("i32 %s = {};" % i, [start], i)] + self.make_loop(head, body)

    def low_bits_step(self, context):
        """A counter of which each iteration looks at the low bits alone, though it has more."""
        i, narrow = self.name("w"), self.pick([("u8", 4), ("i8", 2), ("u16", 1), ("i16", 1)])
        half, most = 1 << (bits(narrow) - 1), self.ends()
        near = self.one([half, half, half - 20, 0, 60, -8])
        start = binary("+", constant(near), binary("&", self.leaf(most), constant(self.one([15, 31]))))
        bound = binary("+", constant(near + self.one([10, 60])), binary("&", self.leaf(most), constant(31)))
        if self.chance(30): # what begins below 0 is a large number then
            bound = cast("u32", bound)
        before, start, bound = self.ahead("i32", start, bound)
        step = self.pick([(constant(self.one([1, 2, 3, 7])), 4), (constant(self.one([200, 251, 130])), 1),
                          (Expr("blockDim.x", "u32"), 0.5)])
        self.note("counter of low bits")
        counter = Expr("%s(%s)" % (narrow.upper(), i), narrow, [], LANE)
        head = Statement("LOOP while ({}) {{ TRIP", [compare(self.one("<<>"), counter, bound)])
        body = self.in_loop(context, LANE, [variable(i, "i32", LANE)], 2)
        body += [Statement("sum = SHORT(sum) ^ (u32)%s;" % i), Statement("%s = {} + {};" % i, [counter, step])]
        return before + [Statement("i32 %s = {};" % i, [start], i)] + self.make_loop(head, body)

    def small_counter(self, context):
        """A counter of 8 or 16 bits that begins near 0 or its last number, beside a bound that has more bits."""
        t, i, most = self.one(["i8", "i16", "i16", "u8", "u16"]), self.name("c"), self.ends()
        off = self.one([constant(8), constant(100), constant(120), Expr("blockDim.y", "u32"), Expr("gridDim.x", "u32")])
        start = cast(t, binary(self.one("--+"), binary("&", self.leaf(most), constant(31)), off))
        bound = binary("+", binary("&", self.leaf(self.ends()), constant(31)), constant(self.one([0, 10, 60, 120])))
        bound = self.pick([(cast("u32", bound), 4), (cast("i32", bound), 1), (Expr("blockDim.x", "u32"), 1)])
        before, start, bound = self.ahead(t, start, bound)
        self.note("counter of few bits")
        head = Statement("LOOP for (%s %s = {}; %s < {}; %s += %d) {{ TRIP" % (t, i, i, i, self.one([1, 2, 3, 7, 29])),
                         [start, bound])
        return before + self.make_loop(head, self.in_loop(context, LANE, [variable(i, t, LANE)], 2))

    def large_steps(self, context):
        """From about the last number of a type, or the first, in steps of a sixteenth of it."""
        t, i = self.pick([("i32", 4), ("u32", 1), ("i16", 1), ("i8", 1)]), self.name("c")
        width = bits(t)
        near = constant((1 << (width - 1)) - self.one([4, 8, 16]), "u32")
        off = binary("&", self.leaf(self.ends()), constant(self.one([15, 31])))
        start = cast(t, binary(self.one("++-"), near, cast("u32", off)))
        before, start, bound = self.ahead(t, start, self.one([constant(5), constant(-3), self.leaf(self.ends())]))
        step = constant(1 << (width - self.one([4, 3, 5])))
        counter = variable(i, t, start.level)
        self.note("steps of a sixteenth of a type")
        head = Statement("LOOP for (%s %s = {}; %s %s {}; %s += {}) {{ TRIP" % (t, i, i, self.one(["<", "<="]), i),
                         [start, bound, step])
        return before + self.make_loop(head, self.in_loop(context, join(start, bound), [counter], 2))

    def extreme_by_ways(self, context):
        """The lesser or larger of two values, taken on two ways that do more."""
        a, b, v = (self.name("v") for _ in range(3))
        of_launch = [v for v in self.scope if v.level == UNIFORM]
        values = self.random.sample(of_launch, 2) if len(of_launch) > 1 else [constant(7), constant(5)]
        if self.chance(25):
            values[1] = self.leaf(self.ends())
        t = values[0].type if self.chance(75) else self.type()
        values = [cast(t, e) for e in values]
        one, other = self.one([(a, b), (b, a)])
        self.note("lesser or larger by the way")
        heads = [Statement("if (%s %s %s) {{" % (a, self.one(["<", "<=", ">", ">="]), b)), Statement("}} else {{")]
        ways = [[self.effect(context), Statement("%s = %s;" % (v, one))],
                [Statement("sum = SHORT(sum) * 7u;"), Statement("%s = %s;" % (v, other))]]
        declared = [Statement("%s %s = {};" % (t, name), [e], name) for name, e in zip((a, b), values)]
        declared.append(Statement("%s %s = 0;" % (t, v), [], v))
        i = self.name("c")
        ends = self.pick([(("0", v), 3), (("0", "%s >> %d" % (v, bits(t) - 4)), 3), ((one, v), 0.5), ((v, other), 0.5)])
        head = Statement("LOOP for (%s %s = %s; %s < %s; ++%s) {{ TRIP" % (t, i, ends[0], i, ends[1], i))
        body = self.in_loop(context, LANE, [variable(i, t, LANE)], 1)
        return declared + [Nest(heads, ways)] + self.make_loop(head, body)

    def wide_sum(self, most):
        """Numbers that are widened, in a sum that needs all of the bits, and a small part of it."""
        self.note("sum of widened numbers")
        t = self.pick([("u64", 3), ("i64", 1)])
        a = self.leaf(most)
        if self.chance(60):
            a = binary(self.one("+-"), a, self.leaf(most))
        if self.chance(30):
            a = cast(self.one(["i8", "i16", "u16"]), a)
        a = cast(t, cast(self.one(["u32", "u32", "i32"]), a))
        fitting = [v for v in self.scope if v.level <= most and bits(v.type) == 64]
        whole = binary(self.one("++-"), a, cast(t, self.one(fitting) if fitting else self.leaf(most)))
        return binary("%", whole, constant(self.one([5, 13, 33])))
