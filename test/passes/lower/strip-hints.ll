; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A hint that a value is uniform is gone before code generation; the value stays.
; RUN: %vx_opt -passes=vx-strip-hints %s | FileCheck %s
; RUN: %vx_opt -passes=vx-annotate-divergence %s | FileCheck %s --check-prefix=UNIFORM

; CHECK-LABEL: @hinted(
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 %x, 0
; CHECK-NOT: ssa.copy
; CHECK: br i1 [[C]]
; Before, it makes the branch uniform.
; UNIFORM-LABEL: @hinted(
; UNIFORM: vx.uniform
; UNIFORM-NOT: vx.split
define void @hinted(i32 %x, ptr %p) {
  %u = call i32 @llvm.ssa.copy.i32(i32 %x)
  %c = icmp eq i32 %u, 0
  br i1 %c, label %yes, label %end
yes:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
