# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs for the oracle: kernels without races, with short loops of every kind that the analysis
has a rule for. Signed arithmetic may overflow, and warps may ask for lanes that aren't there; the run
notices and drops such launches."""
import random

from conversions import Conversions
from counters import Counters
from expression import (BLOCK, GRID_INDEX, LANE, LINEAR_INDEX, TYPES, UNIFORM, Expr, binary, bits, cast, choose,
                        compare, constant, extreme, index, logic, promoted, variable)
from floats import Floats
from jumps import Jumps
from loops import Loops
from program import Function, Nest, Program, Statement
from threads import Threads
from together import Together

DEPTH = 3  # of loops in each other
STATEMENTS = 14  # of a kernel, about
OF_LAUNCH = "launch"  # seeds that begin so: small programs whose ways follow from the launch and its parameters


class Context:
    """Where statements stand: among whom control flow is the same there, and what they may leave."""

    def __init__(self, control=UNIFORM, loops=0, leave=LANE, in_loop=False, kernel=True, nesting=0):
        self.control = control  # level of the branches and loops around
        self.loops = loops  # that are around
        self.leave = leave  # level of conditions that may leave the loop or the function
        self.in_loop = in_loop
        self.kernel = kernel
        self.nesting = nesting

    def within(self, level):
        """Under a branch of that level."""
        other = Context(**self.__dict__)
        other.control = max(self.control, level)
        other.nesting += 1
        return other

    def loop(self, level, leave):
        other = self.within(level)
        other.loops += 1
        other.leave = leave
        other.in_loop = True
        return other


class Generator(Loops, Conversions, Counters, Threads, Floats, Jumps, Together):
    """One program. What it has of each construct is in program.constructs."""

    def __init__(self, seed, number):
        self.random = random.Random("%s/%d" % (seed, number))
        self.number = number
        self.names = 0
        self.constructs = set()
        self.globals = []
        self.functions = []
        self.scope = []  # values that may be used
        self.changing = []  # variables that statements may assign to
        self.arrays = []  # memory that is only read: name, type
        self.of_launch = str(seed).startswith(OF_LAUNCH)
        self.statements = STATEMENTS // 2 if self.of_launch else STATEMENTS
        self.synchronises = False
        self.shape = self.pick([(1, 6), (2, 2), (3, 1)])  # dimensions that the block is thought of with
        self.params = self.make_params()

    # ---- choices ---------------------------------------------------------------------------------

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pick(self, weighted):
        return self.random.choices([v for v, _ in weighted], [w for _, w in weighted])[0]

    def one(self, sequence):
        return self.random.choice(sequence)

    def note(self, construct):
        self.constructs.add(construct)

    def name(self, letter):
        self.names += 1
        return "%s%d" % (letter, self.names)

    def type(self):
        t = self.pick([("i32", 9), ("u32", 6), ("i64", 3), ("u64", 2), ("i8", 1), ("u8", 1), ("i16", 1), ("u16", 1)])
        return t

    def make_params(self):
        params = []
        for _ in range(self.random.randint(2, 5)):
            t = self.type()
            params.append((self.name("n"), t, "number"))
            self.note("parameter " + t)
            self.scope.append(variable(params[-1][0], t, UNIFORM))
        for _ in range(0 if self.of_launch else self.random.randint(1, 2)):
            t = self.pick([("i32", 6), ("u32", 3), ("i64", 2), ("u64", 1), ("u8", 1), ("i16", 1)])
            kind = self.pick([("read", 3), ("plain", 1)])
            params.append((self.name("p"), t, kind))
            self.arrays.append((params[-1][0], t, kind))
        params.append(("out", "u32", "write"))
        return params

    # ---- expressions -----------------------------------------------------------------------------

    def thread(self):
        """A value that threads of a warp differ in."""
        axis = self.pick([("x", 6), ("y", 2 if self.shape > 1 else 0), ("z", 2 if self.shape > 2 else 0)])
        tid = Expr("threadIdx.%s" % axis, "u32", [], LANE)
        form = self.random.randrange(12)
        if form > 8:
            return self.thread_group()
        if form == 0:
            self.note("lane index")
            if self.chance(40):
                return Expr("LANE_INDEX", "u32", [], LANE)
            return binary("&", Expr("threadIdx.x", "u32", [], LANE), constant(31))
        if form == 1:
            self.note("warp index")
            return binary("/", Expr("threadIdx.x", "u32", [], LANE), constant(32))
        if form in (2, 3):
            self.note("index in the grid")
            return Expr(GRID_INDEX, "u32", [], LANE)
        if form == 4:
            self.note("linear index")
            return Expr(LINEAR_INDEX, "u32", [], LANE)
        self.note("threadIdx." + axis)
        return tid

    def thread_group(self):
        """An index of threads without its low bits: alike in a warp, if these are enough of them."""
        base = self.pick([("threadIdx.x", 3), (GRID_INDEX, 3),
                          (LINEAR_INDEX, 3),
                          ("(threadIdx.x + blockDim.x * threadIdx.y)", 2), ("(threadIdx.y * 32 + threadIdx.x)", 1)])
        e = Expr(base, "u32", [], LANE)
        signed = self.chance(25)
        if signed: # a division rounds towards 0 then, from both sides
            self.note("threads in groups, with a sign")
            warps = constant(self.random.randint(1, 3)) if self.chance(40) else cast("i32", self.leaf(UNIFORM))
            e = binary(self.one("+--"), cast("i32", e), binary("*", warps, constant(32)))
        elif self.chance(50):
            self.note("threads in groups, moved")
            e = binary("+", e, self.pick([(binary("*", self.leaf(UNIFORM), constant(32)), 2), (self.leaf(UNIFORM), 2),
                                          (self.load(LANE) if self.arrays else self.leaf(LANE), 4),
                                          (self.leaf(LANE), 1)]))
        by = self.pick([(5, 4), (4, 1), (3, 1), (6, 1)])
        form = self.pick([("({} / %d)", 5), ("({} >> %d)", 2), ("({} & ~%d)", 1), ("({} %% %d)", 0.5)] if signed else
                         [("({} / %du)", 3), ("({} >> %d)", 3), ("({} & ~%du)", 2), ("({} %% %du)", 1),
                          ("(I32({}) / %d)", 1)])
        self.note("threads in groups")
        of_sign = "u" not in form and (signed or "I32" in form)
        return Expr(form % ((1 << by) - 1 if "&" in form else by if ">>" in form else 1 << by),
                    "i32" if of_sign else promoted(e.type, "u32"), [e], LANE)

    def leaf(self, most):
        form = self.random.random()
        fitting = [v for v in self.scope if v.level <= most]
        if form < 0.45 and fitting:
            return self.one(fitting)
        if most >= LANE and form < 0.70:
            e = self.thread()
            return cast("i32", e) if self.chance(50) else e
        if most >= BLOCK and form < 0.76:
            self.note("blockIdx")
            return Expr("blockIdx.%s" % self.pick([("x", 4), ("y", 1)]), "u32", [], BLOCK)
        if form < 0.82:
            self.note("blockDim, gridDim")
            return Expr(self.one(["blockDim.x", "blockDim.y", "gridDim.x"]), "u32")
        if form < 0.90 and self.arrays:
            return self.load(most)
        return constant(self.random.choice([0, 1, 2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 33]),
                        self.pick([("i32", 5), ("u32", 1)]))

    def load(self, most):
        name, t, kind = self.one(self.arrays)
        at = self.expression(most, 1)
        self.note("load, read only" if kind == "read" else "load, plain")
        return index(name, at, 63, t, at.level)

    def expression(self, most=LANE, depth=2):
        """Any value, alike among those of the level `most`."""
        if depth == 0 or self.chance(30):
            return self.leaf(most)
        a = self.expression(most, depth - 1)
        form = self.random.randrange(16)
        if form < 5:
            b = self.expression(most, depth - 1)
            return binary(self.pick([("+", 3), ("-", 3), ("*", 1)]), a, b)
        if form == 5:
            return binary("*", a, constant(self.one([2, 3, 4, 8, 32])))
        if form == 6:
            self.note("division")
            return binary(self.one(["/", "%"]), a, constant(self.one([2, 3, 4, 8, 16, 32, 33])))
        if form == 7:
            self.note("shift")
            return binary(">>", a, constant(self.random.randint(1, 5)))
        if form == 8:
            return binary("&", a, constant(self.one([1, 3, 7, 15, 31, 63])))
        if form == 9:
            return binary(self.one(["|", "^"]), a, constant(self.random.randrange(16)))
        if form in (10, 11):
            self.note("min, max")
            return extreme(self.one(["min", "max"]), a, self.expression(most, depth - 1))
        if form == 12:
            return choose(self.condition(most, 1), a, self.expression(most, depth - 1))
        if form in (13, 14):
            self.note("cast")
            if self.chance(15):
                self.note("sum in a narrow type")
                b = constant(self.one([3, 60, 100, 200])) if self.chance(50) else self.leaf(most)
                a = binary(self.one("+-"), cast(self.one(TYPES[:4]), a), b)
                return cast(self.one(TYPES[:4]), a)
            return cast(self.one(TYPES), a)
        return a

    def condition(self, most=LANE, depth=2):
        if depth > 1 and self.chance(20):
            self.note("&& and ||")
            return logic(self.one(["&&", "||"]), self.condition(most, 1), self.condition(most, 1))
        if most == LANE and self.chance(8):
            self.note("first threads of the block")
            limit = constant(self.one([31, 32, 33, 63, 64, 16]))
            return compare(self.one(["<", "<=", ">", ">="]),
                           Expr(self.one(["threadIdx.x", LINEAR_INDEX]), "u32", [], LANE), limit)
        a = self.expression(most, max(depth - 1, 1))
        b = self.leaf(most) if self.chance(50) else constant(self.random.randrange(40))
        return compare(self.pick([("<", 4), ("<=", 2), (">", 2), (">=", 1), ("==", 2), ("!=", 1)]), a, b)

    def small(self, most=LANE):
        """A value that is small or may well be so: the end of a loop."""
        if self.chance(4):
            return self.wide_sum(most)
        form = self.random.randrange(10)
        e = self.expression(most, self.random.randrange(3))
        if form < 5:
            return e
        if form == 5:
            return binary("&", e, constant(self.one([3, 7, 15, 31])))
        if form == 6:
            return binary("%", e, constant(self.one([3, 5, 12, 32])))
        if form == 7:
            return extreme("min", e, constant(self.one([5, 20, 40]), self.one(["i32", "u32"])))
        if form == 8:
            return binary(">>", e, constant(self.random.randint(1, 4)))
        return self.leaf(most)

    # ---- statements ------------------------------------------------------------------------------

    def body(self, context, count):
        out = []
        visible, changing = len(self.scope), len(self.changing)
        for _ in range(count):
            if self.statements <= 0:
                break
            self.statements -= 1
            out += self.statement(context)
        del self.scope[visible:], self.changing[changing:]
        return out or self.sum(context)

    def statement(self, context):
        kinds = [(self.sum, 4), (self.declaration, 3), (self.branch, 3 if context.nesting < 5 else 0),
                 (self.switch, 0.8 if context.nesting < 4 else 0),
                 (self.loop, 6 if context.loops == 0 else 3.5 if context.loops < DEPTH else 0),
                 (self.leave, 4 if context.in_loop else 0.4), (self.assignment, 1.5),
                 (self.synchronise, 3 if context.kernel else 0.3),
                 (self.shared, 1 if context.kernel else 0),
                 (self.call, 1 if context.kernel else 0), (self.value_by_ways, 1.2),
                 (self.value_by_iterations, 0.8 if context.loops < DEPTH else 0),
                 (self.out_of_two, 0.5 if context.loops < DEPTH - 1 else 0), (self.skipped, 0.3),
                 (self.two_ways_in, 0.3),
                 (self.own_slot, 0.5 if context.kernel else 0), (self.own_array, 0.5)]
        return self.pick(kinds)(context)

    def sum(self, context):
        """What makes loops worth running. It never loses a bit: lanes that did are held to less."""
        e = self.expression(LANE, 1)
        return [Statement(self.one(["sum ^= (u32){};", "sum = SHORT(sum) + SHORT((u32){});",
                                    "sum = SHORT(sum) * 3u ^ (u32){};"]), [e])]

    def declaration(self, context):
        t = self.type()
        name = self.name("v")
        e = self.small(self.one([UNIFORM, BLOCK, LANE, LANE]))
        changes = self.chance(35)
        value = variable(name, t, LANE if changes else e.level)
        if changes:
            self.changing.append(value)
        self.scope.append(value)
        if bits(t) < bits(e.type):
            self.note("narrowing")
        return [Statement("%s %s = {};" % (t, name), [e], name)]

    def assignment(self, context):
        if not self.changing:
            return self.declaration(context)
        to = self.one(self.changing)
        self.note("assignment")
        form = self.pick([("%s = {};", 2), ("%s += {};", 2), ("%s -= {};", 1)])
        return [Statement(form % to.form, [self.small()])]

    def branch(self, context):
        condition = self.condition(self.one([UNIFORM, BLOCK, LANE, LANE, LANE]))
        inside = context.within(condition.level)
        heads, parts = [Statement("if ({}) {{", [condition])], [self.body(inside, self.random.randint(1, 3))]
        if self.chance(35):
            self.note("if and else")
            heads.append(Statement("}} else {{"))
            parts.append(self.body(inside, self.random.randint(1, 2)))
        self.note("branch that diverges" if condition.level == LANE else "branch")
        return [Nest(heads, parts)]

    def switch(self, context):
        on = binary("&", self.expression(self.one([UNIFORM, LANE, LANE]), 1), constant(3))
        inside = context.within(on.level)
        inside.in_loop = False  # "break" would leave the switch
        heads = [Statement("switch ({}) {{", [on])]
        parts = [[]]
        for case in range(self.random.randint(2, 4)):
            falls = self.chance(20)
            heads.append(Statement("case %d: {{" % case))
            parts.append(self.body(inside, self.random.randint(1, 2)) +
                         [Statement("}}"), *([] if falls else [Statement("break;")])])
        if self.chance(50):
            heads.append(Statement("default: {{"))
            parts.append(self.body(inside, 1) + [Statement("}}")])
        self.note("switch")
        return [Nest(heads, parts)]

    def leave(self, context):
        """break, continue or return, mostly under a condition."""
        kind = self.pick([("break", 5), ("continue", 2), ("return", 1)]) if context.in_loop else "return"
        # What follows a statement that some threads leave by is for the others alone.
        most = min(context.leave, LANE)
        if context.control > most:
            return self.sum(context)
        condition = self.condition(most if self.chance(65) else UNIFORM)
        if condition.level < context.control:
            self.note("way out that all take who come to it")
        text = {"break": "LEAVE break;", "continue": "continue;",
                "return": "LEAVE_ALL return;" if context.kernel else "LEAVE_ALL return sum;"}[kind]
        self.note(kind + (" in a loop" if kind == "return" and context.in_loop else ""))
        if kind == "continue" and condition.level > context.control:
            context.control = condition.level  # for the rest of the body
        result = [Statement("out[self] = sum;")] if kind == "return" and context.kernel else []
        return [Nest([Statement("if ({}) {{", [condition])], [[*result, Statement(text)]])]

    # ---- device functions ------------------------------------------------------------------------

    def call(self, context):
        """A function that is made for this call, or one that there is already."""
        if not self.functions or self.chance(60):
            self.make_function()
        name, types = self.one(self.functions_known)
        value = self.name("v")
        arguments = [cast(t, self.small()) if self.chance(50) else self.small() for t in types]
        self.note("call")
        if name in self.recursive:
            arguments[0] = binary("&", arguments[0], constant(3))
        if self.chance(15):
            name = self.table_entry(types) or name
        form = "u32 %s = %s(%s);" % (value, name, ", ".join("{}" for _ in types))
        self.scope.append(variable(value, "u32", LANE))
        return [Statement("u32 %s;" % value, [], value), Statement("CALL " + form[4:], arguments),
                Statement("sum = SHORT(sum) * 7u ^ %s;" % value)]

    def table_entry(self, types):
        """A table of pointers to the functions of these types, one of which is called."""
        names = [name for name, of in self.functions_known if of == types and name not in self.recursive]
        if not names:
            return None
        table = self.name("t%d_" % self.number)
        names = (names * 2)[:2]
        head = "static __device__ u32 (*const %s[])(%s) = {%s};" % (table, ", ".join(types), ", ".join(names))
        self.functions.append(Function(head, None, table))
        self.note("table of functions")
        return "%s[(u32)%s & 1]" % (table, self.expression(LANE, 1))

    def make_function(self):
        name = self.name("f%d_" % self.number)
        types = [self.type() for _ in range(self.random.randint(1, 3))]
        params = [self.name("a") for _ in types]
        recursive = self.chance(15)
        if recursive:
            types[0] = "i32"
        outer = self.scope, self.changing, self.arrays, self.statements
        self.scope = [variable(p, t, LANE) for p, t in zip(params, types)]
        self.changing, self.arrays, self.statements = [], [], 6
        kind = self.pick([("__noinline__", 1), ("", 2), ("__forceinline__", 1)])
        self.note("function " + (kind or "as it is"))
        context = Context(control=LANE, kernel=False, loops=1)
        body = [Statement("FUNCTION"), Statement("u32 sum = 1;", [], "sum")]
        body += self.loop(context) + self.body(context, 3) + [Statement("return sum;")]
        if recursive:
            kind = "__noinline__"
            body = self.recursion(name, types, params) + body[1:]
            body.insert(-1, Statement("sum ^= more;"))
        head = "static __device__ %s u32 %s(%s) {" % (kind, name,
                                                    ", ".join("%s %s" % p for p in zip(types, params)))
        self.scope, self.changing, self.arrays, self.statements = outer
        self.functions.append(Function(head, body, name))
        self.functions_known.append((name, types))

    def recursion(self, name, types, params):
        """The function calls itself, as often as its first argument says."""
        self.note("recursion")
        self.recursive.add(name)
        others = [cast(t, variable(p, t, LANE)) for t, p in zip(types[1:], params[1:])]
        return [Statement("FUNCTION"), Statement("u32 more = 0;", [], "more"),
                Nest([Statement("if (%s > 0) {{" % params[0])],
                     [[Statement("CALL more = %s(%s - 1%s);" % (name, params[0], ", {}" * len(others)), others)]])]

    functions_known = ()
    recursive = ()

    # ---- the program -----------------------------------------------------------------------------

    def launches(self):
        """Lines that launch the kernel, the attribute and the limits that come with it."""
        arguments = ", ".join(p[0] for p in self.params)
        kernel = "k%d" % self.number
        kind = self.random.random()
        if kind < 0.35:
            shapes = {1: ["32", "64", "96", "128", "48"], 2: ["dim3(32, 2)", "dim3(16, 4)", "dim3(8, 8)"],
                      3: ["dim3(8, 4, 2)", "dim3(32, 1, 2)"]}[self.shape]
            some = self.random.sample(shapes, self.pick([(1, 4), (2, 1)]))
            self.note("launch with constant dimensions")
            return ["%s<<<n, %s>>>(%s);" % (kernel, d, arguments) for d in some]
        if kind < 0.45:
            self.note("launch with variable dimensions")
            return ["%s<<<n, d>>>(%s);" % (kernel, arguments)]
        return []

    def block_by_pragma(self, program):
        """Dimensions that the kernel is said to have; it is run with these alone."""
        program.block = self.one({1: [(32, 1, 1), (64, 1, 1), (40, 1, 1)], 2: [(32, 2, 1), (16, 4, 1), (8, 8, 1)],
                                  3: [(8, 4, 2), (32, 1, 2)]}[self.shape])
        program.launches = []
        self.note("block dimensions by a pragma")
        return "#pragma divcost launch(block=(%d, %d, %d))\n" % program.block

    def program(self):
        self.functions_known, self.recursive = [], set()
        context = Context()
        body = [Statement("u32 sum = 0;", [], "sum"),
                Statement("u32 self = (((blockIdx.x & 255u) + 4u * (blockIdx.y + blockIdx.z)) * "
                          "(blockDim.x * blockDim.y * blockDim.z) + %s) & 4095u;" % LINEAR_INDEX, [], "self")]
        if self.chance(25):
            body += self.guard()
        body += self.loop(context)
        body += self.body(context, 20)
        body.append(Statement("out[self] = sum;"))
        program = Program(self.number, self.params, self.globals, self.functions, self.launches())
        attribute = ""
        if self.chance(10) and self.shape == 1:
            program.most_threads = 64
            attribute = " __launch_bounds__(64)"
            program.launches = []
            self.note("__launch_bounds__")
        pragma = self.block_by_pragma(program) if not attribute and self.chance(8) else ""
        head = pragma + "KERNEL%s void %s(%s) {" % (attribute, program.kernel, program.declared())
        program.functions.append(Function(head, body, program.kernel))
        program.synchronises = self.synchronises
        program.constructs = self.constructs
        return program


def generate(seed, number):
    return Generator(seed, number).program()
