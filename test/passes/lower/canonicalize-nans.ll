; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Results of arithmetic get the canonical NaN where their bits show, and nowhere else.
; RUN: %vx_opt -passes=vx-canonicalize-nans %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @stored(
; CHECK: %s = fadd float %x, %y
; CHECK-NEXT: %t = fmul float %s, %s
; CHECK-NEXT: [[NAN:%.*]] = fcmp uno float %t, %t
; CHECK-NEXT: [[BITS:%.*]] = bitcast float %t to i32
; CHECK-NEXT: [[CHOSEN:%.*]] = select i1 [[NAN]], i32 2143289344, i32 [[BITS]]
; CHECK-NEXT: [[RESULT:%.*]] = bitcast i32 [[CHOSEN]] to float
; CHECK-NEXT: store float [[RESULT]], ptr %p
; CHECK-NEXT: ret void
define void @stored(float %x, float %y, ptr %p) {
  %s = fadd float %x, %y
  %t = fmul float %s, %s
  store float %t, ptr %p
  ret void
}

; CHECK-LABEL: @moved(
; CHECK-NOT: fcmp
; CHECK: ret void
define void @moved(ptr %p, ptr %q, double %d, i1 %c) {
  %v = load double, ptr %p
  %n = fneg double %v
  %w = select i1 %c, double %n, double %d
  store double %w, ptr %q
  ret void
}

; The sign of a result; a comparison and a conversion to an integer see no bits.
; CHECK-LABEL: @sign(
; CHECK: %d = fdiv double
; CHECK-NEXT: %less = fcmp olt
; CHECK-NEXT: %i = fptosi
; CHECK: select i1 {{.*}}, i64 9221120237041090560
; CHECK: fneg double
define double @sign(double %x, double %y) {
  %d = fdiv double %x, %y
  %less = fcmp olt double %d, 0.0
  %i = fptosi double %d to i32
  %n = fneg double %d
  ret double %n
}

; A sum is looked at when the loop has ended, if it starts with a number.
; CHECK-LABEL: @sum(
; CHECK: loop:
; CHECK-NOT: fcmp
; CHECK: end:
; CHECK: fcmp uno
; CHECK: store float
define void @sum(ptr %p, ptr %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %at
  %more = fadd float %s, %v
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  %all = phi float [ %more, %loop ]
  store float %all, ptr %q
  ret void
}

; A value from memory stays as it is on the way where nothing is added.
; CHECK-LABEL: @either(
; CHECK: some:
; CHECK: fadd float
; CHECK: fcmp uno
; CHECK: end:
; CHECK-NOT: fcmp
; CHECK: store float %r
define void @either(ptr %p, i1 %c) {
entry:
  %v = load float, ptr %p
  br i1 %c, label %some, label %end
some:
  %s = fadd float %v, 1.0
  br label %end
end:
  %r = phi float [ %v, %entry ], [ %s, %some ]
  store float %r, ptr %p
  ret void
}

; CHECK-LABEL: @atomic(
; CHECK: fadd float
; CHECK: fcmp uno
; CHECK: cmpxchg ptr %p
define void @atomic(ptr %p, float %v) {
  %old = atomicrmw fadd ptr %p, float %v monotonic
  ret void
}

; CHECK-LABEL: @never(
; CHECK-NOT: fcmp
define float @never(float %x) {
  %s = fadd nnan float %x, 1.0
  ret float %s
}
