; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads that return before the others of their warp synchronize.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of early_return:
; REGIONS-NEXT: loops: warps and lanes, sets of waiting threads
; REGIONS-NEXT: region 0 -> 1 end
; REGIONS-NEXT: region 1 after warp_sync -> 2{{$}}
; REGIONS-NEXT: region 2 after warp_sync -> end
; REGIONS-NEXT: %x: array over lanes at 0, i32, into 1 2{{$}}
; REGIONS-NEXT: %o: array over lanes at 4, i32, into 2{{$}}
; A thread that returns is taken from those alive; the group is complete when all that are left wait.
; LOOPS-LABEL: define void @__vx_entry.serial.early_return(
; LOOPS: rounds.i:
; LOOPS: region0.lane.i:
; LOOPS: end.r0.i:
; LOOPS-NEXT: [[BIT:%.*]] = shl i32 1, %lane
; LOOPS-NEXT: [[REST:%.*]] = xor i32 [[BIT]], -1
; LOOPS-NEXT: and i32 %alive{{.*}}, [[REST]]
; LOOPS: br i1 %gone.r0.i, label %end.r0.i, label %go.r0.i
; LOOPS: region1.after.i:
; LOOPS: [[NOTHERE:%.*]] = xor i32 %waiting2{{.*}}, -1
; LOOPS: [[MISSING:%.*]] = and i32 %alive{{.*}}, [[NOTHERE]]
; LOOPS: icmp eq i32 [[MISSING]], 0
; LOOPS: region1.lane.i:
; LOOPS: region2.lane.i:
; In thread-per-lane the lanes of those continue to take part in exchanges of the logical warp.
; WARPS: define void @early_return.warps({{.*}} [[A:#[0-9]+]]
; WARPS: warp.end:
; WARPS-NEXT: call i32 @__vx_logical_warp_wait(i32 -1)
; WARPS: attributes [[A]] = {{.*}}"vx-logical-warp"="early-exit"
define void @early_return(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %gone = icmp uge i32 %t, %n
  br i1 %gone, label %end, label %go
go:
  %x = mul i32 %v, 5
  store i32 %x, ptr %at
  call void @__vx_warp_sync(i32 -1)
  %far = xor i32 %t, 1
  %from = getelementptr i32, ptr %p, i32 %far
  %o = load i32, ptr %from
  call void @__vx_warp_sync(i32 -1)
  %r = add i32 %x, %o
  store i32 %r, ptr %at
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_warp_sync(i32) convergent
