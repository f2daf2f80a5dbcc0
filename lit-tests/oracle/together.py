# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads of a block do together, and values that differ because they weren't together."""
from expression import (BLOCK, GRID_INDEX, LANE, LINEAR_INDEX, UNIFORM, WARP, Expr, binary, cast, compare, constant,
                        variable)
from program import Nest, Statement


class Together:
    """Mixed into the generator."""

    def guard(self):
        """Threads that have nothing to do return."""
        self.note("early return")
        thread = Expr(self.one([GRID_INDEX, "threadIdx.x"]), "u32", [], LANE)
        return [Nest([Statement("if ({}) {{", [compare(">=", thread, self.small(UNIFORM))])],
                     [[Statement("LEAVE_ALL return;")]])]

    def synchronise(self, context):
        """An operation of the warp or block, where all come to it; now and then where they may not."""
        together = context.control <= BLOCK
        if not context.kernel or self.of_launch:
            return self.sum(context)
        if not together:
            # Behind a barrier that a part of a warp has passed nothing is said of who is active.
            if "__activemask" not in self.constructs and self.chance(20):
                return self.barrier_apart()
            return self.sum(context) if "barrier where lanes diverge" in self.constructs else self.active(context)
        self.synchronises = True
        if self.chance(8):
            return self.barrier_of_warps()
        value = self.name("v")
        t = self.pick([("i32", 4), ("u32", 3), ("i64", 1)])
        e = cast(t, self.small())
        lane = self.pick([(constant(0), 4), (binary("&", self.leaf(UNIFORM), constant(7)), 1),
                          (binary("&", self.thread(), constant(7)), 2.5)])
        all_lanes = "0xffffffffu"
        forms = [("__shfl_sync(%s, {}, {}, 32)", "shuffle", WARP, 3, lane),
                 ("__shfl_xor_sync(%s, {}, {}, 32)", "shuffle, xor", LANE, 1, constant(self.one([1, 2, 4]))),
                 ("__shfl_down_sync(%s, {}, {}, 32)", "shuffle, down", LANE, 1, constant(1)),
                 ("__shfl_sync(%s, {}, {}, 8)", "shuffle in parts", LANE, 1.4, constant(0)),
                 ("__any_sync(%s, {})", "vote", WARP, 2, None), ("__all_sync(%s, {})", "vote", WARP, 1, None),
                 ("__ballot_sync(%s, {})", "ballot", WARP, 1, None),
                 ("__match_any_sync(%s, {})", "match", LANE, 1, None),
                 ("__syncthreads_or({})", "barrier that reduces", BLOCK, 1, None),
                 ("__syncthreads_count({})", "barrier that reduces", BLOCK, 0.7, None),
                 ("__syncthreads()", "__syncthreads", None, 2, None), ("__syncwarp(%s)", "__syncwarp", None, 1.5, None)]
        form, construct, level, _, other = self.random.choices(forms, [f[3] for f in forms])[0]
        self.note(construct)
        form = form.replace("%s", all_lanes)
        if level is None:
            return [Statement(form + ";")]
        operands = [compare(">", e, self.leaf(LANE))] if "any_" in form and "match" not in form or "all_" in form or \
            "ballot" in form or "threads" in form else [e] if other is None else [e, other]
        if "match" in form:
            operands = [cast("u32", self.small())]
        result = t if other is not None else "u32" if "ballot" in form or "match" in form else "i32"
        self.scope.append(variable(value, result, level if other is None or other.level == UNIFORM else LANE))
        out = [Statement("%s %s = %s;" % (result, value, form), operands, value)]
        return out + self.use_as_end(context, "(%s & 31)" % value) if self.chance(40) and context.loops < 3 else out

    def active(self, context):
        """Of the lanes that are here."""
        self.synchronises = True
        self.note("__activemask")
        value, mask = self.name("v"), self.name("m")
        form = self.pick([("__popc(%s)", 3), ("__any_sync(%s, {})", 1), ("__popc(__ballot_sync(%s, {}))", 1),
                          ("__reduce_add_sync(%s, {})", 1)])
        operands = [self.condition(LANE, 1)] if "{}" in form else []
        self.scope.append(variable(value, "i32", LANE))
        out = [Statement("u32 %s = __activemask();" % mask, [], mask),
               Statement("i32 %s = %s;" % (value, form % mask), operands, value)]
        if self.chance(40):
            self.note("loop as long as lanes are active")
            counter = self.name("c")
            head = Statement("LOOP for (i32 %s = 0; %s < %s; ++%s) {{ TRIP" % (counter, counter, value, counter))
            out.append(Nest([head], [[Statement("sum = SHORT(sum ^ (u32)%s) * 5u + 1u;" % counter)]], is_loop=True))
        return out

    def barrier_apart(self):
        """A barrier to which some may not come: the report must say so, and the launch ends there."""
        self.synchronises = True
        self.note("barrier where lanes diverge")
        return [Statement(self.pick([("__syncthreads();", 3), ("__syncwarp(0xffffffffu);", 2),
                                     ("sum ^= __syncthreads_or(sum & 1);", 1)]))]

    def barrier_of_warps(self):
        """A barrier to which whole warps come or don't; those that don't wait at the next one."""
        self.note("barrier for some warps")
        warp = Expr("(%s / 32)" % self.pick([("threadIdx.x", 1), (LINEAR_INDEX, 2)]), "u32", [], LANE)
        barrier = [Statement(self.pick([("__syncthreads();", 3), ("sum ^= __syncthreads_or(sum & 1);", 1)]))]
        out, form = [], self.random.randrange(4)
        if form == 0:
            counter = self.name("c")
            out.append(Nest([Statement("LOOP for (u32 %s = 0; %s <= {}; ++%s) {{ TRIP" % ((counter,) * 3), [warp])],
                            [barrier], is_loop=True))
        else:
            if form == 1:
                value = self.name("v")
                out.append(Statement("i32 %s = __any_sync(0xffffffffu, {});" % value, [self.condition(LANE, 1)], value))
                condition = variable(value, "i32", WARP)
            else:
                bound = self.pick([(constant(1), 2), (self.leaf(UNIFORM), 1)])
                condition = compare(self.one(["==", "<", ">="]), warp, bound)
            out.append(Nest([Statement("if ({}) {{", [condition])], [barrier]))
        return out + [Statement("__syncthreads();")]

    def shared(self, context):
        """An exchange through shared memory, between two barriers; or a slot of one's own."""
        name, value = self.name("s"), self.name("v")
        t = self.pick([("i32", 3), ("u32", 2), ("u8", 1), ("i64", 1)])
        linear = LINEAR_INDEX
        stored = self.small()
        out = [Statement("__shared__ %s %s[256];" % (t, name), [], name)]
        if context.control > BLOCK or self.chance(15):
            self.note("shared memory of one's own")
            self.scope.append(variable(value, t, LANE))
            return out + [Statement("%s[%s & 255u] = {};" % (name, linear), [stored]),
                          Statement("%s %s = %s[%s & 255u];" % (t, value, name, linear), [], value)]
        self.synchronises = True
        if self.chance(50):
            self.note("shared memory, one value for all")
            at = binary("&", self.leaf(UNIFORM), constant(7))
            out.append(Nest([Statement("if (%s == 0) {{" % linear)],
                            [[Statement("%s[{}] = {};" % name, [at, stored])]]))
            read, level = at, BLOCK
        else:
            self.note("shared memory, exchanged")
            out.append(Statement("%s[%s & 255u] = {};" % (name, linear), [stored]))
            read, level = self.one([(constant(0), BLOCK), (Expr("(%s / 32 * 32)" % linear, "u32", [], LANE), LANE)])
        self.scope.append(variable(value, t, level))
        return out + [Statement("__syncthreads();"), Statement("%s %s = %s[{}];" % (t, value, name), [read], value),
                      Statement("__syncthreads();")]

    def own_slot(self, context):
        """Memory that the kernel writes: each thread its own part."""
        value = self.name("v")
        if self.chance(30) and context.loops < 3:
            self.note("bound that the loop writes")
            counter = variable(self.name("c"), "u32", LANE)
            head = Statement("LOOP for (u32 %s = 0; %s < (out[self] & 31u); ++%s) {{ TRIP" % ((counter.form,) * 3))
            body = self.in_loop(context, LANE, [counter], 1)
            return self.make_loop(head, body + [Statement("out[self] = sum;")])
        self.note("memory that the kernel writes")
        self.scope.append(variable(value, "u32", LANE))
        return [Statement("out[self] = sum;"), Statement("u32 %s = out[self] & 15u;" % value, [], value)]

    def own_array(self, context):
        """An array of a thread's own, at a place that compilers don't know."""
        name, value = self.name("a"), self.name("v")
        self.note("array of a thread's own")
        most = self.pick([(UNIFORM, 2), (LANE, 1)])
        out = [Statement("i32 %s[4] = {{1, 3, 5, 2}};" % name, [], name),
               Statement("%s[(u32){} & 3] = {};" % name, [self.leaf(most), self.small()]),
               Statement("i32 %s = %s[(u32){} & 3];" % (value, name), [self.leaf(UNIFORM)], value)]
        self.scope.append(variable(value, "i32", LANE))
        return out + self.use_as_end(context, "(%s & 31)" % value) if self.chance(40) and context.loops < 3 else out

    # ---- values that differ by the way that lanes have come ---------------------------------------

    def use_as_end(self, context, value):
        """A loop whose end is that value."""
        counter = variable(self.name("c"), "i32", LANE)
        head = Statement("LOOP for (i32 %s = 0; %s < %s; ++%s) {{ TRIP" % ((counter.form,) * 2 + (value, counter.form)))
        return self.make_loop(head, self.in_loop(context, LANE, [counter], 1))

    def value_by_ways(self, context):
        """A value that is uniform on each way of a branch, with what can't be done on both ways."""
        value = self.name("v")
        condition = self.condition(self.pick([(LANE, 4), (BLOCK, 1)]))
        inside = context.within(condition.level)
        ways = [[*self.body(inside, 1), Statement("out[self] = sum;" if context.kernel else "sum = SHORT(sum) * 9u;"),
                 Statement("%s = {};" % value, [self.small(UNIFORM)])] for _ in range(2)]
        self.note("value by the way")
        heads = [Statement("if ({}) {{", [condition])] + [Statement("}} else {{")] * self.chance(60)
        nest = Nest(heads, ways[:len(heads)])
        declaration = Statement("i32 %s = {};" % value, [self.small(UNIFORM)], value)
        after = self.use_as_end(context, value) if context.loops < 3 else []
        return [declaration, nest] + after

    def value_by_iterations(self, context):
        """A value that changes alike for all in a loop that lanes leave in different iterations."""
        value = self.name("v")
        self.note("value by the iterations")
        becomes = self.pick([("%s + 3", 2), ("%s ^ 5", 1), ("(%s * 3) & 15", 1)]) % value
        change = Statement("%s = %s;" % (value, becomes))
        loop = self.counted(context)
        loop[-1].parts[0].append(change)
        declaration = Statement("i32 %s = {};" % value, [self.small(UNIFORM)], value)
        return [declaration] + loop + self.use_as_end(context, value)
