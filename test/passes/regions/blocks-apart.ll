; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels that synchronize their grid, with barriers in a loop whose threads leave it separately:
; blocks share a hardware warp unless they may leave it separately, too.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
; Where lanes have paths, those that are ahead wait for the others.
; RUN: sed '$a !llvm.module.flags = !{!0}\n!0 = !{i32 7, !"vx.paths", i32 1}' %s > %t.paths.ll
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %t.paths.ll | FileCheck %s --check-prefix=PATHS
; PATHS-NOT: !"blocks-wait", i64 1
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@shared = internal addrspace(3) global [64 x i32] poison

; What a thread reads is the same in all blocks.
; CHECK-DAG: !{!"name", !"alike", {{.*}}!"block-per-lane", !"contextBytes", i64 32, !"params"
define void @alike(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %j = mul i32 %t, 2
  %at = getelementptr i32, ptr %p, i32 %j
  %n = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; It is of the block.
; CHECK-DAG: !{!"name", !"apart", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @apart(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %j = add i32 %t, %b
  %at = getelementptr i32, ptr %p, i32 %j
  %n = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; Others may change it meanwhile.
; CHECK-DAG: !{!"name", !"changing", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @changing(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %n = load volatile i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; Shared memory is that of the block.
; CHECK-DAG: !{!"name", !"of_shared", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @of_shared(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %at = getelementptr i32, ptr addrspace(3) @shared, i32 %t
  %n = load i32, ptr addrspace(3) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; Blocks take numbers.
; CHECK-DAG: !{!"name", !"counted", {{.*}}!"block-per-lane", {{.*}}!"blocks-wait", i64 1, !"params"
define void @counted(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %ticket = atomicrmw add ptr %p, i32 1 monotonic
  %n = add i32 %ticket, %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; Threads of a block leave it together: lanes that are ahead meet the others after it.
; CHECK-DAG: !{!"name", !"regular", {{.*}}!"block-per-lane", !"params"
define void @regular(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %n = add i32 %b, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %d = call ptr @__vx_descriptor()
  %counter = getelementptr i8, ptr %d, i64 64
  %before = atomicrmw add ptr %counter, i32 1 acq_rel
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

; The grid does not synchronize.
; CHECK-DAG: !{!"name", !"without_grid", {{.*}}!"block-per-lane", !"contextBytes", i64 32, !"params"
define void @without_grid(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %b = call i32 @__vx_block_idx_x()
  %j = add i32 %t, %b
  %at = getelementptr i32, ptr %p, i32 %j
  %n = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %q
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %q
  call void @__vx_barrier()
  call void @__vx_barrier()
  store i32 %b, ptr %q
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_block_idx_x()
declare void @__vx_barrier()
declare ptr @__vx_descriptor()
