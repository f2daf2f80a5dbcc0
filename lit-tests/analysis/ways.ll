; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Forms that clang doesn't write: switches with shared targets, loops that test last, cycles in a switch.
;
; RUN: %opt -passes='divcost<print>' -disable-output %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; All cases that a lane may take lead to one place with one value.
; CHECK-LABEL: kernel shared_target
; CHECK-NEXT: loop {{.*}} class uniform trips max(n, 0) + 1
define ptx_kernel void @shared_target(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %loop.before [
    i32 3, label %loop.before
    i32 5, label %loop.before
  ]
loop.before:
  %m = phi i32 [ %n, %entry ], [ %n, %entry ], [ %n, %entry ]
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.before ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %more = icmp slt i32 %i, %m
  %next = add nsw i32 %i, 1
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: kernel values_of_cases
; CHECK-NEXT: loop {{.*}} class data-dependent
define ptx_kernel void @values_of_cases(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %other [
    i32 3, label %loop.before
    i32 5, label %loop.before
  ]
other:
  store volatile i32 1, ptr %out
  br label %loop.before
loop.before:
  %m = phi i32 [ %n, %entry ], [ %n, %entry ], [ 7, %other ]
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.before ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %more = icmp slt i32 %i, %m
  %next = add nsw i32 %i, 1
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The case decides whether there is another iteration.
; CHECK-LABEL: kernel switch_as_exit
; CHECK-NEXT: loop {{.*}} class data-dependent
define ptx_kernel void @switch_as_exit(ptr %out, ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  br label %loop
loop:
  %x = load volatile i32, ptr %at
  switch i32 %x, label %loop [
    i32 3, label %exit
    i32 5, label %exit
  ]
exit:
  store volatile i32 1, ptr %out
  ret void
}

; CHECK-LABEL: kernel uniform_switch_as_exit
; CHECK-NEXT: loop {{.*}} class uniform
define ptx_kernel void @uniform_switch_as_exit(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  %next = mul i32 %i, 5
  store volatile i32 %i, ptr %out
  switch i32 %i, label %loop [
    i32 3, label %exit
    i32 5, label %exit
  ]
exit:
  store volatile i32 1, ptr %out
  ret void
}

; No flag says that the sums of the ends don't wrap, and without the source nobody knows whether they
; are all that the program computes.
; CHECK-LABEL: kernel may_wrap
; CHECK-NEXT: loop {{.*}} class strided {{.*}} condition (if neither the loop's start nor its bound wraps)
; CHECK-LABEL: kernel can_not_wrap
; CHECK-NEXT: loop {{.*}} class uniform trips
; CHECK-NOT: condition
define ptx_kernel void @may_wrap(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %t, %n
  %e = add i32 %s, 9
  br label %loop
loop:
  %i = phi i32 [ %s, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %i, %e
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define ptx_kernel void @can_not_wrap(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %t, %n
  %e = add nsw i32 %s, 9
  br label %loop
loop:
  %i = phi i32 [ %s, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %i, %e
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: kernel block_of_32x8 block 32x8x1 (reqntid)
; CHECK-NEXT: loop {{.*}} class warp-uniform {{.*}} condition (blocks of 32x8x1)
define ptx_kernel void @block_of_32x8(ptr %out) "nvvm.reqntid"="32,8" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %i, %t
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: kernel block_of_16x16 block 16x16x1 (reqntid)
; CHECK-NEXT: loop {{.*}} class strided
define ptx_kernel void @block_of_16x16(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %i, %t
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

!nvvm.annotations = !{!0}
!0 = !{ptr @block_of_16x16, !"reqntidx", i32 16, !"reqntidy", i32 16}
