; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; An intrinsic of NVPTX that isn't in the table is unknown, even if LLVM says that it touches nothing;
; one that is there as arithmetic varies as much as its operands.
;
; RUN: %opt -disable-output -passes='divcost<print;block=256>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

define internal void @use(ptr %out, i32 %n) alwaysinline {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: kernel arithmetic
; CHECK: loop {{.*}} class uniform
define void @arithmetic(ptr %out, i32 %k) {
  %n = call i32 @llvm.nvvm.mulhi.i(i32 %k, i32 12345)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel unknown_though_it_touches_nothing
; CHECK: loop {{.*}} class unknown
define void @unknown_though_it_touches_nothing(ptr %out, ptr %p) {
  %n = call i32 @llvm.nvvm.getctarank(ptr %p)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel generic
; CHECK: loop {{.*}} class uniform
define void @generic(ptr %out, i32 %k) {
  %n = call i32 @llvm.ctpop.i32(i32 %k)
  call void @use(ptr %out, i32 %n)
  ret void
}

declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.nvvm.getctarank(ptr)
declare i32 @llvm.ctpop.i32(i32)

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @arithmetic, !"kernel", i32 1}
!1 = !{ptr @unknown_though_it_touches_nothing, !"kernel", i32 1}
!2 = !{ptr @generic, !"kernel", i32 1}
