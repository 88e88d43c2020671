; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arithmetic of 16-bit floats becomes arithmetic of wider numbers. What is computed with again stays one of
; those; bits are made where they are used.
; RUN: %vx_opt -passes=vx-expand-halves,verify %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The product is rounded in place, and only the sum is packed.
; CHECK-LABEL: define half @product_and_sum(
; CHECK-NOT: trunc i32
; CHECK:     [[R:%.*]] = call float @llvm.copysign.f32(
; CHECK:     [[S:%.*]] = fadd float [[R]],
; CHECK:     fcmp uno float [[S]], [[S]]
; CHECK:     [[B:%.*]] = trunc i32 {{.*}} to i16
; CHECK:     [[H:%.*]] = bitcast i16 [[B]] to half
; CHECK:     ret half [[H]]
define half @product_and_sum(half %x, half %y, half %z) {
  %p = fmul half %x, %y
  %s = fadd half %p, %z
  ret half %s
}

; A fused multiplication is computed in double, as is what follows.
; CHECK-LABEL: define half @fused(
; CHECK:     [[F:%.*]] = call double @llvm.fma.f64(
; CHECK-NOT: fpext
; CHECK:     [[R:%.*]] = call double @llvm.copysign.f64(double {{.*}}, double [[F]])
; CHECK:     call double @llvm.fma.f64(double [[R]],
define half @fused(half %x, half %y, half %z) {
  %p = call half @llvm.fma.f16(half %x, half %y, half %z)
  %q = call half @llvm.fma.f16(half %p, half %y, half %z)
  ret half %q
}

; The accumulator of a loop is a number; its bits are made after the loop.
; CHECK-LABEL: define void @accumulate(
; CHECK:     loop:
; CHECK:     phi float [ 0.000000e+00, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK-NOT: trunc i32
; CHECK:     [[NEXT]] = call float @llvm.copysign.f32(
; CHECK:     done:
; CHECK:     [[LAST:%.*]] = phi float [ [[NEXT]], %loop ]
; CHECK:     trunc i32 {{.*}} to i16
; CHECK:     store half
define void @accumulate(ptr %p, i32 %n, ptr %result) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi half [ 0xH0000, %entry ], [ %new, %loop ]
  %at = getelementptr half, ptr %p, i32 %i
  %x = load half, ptr %at
  %new = fadd half %sum, %x
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %last = phi half [ %new, %loop ]
  store half %last, ptr %result
  ret void
}

; What is only moved and negated stays bits; constants are converted here.
; CHECK-LABEL: define half @moved(
; CHECK-NOT: float
; CHECK:     select i1 %c, i16 {{.*}}, i16 15360
; CHECK:     xor i16 {{.*}}, -32768
; CHECK-NOT: float
; CHECK:     ret half
define half @moved(i1 %c, half %x) {
  %s = select i1 %c, half %x, half 0xH3C00
  %n = fneg half %s
  ret half %n
}

; Elements of vectors are computed one by one.
; CHECK-LABEL: define <2 x half> @pairs(
; CHECK:     extractelement <2 x half> %x, i64 0
; CHECK:     fmul float
; CHECK:     insertelement <2 x half>
; CHECK:     extractelement <2 x half> %x, i64 1
; CHECK:     fmul float
; CHECK:     insertelement <2 x half>
define <2 x half> @pairs(<2 x half> %x, <2 x half> %y) {
  %p = fmul <2 x half> %x, %y
  ret <2 x half> %p
}

; Integers and comparisons.
; CHECK-LABEL: define i32 @others(
; CHECK:     [[D:%.*]] = sitofp i32 %n to double
; CHECK:     call double @llvm.copysign.f64(
; CHECK:     fcmp olt float
; CHECK:     fptosi float
; CHECK-NOT: {{f[a-z]+}} half
define i32 @others(i32 %n, half %x) {
  %h = sitofp i32 %n to half
  %c = fcmp olt half %h, %x
  %i = fptosi half %h to i32
  %r = select i1 %c, i32 %i, i32 0
  ret i32 %r
}

; A bfloat16 that is computed with again is a float without its lower bits; of the machine's NaN
; these are zeros.
; CHECK-LABEL: define bfloat @brains(
; CHECK:     [[P:%.*]] = fmul float
; CHECK:     [[N:%.*]] = call float @llvm.canonicalize.f32(float [[P]])
; CHECK-NOT: select
; CHECK:     [[U:%.*]] = and i32 {{.*}}, -65536
; CHECK:     [[R:%.*]] = bitcast i32 [[U]] to float
; CHECK:     [[S:%.*]] = fadd float [[R]],
; CHECK-NOT: canonicalize
; CHECK:     fcmp uno float [[S]], [[S]]
; CHECK:     select i1 {{.*}}, i16 32767, i16
; CHECK:     ret bfloat
define bfloat @brains(bfloat %x, bfloat %y, bfloat %z) {
  %p = fmul bfloat %x, %y
  %s = fadd bfloat %p, %z
  ret bfloat %s
}

; The accumulator's bits are the upper half of the float.
; CHECK-LABEL: define void @accumulate_brains(
; CHECK:     phi float [ 0.000000e+00, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK:     [[NEXT]] = bitcast i32
; CHECK:     done:
; CHECK:     [[LAST:%.*]] = phi float [ [[NEXT]], %loop ]
; CHECK-NEXT: [[B:%.*]] = bitcast float [[LAST]] to i32
; CHECK-NEXT: lshr i32 [[B]], 16
; CHECK:     store bfloat
define void @accumulate_brains(ptr %p, i32 %n, ptr %result) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi bfloat [ 0xR0000, %entry ], [ %new, %loop ]
  %at = getelementptr bfloat, ptr %p, i32 %i
  %x = load bfloat, ptr %at
  %new = fadd bfloat %sum, %x
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %last = phi bfloat [ %new, %loop ]
  store bfloat %last, ptr %result
  ret void
}
