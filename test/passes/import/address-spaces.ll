; Global, constant and local memory are the generic space; shared memory keeps its own.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @table = dso_local externally_initialized constant [4 x float] zeroinitializer, align 16
@table = addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 4
; CHECK-DAG: @counter = dso_local externally_initialized global i32 7, align 4
@counter = addrspace(1) externally_initialized global i32 7, align 4
; CHECK-DAG: @pointers = dso_local externally_initialized global [2 x ptr] [ptr @counter, ptr getelementptr inbounds (i8, ptr @table, i64 8)]
@pointers = addrspace(1) externally_initialized global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @counter to ptr), ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 8)]
; CHECK-DAG: @spaced = internal global { i32, ptr } { i32 1, ptr @counter }
@spaced = internal addrspace(1) global { i32, ptr addrspace(1) } { i32 1, ptr addrspace(1) @counter }
; CHECK-DAG: @tile = internal addrspace(3) global [32 x float] undef, align 16
@tile = internal addrspace(3) global [32 x float] undef, align 4
; CHECK-DAG: @dynamic = external addrspace(3) global [0 x float], align 16
@dynamic = external addrspace(3) global [0 x float], align 4

; CHECK-LABEL: define dso_local void @k(
define ptx_kernel void @k(ptr %out, i64 %i) {
; CHECK: %slot = alloca i32, align 4
  %slot = alloca i32, align 4, addrspace(5)
; CHECK-NEXT: store i32 3, ptr %slot
  store i32 3, ptr addrspace(5) %slot
  %generic = addrspacecast ptr addrspace(5) %slot to ptr
; CHECK-NEXT: %v = call i32 @helper(ptr %slot, ptr @counter)
  %v = call i32 @helper(ptr %generic, ptr addrspace(1) @counter)
; CHECK-NEXT: %p = getelementptr inbounds [4 x float], ptr @table, i64 0, i64 %i
  %p = getelementptr inbounds [4 x float], ptr addrspace(4) @table, i64 0, i64 %i
; CHECK-NEXT: %f = load float, ptr %p
  %f = load float, ptr addrspace(4) %p
; CHECK-NEXT: %s = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 0, i64 %i
  %s = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 0, i64 %i
  store float %f, ptr %s
; CHECK: store float %f, ptr addrspace(3) @dynamic
  store float %f, ptr addrspace(3) @dynamic
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr @table, i64 16, i1 false)
  call void @llvm.memcpy.p0.p4.i64(ptr %out, ptr addrspace(4) @table, i64 16, i1 false)
; CHECK-NEXT: load { i32, ptr }, ptr @spaced
  %agg = load { i32, ptr addrspace(1) }, ptr addrspace(1) @spaced
  %q = extractvalue { i32, ptr addrspace(1) } %agg, 1
; CHECK: %old = atomicrmw add ptr %q, i32 %v monotonic
  %old = atomicrmw add ptr addrspace(1) %q, i32 %v monotonic
  %first = load ptr, ptr addrspace(1) @pointers
  store i32 %old, ptr %first
  ret void
}

; CHECK: define internal i32 @helper(ptr %p, ptr %q)
define internal i32 @helper(ptr %p, ptr addrspace(1) %q) {
  %a = load i32, ptr %p
  %b = load i32, ptr addrspace(1) %q
  %c = add i32 %a, %b
  ret i32 %c
}

declare void @llvm.memcpy.p0.p4.i64(ptr, ptr addrspace(4), i64, i1)
