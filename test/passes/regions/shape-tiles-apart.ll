; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Control flow around a shuffle is uniform in each tile, but not in each warp.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=NONE
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; In blocks of one dimension the logical warp may be the tile: eight threads.
; CHECK: define void @tile.warps({{.*}} [[TILE:#[0-9]+]] {
; CHECK: attributes [[TILE]] = {{.*}}"vx-exact-groups" "vx-flat" "vx-kernel" "vx-logical-warp"="uniform" {{.*}}"vx-source-name"="tile"
define void @tile(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %tile = lshr i32 %t, 3
  %first = icmp eq i32 %tile, 0
  br i1 %first, label %some, label %others
some:
  %r = call i32 @__vx_shfl_bfly_32(i32 255, i32 %v, i32 1, i32 6175)
  store i32 %r, ptr %at
  br label %end
others:
  %s = call i32 @__vx_shfl_bfly_32(i32 255, i32 %v, i32 4, i32 6175)
  store i32 %s, ptr %p
  br label %end
end:
  ret void
}

; Not if it diverges within a tile, or if there is a vote: logical warps answer those for the whole warp.
; NONE-NOT: define void @half.warps(
; NONE-NOT: define void @vote.warps(
define void @half(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %part = lshr i32 %t, 2
  %first = icmp eq i32 %part, 0
  br i1 %first, label %some, label %others
some:
  %r = call i32 @__vx_shfl_bfly_32(i32 255, i32 %v, i32 4, i32 6175)
  store i32 %r, ptr %at
  br label %end
others:
  %s = call i32 @__vx_shfl_bfly_32(i32 255, i32 %v, i32 4, i32 6175)
  store i32 %s, ptr %p
  br label %end
end:
  ret void
}
define void @vote(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %tile = lshr i32 %t, 3
  %first = icmp eq i32 %tile, 0
  br i1 %first, label %some, label %others
some:
  %r = call i32 @__vx_shfl_bfly_32(i32 255, i32 %v, i32 1, i32 6175)
  store i32 %r, ptr %at
  br label %end
others:
  %b = call i32 @__vx_vote_ballot(i32 65280, i32 %v)
  store i32 %b, ptr %p
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32) convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
