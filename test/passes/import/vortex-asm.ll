; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s --check-prefixes=CHECK,RV64
; RUN: sed 's/i32 64}/i32 32}/' %s > %t.ll
; RUN: %vx_opt -passes=vx-stage-import %t.ll | FileCheck %s --check-prefixes=CHECK,RV32
;
; An asm statement that starts with ".vortex" keeps its text; its operands become registers of the
; device, integers with their sign.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %a, i16 %h, float %f, double %d) {
; CHECK-LABEL: @k
; RV64: %[[A:.*]] = sext i32 %a to i64
; RV64: %[[H:.*]] = sext i16 %h to i64
; RV64: %[[X:.*]] = call i64 asm "# from the source\0A\09.insn r 0x0b, 0, 1, $0, $1, $2", "=r,r,r"(i64 %[[A]], i64 %[[H]])
; RV64: trunc i64 %[[X]] to i32
; RV32: %[[H:.*]] = sext i16 %h to i32
; RV32: call i32 asm "# from the source\0A\09.insn r 0x0b, 0, 1, $0, $1, $2", "=r,r,r"(i32 %a, i32 %[[H]])
  %x = call i32 asm ".vortex; .insn r 0x0b, 0, 1, $0, $1, $2", "=r,r,h"(i32 %a, i16 %h)
; CHECK: call { float, double } asm sideeffect "# from the source\0A\09fadd.s $0, $2, $2", "=&f,=f,f,1,~{memory}"(float %f, double %d)
  %y = call { float, double } asm sideeffect ".vortex\0A\09fadd.s $0, $2, $2", "=&f,=d,f,1,~{memory}"(float %f, double %d)
; RV64: %[[P:.*]] = ptrtoint ptr %p to i64
; RV64: call i64 asm "# from the source\0A\09addi $0, $1, $2", "=r,r,n"(i64 %[[P]], i64 12)
; RV32: %[[L:.*]] = ptrtoint ptr %p to i64
; RV32: %[[P:.*]] = trunc i64 %[[L]] to i32
; RV32: %[[Q:.*]] = call i32 asm "# from the source\0A\09addi $0, $1, $2", "=r,r,n"(i32 %[[P]], i32 12)
; RV32: zext i32 %[[Q]] to i64
  %q = call ptr asm ".vortex addi $0, $1, $2", "=l,l,n"(ptr %p, i32 12)
  store i32 %x, ptr %q
  %z = extractvalue { float, double } %y, 1
  store double %z, ptr %p
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.xlen", i32 64}
