#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes device code run on the host, a thread at a time, each as a warp of its own: rewrites LLVM
IR for NVPTX so that it compiles for the host, with one_lane.c for what the hardware does.

  one_lane.py DEVICE.ll > HOST.ll
"""
import re
import sys

text = open(sys.argv[1]).read()
text = re.sub(r"^target .*\n", "", text, flags=re.M)
text = re.sub(r"\bptx_kernel ", "", text)
text = re.sub(r' "(target-cpu|target-features)"="[^"]*"', "", text)
text = re.sub(r'asm sideeffect "red\.global\.add\.u64 \[\$0\], \$1;", "l,l"', "@one_lane_add", text)
text = re.sub(r'asm sideeffect "[^"]*@p red\.global\.add\.u64 \[\$0\], \$1;[^"]*", "l,l,r"', "@one_lane_add_if",
              text)
text = re.sub(r'asm sideeffect "mov\.u64 \$0, %gridid;", "=l"', "@one_lane_grid", text)
text = re.sub(r"@llvm\.nvvm\.([\w.]+)", lambda m: "@nvvm_" + m[1].replace(".", "_"), text)
text += "\ndeclare void @one_lane_add(i64, i64)\ndeclare void @one_lane_add_if(i64, i64, i32)\ndeclare i64 @one_lane_grid()\n"
text = text.replace("@_ZL14__divcost_unit", "@divcost_unit")

sys.stdout.write(text)
