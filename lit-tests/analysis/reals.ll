; Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Floating-point instructions and intrinsics: what of them has a value, and what is only a function of its operands.
;
; RUN: %opt -passes='divcost<print>' -disable-output %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; Conversions that round as their names say.
; CHECK-LABEL: kernel conversions block
; CHECK-NEXT: loop {{.*}} class lane-affine trips max(min(min((int)rint([[X:.*threadIdx.x.*]]), (int)floor([[X]])), min((unsigned)ceil([[X]]), (int)([[X]]))), 0)
define ptx_kernel void @conversions(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %x = fmul float %scale, %f
  %a = call i32 @llvm.nvvm.f2i.rn(float %x)
  %b = call i32 @llvm.nvvm.f2i.rm.ftz(float %x)
  %c = call i32 @llvm.nvvm.f2ui.rp(float %x)
  %d = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %ab = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %cd = call i32 @llvm.smin.i32(i32 %c, i32 %d)
  %n = call i32 @llvm.smin.i32(i32 %ab, i32 %cd)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; Functions that are exact, and a product that is negated before it is added.
; CHECK-LABEL: kernel functions block
; CHECK-NEXT: loop {{.*}} class lane-affine trips max((int)trunc(max((float)threadIdx.x / scale - {{scale \* \(float\)threadIdx.x|\(float\)threadIdx.x \* scale}}, 2.5)), 0)
define ptx_kernel void @functions(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %q = fdiv float %f, %scale
  %p = fmul float %scale, %f
  %m = fneg float %p
  %s = fadd contract float %m, %q
  %l = call float @llvm.nvvm.fmax.ftz.f(float %s, float 2.5)
  %w = call float @llvm.trunc.f32(float %l)
  %n = fptosi float %w to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; What may be computed in another order or isn't exact has no value, but it differs by threadIdx alone.
; CHECK-LABEL: kernel reordered block
; CHECK-NEXT: loop {{.*}} class lane-affine trips max((int)?, 0)
define ptx_kernel void @reordered(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %x = fadd reassoc float %f, %scale
  %n = fptosi float %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; Likewise.
; CHECK-LABEL: kernel approximated block
; CHECK-NEXT: loop {{.*}} class lane-affine trips max((int)?, 0)
define ptx_kernel void @approximated(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %x = fdiv arcp float %f, %scale
  %n = fptosi float %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; Likewise.
; CHECK-LABEL: kernel sine block
; CHECK-NEXT: loop {{.*}} class lane-affine trips max((int)?, 0)
define ptx_kernel void @sine(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %x = call float @llvm.nvvm.sin.approx.f(float %f)
  %n = fptosi float %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; The bits of a number are no integer.
; CHECK-LABEL: kernel bits block
; CHECK-NEXT: loop {{.*}} class data-dependent trips ? >> 20 exit
define ptx_kernel void @bits(ptr %out, float %scale) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %b = bitcast float %f to i32
  %n = lshr i32 %b, 20
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  store volatile i32 %i, ptr %out
  %next = add nsw i32 %i, 1
  br label %loop
exit:
  ret void
}

; A comparison that holds for what isn't a number is the opposite of one that doesn't.
; CHECK-LABEL: kernel unordered block
; CHECK-NEXT: loop {{.*}} class lane-affine trips first i0 with end <= x0 where x0 begins as (float)threadIdx.x and goes on as x0 + scale
define ptx_kernel void @unordered(ptr %out, float %scale, float %end) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  br label %loop
loop:
  %x = phi float [ %f, %entry ], [ %next, %body ]
  %more = fcmp ult float %x, %end
  br i1 %more, label %body, label %exit
body:
  store volatile float %x, ptr %out
  %next = fadd float %x, %scale
  br label %loop
exit:
  ret void
}

; Less or greater.
; CHECK-LABEL: kernel different block
; CHECK-NEXT: loop {{.*}} class lane-affine trips first i0 with !(x0 < end || end < x0) where x0 begins as (float)threadIdx.x and goes on as x0 + scale
define ptx_kernel void @different(ptr %out, float %scale, float %end) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  br label %loop
loop:
  %x = phi float [ %f, %entry ], [ %next, %body ]
  %more = fcmp one float %x, %end
  br i1 %more, label %body, label %exit
body:
  store volatile float %x, ptr %out
  %next = fadd float %x, %scale
  br label %loop
exit:
  ret void
}

; Both are numbers.
; CHECK-LABEL: kernel numbers block
; CHECK-NEXT: loop {{.*}} class lane-affine trips first i0 with !(x0 == x0 && end == end) where x0 begins as (float)threadIdx.x and goes on as x0 + scale
define ptx_kernel void @numbers(ptr %out, float %scale, float %end) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  br label %loop
loop:
  %x = phi float [ %f, %entry ], [ %next, %body ]
  %more = fcmp ord float %x, %end
  br i1 %more, label %body, label %exit
body:
  store volatile float %x, ptr %out
  %next = fadd float %x, %scale
  br label %loop
exit:
  ret void
}

; What becomes of the counter has no value.
; CHECK-LABEL: kernel own_function block
; CHECK-NEXT: loop {{.*}} class lane-affine trips first i0 with !(x0 < end) where x0 begins as (float)threadIdx.x and goes on as ?
define ptx_kernel void @own_function(ptr %out, float %scale, float %end) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  br label %loop
loop:
  %x = phi float [ %f, %entry ], [ %next, %body ]
  %more = fcmp olt float %x, %end
  br i1 %more, label %body, label %exit
body:
  store volatile float %x, ptr %out
  %next = fadd reassoc float %x, %scale
  br label %loop
exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.f2i.rn(float)
declare i32 @llvm.nvvm.f2i.rm.ftz(float)
declare i32 @llvm.nvvm.f2ui.rp(float)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.smin.i32(i32, i32)
declare float @llvm.nvvm.fmax.ftz.f(float, float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.trunc.f32(float)
