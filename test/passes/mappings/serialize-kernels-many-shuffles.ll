; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sixteen shuffles that share a boundary: the places of their values are worked out one after another, those of the lane and those
; of the lane that all of them read. For fifteen they are worked out one by one.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @__vx_entry.serial.few(
; CHECK-NOT: asm sideeffect "", "=r,0"

; CHECK-LABEL: define void @__vx_entry.serial.many(
; CHECK: region0.lane.i:
; CHECK: [[HIDDEN:%.*]] = call i32 asm sideeffect "", "=r,0"
; CHECK-NEXT: [[DISTANCE:%.*]] = sext i32 [[HIDDEN]] to i64
; CHECK-NEXT: [[STEP:%.*]] = mul i64 [[DISTANCE]], 4
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 [[STEP]]
; CHECK-NEXT: store i32 {{.*}}, ptr [[SECOND]]
; CHECK-NOT: asm sideeffect "", "=r,0"
; CHECK: region1.lane.i:
; CHECK: [[SOURCE:%.*]] = xor i32 %lane{{.*}}, 4
; CHECK-NOT: xor i32 %lane
; CHECK: asm sideeffect "", "=r,0"
; CHECK-NOT: xor i32 %lane
; CHECK-NOT: asm sideeffect "", "=r,0"
; CHECK: {{^[}]$}}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)

define void @few(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at0 = getelementptr [32 x i32], ptr %p, i32 %t, i32 0
  %v0 = load i32, ptr %at0
  %at1 = getelementptr [32 x i32], ptr %p, i32 %t, i32 1
  %v1 = load i32, ptr %at1
  %at2 = getelementptr [32 x i32], ptr %p, i32 %t, i32 2
  %v2 = load i32, ptr %at2
  %at3 = getelementptr [32 x i32], ptr %p, i32 %t, i32 3
  %v3 = load i32, ptr %at3
  %at4 = getelementptr [32 x i32], ptr %p, i32 %t, i32 4
  %v4 = load i32, ptr %at4
  %at5 = getelementptr [32 x i32], ptr %p, i32 %t, i32 5
  %v5 = load i32, ptr %at5
  %at6 = getelementptr [32 x i32], ptr %p, i32 %t, i32 6
  %v6 = load i32, ptr %at6
  %at7 = getelementptr [32 x i32], ptr %p, i32 %t, i32 7
  %v7 = load i32, ptr %at7
  %at8 = getelementptr [32 x i32], ptr %p, i32 %t, i32 8
  %v8 = load i32, ptr %at8
  %at9 = getelementptr [32 x i32], ptr %p, i32 %t, i32 9
  %v9 = load i32, ptr %at9
  %at10 = getelementptr [32 x i32], ptr %p, i32 %t, i32 10
  %v10 = load i32, ptr %at10
  %at11 = getelementptr [32 x i32], ptr %p, i32 %t, i32 11
  %v11 = load i32, ptr %at11
  %at12 = getelementptr [32 x i32], ptr %p, i32 %t, i32 12
  %v12 = load i32, ptr %at12
  %at13 = getelementptr [32 x i32], ptr %p, i32 %t, i32 13
  %v13 = load i32, ptr %at13
  %at14 = getelementptr [32 x i32], ptr %p, i32 %t, i32 14
  %v14 = load i32, ptr %at14
  %s0 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v0, i32 4, i32 31)
  %s1 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v1, i32 4, i32 31)
  %s2 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v2, i32 4, i32 31)
  %s3 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v3, i32 4, i32 31)
  %s4 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v4, i32 4, i32 31)
  %s5 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v5, i32 4, i32 31)
  %s6 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v6, i32 4, i32 31)
  %s7 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v7, i32 4, i32 31)
  %s8 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v8, i32 4, i32 31)
  %s9 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v9, i32 4, i32 31)
  %s10 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v10, i32 4, i32 31)
  %s11 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v11, i32 4, i32 31)
  %s12 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v12, i32 4, i32 31)
  %s13 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v13, i32 4, i32 31)
  %s14 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v14, i32 4, i32 31)
  %to0 = getelementptr [32 x i32], ptr %q, i32 %t, i32 0
  store i32 %s0, ptr %to0
  %to1 = getelementptr [32 x i32], ptr %q, i32 %t, i32 1
  store i32 %s1, ptr %to1
  %to2 = getelementptr [32 x i32], ptr %q, i32 %t, i32 2
  store i32 %s2, ptr %to2
  %to3 = getelementptr [32 x i32], ptr %q, i32 %t, i32 3
  store i32 %s3, ptr %to3
  %to4 = getelementptr [32 x i32], ptr %q, i32 %t, i32 4
  store i32 %s4, ptr %to4
  %to5 = getelementptr [32 x i32], ptr %q, i32 %t, i32 5
  store i32 %s5, ptr %to5
  %to6 = getelementptr [32 x i32], ptr %q, i32 %t, i32 6
  store i32 %s6, ptr %to6
  %to7 = getelementptr [32 x i32], ptr %q, i32 %t, i32 7
  store i32 %s7, ptr %to7
  %to8 = getelementptr [32 x i32], ptr %q, i32 %t, i32 8
  store i32 %s8, ptr %to8
  %to9 = getelementptr [32 x i32], ptr %q, i32 %t, i32 9
  store i32 %s9, ptr %to9
  %to10 = getelementptr [32 x i32], ptr %q, i32 %t, i32 10
  store i32 %s10, ptr %to10
  %to11 = getelementptr [32 x i32], ptr %q, i32 %t, i32 11
  store i32 %s11, ptr %to11
  %to12 = getelementptr [32 x i32], ptr %q, i32 %t, i32 12
  store i32 %s12, ptr %to12
  %to13 = getelementptr [32 x i32], ptr %q, i32 %t, i32 13
  store i32 %s13, ptr %to13
  %to14 = getelementptr [32 x i32], ptr %q, i32 %t, i32 14
  store i32 %s14, ptr %to14
  ret void
}

