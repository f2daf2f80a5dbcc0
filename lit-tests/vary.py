#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a kernel file in another form that does the same and must get the same verdicts.

  vary.py FORM IN.cu OUT.cu
  vary.py --list

Works on the text of files in the style of bench/kernels, not on C++ at large: a loop that is to be
varied has its expectation (see check_verdicts.py) as a comment on the line of its head, which is
one line; loops have braces; a pragma stands directly before its loop; a kernel's head is
`__global__ void name(parameters) {`. The expectation stays on the line where the loop's statement
begins. Loops without expectation, and host code but for its if statements, stay as they are.

Exit status: 0 OUT.cu is written; 2 the arguments or the file can't be read; 3 the form doesn't
apply to the file, nothing is written.
"""

import re
import sys

EXPECT = re.compile(r"[ \t]*//[ \t]*expect:[^\n]*")
CLOSING = {"(": ")", "{": "}", "[": "]"}


class CantRead(Exception):
    pass


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def mask(text):
    """The text with comments, strings and characters blanked out, every position kept."""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    return re.sub(pattern, blank, text, flags=re.S)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def matching(masked, position):
    """The position of what closes the bracket at `position`."""
    opening, closing = masked[position], CLOSING[masked[position]]
    depth = 0
    for at in range(position, len(masked)):
        if masked[at] == opening:
            depth += 1
        elif masked[at] == closing:
            depth -= 1
            if depth == 0:
                return at
    raise CantRead("line %d: '%s' isn't closed" % (line_of(masked, position), opening))


def skip_space(masked, position):
    while position < len(masked) and masked[position].isspace():
        position += 1
    return position


def split_top(text, separators):
    """Splits at separators outside of brackets; returns the pieces and the separators between."""
    pieces, between, depth, start, at = [], [], 0, 0, 0
    while at < len(text):
        found = next((s for s in separators if depth == 0 and text.startswith(s, at)), None)
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if found:
            pieces.append(text[start:at])
            between.append(found)
            at = start = at + len(found)
        else:
            at += 1
    return pieces + [text[start:]], between


# --- loops


class Loop:
    """Positions and parts of a loop. `begin` to `end` is the statement, from the start of its line
    or of the pragmas before it; `body` is what is between the braces, without the expectation."""

    def __init__(self, text, masked, keyword):
        self.kind = keyword.group(1)
        self.init, self.condition, self.step = "", "", ""
        at = skip_space(masked, keyword.end())
        if self.kind != "do":
            self.read_head(text, masked, at)
            at = skip_space(masked, matching(masked, at) + 1)
        self.line = line_of(text, keyword.start())
        if at >= len(masked) or masked[at] != "{":
            raise CantRead("line %d: a loop without braces" % self.line)
        self.body_begin, self.body_end = at + 1, matching(masked, at)
        self.end = self.body_end + 1
        if self.kind == "do":
            at = masked.index("(", self.end)
            close = matching(masked, at)
            self.condition = text[at + 1 : close]
            self.end = masked.index(";", close) + 1
        self.keyword = keyword.start()
        self.begin = text.rfind("\n", 0, self.keyword) + 1
        self.indent = re.match(r"[ \t]*", text[self.begin :]).group()
        self.pragmas = ""
        while True:
            before = text.rfind("\n", 0, self.begin - 1) + 1
            line = text[before : self.begin]
            if self.begin == 0 or not line.lstrip().startswith("#pragma"):
                break
            self.pragmas = line + self.pragmas
            self.begin = before
        expectation = EXPECT.match(text, self.body_begin)
        self.expectation = expectation.group() if expectation else ""
        self.body = text[self.body_begin + len(self.expectation) : self.body_end]

    def read_head(self, text, masked, at):
        if at >= len(masked) or masked[at] != "(":
            raise CantRead("line %d: a loop without a head" % line_of(text, at))
        head = text[at + 1 : matching(masked, at)]
        if self.kind == "while":
            self.condition = head
            return
        parts = split_top(head, [";"])[0]
        if len(parts) != 3:
            raise CantRead("line %d: a for without three parts" % line_of(text, at))
        self.init, self.condition, self.step = (part.strip() for part in parts)
        self.condition = self.condition or "true"


def all_loops(text):
    """Every loop of a text, in the order of the keywords."""
    masked = mask(text)
    loops = []
    tails = set()
    for keyword in re.finditer(r"\b(for|while|do)\b", masked):
        line = masked[masked.rfind("\n", 0, keyword.start()) + 1 : keyword.start()]
        if line.lstrip().startswith("#") or keyword.start() in tails:
            continue
        loop = Loop(text, masked, keyword)
        if loop.kind == "do":
            tails.add(masked.index("while", loop.body_end))
        loops.append(loop)
    return loops


def expected_loops(text):
    loops = [loop for loop in all_loops(text) if loop.expectation]
    if len(loops) != len(EXPECT.findall(text)):
        raise CantRead("an expectation isn't on the line of a loop's head")
    return loops


def edit_loops(text, edit):
    """Applies an edit to each loop with an expectation, inner ones first. It returns what is to
    stand in place of the loop's statement, or None to leave it, and keeps the number of loops."""
    for index in reversed(range(len(expected_loops(text)))):
        loop = expected_loops(text)[index]
        replacement = edit(text, loop)
        if replacement is not None:
            text = text[: loop.begin] + replacement + text[loop.end :]
    return text


