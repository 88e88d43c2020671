; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What lanes vote is gathered from the loop that they vote in: no vote lives from warp to warp.
; RUN: %vx_opt -passes=vx-stage-decide,vx-serialize-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
declare i32 @__vx_thread_idx_x()
declare i32 @__vx_vote_ballot(i32, i32)

; CHECK-LABEL: define void @__vx_entry.serial.k(
; CHECK-NOT: %votes{{.*}} = phi
; CHECK: %votes{{.*}} = phi i32 [ 0, %{{barrier.region0.warp.*}} ], [ %{{.*}}, %region0.lane{{.*}} ]
; CHECK-NOT: %votes{{.*}} = phi
; CHECK: %votes{{.*}} = phi i32 [ 0, %{{region0.done.*}} ], [ %{{.*}}, %region1.lane{{.*}} ]
; CHECK-NOT: %votes{{.*}} = phi
define void @k(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %a = call i32 @__vx_vote_ballot(i32 -1, i32 %t)
  %x = xor i32 %t, %a
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %x)
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %b, ptr %at
  ret void
}
