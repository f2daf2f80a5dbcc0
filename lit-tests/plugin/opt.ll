; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The pass under opt: verdicts, warnings, options and reports; the module stays as it is but for the
; metadata of annotated loops.
;
; RUN: %opt -passes='divcost<print;block=32x2>' -S -o %t.ll %s 2> %t.err > %t.out
; RUN: FileCheck %s < %t.out
; CHECK: kernel kernel block 32x2x1 (option)
; CHECK-NEXT: loop 3:5 depth 1 class lane-affine trips {{.*}} exit divergent
; CHECK-NEXT: reason
; RUN: FileCheck --check-prefix=WARN %s < %t.err
; WARN: warning: {{.*}}/src/kernel.cu:3:5: loop runs a different number of iterations in each lane: {{.*}} [divcost-imbalance]
; RUN: %opt -passes=verify -S -o %t.same.ll %s
; RUN: diff %t.ll %t.same.ll
;
; RUN: echo '{"divcost-annotations": 1, "loops": [{"function": "kernel", "line": 3, "trips": "poisson(4)"}]}' > %t.json
; RUN: %opt -passes='divcost<print;annotations=%t.json>' -S -o %t.ll %s 2>/dev/null > %t.out
; RUN: FileCheck --check-prefix=GIVEN %s < %t.out
; GIVEN: loop 3:5 {{.*}} annotated poisson(4)
; RUN: FileCheck --check-prefix=METADATA %s < %t.ll
; METADATA: !{!"divcost.trips", !"poisson(4)", !"annotated"}
;
; RUN: %opt -passes='divcost<report=%t.txt;arch=sm_70;no-warn=all>' -disable-output %s 2>&1 | count 0
; RUN: FileCheck --check-prefix=REPORT %s < %t.txt
; REPORT: for sm_70
;
; An architecture file; the module doesn't say what it is compiled for, so that isn't compared.
; RUN: %divcost calibrate --from %repo/bench/results/h200 --out %t.arch.json > /dev/null
; RUN: %opt -passes='divcost<report=%t.txt;arch=%t.arch.json;no-warn=all>' -disable-output %s 2>&1 | count 0
; RUN: FileCheck --check-prefix=FILE %s < %t.txt
; FILE: sm_90: reconvergence measured on NVIDIA H200
; RUN: sed 's/ptx_kernel void @kernel(ptr %%out)/& "target-cpu"="sm_80"/' %s > %t.sm_80.ll
; RUN: %opt -passes='divcost<arch=%t.arch.json;no-warn=all>' -disable-output %t.sm_80.ll 2>&1 | FileCheck --check-prefix=OTHER %s
; OTHER: warning: {{.*}}architecture file '{{.*}}.json' is of sm_90, and the code is compiled for sm_80: all figures are for sm_90
;
; RUN: %opt -passes=divcost -pass-remarks-analysis=divcost -disable-output %s 2>&1 | FileCheck --check-prefix=REMARK %s
; REMARK: remark: {{.*}}kernel.cu:3:5: lane-affine loop in kernel 'kernel'
;
; RUN: not %opt -passes='divcost<shape=3>' -disable-output %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
; UNKNOWN: divcost: unknown option 'shape'; possible: annotations, arch

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %out) !dbg !5 {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !8
  br label %head, !dbg !8

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %lane, !dbg !8
  br i1 %more, label %body, label %exit, !dbg !8

body:
  %p = getelementptr i32, ptr %out, i32 %i, !dbg !8
  store volatile i32 %i, ptr %p, !dbg !8
  %next = add nsw i32 %i, 1, !dbg !8
  br label %head, !dbg !8, !llvm.loop !9

exit:
  ret void, !dbg !8
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!3}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: NoDebug)
!1 = !DIFile(filename: "kernel.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{ptr @kernel, !"kernel", i32 1}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 5, scope: !5)
!9 = distinct !{!9, !8, !8}
