; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Every loop gets one entry.
; RUN: %vx_opt -passes=vx-make-reducible %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-make-reducible,print<loops>)' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; All edges to the two entries pass the dispatch, which knows from a selector where each one goes.
; CHECK-LABEL: @two_entries(
; CHECK: br i1 %c, label %enter{{.*}}, label %enter
; CHECK: a:{{.*}} preds = %dispatch
; CHECK: dispatch:
; CHECK-NEXT: [[S:%.*]] = phi i32
; CHECK-DAG: [ 0, %enter ]
; CHECK: [[C:%.*]] = icmp eq i32 [[S]], 0
; CHECK: br i1 [[C]], label %b, label %a
; CHECK: b:{{.*}} preds = %dispatch
; LOOPS: Loop at depth 1 containing: %dispatch<header>
define void @two_entries(i32 %n, ptr %p) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br label %b
b:
  %v = load i32, ptr %p
  %d = icmp eq i32 %v, 9
  br i1 %d, label %a, label %end
end:
  ret void
}

; A loop with three entries and early exits holds a second one: the values of the variables have
; to follow every edge. (LLVM 22's FixIrreducible loses some of them.) They are one variable, as no
; two are live at the same place.
; CHECK-LABEL: @three_entries(
; CHECK: one:
; CHECK-NEXT: icmp ugt i32 [[X:%.*]], 30
; CHECK: two:
; CHECK: icmp ugt i32 [[X]], 28
; CHECK: dispatch:
; CHECK-NEXT: [[X]] = phi i32
; CHECK-SAME: [ %b, %
; CHECK-SAME: [ %a, %
; CHECK-SAME: [ %s, %
; CHECK: three:
; CHECK: icmp ugt i32 [[X]], 26
; CHECK: end:
; CHECK-NOT: phi
; CHECK: store i32 [[X]], ptr %p
; LOOPS: Loop at depth 1 containing: %dispatch<header>
define void @three_entries(i32 %a, i32 %b, ptr %p) {
entry:
  %s = urem i32 %a, 3
  %s0 = icmp eq i32 %s, 0
  br i1 %s0, label %one, label %entry2
entry2:
  %s1 = icmp eq i32 %s, 1
  br i1 %s1, label %two, label %three
one:
  %x1 = phi i32 [ %b, %entry ], [ %x2, %two ], [ %x3, %three.more ]
  %c1 = icmp ugt i32 %x1, 30
  br i1 %c1, label %end, label %one.more
one.more:
  %d1 = urem i32 %x1, 3
  %e1 = icmp eq i32 %d1, 0
  br i1 %e1, label %three, label %two
two:
  %x2 = phi i32 [ %a, %entry2 ], [ %x1, %one.more ], [ %x3, %three.more2 ]
  %c2 = icmp ugt i32 %x2, 28
  br i1 %c2, label %end, label %one
three:
  %x3 = phi i32 [ %s, %entry2 ], [ %x1, %one.more ]
  %c3 = icmp ugt i32 %x3, 26
  br i1 %c3, label %end, label %three.more
three.more:
  %e3 = icmp eq i32 %x3, 2
  br i1 %e3, label %three.more2, label %one
three.more2:
  br label %two
end:
  %r = phi i32 [ %x1, %one ], [ %x2, %two ], [ %x3, %three ]
  store i32 %r, ptr %p
  ret void
}

; Only the inner loop has two entries; the outer one stays.
; CHECK-LABEL: @inner_only(
; LOOPS: Loop at depth 1 containing: %outer<header>
; LOOPS: Loop at depth 2 containing: %dispatch<header>
define void @inner_only(i32 %n, ptr %p) {
entry:
  br label %outer
outer:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br label %b
b:
  %w = load volatile i32, ptr %p
  %d = icmp eq i32 %w, 9
  br i1 %d, label %a, label %latch
latch:
  %e = icmp eq i32 %w, %n
  br i1 %e, label %outer, label %end
end:
  ret void
}

; A branch around something stays one, although values that its edges decide are in memory meanwhile.
; CHECK-LABEL: @way_around(
; CHECK: a:{{.*}} preds = %dispatch
; CHECK: br i1 %d, label %then, label %join
; CHECK: join:{{.*}} preds = %a, %then
; CHECK-NEXT: phi i32 [ %y, %then ], [ %{{.*}}, %a ]
define i32 @way_around(i32 %n, ptr %p) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %m, %b ]
  %x = load i32, ptr %p
  %d = icmp sgt i32 %x, 5
  br i1 %d, label %then, label %join
then:
  %y = load i32, ptr %p
  br label %join
join:
  %v = phi i32 [ %i, %a ], [ %y, %then ]
  br label %b
b:
  %w = phi i32 [ 1, %entry ], [ %v, %join ]
  %m = add i32 %w, 1
  %e = icmp slt i32 %m, 100
  br i1 %e, label %a, label %end
end:
  ret i32 %w
}

; Reducible code is not touched.
; CHECK-LABEL: @reducible(
; CHECK-NOT: reg2mem
; CHECK: %i = phi i32 [ 0, %entry ], [ %next, %loop ]
define void @reducible(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
