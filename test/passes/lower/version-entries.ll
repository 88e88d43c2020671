; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Entries with long vectors have two versions, of which the worker's field says which to call.
; RUN: %vx_opt -passes=vx-version-entries %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define internal void @long.v3(ptr %d)
; CHECK-LABEL: define void @short(
; CHECK: ret void
; CHECK: define internal void @long.v4(ptr %d) #[[WIDE:[0-9]+]]
; CHECK: define void @long(
; CHECK: [[WORKER:%.*]] = call ptr asm "movq %rsp
; CHECK: [[BITS:%.*]] = load i64
; CHECK: icmp uge i64 [[BITS]], 512
; CHECK: tail call void @long.v4(
; CHECK: tail call void @long.v3(
; CHECK: attributes #[[WIDE]] = {{.*}}"prefer-vector-width"="512" "target-cpu"="x86-64-v4"
define void @long(ptr %d) #0 {
  %v = load <16 x float>, ptr %d
  %w = fadd <16 x float> %v, %v
  store <16 x float> %w, ptr %d
  ret void
}

define void @short(ptr %d) #0 {
  %v = load <4 x float>, ptr %d
  store <4 x float> %v, ptr %d
  ret void
}

attributes #0 = { "vx-entry" }
