; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What OpenCL does not have is an error, at its source line if there is one.
;
; RUN: not %vx_opt -passes=vx-spirv-export-functions %s 2>&1 | FileCheck %s

; CHECK: error: {{.*}}SPIR-V has no counterpart of what is called here: clock64
define i64 @clock() {
  %t = call i64 @__vx_clock64()
  ret i64 %t
}

; CHECK: error: {{.*}}printf in SPIR-V needs a format that is a constant
define i32 @print(ptr %format) {
  %n = call i32 @__vx_printf(ptr %format, ptr null, i32 0)
  ret i32 %n
}

; CHECK: error: {{.*}}SPIR-V has no counterpart of assembly (in 'assembly')
define void @assembly() {
  call void asm sideeffect "nop", ""()
  ret void
}

declare i64 @__vx_clock64()
declare i32 @__vx_printf(ptr, ptr, i32)
