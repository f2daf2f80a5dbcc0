; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Cycles that are entered in two places.
;
; RUN: %opt -passes='divcost<print>' -disable-output %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; Lanes come in by both ways, and what they bring is different though no value in the cycle is.
; CHECK-LABEL: kernel entered_apart
; CHECK-NEXT: loop {{.*}} class data-dependent {{.*}} irreducible
define ptx_kernel void @entered_apart(ptr %out, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %a, label %b
a:
  %v = phi i32 [ 0, %entry ], [ 1, %b ]
  store volatile i32 1, ptr %out
  %e = icmp eq i32 %v, %k
  br i1 %e, label %exit, label %b
b:
  store volatile i32 2, ptr %out
  %u = icmp eq i32 %k, 77
  br i1 %u, label %exit, label %a
exit:
  store volatile i32 3, ptr %out
  ret void
}

; CHECK-LABEL: kernel entered_together
; CHECK-NEXT: loop {{.*}} class uniform {{.*}} irreducible
define ptx_kernel void @entered_together(ptr %out, i32 %k) {
entry:
  %c = icmp ult i32 %k, 16
  br i1 %c, label %a, label %b
a:
  %v = phi i32 [ 0, %entry ], [ %n, %b ]
  store volatile i32 1, ptr %out
  %e = icmp eq i32 %v, %k
  br i1 %e, label %exit, label %b
b:
  %w = phi i32 [ 5, %entry ], [ %v, %a ]
  %n = add i32 %w, 1
  store volatile i32 2, ptr %out
  %u = icmp eq i32 %n, 77
  br i1 %u, label %exit, label %a
exit:
  store volatile i32 3, ptr %out
  ret void
}

; CHECK-LABEL: kernel left_apart
; CHECK-NEXT: loop {{.*}} class data-dependent {{.*}} irreducible
define ptx_kernel void @left_apart(ptr %out, ptr %in, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %c = icmp ult i32 %k, 16
  br i1 %c, label %a, label %b
a:
  %x = load volatile i32, ptr %at
  %e = icmp eq i32 %x, %k
  br i1 %e, label %exit, label %b
b:
  store volatile i32 2, ptr %out
  br label %a
exit:
  store volatile i32 3, ptr %out
  ret void
}

; A loop behind such a cycle: lanes have left that in different iterations.
; CHECK-LABEL: kernel behind_it
; CHECK-DAG: loop {{.*}} class data-dependent {{.*}} irreducible
; CHECK-DAG: loop {{.*}} class data-dependent trips {{.*}} exit divergent{{$}}
define ptx_kernel void @behind_it(ptr %out, ptr %in, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %c = icmp ult i32 %k, 16
  br i1 %c, label %a, label %b
a:
  %n = phi i32 [ 1, %entry ], [ %m, %b ]
  %x = load volatile i32, ptr %at
  %e = icmp eq i32 %x, %k
  br i1 %e, label %between, label %b
b:
  %o = phi i32 [ 7, %entry ], [ %n, %a ]
  %m = add i32 %o, 1
  store volatile i32 2, ptr %out
  br label %a
between:
  br label %loop
loop:
  %i = phi i32 [ 0, %between ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
