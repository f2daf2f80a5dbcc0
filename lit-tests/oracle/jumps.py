# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow that isn't structured: goto. Where lanes may wait for others it leads forward alone, so that those which
wait at the first place in the order of the source meet all others."""
from expression import LANE, UNIFORM, Expr, binary, compare, constant
from program import Nest, Statement


class Jumps:
    """Mixed into the generator."""

    def jump(self, condition, label, leaves=""):
        return Nest([Statement("if ({}) {{", [condition])], [[Statement("%sgoto %s;" % (leaves, label))]])

    def out_of_two(self, context):
        """Out of a loop and the one around it, to behind that."""
        self.note("goto out of two loops")
        label, value = self.name("l"), self.name("v")
        level = self.one([UNIFORM, LANE, LANE])
        outer, inner = self.counted(context), self.counted(context.loop(LANE, LANE))
        body = inner[-1].parts[0]
        body.insert(self.random.randint(0, len(body)), self.jump(self.condition(level), label, "LEAVE_TWO "))
        body.append(Statement("%s = (%s * 5 + 3) & 31;" % (value, value)))
        rest = outer[-1].parts[0]
        rest[0:0] = inner
        out = [Statement("u32 %s = {};" % value, [self.small(UNIFORM)], value), *outer]
        if self.chance(50): # what only those do that haven't jumped
            out += self.loop_up_to(value, context.within(LANE))
        out.append(Statement("%s: sum ^= %s;" % (label, value)))
        return out + (self.loop_up_to(value, context) if self.chance(60) else [])

    def loop_up_to(self, value, context):
        i = self.name("c")
        head = Statement("LOOP for (u32 %s = 0; %s < (%s & 31u); ++%s) {{ TRIP" % (i, i, value, i))
        return self.make_loop(head, [Statement("sum = SHORT(sum ^ %s) * 5u + 1u;" % i),
                                     Statement("out[self] = sum;" if context.kernel else "sum ^= 3u;")])

    def skipped(self, context):
        """Two jumps over each other: if (a) goto x; ..; if (b) goto y; ..; x: ..; y:"""
        self.note("goto past a goto")
        conditions = [self.condition(self.one([UNIFORM, LANE])) for _ in range(2)]
        labels = [self.name("l"), self.name("l")]
        inside = context.within(max(c.level for c in conditions))
        inside.in_loop = False

        def part():
            return Nest([Statement("{{")], [self.body(inside, self.random.randint(1, 2))])
        return [self.jump(conditions[0], labels[0]), part(), self.jump(conditions[1], labels[1]), part(),
                Statement("%s: sum ^= 5u;" % labels[0]), part(), Statement("%s: sum ^= 9u;" % labels[1])]

    def two_ways_in(self, context):
        """A loop that begins in two places, which no statement for loops makes."""
        self.note("irreducible loop")
        top, middle, value, turns = self.name("l"), self.name("l"), self.name("v"), self.name("w")
        some = self.one([UNIFORM, LANE])
        again = compare("<", Expr("%s++" % turns, "u32", [], UNIFORM), binary("&", self.small(some), constant(7)))
        return [Statement("u32 %s = {};" % value, [self.small(UNIFORM)], value),
                Statement("u32 %s = 0;" % turns, [], turns),
                self.jump(self.condition(self.one([UNIFORM, LANE])), middle),
                Statement("%s: %s = (%s * 3 + 1) & 31;" % (top, value, value)),
                Statement("%s: sum = SHORT(sum ^ %s) * 5u;" % (middle, value)), self.jump(again, top),
                *self.loop_up_to(value, context)]
