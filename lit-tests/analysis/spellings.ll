; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Intrinsics as LLVM 19 wrote them; 22 reads them too.
;
; RUN: %opt -passes='divcost<print>' -disable-output %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel votes
; CHECK: loop {{.*}} class warp-uniform
define void @votes(ptr %out, i1 %p) {
  %n = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel shuffles
; CHECK: loop {{.*}} class warp-uniform
define void @shuffles(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %at
  %n = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 31)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel shuffles_in_eights
; CHECK: loop {{.*}} class data-dependent
define void @shuffles_in_eights(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %at
  %n = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 6175)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel with_predicate
; CHECK: loop {{.*}} class warp-uniform
define void @with_predicate(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %at
  %both = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v, i32 0, i32 31)
  %n = extractvalue { i32, i1 } %both, 0
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel after_a_barrier
; CHECK: loop {{.*}} class block-uniform
@n = internal addrspace(3) global i32 undef
define void @after_a_barrier(ptr %out) {
  store i32 3, ptr addrspace(3) @n
  call void @llvm.nvvm.barrier0()
  %n = load i32, ptr addrspace(3) @n
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel after_a_barrier_of_some
; CHECK: loop {{.*}} class warp-uniform
define void @after_a_barrier_of_some(ptr %out, i32 %k) {
  store i32 3, ptr addrspace(3) @n
  call void @llvm.nvvm.barrier(i32 %k, i32 64)
  %n = load i32, ptr addrspace(3) @n
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel count_of_the_block
; CHECK: loop {{.*}} class block-uniform
define void @count_of_the_block(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.barrier0.popc(i32 %t)
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel read_only_cache
; CHECK: loop {{.*}} class uniform
define void @read_only_cache(ptr %out, ptr addrspace(1) %in) {
  %n = load i32, ptr addrspace(1) %in, !invariant.load !6
  call void @use(ptr %out, i32 %n)
  ret void
}

; CHECK-LABEL: kernel atomic_inc
; CHECK: loop {{.*}} class data-dependent
define void @atomic_inc(ptr %out, ptr %in) {
  %n = atomicrmw uinc_wrap ptr %in, i32 99 seq_cst
  call void @use(ptr %out, i32 %n)
  ret void
}

define internal void @use(ptr %out, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret void
}

declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier(i32, i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !7, !8, !9}
!0 = !{ptr @votes, !"kernel", i32 1}
!1 = !{ptr @shuffles, !"kernel", i32 1}
!2 = !{ptr @shuffles_in_eights, !"kernel", i32 1}
!3 = !{ptr @with_predicate, !"kernel", i32 1}
!4 = !{ptr @after_a_barrier, !"kernel", i32 1}
!5 = !{ptr @after_a_barrier_of_some, !"kernel", i32 1}
!7 = !{ptr @count_of_the_block, !"kernel", i32 1}
!8 = !{ptr @read_only_cache, !"kernel", i32 1}
!9 = !{ptr @atomic_inc, !"kernel", i32 1}
!6 = !{}
