# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading machine code, its loops, and the comparison with what is predicted; no toolkit needed."""

import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
TOP = os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))
RECORDED = os.path.join(TOP, "bench", "results", "sm_90")
MACHINE_CODE = os.path.join(TOP, "cost-models", "data", "sm_90.machine.json")
DOCS = os.path.join(TOP, "docs", "lab", "machine-code.md")
sys.path.insert(0, FOLDER)

import compare_code  # noqa: E402
import count_instructions  # noqa: E402
import machine_code  # noqa: E402

# A loop of spmv_csr_scalar, as clang and ptxas made it.
WORDS = {
    0xD0: (0x000003B000007945, 0x000FE20003800000),   # BSSY B0, 0x490
    0x110: (0x0000000000D88947, 0x000FEA0003800000),  # @!P0 BRA 0x480
    0x470: (0xFFFFFFFC00AC0947, 0x000FEC000383FFFF),  # @P0 BRA 0x330
    0x4D0: (0x000000000000794D, 0x000FEA0003800000),  # EXIT
}


def elf(sections):
    """A small ELF file: [(name, type, info, content)]"""
    names, content, headers = b"\0", b"", []
    for name, kind, info, data in [*sections, ("names", 3, 0, b"")]:
        headers.append([len(names), kind, 0x40 + len(content), len(data), info])
        names += name.encode() + b"\0"
        content += data
    headers[-1][2:4] = 0x40 + len(content), len(names)
    content += names
    head = b"\x7fELF\2" + bytes(35) + struct.pack("<Q", 0x40 + len(content)) + bytes(12)
    head += struct.pack("<HH", len(headers), len(headers) - 1)
    return head + content + b"".join(
        struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, 0, info, 0, 0)
        for name, kind, offset, size, info in headers)


def line_table():
    """Two instructions of line 7, then one of line 9 in another file."""
    program = bytes([0, 9, 2]) + bytes(8)             # address 0, relocated
    program += bytes([3, 6, 1])                       # line 7
    program += bytes([2, 32, 4, 2, 3, 2, 1])          # two further, file 2, line 9
    program += bytes([2, 16, 0, 1, 1])                # the end
    head = bytes([1, 1, 0xFB, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1])
    files = b"\0" + b"a.cu\0\0\0\0" + b"b.h\0\0\0\0" + b"\0"
    head += files
    body = struct.pack("<H", 2) + struct.pack("<I", len(head)) + head + program
    return struct.pack("<I", len(body)) + body, 10 + len(head) + 3


