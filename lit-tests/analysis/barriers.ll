; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Barriers that CUDA has no spelling of its own for: aligned ones want all threads at one
; instruction; others may be waited at in two places at once, but not left out.
;
; REQUIRES: llvm-22
; RUN: %opt -disable-output -passes='divcost<print;block=256>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel aligned_on_both_sides
; CHECK: barrier {{.*}} divergent
; CHECK: barrier {{.*}} divergent
define ptx_kernel void @aligned_on_both_sides(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp ult i32 %t, 5
  br i1 %p, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %out
  ret void
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %out
  ret void
}

; CHECK-LABEL: kernel others_on_both_sides
; CHECK: barrier {{.*}} uniform{{$}}
; CHECK: barrier {{.*}} uniform{{$}}
define ptx_kernel void @others_on_both_sides(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp ult i32 %t, 5
  br i1 %p, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store i32 1, ptr %out
  ret void
other:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store i32 2, ptr %out
  ret void
}

; CHECK-LABEL: kernel others_left_out
; CHECK: barrier {{.*}} divergent
define ptx_kernel void @others_left_out(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp ult i32 %t, 5
  br i1 %p, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  br label %other
other:
  store i32 2, ptr %out
  ret void
}

; CHECK-LABEL: kernel of_some_warps
; CHECK-NOT: barrier
define ptx_kernel void @of_some_warps(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp ult i32 %t, 64
  br i1 %p, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br label %other
other:
  store i32 2, ptr %out
  ret void
}

; CHECK-LABEL: kernel after_a_return
; CHECK: barrier {{.*}} uniform left divergent
define ptx_kernel void @after_a_return(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp ult i32 %t, 5
  br i1 %p, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %out
  ret void
other:
  ret void
}

; CHECK-LABEL: kernel again_and_again
; CHECK: barrier {{.*}} uniform left divergent
define ptx_kernel void @again_and_again(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
