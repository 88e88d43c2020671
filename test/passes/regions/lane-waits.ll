; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels in which the lanes of a warp contend for a lock that is released after the loop: "vx-lanes-wait".
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: define void @behind(ptr %lock) #[[WAITS:[0-9]+]]
define void @behind(ptr %lock) "vx-kernel" "vx-lower"="auto" {
entry:
  br label %wait
wait:
  %r = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %end, label %wait
end:
  %free = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}

; The loop is left by a flag; the lock is one of several.
; CHECK: define void @flag(ptr %locks) #[[WAITS]]
define void @flag(ptr %locks) "vx-kernel" "vx-lower"="auto" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  br label %wait
wait:
  %at = getelementptr i32, ptr %locks, i32 %x
  %v = atomicrmw xchg ptr %at, i32 1 monotonic
  %got = icmp eq i32 %v, 0
  br i1 %got, label %mine, label %next
mine:
  br label %next
next:
  %done = phi i1 [ true, %mine ], [ false, %wait ]
  br i1 %done, label %end, label %wait
end:
  %free = atomicrmw xchg ptr %at, i32 0 monotonic
  ret void
}

; CHECK: define void @inside(ptr %lock, ptr %data) #[[NOT:[0-9]+]]
define void @inside(ptr %lock, ptr %data) "vx-kernel" "vx-lower"="auto" {
entry:
  br label %try
try:
  %v = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %v, 0
  br i1 %got, label %critical, label %next
critical:
  store volatile i32 5, ptr %data
  %free = atomicrmw xchg ptr %lock, i32 0 monotonic
  br label %next
next:
  br i1 %got, label %end, label %try
end:
  ret void
}

; One thread of a block with two dimensions; of each warp; of those with one row.
; CHECK: define void @one_thread(ptr %lock) #[[NOT]]
define void @one_thread(ptr %lock) "vx-kernel" "vx-lower"="auto" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %xy = or i32 %x, %y
  %first = icmp eq i32 %xy, 0
  br i1 %first, label %wait, label %end
wait:
  %v = atomicrmw xchg ptr %lock, i32 1 monotonic
  %taken = icmp ne i32 %v, 0
  br i1 %taken, label %wait, label %got
got:
  store atomic i32 0, ptr %lock release, align 4
  br label %end
end:
  ret void
}
; CHECK: define void @one_lane(ptr %lock, i32 %leader) #[[NOT]]
define void @one_lane(ptr %lock, i32 %leader) "vx-kernel" "vx-lower"="auto" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %lane = and i32 %x, 31
  %other = icmp ne i32 %lane, %leader
  br i1 %other, label %end, label %wait
wait:
  %v = atomicrmw xchg ptr %lock, i32 1 monotonic
  %taken = icmp ne i32 %v, 0
  br i1 %taken, label %wait, label %got
got:
  store atomic i32 0, ptr %lock release, align 4
  br label %end
end:
  ret void
}
; CHECK: define void @a_row(ptr %lock) #[[WAITS]]
define void @a_row(ptr %lock) "vx-kernel" "vx-lower"="auto" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %first = icmp eq i32 %y, 0
  br i1 %first, label %wait, label %end
wait:
  %v = atomicrmw xchg ptr %lock, i32 1 monotonic
  %taken = icmp ne i32 %v, 0
  br i1 %taken, label %wait, label %got
got:
  store atomic i32 0, ptr %lock release, align 4
  br label %end
end:
  store i32 %x, ptr %lock
  ret void
}

; A slot of a table is looked for, and found in the end.
; CHECK: define void @insert(ptr %table, i32 %key) #[[NOT]]
define void @insert(ptr %table, i32 %key) "vx-kernel" "vx-lower"="auto" {
entry:
  br label %probe
probe:
  %i = phi i32 [ %key, %entry ], [ %next, %probe ]
  %at = getelementptr i32, ptr %table, i32 %i
  %r = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic
  %got = extractvalue { i32, i1 } %r, 1
  %next = add i32 %i, 1
  br i1 %got, label %end, label %probe
end:
  ret void
}

; All wait for another block.
; CHECK: define void @flags(ptr %flag) #[[NOT]]
define void @flags(ptr %flag) "vx-kernel" "vx-lower"="auto" {
entry:
  br label %wait
wait:
  %v = load volatile i32, ptr %flag
  %c = icmp eq i32 %v, 0
  br i1 %c, label %wait, label %end
end:
  ret void
}
declare i32 @__vx_thread_idx_x()
declare i32 @__vx_thread_idx_y()

; CHECK: attributes #[[WAITS]] = {{.*}}"vx-lanes-wait"
; CHECK-NOT: "vx-lanes-wait"