def listing(text):
    """{(name, kernel): instructions} of lines without addresses: "OPCODE GUARDS TARGET LINE"."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "code.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("== a kernel\n")
            for number, line in enumerate(text.strip().split("\n")):
                opcode, guards, target, place = line.split()
                file.write(f"{16 * number:x} {opcode} {guards} {target} a.cu:{place}\n")
        return machine_code.read_listing(path)["a", "kernel"]


# for (1..4) { load; for (2..3) { load; load; add; if } }
NESTED = """
918 - - 9
981 - - 1
981 - - 2
981 - - 2
221 - - 2
947 P1 80 3
221 P2 - 3
918 - - 3
947 P0 20 2
947 !P0,P3 10 1
94d - - 9
"""
NESTED_SOURCE = "for (int i = 0; i < n; ++i) {\n  for (int j = 0; j < m; ++j)\n    a();\n}\n"


class Reading(unittest.TestCase):
    def test_targets_and_predicates_are_read_out_of_the_bits(self):
        code = {at: machine_code.read_instruction(at, *words) for at, words in WORDS.items()}
        self.assertEqual([(i.target, i.guards) for i in code.values()],
                         [(0x490, ""), (0x480, "!P0"), (0x330, "P0"), (None, "")])
        self.assertEqual([i.conditional for i in code.values()], [False, True, True, False])

    def test_a_cubin_s_instructions_have_their_lines(self):
        table, place = line_table()
        text = b"".join(struct.pack("<QQ", 0x7918 | 0x981, 0) for _ in range(3))
        image = elf([("", 0, 0, b""), (".text.k", 1, 0, text),
                     (".symtab", 2, 0, bytes(24) + struct.pack("<IBBHQQ", 0, 0, 0, 1, 0, 0)),
                     (".debug_line", 1, 0, table),
                     (".rela.debug_line", 4, 3, struct.pack("<QQQ", place, 1 << 32, 0))])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.cubin")
            with open(path, "wb") as file:
                file.write(image)
            kernels = machine_code.read_kernels(path)
        self.assertEqual([(i.file, i.line) for i in kernels["k"]],
                         [("a.cu", 7), ("a.cu", 7), ("b.h", 9)])

    def test_what_is_listed_is_read_again(self):
        path = os.path.join(RECORDED, "code-clang.txt")
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            for (name, kernel), code in machine_code.read_listing(path).items():
                machine_code.write_listing(file, name, {kernel: code})
            file.seek(0)
            with open(path, encoding="utf-8") as kept:
                self.assertEqual(sorted(file), sorted(kept))


class Loops(unittest.TestCase):
    def test_loops_are_found_with_their_nesting(self):
        code = machine_code.Code(listing(NESTED))
        loops = code.all_loops()
        self.assertEqual([(16 * loop.header, loop.depth) for loop in loops], [(0x10, 1), (0x20, 2)])
        self.assertEqual([i.at for i in code.body(loops[0])], [0x10, 0x90])
        self.assertEqual([i.at for i in code.decisions(loops[1])], [0x80])

    def test_a_part_that_no_way_leads_to_is_no_loop(self):
        code = machine_code.Code(listing("94d - - 1\n981 - - 1\n947 - 10 1"))
        self.assertEqual(code.all_loops(), [])

    def test_statements_have_their_lines(self):
        text = ("do { // for\n  x();\n} while (y());\nwhile (z)\n  if (a) {\n    b();\n  } else\n"
                "    c();\nfor (;;) { d(); }\n")
        self.assertEqual([(s.begin, s.end) for s in compare_code.find_statements(text)],
                         [(1, 3), (4, 8), (9, 9)])

    def test_copies_are_counted_against_the_loop_that_is_not_unrolled(self):
        statements = compare_code.find_statements(NESTED_SOURCE)
        once = compare_code.Loops(listing(NESTED), statements, "a.cu")
        again = "981 - - 2\n981 - - 2\n221 - - 2\n947 P1 b0 3\n"
        unrolled = NESTED.replace("947 P1 80 3\n", again).replace("P0 20", "P0 20")
        own = compare_code.Loops(listing(unrolled), statements, "a.cu")
        self.assertEqual(compare_code.factors(once, once, 1)[0], "1")
        self.assertEqual(compare_code.factors(own, once, 1)[0], "2")
        self.assertEqual(compare_code.factors(own, once, 0)[0], "1")
        whole = compare_code.Loops(listing(NESTED.replace("947 P0 20 2\n", "")), statements, "a.cu")
        self.assertEqual(compare_code.factors(whole, once, 1)[0], "whole")


class Comparing(unittest.TestCase):
    def test_a_branch_that_became_predicates_is_none(self):
        source = "void f() {\n  if (a)\n    b();\n}\n"
        statements = compare_code.find_statements(source)
        code = {"kernel": listing("20c - - 2\n981 P0 - 3\n947 P1 0 9\n94d - - 4")}
        rows = compare_code.branch_rows(code, statements, "a.cu",
                                        {("branch", "a.cu", 2): "predicated",
                                         ("branch", "a.cu", 9): "predicated",
                                         ("branch", "a.cu", 4): "not said"}, "clang")
        self.assertEqual([(r["line"], r["branches"], r["agree"]) for r in rows],
                         [("2", "0", "yes"), ("4", "0", "-"), ("9", "1", "no")])

    def test_what_the_plugin_says_of_a_line_is_its_worst_branch(self):
        report = {"kernels": [{
            "loops": [{"file": "/x/a.cu", "line": 3, "unroll_expected": 4, "trips": {"expr": "4"}},
                      {"file": "/x/a.cu", "line": 5, "unroll_expected": 4, "trips": {}}],
            "skeleton": {"strings": ["", "/x/a.cu"], "locations": [[1, 7, 1, 0, -1]],
                         "branches": [[0, 0, 3, "unlikely", -1, 0], [1, 0, 3, "likely", -1, 0],
                                      [2, 0, 3, "unknown", 0, 0]]}}]}
        self.assertEqual(compare_code.predictions_of(report),
                         {("loop", "a.cu", 3): "whole", ("loop", "a.cu", 5): "4",
                          ("branch", "a.cu", 7): "branch"})


class Counting(unittest.TestCase):
    def test_the_shortest_way_leaves_out_what_is_seldom_done(self):
        code = machine_code.Code(listing(
            "981 - - 1\n947 P0 40 1\n221 - - 1\n94d - - 1\n221 - - 1\n221 - - 1\n947 - 20 1"))
        self.assertEqual(count_instructions.shortest(code, 0, {}), 4)
        self.assertEqual(count_instructions.longest(code, 0), 7)

    def test_what_a_profiler_counts_is_what_an_operation_adds(self):
        everything, _ = count_instructions.source()
        with tempfile.TemporaryDirectory() as folder:
            path, table = os.path.join(folder, "ncu.csv"), os.path.join(folder, "executed.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write('==PROF== Connected\n"Kernel Name","Metric Name","Metric Value"\n')
                for number, (name, *_) in enumerate(everything):
                    more = 0 if name.startswith("only ") else number
                    for at, metric in enumerate(count_instructions.METRICS):
                        file.write(f'"k{number}","{metric}","{14 + (at + 1) * more}"\n')
            with open(table, "w", encoding="utf-8") as file:
                file.writelines(["# of a test\n", *count_instructions.reduce(path)])
            for at, column in enumerate(count_instructions.METRICS.values()):
                self.assertEqual(count_instructions.read_executed(table, column),
                                 {name: (at + 1) * number for number, (name, *_) in enumerate(everything)
                                  if not name.startswith("only ")})

    def test_the_plugin_s_counts_are_those_that_are_executed(self):
        with open(MACHINE_CODE, encoding="utf-8") as file:
            kept = file.read()
        for member, column in (("counts", "instructions"), ("fp64", "fp64"), ("special", "special")):
            executed = count_instructions.read_executed(os.path.join(RECORDED, "executed.tsv"), column)
            some = {name: number for name, number in executed.items() if number or member == "counts"}
            self.assertEqual(json.loads(kept)["instructions"][member], some)
            self.assertEqual(count_instructions.with_counts(kept, some, member), kept)
        slow = count_instructions.read_slow(os.path.join(RECORDED, "operations.tsv"))
        self.assertEqual(count_instructions.with_counts(kept, slow, "slow"), kept)
        self.assertEqual(slow["cosf"], count_instructions.LOOPS)
        self.assertNotIn("expf", slow)

    def test_the_page_says_how_many_are_executed_as_counted(self):
        executed = count_instructions.read_executed(os.path.join(RECORDED, "executed.tsv"))
        counted = count_instructions.read_counted(os.path.join(RECORDED, "operations.tsv"))
        found = count_instructions.not_shortest(executed, counted)
        longest = sum(number == most for _, number, (_, most) in found)
        with open(DOCS, encoding="utf-8") as file:
            page = file.read()
        self.assertIn(f"{len(executed) - len(found)} of {len(executed)} operations", page)
        self.assertIn(f"{longest} on the longest", page)
        for name, number, (least, most) in found:
            if number != most:
                self.assertIn(f"| `{name}` | {number} | {least} | {most} |", page)

    def test_every_name_that_the_plugin_looks_up_was_counted(self):
        with open(MACHINE_CODE, encoding="utf-8") as file:
            counted = set(json.load(file)["instructions"]["counts"])
        [path] = glob.glob(os.path.join(TOP, "pass", "**", "machine_count.cpp"), recursive=True)
        with open(path, encoding="utf-8") as file:
            names = set(re.findall(r'lookUp\(Code, "([^"]*)"', file.read()))
        self.assertTrue(names)
        self.assertEqual(names - counted, set())


class Recorded(unittest.TestCase):
    """What was found in the machine code of bench/kernels, and the page about it."""

    def test_the_tables_that_are_kept_are_of_the_recorded_code(self):
        with tempfile.TemporaryDirectory() as out:
            docs = os.path.join(out, "docs.md")
            with open(DOCS, encoding="utf-8") as file:
                before = file.read()
            with open(docs, "w", encoding="utf-8") as file:
                file.write(before)
            subprocess.run([sys.executable, os.path.join(FOLDER, "compare_code.py"), "--code",
                            RECORDED, "--out", out, "--docs", docs], check=True,
                           stdout=subprocess.DEVNULL)
            for got, kept in [(docs, DOCS)] + [(os.path.join(out, n), os.path.join(RECORDED, n))
                                               for n in ("loops.tsv", "branches.tsv")]:
                with open(got, encoding="utf-8") as one, open(kept, encoding="utf-8") as other:
                    self.assertEqual(one.read(), other.read(), f"{kept} isn't of these data")


if __name__ == "__main__":
    unittest.main()