def own_jumps(body, words):
    """Positions of break or continue that belong to the loop around the body, not to one in it."""
    inner = [(loop.keyword, loop.end) for loop in all_loops(body)]
    jumps = re.finditer(r"\b(%s)\s*;" % words, mask(body))
    return [j for j in jumps if not any(b <= j.start() < e for b, e in inner)]


def with_step(loop):
    """The body of a for loop with the step at its end and before each continue."""
    body = loop.body
    if loop.step:
        for jump in reversed(own_jumps(body, "continue")):
            jump_and_step = "{ %s; continue; }" % loop.step
            body = body[: jump.start()] + jump_and_step + body[jump.end() :]
        body = body.rstrip() + "\n%s  %s;\n%s" % (loop.indent, loop.step, loop.indent)
    return body


def scoped(loop, statement):
    """A statement after the loop's initialisation, in a scope of their own."""
    init = "%s  %s;\n" % (loop.indent, loop.init) if loop.init else ""
    return "%s{\n%s%s\n%s}" % (loop.indent, init, statement, loop.indent)


# --- forms


def form_while(text):
    """for becomes while"""

    def edit(_, loop):
        if loop.kind != "for":
            return None
        head = "%s%s  while (%s) {%s" % (
            loop.pragmas,
            loop.indent,
            loop.condition,
            loop.expectation,
        )
        return scoped(loop, head + with_step(loop) + "}")

    return edit_loops(text, edit)


def form_do(text):
    """for and while become do under an if"""

    def edit(_, loop):
        if loop.kind == "do":
            return None
        head = "%s  if (%s) {\n%s%s    do {%s" % (
            loop.indent,
            loop.condition,
            loop.pragmas,
            loop.indent,
            loop.expectation,
        )
        tail = "} while (%s);\n%s  }" % (loop.condition, loop.indent)
        return scoped(loop, head + with_step(loop) + tail)

    return edit_loops(text, edit)


def form_long_counters(text):
    """counters that a for declares have 64 bits"""

    def edit(source, loop):
        wide = re.sub(r"^int\b", "long long", loop.init)
        wide = re.sub(r"^unsigned( int)?\b", "unsigned long long", wide)
        if wide == loop.init:
            return None
        statement = source[loop.begin : loop.end]
        return statement.replace(loop.init, wide, 1)

    return edit_loops(text, edit)


def swap_comparison(part):
    """`a < b` as `b > a`, or None if the text isn't one comparison."""
    operators = ["<<", ">>", "->", "<=", ">=", "==", "!=", "<", ">"]
    sides, between = split_top(part, operators)
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
    if len(between) != 1 or between[0] not in turned:
        return None
    if len(split_top(part.replace(between[0], "  "), ["?", ",", "&", "|", "^", "="])[0]) > 1:
        return None
    left, right = (side.strip() for side in sides)
    return "%s %s %s" % (right, turned[between[0]], left)


def swap_condition(condition):
    parts, between = split_top(condition, ["&&", "||"])
    swapped = [swap_comparison(part) or part.strip() for part in parts]
    result = swapped[0]
    for operator, part in zip(between, swapped[1:]):
        result += " %s %s" % (operator, part)
    return result


def form_swap(text):
    """the sides of comparisons are swapped in loops and ifs"""

    def edit(source, loop):
        statement = source[loop.begin : loop.end]
        swapped = swap_condition(loop.condition)
        if swapped == loop.condition:
            return None
        find = statement.rindex if loop.kind == "do" else statement.index
        at = find(loop.condition)
        return statement[:at] + swapped + statement[at + len(loop.condition) :]

    text = edit_loops(text, edit)
    masked = mask(text)
    for keyword in reversed(list(re.finditer(r"\bif \(", masked))):
        begin = keyword.end()
        end = matching(masked, begin - 1)
        text = text[:begin] + swap_condition(text[begin:end]) + text[end:]
    return text


def form_macro(text):
    """the heads of loops come from macros"""
    macro = {"for": "FOR_HEAD", "while": "WHILE_HEAD", "do": "DO_HEAD "}
    for loop in reversed(expected_loops(text)):
        rest = text[loop.keyword + len(loop.kind) :]
        text = text[: loop.keyword] + macro[loop.kind] + rest.lstrip(" ")
    definitions = ""
    for name, definition in (
        ("FOR_HEAD", "#define FOR_HEAD(...) for (__VA_ARGS__)\n"),
        ("WHILE_HEAD", "#define WHILE_HEAD(...) while (__VA_ARGS__)\n"),
        ("DO_HEAD", "#define DO_HEAD do\n"),
    ):
        if name in text:
            definitions += definition
    code = re.compile(r"^(?!//)", re.M).search(text).start()
    return text[:code] + definitions + text[code:]


