# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops as people write them: what the generator makes of them follows the rules that the analysis has."""
from expression import (BLOCK, GRID_INDEX, LANE, LINEAR_INDEX, TYPES, UNIFORM, Expr, binary, bits, cast, compare,
                        constant, join, logic, variable)
from program import Nest, Statement


class Loops:
    """Mixed into the generator."""

    # ---- loops -----------------------------------------------------------------------------------

    def loop(self, context):
        kinds = [(self.counted, 10), (self.strided, 5), (self.strided_if, 1.5), (self.same_distance, 3),
                 (self.descending, 3),
                 (self.while_loop, 3), (self.do_loop, 3), (self.endless, 2), (self.doubling, 2), (self.halving, 2),
                 (self.bisection, 3.5), (self.elements, 3), (self.groups, 2.5), (self.few_bits, 2),
                 (self.two_bounds, 1.5), (self.return_from_nest, 2), (self.rows, 2 if self.arrays else 0),
                 (self.unequal, 2), (self.bits_loop, 1),
                 (self.until_error, 1), (self.padded, 2), (self.large_bounds, 2.6), (self.two_counters, 1.5),
                 (self.pointer_chase, 0.7 if self.arrays else 0), (self.pointers, 1.2 if self.arrays else 0),
                 (self.several_sums, 2), (self.narrowed_bound, 1.2), (self.cut_ends, 1.2), (self.ends_of_parts, 1.5),
                 (self.float_loop, 1), (self.rounded_bound, 0.8), (self.counted_by_floats, 0.8),
                 (self.last_number, 1), (self.do_unequal, 1), (self.step_of_counter, 1),
                 (self.wide_step, 0.8), (self.low_bits_step, 1), (self.small_counter, 1.2), (self.large_steps, 1), (self.extreme_by_ways, 2.5 if context.kernel else 0.5)]
        loop = self.pick(kinds)(context)
        return self.limited(loop) if self.chance(6) else loop

    def in_loop(self, context, level, counters, count=None):
        """The body of a loop whose trips are alike at that level, with counters that may be used."""
        before = len(self.scope)
        self.scope += counters
        # A loop that all leave together can have barriers in it; others can be left by any lane.
        leave = context.control if level <= BLOCK and self.chance(60) else LANE
        inside = context.loop(level if leave < LANE else LANE, max(leave, level))
        head = []
        if context.kernel and leave > BLOCK and "barrier where lanes diverge" not in self.constructs and self.chance(5):
            head = self.active(inside) # where no branch leads to
        out = self.body(inside, count or self.random.randint(1, 4))
        if self.chance(90): # else the loop may well be one that compilers remove
            out.insert(self.random.randint(0, len(out)), self.kept_sum(counters))
        out = head + out
        del self.scope[before:]
        if context.loops >= 1:
            self.note("loop in a loop" if context.loops == 1 else "loop in a loop in a loop")
        return out

    def kept_sum(self, counters):
        """What has no closed form over the iterations."""
        value = self.one(counters) if counters else self.leaf(LANE)
        return Statement("sum = SHORT(sum ^ (u32){}) * 5u + 1u;", [value])

    def make_loop(self, head, body, tail="}}"):
        return [Nest([head], [body], tail, is_loop=True)]

    def ahead(self, t, *ends, percent=40):
        """Statements before a loop, and its ends, now and then in variables that these declare: bits that
        they lose aren't lost in the loop then, where trip counts are no longer checked."""
        if not self.chance(percent):
            return [], *ends
        self.note("ends computed before the loop")
        before, names = [], []
        for e in ends:
            if e.operands or not e.form[0].isdigit():
                of, name = t if self.chance(50) else e.type, self.name("e")
                before.append(Statement("%s %s = {};" % (of, name), [e], name))
                e = variable(name, of, e.level)
            names.append(e)
        return before, *names

    def loop_from_0(self, j, bound, body, tests_last):
        """Up to a bound, in steps of 1."""
        if not tests_last:
            return self.make_loop(Statement("LOOP for (i32 %s = 0; %s < {}; ++%s) {{ TRIP" % (j, j, j), [bound]), body)
        return [Statement("i32 %s = 0;" % j, [], j),
                Nest([Statement("LOOP do {{ TRIP")], [body], "}} while (UNTIL {});",
                     [compare("<", Expr("++%s" % j, "i32", [], LANE), bound)], True)]

    def ends(self):
        """Among whom the ends of a loop are the same."""
        return self.pick([(UNIFORM, 3), (BLOCK, 1), (LANE, 4)])

    def merged(self, condition, context):
        """A loop's condition, maybe with another one beside it."""
        if not self.chance(15):
            return condition
        self.note("condition of two parts")
        other = self.condition(self.one([UNIFORM, LANE]))
        if self.chance(50): # of the same counter, as in i < n && i < m
            other = Expr(condition.form, "i32", [condition.operands[0], self.small(self.one([UNIFORM, LANE]))], LANE)
        parts = [condition, other]
        self.random.shuffle(parts)
        return logic(self.pick([("&&", 5), ("||", 1)]), *parts)

    def counted(self, context):
        most = self.ends()
        t, i = self.type(), self.name("c")
        start = constant(0) if self.chance(40) else self.small(most)
        before, start, bound = self.ahead(t, start, self.small(most))
        step = self.pick([(constant(1), 5), (constant(2), 1), (constant(3), 1), (constant(7), 0.5),
                          (self.leaf(UNIFORM), 1)])
        counter = variable(i, t, start.level)
        self.note("for, counter " + t)
        end = counter
        if self.chance(15):
            self.note("sum with the counter is compared")
            end = binary(self.pick([("+", 3), ("-", 1), ("*", 1)]), counter,
                         constant(self.random.randint(1, 4)) if self.chance(50) else self.leaf(UNIFORM))
        elif self.chance(8):
            self.note("low bits of the counter are compared")
            end = binary("&", counter, constant(self.one([31, 255, 255, 65535])))
            step = self.one([step, constant(self.one([33, 70, 90]))])
            bound = binary("+", bound, constant(self.one([0, 20, 160])))
        condition = self.merged(compare(self.pick([("<", 4), ("<=", 1.5)]), end, bound), context)
        head = Statement("LOOP for (%s %s = {}; {}; %s += {}) {{ TRIP" % (t, i, i), [start, condition, step])
        body = self.in_loop(context, join(start, bound, condition), [counter])
        return before + self.make_loop(head, body)

    def strided(self, context):
        """Lanes start side by side and step together; or nearly so."""
        t = self.pick([("i32", 8), ("u32", 6), ("i64", 4), ("u64", 2), ("i16", 1), ("u16", 1), ("u8", 1)])
        i = self.name("c")
        starts = ["threadIdx.x", GRID_INDEX, "(threadIdx.x & 31)", "(threadIdx.x / 32)", "threadIdx.y",
                  "(threadIdx.x + blockDim.x * threadIdx.y)", LINEAR_INDEX, LINEAR_INDEX]
        steps = ["blockDim.x", "(blockDim.x * gridDim.x)", "32", "64", "31", "16", "blockDim.y", "(blockDim.x / 32)",
                 "(blockDim.x * blockDim.y)"]
        k = self.random.randrange(3) if self.chance(75) else None
        start = Expr(starts[k] if k is not None else self.one(starts), "u32", [], LANE)
        step = Expr(steps[k] if k is not None else self.one(steps), "u32")
        if self.chance(30):
            step = constant(self.random.randint(4, 40))
        percent = 40
        if self.chance(35):
            start = binary(self.one(["+", "-", "-", "*"]), cast(t, start), self.leaf(UNIFORM))
            self.note("strided with an offset")
        elif self.chance(20): # of the first lanes, that is near the type's last number
            t, percent = self.one(["u32", "u32", "u64"]), 80
            start = binary("-", cast(t, start), self.one([constant(5), constant(20), self.leaf(UNIFORM)]))
            self.note("strided from below 0")
        if self.chance(20):
            step = binary("*", step, self.leaf(UNIFORM))
            self.note("strided with a factor")
        bound = self.small(self.one([UNIFORM, UNIFORM, BLOCK]))
        if self.chance(40):
            bound = binary("*", bound, constant(self.one([8, 32, 33])))
        counter = variable(i, t, LANE)
        self.note("strided loop")
        before, start, bound = self.ahead(t, start, bound, percent=percent)
        changes = []
        if self.chance(12):
            self.note("bound that changes in the loop")
            name = self.name("v")
            before += [Statement("%s %s = {};" % (t, name), [bound], name)]
            bound = variable(name, t, UNIFORM)
            changes = [Statement(self.one(["%s += 5;", "%s ^= 21;", "%s = (%s * 3) & 63;"]).replace("%s", name))]
        after = []
        if t in ("i32", "u32") and self.chance(15): # the rank and the size of a group of 64 bits
            self.note("strided by a rank of 64 bits")
            rank, size = self.name("v"), self.name("v")
            before += [Statement("u64 %s = {};" % rank, [start], rank), Statement("u64 %s = {};" % size, [step], size)]
            start, step = variable(rank, "u64", LANE), variable(size, "u64", UNIFORM)
            after = [Nest([Statement("if (%s == 0) {{" % rank)], [[Statement("sum ^= (u32)%s;" % size)]])]
        down = self.chance(40 if t in ("u8", "u16") else 10)
        if down:
            self.note("strided, down")
            start = binary("+", start, bound)
            bound = self.pick([(constant(self.random.randint(0, 40)), 3), (self.leaf(UNIFORM), 1)])
        condition = self.merged(compare(self.one([">", ">="] if down else ["<", "<", "<="]), counter, bound), context)
        head = Statement("LOOP for (%s %s = {}; {}; %s %s= {}) {{ TRIP" % (t, i, i, "-" if down else "+"),
                         [start, condition, step])
        return before + self.make_loop(head, self.in_loop(context, LANE, [counter]) + changes) + after

    def strided_if(self, context):
        """Lanes step together if a factor is small enough, or the step large enough."""
        i = self.name("c")
        start = Expr(self.one([LINEAR_INDEX, "(threadIdx.x & 31)", "threadIdx.x"]), "u32", [], LANE)
        numbers = [v for v in self.scope if v.level == UNIFORM] or [constant(3)]
        if self.chance(50):
            start, step = binary("*", cast("i32", start), self.one(numbers)), constant(self.one([64, 128, 1024]))
        else:
            step = self.one(numbers)
            step = binary("*", step, constant(self.one([4, 32]))) if self.chance(30) else step
        bound = binary("*", self.leaf(UNIFORM), constant(self.one([1, 16, 100])))
        before, start, bound = self.ahead("i32", start, bound)
        counter = variable(i, "i32", LANE)
        self.note("strided under a condition")
        head = Statement("LOOP for (i32 %s = {}; %s < {}; %s += {}) {{ TRIP" % (i, i, i), [start, bound, step])
        return before + self.make_loop(head, self.in_loop(context, LANE, [counter]))

    def same_distance(self, context):
        """Both ends differ between lanes, and the distance doesn't."""
        t, i = self.type(), self.name("c")
        start, length = self.small(), self.small(self.one([UNIFORM, BLOCK]))
        if self.chance(45):
            start = binary(self.one("+-"), start, constant(self.random.randint(1, 3)))
        bound = binary("+", start, length)
        if self.chance(35):
            self.note("ends with a common part, narrowed")
            t = self.one(TYPES[:4])
            bound = cast(t, bound)
        before, start, bound = self.ahead(t, start, bound)
        counter = variable(i, t, LANE)
        self.note("ends with a common part")
        head = Statement("LOOP for (%s %s = {}; %s %s {}; ++%s) {{ TRIP" % (t, i, i, self.one(["<", "<", "<="]), i),
                         [start, bound])
        return before + self.make_loop(head, self.in_loop(context, length.level, [counter]))

    def descending(self, context):
        most = self.ends()
        t, i = "u8" if self.chance(15) else self.type(), self.name("c")
        start, bound = self.small(most), constant(0) if self.chance(60) else self.small(most)
        step, by = self.pick([("--%s", 4), ("%s -= 2", 1), ("%s -= 3", 1), ("%s -= {}", 2.5)]) % i, []
        if "{}" in step:
            by = [self.one([v for v in self.scope if v.level == UNIFORM] or [constant(3)])]
            self.note("descending by a value")
        self.note("descending loop")
        sign = self.one([">", ">", ">="])
        if self.chance(20): # as one may write it where the counter has no sign
            self.note("descending until it wraps")
            t, sign, bound = self.one(["u32", "u32", "u64", "u8"]), "<", self.small(most)
            start = binary("-", bound, constant(self.random.randint(0, 3)))
        if t[0] == "u" and sign == ">=" and bound.form == "0":
            sign = ">" # clang takes a loop that never ends and has no effect for one that isn't reached
        before, start, bound = self.ahead(t, start, bound)
        counter = variable(i, t, start.level)
        condition = self.merged(compare(sign, counter, bound), context)
        head = Statement("LOOP for (%s %s = {}; {}; %s) {{ TRIP" % (t, i, step), [start, condition, *by])
        return before + self.make_loop(head, self.in_loop(context, join(start, bound, condition), [counter]))

    def while_loop(self, context):
        most = self.ends()
        t, i = self.type(), self.name("w")
        before, start, bound = self.ahead(t, self.small(most), self.small(most))
        counter = variable(i, t, LANE)
        step = Statement("%s += %d;" % (i, self.random.randint(1, 3)))
        if self.chance(20):
            self.note("step that changes in the loop")
            step = Statement("%s += (%s & 3) + 1;" % (i, self.one([i, "(u32)sum"])))
        body = self.in_loop(context, join(start, bound), [counter])
        place = self.pick([("head", 1), ("tail", 3), ("both", 0.8)])
        self.note("while, counted at its " + place)
        if place != "tail":
            body.insert(0, step)
        if place != "head":
            body.append(step)
        head = Statement("LOOP while ({}) {{ TRIP", [self.merged(compare("<", counter, bound), context)])
        self.scope.append(counter)
        return before + [Statement("%s %s = {};" % (t, i), [start], i)] + self.make_loop(head, body)

    def do_loop(self, context):
        most = self.ends()
        t, i = self.type(), self.name("w")
        before, start, bound = self.ahead(t, self.small(most), self.small(most))
        counter = variable(i, t, LANE)
        self.note("do")
        body = self.in_loop(context, join(start, bound), [counter])
        if self.chance(50):
            body.append(Statement("%s += %d;" % (i, self.random.randint(1, 3))))
            condition = compare(self.one(["<", "<="]), counter, bound)
        else:
            condition = compare(self.one(["<", "<="]), Expr("++%s" % i, t, [], LANE), bound)
        nest = Nest([Statement("LOOP do {{ TRIP")], [body], "}} while (UNTIL {});", [condition], True)
        self.scope.append(counter)
        return before + [Statement("%s %s = {};" % (t, i), [start], i), nest]

    def endless(self, context):
        """for (;;), left by break at its head, in its middle or at its tail."""
        t, i = self.type(), self.name("w")
        most = self.ends()
        before, start, bound = self.ahead(t, self.small(most), self.small(most))
        counter = variable(i, t, LANE)
        leave = Nest([Statement("if ({}) {{", [compare(self.one([">=", ">"]), counter, bound)])],
                     [[Statement("LEAVE break;")]])
        step = Statement("%s += %d;" % (i, self.random.randint(1, 2)))
        body = self.in_loop(context, join(start, bound), [counter])
        place = self.one(["head", "middle", "tail"])
        at = {"head": 0, "middle": len(body) // 2, "tail": len(body)}[place]
        body.insert(at, leave)
        body.insert(at + self.random.randrange(2), step)
        self.note("break at the " + place)
        return before + [Statement("%s %s = {};" % (t, i), [start], i)] + \
            self.make_loop(Statement("LOOP for (;;) {{ TRIP"), body)

    def doubling(self, context):
        most = self.ends()
        t, i = self.type(), self.name("c")
        bound = self.small(most)
        start = self.pick([(constant(1), 4), (constant(3), 1), (self.leaf(most), 1)])
        counter = variable(i, t, start.level)
        step = self.pick([("%s <<= 1", 3), ("%s *= 2", 3), ("%s *= 3", 1), ("%s <<= 2", 1), ("%s += %s", 1)])
        self.note("counter that is multiplied")
        head = Statement("LOOP for (%s %s = {}; %s < {}; %s) {{ TRIP" %
                         (t, i, i, step.replace("%s", i)), [start, bound])
        return self.make_loop(head, self.in_loop(context, join(start, bound), [counter]))

    def halving(self, context):
        most = self.ends()
        t, i = self.type(), self.name("c")
        start = self.small(most)
        counter = variable(i, t, start.level)
        step = self.pick([(">>= 1", 3), ("/= 2", 3), ("/= 3", 1), (">>= 2", 1), ("/= 10", 1)])
        self.note("counter that is divided")
        bound = constant(self.pick([(0, 3), (1, 1), (5, 1)]))
        sign = ">"
        if self.chance(40):
            self.note("counter that is divided, beside data")
            sign, bound = self.one(["!=", "<=", "!="]), Expr("(sum & %d)" % self.one([3, 31, 63, 127]), "u32", [], LANE)
        head = Statement("LOOP for (%s %s = {}; {}; %s %s) {{ TRIP" % (t, i, i, step),
                         [start, compare(sign, counter, bound)])
        return self.make_loop(head, self.in_loop(context, join(start, bound), [counter]))

    def bisection(self, context):
        most = self.ends()
        form = self.pick([("", 4), ("sum", 3), ("up", 2.5), ("closed", 3), ("low stays", 2.5)])
        t = self.pick([("i32", 3), ("u32", 0.5 if form == "sum" else 2), ("i64", 1)])
        low, high, middle = self.name("low"), self.name("high"), self.name("mid")
        array, element, _ = self.one(self.arrays) if self.arrays else (None, None, None)
        ends = [self.small(most), self.small(most)]
        if self.chance(70 if form == "sum" else 20):
            self.note("bisection around 0")
            ends[0] = binary("-", cast("i32", ends[0]), constant(self.random.randint(1, 40)))
        value = Expr("%s[(u32)%s & 63]" % (array, middle), element, [], LANE) if array else variable(middle, t, LANE)
        test = compare(self.one(["<", "<="]), value, self.small())
        if self.chance(45): # where the search goes up may change meanwhile
            bits_of_sum = "((sum >> %d) & %d)" % (self.random.randrange(8), self.one([1, 1, 3]))
            test = compare("==", Expr(bits_of_sum, "u32", [], LANE), constant(0))
        up, down = "%s = %s + 1;" % (low, middle), "%s = %s;" % (high, middle)
        half, sign = "%s + (%s - %s) / 2" % (low, high, low), "<"
        if form == "sum": # a number below 0 is rounded up
            half = "(%s + %s) / 2" % (low, high)
        elif form == "up":
            half = "%s + (%s - %s + 1) / 2" % (low, high, low)
            up, down = "%s = %s;" % (low, middle), "%s = %s - 1;" % (high, middle)
        elif form == "closed":
            sign, down = "<=", "%s = %s - 1;" % (high, middle)
        elif form == "low stays":
            up = "%s = %s;" % (low, middle)
        self.note("bisection" + (", " + form if form else ""))
        body = [Statement("%s %s = %s;" % (t, middle, half), [], middle), self.kept_sum([variable(middle, t, LANE)]),
                Nest([Statement("if ({}) {{", [test]), Statement("}} else {{")], [[Statement(up)], [Statement(down)]])]
        head = Statement("LOOP while (%s %s %s) {{ TRIP" % (low, sign, high))
        return [Statement("%s %s = {};" % (t, low), [ends[0]], low),
                Statement("%s %s = {};" % (t, high), [ends[1]], high)] + self.make_loop(head, body)

    def rows(self, context):
        """Bounds that memory has, such as the rows of a matrix."""
        array, t, _ = self.one(self.arrays)
        row = self.expression(self.ends(), 1)
        i = self.name("c")
        counter = variable(i, t, LANE)
        first = Expr("%s[(u32){} & 63]" % array, t, [row], row.level)
        last = Expr("%s[((u32){} & 63) + 1]" % array, t, [row], row.level)
        self.note("rows of a matrix")
        head = Statement("LOOP for (%s %s = {}; %s < {}; ++%s) {{ TRIP" % (t, i, i, i), [first, last])
        return self.make_loop(head, self.in_loop(context, row.level, [counter]))

    def unequal(self, context):
        """i != n, which a step of one meets, and another one maybe."""
        t, i = self.type(), self.name("c")
        start = self.small(self.ends())
        step, percent = self.pick([(1, 4), (2, 1), (-1, 2)]), 40
        length = binary("&", self.small(self.ends()), constant(255 if bits(t) == 8 and self.chance(40) else 15))
        if self.chance(40): # twice a number from 2^31 on is another one's double, too
            self.note("!=, in steps of a power of two")
            t, step, percent = self.pick([("u32", 6), ("u64", 1)]), self.one([2, 2, 4]), 80
            of_launch = [v for v in self.scope if v.level == UNIFORM and bits(v.type) == 32]
            length = cast(t, self.one(of_launch) if of_launch else length)
        distance = binary("*", length, constant(step)) if step != 1 else length
        before, start, end = self.ahead(t, start, binary("+", start, distance), percent=percent)
        counter = variable(i, t, start.level)
        self.note("!=")
        head = Statement("LOOP for (%s %s = {}; %s != %s({}); %s += %d) {{ TRIP" % (t, i, i, t.upper(), i, step),
                         [start, end])
        return before + self.make_loop(head, self.in_loop(context, length.level, [counter]))

    def bits_loop(self, context):
        i = self.name("w")
        start = self.small(self.ends())
        self.note("loop over bits")
        body = self.in_loop(context, start.level, []) + [Statement("%s &= %s - 1;" % (i, i))]
        return [Statement("u32 %s = {};" % i, [start], i)] + \
            self.make_loop(Statement("LOOP while (%s) {{ TRIP" % i), body)

    def until_error(self, context):
        """A count beside a condition on what changes: it bounds the loop."""
        i = self.name("c")
        counter = variable(i, "i32", UNIFORM)
        bound = self.one([constant(self.random.randint(3, 49)), self.small(UNIFORM)])
        other = self.condition(LANE, 1)
        data = compare("!=", Expr("(sum & %d)" % self.one([1, 3, 7, 31]), "u32", [], LANE), constant(0))
        self.note("count beside a condition on data")
        order = [compare("<", counter, bound), self.one([data, other])]
        self.random.shuffle(order)
        head = Statement("LOOP for (i32 %s = 0; {}; ++%s) {{ TRIP" % (i, i), [logic("&&", *order)])
        body = self.in_loop(context, LANE, [counter])
        body.append(Statement("sum = SHORT(sum) * 5u + 3u;"))
        return self.make_loop(head, body)

    def padded(self, context):
        """Bounds that are rounded up to a multiple; starts that are rounded down."""
        t, i = self.pick([("i32", 3), ("u32", 3), ("i64", 1)]), self.name("c")
        to = self.one([4, 8, 32])
        bound = Expr("(({} + %d) / %d * %d)" % (to - 1, to, to), "i32", [cast("i32", self.small(UNIFORM))])
        start = self.thread()
        if self.chance(50):
            start = Expr("({} & ~%du)" % (to - 1), "u32", [start], LANE)
        step = self.pick([(constant(to), 2), (constant(32), 2), (Expr("blockDim.x", "u32"), 2)])
        counter = variable(i, t, LANE)
        self.note("padded bounds")
        head = Statement("LOOP for (%s %s = {}; %s < {}; %s += {}) {{ TRIP" % (t, i, i, i), [start, bound, step])
        return self.make_loop(head, self.in_loop(context, LANE, [counter]))

    def large_bounds(self, context):
        """Constants from 2^31 on, in short loops near to them."""
        i = self.name("c")
        t, base = self.pick([(("u32", 0x80000000), 2), (("u32", 0xfffffff0), 2), (("i32", 0x7ffffff0), 1),
                             (("u64", 1 << 63), 1), (("u64", (1 << 64) - 16), 1), (("i64", 0x80000000), 1),
                             (("u64", 0xfffffff0), 1), (("u8", 0xf0), 2), (("u16", 0xfff0), 0.5)])
        most = self.ends()
        start = binary("+", constant(base - 16, t), cast(t, binary("&", self.small(most), constant(15))))
        bound = self.pick([(constant(base, t), 2), (constant(base + 9, t), 2), (self.leaf(most), 1)])
        # Steps that are constants are taken not to wrap; a parameter isn't.
        numbers = [variable(name, of, UNIFORM) for name, of, kind in self.params if kind == "number"]
        step = constant(1 if bits(t) < 32 else self.one([1, 1, 3]))
        if context.kernel and self.chance(60 if bits(t) == 8 else 25):
            step = self.one(numbers)
        if self.chance(25):
            start = cast(t, self.leaf(most))
        elif self.chance(25):
            self.note("start before a bound of any size")
            bound = cast(t, self.leaf(most))
            start = binary("-", bound, constant(self.random.randint(0, 9), t))
        elif self.chance(50) and t[0] == "u": # -3 is 2^32 - 3
            self.note("number below 0 that is a large bound")
            bound = cast(t, cast(self.one(["i8", "i16", "i32"]), self.leaf(most)))
        before, start, bound = self.ahead(t, start, bound)
        counter = variable(i, t, start.level)
        self.note("bounds from 2^31 on")
        head = Statement("LOOP for (%s %s = {}; %s %s {}; %s += {}) {{ TRIP" %
                         (t, i, i, self.one(["<", "<="]), i), [start, bound, step])
        return before + self.make_loop(head, self.in_loop(context, join(start, bound), [counter]))

    def two_counters(self, context):
        """Two ends that come together."""
        most = self.ends()
        t, i, j = self.type(), self.name("c"), self.name("c")
        start, end = self.small(most), self.small(most)
        counters = [variable(i, t, start.level), variable(j, t, end.level)]
        self.note("two counters")
        head = Statement("LOOP for (%s %s = {}, %s = {}; %s < %s; ++%s, --%s) {{ TRIP" % (t, i, j, i, j, i, j),
                         [start, end])
        return self.make_loop(head, self.in_loop(context, join(start, end), counters))

    def pointer_chase(self, context):
        array, t, _ = self.one(self.arrays)
        i = self.name("w")
        start = self.small(self.ends())
        self.note("chase through memory")
        body = self.in_loop(context, LANE, [variable(i, t, LANE)])
        body.append(Statement("%s = %s[(u32)%s & 63] - 1;" % (i, array, i)))
        return [Statement("%s %s = {};" % (t, i), [start], i)] + \
            self.make_loop(Statement("LOOP while (%s > 0) {{ TRIP" % i), body)

    def pointers(self, context):
        """A pointer that runs through an array."""
        array, t, _ = self.one(self.arrays)
        p = self.name("q")
        most = self.ends()
        start = binary("&", self.small(most), constant(self.one([3, 15, 31])))
        length = binary("&", self.small(most), constant(self.one([7, 15, 31])))
        end = binary("+", start, length) if self.chance(50) else length
        step = self.pick([("++%s", 4), ("%s += 2", 1), ("%s += 3", 1)]) % p
        sign = self.pick([("<", 3), ("!=", 3 if step[0] == "+" else 0)])
        if sign == "!=":
            end = binary("+", start, length)
        self.note("pointer that is compared")
        head = Statement("LOOP for (const %s *%s = %s + {}; %s %s %s + {}; %s) {{ TRIP" %
                         (t, p, array, p, sign, array, step), [start, end])
        return self.make_loop(head, self.in_loop(context, join(start, end), [variable("*" + p, t, LANE)]))

    def several_sums(self, context):
        """A counter that is advanced on each way through the body, or by an inner loop."""
        t, i = self.pick([("i32", 4), ("u32", 2), ("i64", 1), ("u8", 0.5)]), self.name("c")
        most = self.ends()
        before, start, bound = self.ahead(t, self.small(most), self.small(most))
        counter = variable(i, t, LANE)
        body = self.in_loop(context, LANE, [counter], 1)
        if self.chance(50) or context.loops >= 2:
            body += self.sums_by_ways(i, context)
        else:
            body += self.sums_of_inner_loop(i, before)
        head = Statement("LOOP for (%s %s = {}; %s %s {};) {{ TRIP" % (t, i, i, self.one(["<", "<", "<="])),
                         [start, bound])
        return before + self.make_loop(head, body)

    def sums_by_ways(self, counter, context):
        """By as much on each of them, or nearly so."""
        self.note("counter advanced by the way")
        steps = [self.random.randint(1, 4) for _ in range(2)] if self.chance(40) else [self.random.randint(1, 4)] * 2
        ways = [[Statement("%s += %d;" % (counter, steps[0])), self.effect(context)],
                [Statement("sum ^= 77u;"), Statement("%s += %d;" % (counter, steps[1]))]]
        return [Nest([Statement("if ({}) {{", [self.condition(LANE, 1)]), Statement("}} else {{")], ways)]

    def sums_of_inner_loop(self, counter, before):
        """One that runs as often each time, or nearly so."""
        self.note("counter advanced by an inner loop")
        j = self.name("c")
        by = self.pick([(constant(1), 3), (constant(3), 1), (self.leaf(UNIFORM), 1)])
        step = Statement("%s += {};" % counter, [by])
        bound = self.pick([(constant(3), 1), (self.leaf(UNIFORM), 3), (self.small(LANE), 1)])
        more = []
        if self.chance(60):
            self.note("inner loop that runs by the iteration")
            turn = self.name("w")
            before.append(Statement("i32 %s = 0;" % turn, [], turn))
            more = [Statement("++%s;" % turn)]
            bound = binary(self.one("&%"), variable(turn, "i32", UNIFORM), constant(self.one([3, 3, 5])))
        body = [self.kept_sum([variable(j, "i32", LANE)]), step]
        self.random.shuffle(body)
        loop = self.loop_from_0(j, bound, body, tests_last=self.chance(30))
        return loop + [Statement("%s += 1;" % counter)] * self.chance(60) + more
