; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Coordinates are published before calls that ask.
; RUN: %vx_opt -passes=vx-prepare-kernels %s | FileCheck %s
; RUN: %vx_opt -passes='require<globals-aa>,vx-prepare-kernels,function(loop-mssa(licm))' %s \
; RUN:   | FileCheck %s --check-prefix=LOOP
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@shared = internal addrspace(3) global [8 x i32] undef

; All coordinates and the shared base go to the control block, before the call.
; CHECK-LABEL: @publishes(
; CHECK: [[TX:%.*]] = call i32 @__vx_thread_idx_x()
; CHECK: [[TP:%.*]] = call ptr @llvm.thread.pointer.p0()
; CHECK: [[AT:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[TP]], i64 16
; CHECK: store i32 [[TX]], ptr [[AT]]
; CHECK: call i32 @__vx_block_idx_z()
; CHECK: call ptr @__vx_shared_base()
; CHECK: store i64
; CHECK-NEXT: call i32 @asks()
define void @publishes(ptr %p) #0 {
  %v = call i32 @asks()
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: @publishes_for_callee(
; CHECK: call i32 @__vx_thread_idx_x()
; CHECK: call i32 @asks_indirectly()
define void @publishes_for_callee(ptr %p) #0 {
  %v = call i32 @asks_indirectly()
  store i32 %v, ptr %p
  ret void
}

; A function called through a pointer may ask.
; CHECK-LABEL: @publishes_for_pointer(
; CHECK: call i32 @__vx_thread_idx_x()
; CHECK: call void %f()
define void @publishes_for_pointer(ptr %f) #0 {
  call void %f()
  ret void
}

; A shared variable, also in a constant expression, is found through the published base.
; CHECK-LABEL: @publishes_for_shared(
; CHECK: call ptr @__vx_shared_base()
; CHECK: call void @uses_shared()
define void @publishes_for_shared() #0 {
  call void @uses_shared()
  ret void
}

; CHECK-LABEL: @calls_plain(
; CHECK-NEXT: call i32 @plain(i32 1)
define void @calls_plain(ptr %p) #0 {
  %v = call i32 @plain(i32 1)
  store i32 %v, ptr %p
  ret void
}

; It is not recorded that it read no memory: the call stays after the stores of its coordinates.
; LOOP-LABEL: @publishes_in_loop(
; LOOP: loop:
; LOOP: store i32
; LOOP: call i32 @asks_out_of_line()
define void @publishes_in_loop(ptr %p, i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @asks_out_of_line() #2
  %next = add i32 %i, %v
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %next, ptr %p
  ret void
}
define internal i32 @asks_out_of_line() #3 {
  %x = call i32 @__vx_thread_idx_x()
  ret i32 %x
}

; Their memory attributes change with what they do: they will read the control block, so the stores
; of the publication may not move past their calls.
; CHECK: define i32 @asks() [[READS:#[0-9]+]]
define i32 @asks() #1 {
  %x = call i32 @__vx_thread_idx_x()
  ret i32 %x
}
; CHECK: define i32 @asks_indirectly() [[READS]]
; CHECK-NEXT: call i32 @asks(){{$}}
define i32 @asks_indirectly() #1 {
  %x = call i32 @asks() #1
  ret i32 %x
}
define void @uses_shared() {
  store i32 1, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @shared, i64 8) to ptr)
  ret void
}
; CHECK: define i32 @plain(i32 %x) [[NONE:#[0-9]+]]
define i32 @plain(i32 %x) #1 {
  ret i32 %x
}

declare i32 @__vx_thread_idx_x() memory(none)

; CHECK-DAG: attributes [[READS]] = { memory(read) }
; CHECK-DAG: attributes [[NONE]] = { memory(none) }
attributes #0 = { "vx-kernel" }
attributes #1 = { memory(none) }
attributes #2 = { nounwind }
attributes #3 = { noinline nounwind willreturn memory(none) }