KERNEL = re.compile(r"__global__ void ((?:__launch_bounds__\([^)]*\) )?)(\w+)(\()")


def edit_kernels(text, edit):
    """Applies an edit(attributes, name, parameters, body) to each kernel."""
    masked = mask(text)
    for head in reversed(list(KERNEL.finditer(masked))):
        close = matching(masked, head.start(3))
        opening = skip_space(masked, close + 1)
        if masked[opening] != "{":
            continue
        end = matching(masked, opening)
        parameters = text[head.end(3) : close]
        kernel = edit(head.group(1), head.group(2), parameters, text[opening + 1 : end])
        text = text[: head.start()] + kernel + text[end + 1 :]
    return text


def helper(prefix, instance=""):
    def edit(attributes, name, parameters, body):
        pieces = split_top(parameters, [","])[0] if parameters.strip() else []
        arguments = ", ".join(re.search(r"(\w+)\s*$", piece).group(1) for piece in pieces)
        return "%svoid %s_body(%s) {%s}\n\n__global__ void %s%s(%s) {\n  %s_body%s(%s);\n}" % (
            prefix,
            name,
            parameters,
            body,
            attributes,
            name,
            parameters,
            name,
            instance,
            arguments,
        )

    return lambda text: edit_kernels(text, edit)


form_helper = helper("static __device__ __noinline__ ")
form_helper.__doc__ = "a kernel's body is in a device function that isn't inlined"
form_inline_helper = helper("static __device__ __forceinline__ ")
form_inline_helper.__doc__ = "a kernel's body is in a device function that is inlined"
form_template = helper("template <int Instance>\nstatic __device__ ", "<0>")
form_template.__doc__ = "a kernel's body is in a function template"


def form_lambda_kernel(text):
    """a kernel's body is in a lambda"""

    def edit(attributes, name, parameters, body):
        return "__global__ void %s%s(%s) {\n  auto run = [&]() {%s};\n  run();\n}" % (
            attributes,
            name,
            parameters,
            body,
        )

    return edit_kernels(text, edit)


def form_lambda_loop(text):
    """each outermost loop is in a lambda"""

    def edit(source, loop):
        around = [o for o in expected_loops(source) if o.begin < loop.begin and loop.end <= o.end]
        if around or re.search(r"\breturn\b", mask(loop.body)):
            return None
        return "%s[&]() {\n%s\n%s}();" % (loop.indent, source[loop.begin : loop.end], loop.indent)

    return edit_loops(text, edit)


def form_lambda_body(text):
    """a loop's body is in a lambda"""

    def edit(source, loop):
        if own_jumps(loop.body, "break|continue") or re.search(r"\breturn\b", mask(loop.body)):
            return None
        body_begin = loop.body_begin + len(loop.expectation)
        body = "\n%s  auto round = [&]() {%s  };\n%s  round();\n%s" % (
            loop.indent,
            loop.body,
            loop.indent,
            loop.indent,
        )
        return source[loop.begin : body_begin] + body + source[loop.body_end : loop.end]

    return edit_loops(text, edit)


FORMS = {
    "while": form_while,
    "do": form_do,
    "long-counters": form_long_counters,
    "swap": form_swap,
    "macro": form_macro,
    "helper": form_helper,
    "inline-helper": form_inline_helper,
    "template": form_template,
    "lambda-kernel": form_lambda_kernel,
    "lambda-loop": form_lambda_loop,
    "lambda-body": form_lambda_body,
}


def main(arguments):
    if arguments == ["--list"]:
        for name, form in FORMS.items():
            print("%-14s %s" % (name, form.__doc__))
        return 0
    if len(arguments) != 3 or arguments[0] not in FORMS:
        sys.stderr.write("usage: vary.py FORM IN.cu OUT.cu\n       vary.py --list\n")
        sys.stderr.write("forms: %s\n" % ", ".join(FORMS))
        return 2
    name, source, target = arguments
    try:
        with open(source, encoding="utf-8") as file:
            text = file.read()
        varied = FORMS[name](text)
        before = sorted(comment.strip() for comment in EXPECT.findall(text))
        if sorted(comment.strip() for comment in EXPECT.findall(varied)) != before:
            raise CantRead("the form %s loses an expectation" % name)
        if varied == text:
            sys.stderr.write("vary.py: the form %s doesn't apply to %s\n" % (name, source))
            return 3
        with open(target, "w", encoding="utf-8") as file:
            file.write(varied)
    except (OSError, ValueError, CantRead) as error:
        sys.stderr.write("vary.py: %s: %s\n" % (source, error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