define void @many(ptr %p, ptr %q) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at0 = getelementptr [32 x i32], ptr %p, i32 %t, i32 0
  %v0 = load i32, ptr %at0
  %at1 = getelementptr [32 x i32], ptr %p, i32 %t, i32 1
  %v1 = load i32, ptr %at1
  %at2 = getelementptr [32 x i32], ptr %p, i32 %t, i32 2
  %v2 = load i32, ptr %at2
  %at3 = getelementptr [32 x i32], ptr %p, i32 %t, i32 3
  %v3 = load i32, ptr %at3
  %at4 = getelementptr [32 x i32], ptr %p, i32 %t, i32 4
  %v4 = load i32, ptr %at4
  %at5 = getelementptr [32 x i32], ptr %p, i32 %t, i32 5
  %v5 = load i32, ptr %at5
  %at6 = getelementptr [32 x i32], ptr %p, i32 %t, i32 6
  %v6 = load i32, ptr %at6
  %at7 = getelementptr [32 x i32], ptr %p, i32 %t, i32 7
  %v7 = load i32, ptr %at7
  %at8 = getelementptr [32 x i32], ptr %p, i32 %t, i32 8
  %v8 = load i32, ptr %at8
  %at9 = getelementptr [32 x i32], ptr %p, i32 %t, i32 9
  %v9 = load i32, ptr %at9
  %at10 = getelementptr [32 x i32], ptr %p, i32 %t, i32 10
  %v10 = load i32, ptr %at10
  %at11 = getelementptr [32 x i32], ptr %p, i32 %t, i32 11
  %v11 = load i32, ptr %at11
  %at12 = getelementptr [32 x i32], ptr %p, i32 %t, i32 12
  %v12 = load i32, ptr %at12
  %at13 = getelementptr [32 x i32], ptr %p, i32 %t, i32 13
  %v13 = load i32, ptr %at13
  %at14 = getelementptr [32 x i32], ptr %p, i32 %t, i32 14
  %v14 = load i32, ptr %at14
  %at15 = getelementptr [32 x i32], ptr %p, i32 %t, i32 15
  %v15 = load i32, ptr %at15
  %s0 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v0, i32 4, i32 31)
  %s1 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v1, i32 4, i32 31)
  %s2 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v2, i32 4, i32 31)
  %s3 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v3, i32 4, i32 31)
  %s4 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v4, i32 4, i32 31)
  %s5 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v5, i32 4, i32 31)
  %s6 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v6, i32 4, i32 31)
  %s7 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v7, i32 4, i32 31)
  %s8 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v8, i32 4, i32 31)
  %s9 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v9, i32 4, i32 31)
  %s10 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v10, i32 4, i32 31)
  %s11 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v11, i32 4, i32 31)
  %s12 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v12, i32 4, i32 31)
  %s13 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v13, i32 4, i32 31)
  %s14 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v14, i32 4, i32 31)
  %s15 = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v15, i32 4, i32 31)
  %to0 = getelementptr [32 x i32], ptr %q, i32 %t, i32 0
  store i32 %s0, ptr %to0
  %to1 = getelementptr [32 x i32], ptr %q, i32 %t, i32 1
  store i32 %s1, ptr %to1
  %to2 = getelementptr [32 x i32], ptr %q, i32 %t, i32 2
  store i32 %s2, ptr %to2
  %to3 = getelementptr [32 x i32], ptr %q, i32 %t, i32 3
  store i32 %s3, ptr %to3
  %to4 = getelementptr [32 x i32], ptr %q, i32 %t, i32 4
  store i32 %s4, ptr %to4
  %to5 = getelementptr [32 x i32], ptr %q, i32 %t, i32 5
  store i32 %s5, ptr %to5
  %to6 = getelementptr [32 x i32], ptr %q, i32 %t, i32 6
  store i32 %s6, ptr %to6
  %to7 = getelementptr [32 x i32], ptr %q, i32 %t, i32 7
  store i32 %s7, ptr %to7
  %to8 = getelementptr [32 x i32], ptr %q, i32 %t, i32 8
  store i32 %s8, ptr %to8
  %to9 = getelementptr [32 x i32], ptr %q, i32 %t, i32 9
  store i32 %s9, ptr %to9
  %to10 = getelementptr [32 x i32], ptr %q, i32 %t, i32 10
  store i32 %s10, ptr %to10
  %to11 = getelementptr [32 x i32], ptr %q, i32 %t, i32 11
  store i32 %s11, ptr %to11
  %to12 = getelementptr [32 x i32], ptr %q, i32 %t, i32 12
  store i32 %s12, ptr %to12
  %to13 = getelementptr [32 x i32], ptr %q, i32 %t, i32 13
  store i32 %s13, ptr %to13
  %to14 = getelementptr [32 x i32], ptr %q, i32 %t, i32 14
  store i32 %s14, ptr %to14
  %to15 = getelementptr [32 x i32], ptr %q, i32 %t, i32 15
  store i32 %s15, ptr %to15
  ret void
}
