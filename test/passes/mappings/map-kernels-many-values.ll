; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A region that keeps 16 values in the context works their addresses out one after another, each from the one before and a
; distance that the optimizer does not know; for 15 they are worked out one by one.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
; RUN: %vx_opt '-passes=vx-map-kernels,vx-stage-clean-up<O3>' %s | FileCheck %s --check-prefix=CLEAN

; CHECK-LABEL: define void @__vx_entry.chunked.few(
; CHECK-NOT: asm sideeffect "", "=r,0"

; CHECK-LABEL: define void @__vx_entry.chunked.many(
; The first exit saves them.
; CHECK: [[HIDDEN:%.*]] = call i32 asm sideeffect "", "=r,0"(i32 {{.*}})
; CHECK-NEXT: [[DISTANCE:%.*]] = sext i32 [[HIDDEN]] to i64
; CHECK-NEXT: [[STEP:%.*]] = mul i64 [[DISTANCE]], 4
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr inbounds i8, ptr [[FIRST:%.*]], i64 [[STEP]]
; CHECK-NEXT: store float {{.*}}, ptr [[SECOND]]
; CHECK-NEXT: [[STEP3:%.*]] = mul i64 [[DISTANCE]], 4
; CHECK-NEXT: [[THIRD:%.*]] = getelementptr inbounds i8, ptr [[SECOND]], i64 [[STEP3]]
; CHECK-NEXT: store float {{.*}}, ptr [[THIRD]]
; The second region restores them.
; CHECK: asm sideeffect "", "=r,0"
; CHECK-NOT: asm sideeffect "", "=r,0"

; No pointer of an array is left outside the loops over threads.
; CLEAN-LABEL: define void @__vx_entry.chunked.many(
; CLEAN: asm sideeffect "", "=r,0"
; CLEAN: [[AT:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 [[D:%.*]]
; CLEAN: store float {{.*}}, ptr [[AT]]
; CLEAN: [[NEXT:%.*]] = getelementptr inbounds i8, ptr [[AT]], i64 [[D]]
; CLEAN: store float {{.*}}, ptr [[NEXT]]

declare i32 @__vx_thread_idx_x()
declare void @__vx_barrier()

define void @few(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at0 = getelementptr [32 x float], ptr %p, i32 %t, i32 0
  %v0 = load float, ptr %at0
  %at1 = getelementptr [32 x float], ptr %p, i32 %t, i32 1
  %v1 = load float, ptr %at1
  %at2 = getelementptr [32 x float], ptr %p, i32 %t, i32 2
  %v2 = load float, ptr %at2
  %at3 = getelementptr [32 x float], ptr %p, i32 %t, i32 3
  %v3 = load float, ptr %at3
  %at4 = getelementptr [32 x float], ptr %p, i32 %t, i32 4
  %v4 = load float, ptr %at4
  %at5 = getelementptr [32 x float], ptr %p, i32 %t, i32 5
  %v5 = load float, ptr %at5
  %at6 = getelementptr [32 x float], ptr %p, i32 %t, i32 6
  %v6 = load float, ptr %at6
  %at7 = getelementptr [32 x float], ptr %p, i32 %t, i32 7
  %v7 = load float, ptr %at7
  %at8 = getelementptr [32 x float], ptr %p, i32 %t, i32 8
  %v8 = load float, ptr %at8
  %at9 = getelementptr [32 x float], ptr %p, i32 %t, i32 9
  %v9 = load float, ptr %at9
  %at10 = getelementptr [32 x float], ptr %p, i32 %t, i32 10
  %v10 = load float, ptr %at10
  %at11 = getelementptr [32 x float], ptr %p, i32 %t, i32 11
  %v11 = load float, ptr %at11
  %at12 = getelementptr [32 x float], ptr %p, i32 %t, i32 12
  %v12 = load float, ptr %at12
  %at13 = getelementptr [32 x float], ptr %p, i32 %t, i32 13
  %v13 = load float, ptr %at13
  %at14 = getelementptr [32 x float], ptr %p, i32 %t, i32 14
  %v14 = load float, ptr %at14
  call void @__vx_barrier()
  %s0 = fadd float %v0, 1.0
  %s1 = fadd float %s0, %v1
  %s2 = fadd float %s1, %v2
  %s3 = fadd float %s2, %v3
  %s4 = fadd float %s3, %v4
  %s5 = fadd float %s4, %v5
  %s6 = fadd float %s5, %v6
  %s7 = fadd float %s6, %v7
  %s8 = fadd float %s7, %v8
  %s9 = fadd float %s8, %v9
  %s10 = fadd float %s9, %v10
  %s11 = fadd float %s10, %v11
  %s12 = fadd float %s11, %v12
  %s13 = fadd float %s12, %v13
  %s14 = fadd float %s13, %v14
  store float %s14, ptr %at0
  ret void
}

define void @many(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at0 = getelementptr [32 x float], ptr %p, i32 %t, i32 0
  %v0 = load float, ptr %at0
  %at1 = getelementptr [32 x float], ptr %p, i32 %t, i32 1
  %v1 = load float, ptr %at1
  %at2 = getelementptr [32 x float], ptr %p, i32 %t, i32 2
  %v2 = load float, ptr %at2
  %at3 = getelementptr [32 x float], ptr %p, i32 %t, i32 3
  %v3 = load float, ptr %at3
  %at4 = getelementptr [32 x float], ptr %p, i32 %t, i32 4
  %v4 = load float, ptr %at4
  %at5 = getelementptr [32 x float], ptr %p, i32 %t, i32 5
  %v5 = load float, ptr %at5
  %at6 = getelementptr [32 x float], ptr %p, i32 %t, i32 6
  %v6 = load float, ptr %at6
  %at7 = getelementptr [32 x float], ptr %p, i32 %t, i32 7
  %v7 = load float, ptr %at7
  %at8 = getelementptr [32 x float], ptr %p, i32 %t, i32 8
  %v8 = load float, ptr %at8
  %at9 = getelementptr [32 x float], ptr %p, i32 %t, i32 9
  %v9 = load float, ptr %at9
  %at10 = getelementptr [32 x float], ptr %p, i32 %t, i32 10
  %v10 = load float, ptr %at10
  %at11 = getelementptr [32 x float], ptr %p, i32 %t, i32 11
  %v11 = load float, ptr %at11
  %at12 = getelementptr [32 x float], ptr %p, i32 %t, i32 12
  %v12 = load float, ptr %at12
  %at13 = getelementptr [32 x float], ptr %p, i32 %t, i32 13
  %v13 = load float, ptr %at13
  %at14 = getelementptr [32 x float], ptr %p, i32 %t, i32 14
  %v14 = load float, ptr %at14
  %at15 = getelementptr [32 x float], ptr %p, i32 %t, i32 15
  %v15 = load float, ptr %at15
  call void @__vx_barrier()
  %s0 = fadd float %v0, 1.0
  %s1 = fadd float %s0, %v1
  %s2 = fadd float %s1, %v2
  %s3 = fadd float %s2, %v3
  %s4 = fadd float %s3, %v4
  %s5 = fadd float %s4, %v5
  %s6 = fadd float %s5, %v6
  %s7 = fadd float %s6, %v7
  %s8 = fadd float %s7, %v8
  %s9 = fadd float %s8, %v9
  %s10 = fadd float %s9, %v10
  %s11 = fadd float %s10, %v11
  %s12 = fadd float %s11, %v12
  %s13 = fadd float %s12, %v13
  %s14 = fadd float %s13, %v14
  %s15 = fadd float %s14, %v15
  store float %s15, ptr %at0
  ret void
}
