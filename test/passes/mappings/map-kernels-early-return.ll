; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads that may miss a barrier: each keeps its next region, and the block runs the lowest one that
; any thread waits for.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-NOT: @__vx_entry.direct.early
; CHECK-LABEL: define void @__vx_entry.any.early(
; The votes start at "no thread", for all threads of the block.
; CHECK: block:
; CHECK: [[VOTES:%.*]] = getelementptr inbounds i8, ptr %shared.tail, i64 0
; CHECK-NEXT: store volatile i32 -1, ptr [[VOTES]]
; CHECK: .insn r 0x0B, 4, 0,
; CHECK: dispatch.i:
; CHECK: %agreed.i = phi i32 [ {{.*}}, %region0.done.i ], [ {{.*}}, %region1.done.i ]
; CHECK: icmp eq i32 %agreed.i, 1
; A thread that ends stores "finished", one that continues stores its values and the region.
; CHECK: br i1 %c.r0.i, label %go.r0.i, label %end.r0.i
; CHECK: end.r0.i:
; CHECK: store i32 -1, ptr
; CHECK: go.r0.i:
; CHECK: store i32 %v.r0.i, ptr
; Not even a uniform value is shared: threads may be in different regions.
; CHECK: store i32 %u.r0.i, ptr
; CHECK: store i32 1, ptr
; CHECK: call i32 @llvm.umin.i32(i32 %{{.*}}, i32 1)
; The vote: clear the next word, add the own one, wait at the barrier, read.
; CHECK: region0.done.i:
; CHECK: store volatile i32 -1, ptr
; CHECK: atomicrmw umin ptr %shared.tail
; CHECK: .insn r 0x0B, 4, 0,
; CHECK: load volatile i32, ptr %shared.tail
; Region 1 is run for those that wait for it.
; CHECK: region1.thread.i:
; CHECK: %state.i = load i32, ptr
; CHECK: [[MINE:%.*]] = icmp eq i32 %state.i, 1
; CHECK: br i1 [[MINE]], label %region1.mine.i, label %region1.other.i
; CHECK: region1.mine.i:
; CHECK: call void @use(
; CHECK: region1.other.i:
; CHECK: call i32 @llvm.umin.i32(i32 %{{.*}}, i32 %state.i)

; One entry for blocks of any size; the tail holds the votes.
; CHECK: !{!"name", !"early", !"directEntry", ptr @__vx_entry.any.early, !"chunkedEntry", ptr @__vx_entry.any.early, !"mapping", !"hw", !"tailSharedBytes", i64 32, !"contextBytes", i64 32, !"uses-barrier", i64 1,
define void @early(ptr %p, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %u = load i32, ptr %p
  %c = icmp ult i32 %v, %n
  br i1 %c, label %go, label %end
go:
  call void @__vx_barrier()
  call void @use(i32 %v, i32 %u)
  br label %end
end:
  ret void
}

declare void @use(i32, i32)
declare i32 @__vx_thread_idx_x() memory(none) speculatable willreturn nounwind
declare void @__vx_barrier() convergent
