; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each kernel becomes a direct and a chunked entry; the kernel itself goes.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s --check-prefix=GONE
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; GONE-NOT: define {{.*}} @plain(
; GONE-NOT: define {{.*}} @waits(
; GONE-NOT: call void @__vx_barrier()

; Chunked: the kernel's code once for each of the lane's threads, a step of all lanes apart.
; CHECK-LABEL: define void @__vx_entry.chunked.plain(ptr readonly %desc)
; CHECK: %linear = add i32
; CHECK: %step = mul i32
; CHECK: %block.number = phi i64
; CHECK: [[T:%thread.*]] = phi i32 [ %linear, %{{.*}} ], [ [[NEXT:%.*]], %{{.*}} ]
; CHECK: icmp ult i32 [[T]],
; CHECK: store i32 %n, ptr
; CHECK: [[NEXT]] = add nuw i32 [[T]], %step

; Direct: a lane that has no thread does nothing; the others run one, in every block of their slot.
; CHECK-LABEL: define void @__vx_entry.direct.plain(ptr readonly %desc)
; CHECK: %active = icmp ult i32 %linear,
; CHECK: br i1 %active, label %threads, label %done
; CHECK: %block.number = phi i64
; CHECK-NOT: %thread = phi
; CHECK: store i32 %n, ptr
; CHECK-NOT: vx-kernel
define void @plain(ptr %p, i32 %n) "vx-kernel" "vx-max-threads"="64" "vx-min-blocks"="2" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %n, ptr %at
  ret void
}

; With a barrier, direct is the hardware's, and chunked has a loop over threads for each region.
; CHECK-LABEL: define void @__vx_entry.direct.waits(
; CHECK: store i32 1,
; CHECK: call void asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1", "r,r,~{memory}"
; CHECK: store i32 2,
; CHECK-LABEL: define void @__vx_entry.chunked.waits(
; CHECK: phi i32 [ %linear,
; CHECK: store i32 1,
; CHECK: region0.done
; CHECK: call void asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1", "r,r,~{memory}"
; CHECK: phi i32 [ %linear,
; CHECK: store i32 2,
define void @waits(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 1, ptr %at
  call void @__vx_barrier()
  store i32 2, ptr %at
  ret void
}

; Parameters are read from the argument block at CUDA's offsets; a by-value one stays there.
; CHECK-LABEL: define void @__vx_entry.direct.params(
; CHECK: [[FIELD:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 8{{$}}
; CHECK-NEXT: [[ARGS:%.*]] = load i64, ptr [[FIELD]]
; CHECK-NEXT: [[BLOCK:%.*]] = inttoptr i64 [[ARGS]] to ptr
; CHECK: [[A:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[BLOCK]], i64 0
; CHECK: load i8, ptr [[A]]
; CHECK: [[B:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[BLOCK]], i64 8
; CHECK: load double, ptr [[B]], align 8
; CHECK: [[S:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[BLOCK]], i64 16
; CHECK: [[P:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[BLOCK]], i64 32
; CHECK: load ptr, ptr [[P]]
; CHECK: load i32, ptr [[S]]
define void @params(i8 %a, double %b, ptr byval({ i32, i32, i32 }) align 4 %s, ptr %p) "vx-kernel" {
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  store double %b, ptr %p
  store i8 %a, ptr %p
  ret void
}

; Block coordinates: nothing to do where the grid has one dimension, else multiplications. A small kernel
; asks which in front of the loop over blocks.
; CHECK-LABEL: define void @__vx_entry.direct.grid(
; CHECK: [[FLAT:%.*]] = icmp eq i64
; CHECK-NEXT: br label %blocks
; CHECK: block:
; CHECK: xor i1 [[FLAT]], true
; CHECK-NOT: udiv
; CHECK: mul i128
; CHECK-NOT: udiv
; CHECK: [[BID:%bid.x.*]] = phi i32
; CHECK-NOT: __vx_block_idx
; CHECK: store i32 [[BID]]
define void @grid(ptr %p) "vx-kernel" {
  %b = call i32 @__vx_block_idx_x()
  store i32 %b, ptr %p
  ret void
}

; One with a loop asks in the loop over blocks.
; CHECK-LABEL: define void @__vx_entry.direct.grid.loop(
; CHECK: br label %blocks
; CHECK: block:
; CHECK: [[INNER:%.*]] = icmp eq i64
; CHECK-NEXT: {{.*}} = trunc i64
; CHECK-NEXT: xor i1 [[INNER]], true
define void @grid.loop(ptr %p) "vx-kernel" {
entry:
  %b = call i32 @__vx_block_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %b, ptr %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %b
  br i1 %again, label %loop, label %done
done:
  ret void
}

; Names, entries, mapping, launch bounds, barriers, then offset and size of parameters.
; CHECK: !vx.kernels = !{![[PLAIN:[0-9]+]], ![[WAITS:[0-9]+]],
; CHECK: ![[PLAIN]] = !{!"name", !"plain", !"directEntry", ptr @__vx_entry.direct.plain, !"chunkedEntry", ptr @__vx_entry.chunked.plain, !"mapping", !"hw", !"maxThreads", i64 64, !"minBlocks", i64 2, !"params", ![[PARAMS:[0-9]+]]}
; CHECK: ![[PARAMS]] = !{i64 0, i64 8, i64 8, i64 4}
; CHECK: ![[WAITS]] = !{!"name", !"waits", !"directEntry", ptr @__vx_entry.direct.waits, !"chunkedEntry", ptr @__vx_entry.chunked.waits, !"mapping", !"hw", !"uses-barrier", i64 1, !"params", !{{[0-9]+}}}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare i32 @__vx_block_idx_x() memory(none)
