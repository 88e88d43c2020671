; As integers, shared addresses are offsets from the block's base.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x i32] undef, align 4

; CHECK-LABEL: @k(
define ptx_kernel void @k(ptr %out, ptr %p, i32 %offset) {
; CHECK: [[P:%.*]] = addrspacecast ptr %p to ptr addrspace(3)
; CHECK-NEXT: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(3) [[P]] to i64
; CHECK-NEXT: [[BASE:%.*]] = call ptr @__vx_shared_base()
; CHECK-NEXT: [[B:%.*]] = ptrtoint ptr [[BASE]] to i64
; CHECK-NEXT: [[DISTANCE:%.*]] = sub i64 [[ADDRESS]], [[B]]
; CHECK-NEXT: store volatile i64 [[DISTANCE]], ptr %out
  %s = addrspacecast ptr %p to ptr addrspace(3)
  %a = ptrtoint ptr addrspace(3) %s to i64
  store volatile i64 %a, ptr %out

; CHECK: [[WIDE:%.*]] = zext i32 %offset to i64
; CHECK: [[SUM:%.*]] = add i64 {{.*}}, [[WIDE]]
; CHECK: inttoptr i64 [[SUM]] to ptr addrspace(3)
  %q = inttoptr i32 %offset to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %q

; The address of a variable, a constant in the source, is a value here.
; CHECK: call ptr @__vx_shared_base()
; CHECK: [[O:%.*]] = sub i64 ptrtoint (ptr addrspace(3) @tile to i64), %
; CHECK: [[T:%.*]] = trunc i64 [[O]] to i32
; CHECK: store volatile i32 [[T]], ptr %out
  store volatile i32 ptrtoint (ptr addrspace(3) @tile to i32), ptr %out
  ret void
}
