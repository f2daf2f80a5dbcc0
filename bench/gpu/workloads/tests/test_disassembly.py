# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What NVIDIA's disassembler says, recorded, against what is read; no toolkit needed."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
RECORDED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(FOLDER))), "bench",
                        "results", "sm_90")
sys.path.insert(0, FOLDER)

import compare_code  # noqa: E402
import disassembly  # noqa: E402
import machine_code  # noqa: E402
from disassembly import Named  # noqa: E402

SHOWN = """==== a
\t.section\t.text.k,"ax",@progbits
k:
\t//## File "a.cu", line 7
        /*0000*/               @P0 EXIT ;
        /*0010*/                   BSSY B0, `(.L_x_1) ;
\t//## File "b.h", line 9 inlined at "a.cu", line 8
.L_x_0:
        /*0020*/              @!P1 BRA P2, `(.L_x_0) ;
        /*0030*/                   BRA.DIV UR6, `(.L_x_1) ;
        /*0040*/                   CALL.REL.NOINC `($slow) ;
.L_x_1:
        /*0050*/                   IMAD.MOV.U32 R5, RZ, RZ, R9 ;
$slow:
        /*0060*/                   RET.REL.NODEC R6 `(k) ;
.L_x_2:
        /*0070*/                   BRA `(.L_x_2);
        /*0080*/                   NOP;
\t.section\t.nv.info,"",@"SHT_CUDA_INFO"
        /*0000*/        .byte 0x04
"""
CODE = [Named("EXIT", "P0", None, "a.cu:7"), Named("BSSY", "", 0x50, "a.cu:7"),
        Named("BRA", "!P1,P2", 0x20, "b.h:9"), Named("BRA", "UR6", 0x50, "b.h:9"),
        Named("CALL", "", 0x60, "b.h:9"), Named("IMAD", "", None, "b.h:9"),
        Named("RET", "", None, "b.h:9")]
WORK = ("LDG LDL LDS STG STL STS ATOMG REDG ATOMS FMUL FADD FFMA DMUL DADD DFMA MUFU SHFL").split()


def written(text, read):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text) if isinstance(text, str) else disassembly.write_reduced(file, text)
        return read(path)


def recorded():
    """(name, Instruction) of all that is recorded of both"""
    for build in disassembly.BUILDS:
        named = disassembly.read_reduced(os.path.join(RECORDED, f"nvdisasm-{build}.txt"))
        read = machine_code.read_listing(os.path.join(RECORDED, f"code-{build}.txt"))
        for key, code in named.items():
            yield from zip((i.name for i in code), read[key])


class Reading(unittest.TestCase):
    def test_what_nvdisasm_shows_is_read(self):
        self.assertEqual(written(SHOWN, disassembly.read_disassembly), {("a", "k"): CODE})

    def test_what_is_reduced_is_read_again(self):
        self.assertEqual(written({("a", "k"): CODE}, disassembly.read_reduced), {("a", "k"): CODE})


class Comparing(unittest.TestCase):
    def test_each_difference_is_said(self):
        def said(text):
            read = written("== a k\n" + text, machine_code.read_listing)
            return disassembly.differences({("a", "k"): CODE[:3]}, read)
        right = "0 94d P0 - a.cu:7\n10 945 - 50 a.cu:7\n20 947 !P1,P2 20 b.h:9\n"
        self.assertEqual(said(right), [])
        self.assertEqual(said(right.replace("!P1,P2", "!P1")),
                         ["a k at 20: !P1,P2:BRA>20 of b.h:9, read !P1:BRA>20 of b.h:9"])
        for wrong in (right.replace(" 50 ", " 60 "), right.replace("a.cu:7", "a.cu:8", 1),
                      right.replace("945", "94d"), right.rpartition("20 947")[0]):
            self.assertEqual(len(said(wrong)), 1, wrong)
        self.assertEqual(len(disassembly.differences({}, {("a", "k"): []})), 1)

    def test_what_is_read_of_bench_kernels_is_what_nvdisasm_says(self):
        count, found = disassembly.compare(RECORDED)
        self.assertEqual(found, [])
        self.assertEqual(count, 16561)

    def test_opcodes_have_the_names_that_they_are_known_by(self):
        known = {machine_code.BRANCH: "BRA", machine_code.EXIT: "EXIT", machine_code.RETURN: "RET",
                 machine_code.CALL: "CALL", machine_code.NOP: "NOP",
                 machine_code.BARRIER_SET: "BSSY", machine_code.BARRIER_WAIT: "BSYNC",
                 machine_code.BARRIER_LEAVE: "BREAK"}
        seen = set()
        for name, i in recorded():
            seen.add(name)
            self.assertEqual(known.get(i.opcode, name), name)
            self.assertEqual(i.opcode in known, name in known.values(), name)
            self.assertEqual(i.opcode & 0x1FF in compare_code.WORK, name in WORK, name)
        self.assertEqual({*known.values()} - seen, {"NOP"})  # but for padding


if __name__ == "__main__":
    unittest.main()
