; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Profile `base` has no warp functions but the one that takes no instruction.
; RUN: not %vx_opt -passes=vx-expand-warp-functions %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-NOT: warp_sync
; CHECK: error: user.cu:10:3: warp function 'vote_any' needs instructions that profile 'base' does not have
; CHECK: error: user.cu:11:3: warp function 'shfl_up' needs instructions
; CHECK: error: user.cu:12:3: warp function 'reduce_add' needs instructions
define void @f(i32 %v, i64 %w) !dbg !3 {
  call void @__vx_warp_sync(i32 -1), !dbg !10
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v), !dbg !10
  %b = call i64 @__vx_shfl_up_64(i32 -1, i64 %w, i32 1, i32 0), !dbg !11
  %c = call i32 @__vx_reduce_add_i32(i32 -1, i32 %v, i32 0), !dbg !12
  ret void
}
declare void @__vx_warp_sync(i32)
declare i32 @__vx_vote_any(i32, i32)
declare i64 @__vx_shfl_up_64(i32, i64, i32, i32)
declare i32 @__vx_reduce_add_i32(i32, i32, i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !6}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/home/user")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, line: 9, unit: !0, type: !4)
!4 = !DISubroutineType(types: !{})
!6 = !{i32 7, !"vx.isa", i32 0}
!10 = !DILocation(line: 10, column: 3, scope: !3)
!11 = !DILocation(line: 11, column: 3, scope: !3)
!12 = !DILocation(line: 12, column: 3, scope: !3)
