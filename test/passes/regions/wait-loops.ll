; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels with loops that only wait for what others write: the last number but one before the parameters.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-DAG: !{!"name", !"flag", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @flag(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %wait
wait:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %wait, label %end
end:
  ret void
}

; A lock in a function out of line, its condition hidden as vx-guard-spin-loops does it.
; CHECK-DAG: !{!"name", !"lock", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @lock(ptr %p) "vx-kernel" "vx-lower"="sw" {
  call void @take(ptr %p)
  ret void
}
define internal void @take(ptr %p) noinline {
entry:
  br label %wait
wait:
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %r, 1
  %word = zext i1 %got to i32
  %hidden = call i32 asm sideeffect "", "=r,0"(i32 %word)
  %good = icmp ne i32 %hidden, 0
  br i1 %good, label %end, label %wait
end:
  ret void
}

; Adding zero reads; which way the loop continues decides, not only whether it ends.
; CHECK-DAG: !{!"name", !"look_back", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @look_back(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %wait
wait:
  %i = phi i64 [ 9, %entry ], [ %i, %wait ], [ %less, %next ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = atomicrmw add ptr %at, i32 0 monotonic
  %c = icmp eq i32 %v, 0
  br i1 %c, label %wait, label %next
next:
  %less = add i64 %i, -1
  %more = icmp sgt i64 %less, 0
  br i1 %more, label %wait, label %end
end:
  ret void
}

; Work is done in the loop, by the thread that comes first: none waits.
; CHECK-DAG: !{!"name", !"work", {{.*}}!"block-per-lane", !"params"
define void @work(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %next
next:
  %i = atomicrmw add ptr %p, i32 1 monotonic
  %at = getelementptr i32, ptr %p, i32 %i
  %c = icmp ult i32 %i, 100
  br i1 %c, label %next, label %end
end:
  ret void
}

; A compare-and-swap of what was read before is repeated until no other thread came between.
; CHECK-DAG: !{!"name", !"update", {{.*}}!"block-per-lane", !"params"
define void @update(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %again
again:
  %old = phi i32 [ 0, %entry ], [ %now, %again ]
  %new = add i32 %old, 3
  %r = cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic
  %now = extractvalue { i32, i1 } %r, 0
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %end, label %again
end:
  ret void
}

; A bit of a word is a lock, too; threads that do not get it count their tries.
; CHECK-DAG: !{!"name", !"bit", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @bit(ptr %p, ptr %tries) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %wait
wait:
  %i = phi i32 [ 0, %entry ], [ %more, %again ]
  %v = atomicrmw or ptr %p, i32 4 monotonic
  %bit = and i32 %v, 4
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %end, label %again
again:
  %more = add i32 %i, 1
  store i32 %more, ptr %tries
  br label %wait
end:
  ret void
}

; What is freed in the loop makes no thread wait that is done with it.
; CHECK-DAG: !{!"name", !"inside", {{.*}}!"block-per-lane", !"params"
define void @inside(ptr %p, ptr %data) "vx-kernel" "vx-lower"="sw" {
entry:
  br label %try
try:
  %v = atomicrmw xchg ptr %p, i32 1 monotonic
  %got = icmp eq i32 %v, 0
  br i1 %got, label %critical, label %next
critical:
  store volatile i32 5, ptr %data
  %free = atomicrmw xchg ptr %p, i32 0 monotonic
  br label %next
next:
  br i1 %got, label %end, label %try
end:
  ret void
}

; The blocks of a grid that synchronizes are resident together.
; CHECK-DAG: !{!"name", !"grid", {{.*}}!"block-per-lane", !"params"
define void @grid(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  %d = call ptr @__vx_descriptor()
  %at = getelementptr i8, ptr %d, i64 132
  br label %wait
wait:
  %v = load atomic i32, ptr %at acquire, align 4
  %c = icmp eq i32 %v, 0
  br i1 %c, label %wait, label %end
end:
  ret void
}
declare ptr @__vx_descriptor()
