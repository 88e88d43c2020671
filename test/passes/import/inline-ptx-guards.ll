; Guarded instructions: selected when they only compute, branched around when they have an effect.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s --implicit-check-not=asm
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @select(
define ptx_kernel void @select(ptr %p, i32 %x) {
; CHECK: [[P:%.*]] = icmp ne i32 %x, 0
; CHECK: [[SUM:%.*]] = add i32 %x, 1
; CHECK: [[R:%.*]] = select i1 [[P]], i32 [[SUM]], i32 %x
; CHECK: [[N:%.*]] = xor i1 [[P]], true
; CHECK: select i1 [[N]], i32 9, i32 [[R]]
  %r = call i32 asm "{ .reg .pred p; setp.ne.u32 p, $0, 0; @p add.u32 $0, $0, 1; @!p mov.u32 $0, 9; }", "=r,0"(i32 %x)
  store i32 %r, ptr %p
  ret void
}

; CHECK-LABEL: @branch(
define ptx_kernel void @branch(ptr %p, i32 %x) {
; CHECK: [[P:%.*]] = icmp slt i32 %x, 5
; CHECK-NEXT: br i1 [[P]], label %[[THEN:.*]], label %[[JOIN:.*]]
; CHECK: [[THEN]]:
; CHECK-NEXT: store i32 %x, ptr %p, align 4
; CHECK-NEXT: br label %[[JOIN]]
; CHECK: [[JOIN]]:
; CHECK-NEXT: ret void
  call void asm sideeffect "{ .reg .pred q; setp.lt.s32 q, $1, 5; @q st.global.u32 [$0], $1; }", "l,r"(ptr %p, i32 %x)
  ret void
}
