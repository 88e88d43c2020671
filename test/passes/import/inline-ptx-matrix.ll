; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; mma.sync is a call of a function of its form, made once; ldmatrix is shuffles of addresses and loads.
; RUN: %vx_opt -passes=vx-import-nvvm %s | FileCheck %s
; RUN: sed 's/;WRONG//' %s > %t.ll
; RUN: not %vx_opt -passes=vx-import-nvvm %t.ll 2>&1 | FileCheck %s --check-prefix=WRONG
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define {{.*}} @twice(
; CHECK: [[R:%.*]] = call { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32(i32 %a, i32 %b, i32 %c, i32 %d)
; CHECK: call { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32(i32 %b, i32 %a,
define { i32, i32 } @twice(i32 %a, i32 %b, i32 %c, i32 %d) {
  %r = call { i32, i32 } asm sideeffect "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {$0,$1}, {$2}, {$3}, {$4,$5};", "=r,=r,r,r,r,r"(i32 %a, i32 %b, i32 %c, i32 %d)
  %x = extractvalue { i32, i32 } %r, 0
  %y = extractvalue { i32, i32 } %r, 1
  %s = call { i32, i32 } asm sideeffect "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {$0,$1}, $2, $3, {$4,$5};", "=r,=r,r,r,r,r"(i32 %b, i32 %a, i32 %x, i32 %y)
  ret { i32, i32 } %s
}

; CHECK-LABEL: define {{.*}} @load(
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK: [[G:%.*]] = lshr i32 [[LANE]], 2
; CHECK: [[T:%.*]] = and i32 [[LANE]], 3
; CHECK: [[FIRST:%.*]] = or i32 0, [[G]]
; CHECK: call i32 @__vx_shfl_idx_32(i32 -1, i32 {{%.*}}, i32 [[FIRST]], i32 31)
; CHECK: load i32
; CHECK: [[SECOND:%.*]] = or i32 8, [[G]]
; CHECK: call i32 @__vx_shfl_idx_32(i32 -1, i32 {{%.*}}, i32 [[SECOND]], i32 31)
; CHECK: load i32
define i32 @load(i32 %p) {
  %r = call { i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0,$1}, [$2];", "=r,=r,r"(i32 %p)
  %x = extractvalue { i32, i32 } %r, 1
  ret i32 %x
}

; The function: a quad's parts of rows and columns, element by element.
; CHECK-LABEL: define internal { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32(
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK: [[QUAD:%.*]] = and i32 [[LANE]], -4
; CHECK: [[SOURCE:%.*]] = or i32 [[QUAD]], 0
; CHECK: [[X:%.*]] = call i32 @__vx_shfl_idx_32(i32 -1, i32 %0, i32 [[SOURCE]], i32 31)
; CHECK: [[Y:%.*]] = call i32 @__vx_shfl_idx_32(i32 -1, i32 %1, i32 {{%.*}}, i32 31)
; CHECK: call i32 @__vx_shfl_idx_32(i32 -1, i32 %1, i32 {{%.*}}, i32 31)
; CHECK: [[S:%.*]] = shl i32 [[X]], 24
; CHECK: [[A:%.*]] = ashr i32 [[S]], 24
; CHECK: [[B:%.*]] = and i32 {{%.*}}, 255
; CHECK: mul i32 [[A]], [[B]]

; These forms do not exist, or have other registers.
; WRONG-DAG: PTX instruction 'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32' is not supported by vxcc
; WRONG-DAG: PTX instruction 'mma.sync.aligned.m8n8k16.row.col.s32.s8.f16.s32' is not supported by vxcc
; WRONG-DAG: a list of 2 registers expected in inline PTX
; WRONG-DAG: PTX instruction 'ldmatrix.sync.aligned.m16n16.x1.shared.b8' is not supported by vxcc
;WRONG define void @volta(i32 %a) {
;WRONG   call void asm sideeffect "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {$0,$0}, {$0,$0}, {$0,$0}, {$0,$0};", "r"(i32 %a)
;WRONG   call void asm sideeffect "mma.sync.aligned.m8n8k16.row.col.s32.s8.f16.s32 {$0,$0}, {$0}, {$0}, {$0,$0};", "r"(i32 %a)
;WRONG   call void asm sideeffect "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$0,$0}, {$0}, {$0}, {$0};", "r"(i32 %a)
;WRONG   call void asm sideeffect "ldmatrix.sync.aligned.m16n16.x1.shared.b8 {$0}, [$0];", "r"(i32 %a)
;WRONG   ret void
;WRONG }
