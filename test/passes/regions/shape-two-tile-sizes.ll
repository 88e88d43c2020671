; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Tiles of four and of sixteen threads in one kernel.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Both synchronize parts of a warp: regions are loops over the lanes of the warp, which hold whole
; tiles of either size, and each operation looks at its own lanes.
; REGIONS: regions of tiles:
; REGIONS-NEXT: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after shfl_down_32 -> 2{{$}}
; REGIONS-NEXT: region 2 after vote_any -> end
; REGIONS-NEXT: %v: array over lanes at 0, i32, into 1{{$}}
; REGIONS-NEXT: %s: array over lanes at 0, i32, into 2{{$}}
; REGIONS-NEXT: context: 0 bytes a thread, 16 bytes a lane
; LOOPS-LABEL: define void @__vx_entry.serial.tiles(
; LOOPS: region1.lanes.i:
; The segment of four: its last lane is first | 3.
; LOOPS: [[LAST:%.*]] = or i32 %{{.*}}, 3
; LOOPS: [[SOURCE:%.*]] = add i32 %lane{{.*}}, 1
; LOOPS: icmp sle i32 [[SOURCE]], [[LAST]]
; LOOPS: region2.lanes.i:
; LOOPS: [[HALF:%f16[^ ]*]] = and i32 %lane{{.*}}, 16
; LOOPS: [[SIXTEEN:%sixteen[^ ]*]] = shl i32 65535, [[HALF]]
; LOOPS: and i32 %{{.*}}, [[SIXTEEN]]
; WARPS: define void @tiles.warps({{.*}} [[A:#[0-9]+]]
; WARPS: attributes [[A]] = {{.*}}"vx-logical-warp"="uniform"
define void @tiles(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %lane = call i32 @__vx_lane_id()
  %f4 = and i32 %lane, 28
  %four = shl i32 15, %f4
  %f16 = and i32 %lane, 16
  %sixteen = shl i32 65535, %f16
  %next = call i32 @__vx_shfl_down_32(i32 %four, i32 %v, i32 1, i32 7199)
  %s = add i32 %v, %next
  %any = call i32 @__vx_vote_any(i32 %sixteen, i32 %s)
  %r = add i32 %s, %any
  store i32 %r, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_lane_id() memory(none)
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32) convergent
