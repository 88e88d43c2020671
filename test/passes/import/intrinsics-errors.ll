; What cannot be translated is an error with the user's line, not the header's.
; RUN: not %vx_opt -passes=vx-stage-import %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: error: user.cu:10:3: barrier 16 is out of range: a block has 0 to 15
; CHECK-DAG: error: user.cu:11:3: intrinsic 'llvm.nvvm.read.ptx.sreg.envreg3' is not supported by vxcc
; CHECK-DAG: error: user.cu:12:3: function '__tex2D' is not supported by vxcc
; CHECK-DAG: error: user.cu:13:3: vprintf needs the argument list of a printf call
; CHECK-DAG: error: user.cu:14:3: function 'scale(float)' is declared but not defined in this device code
; CHECK-DAG: error: user.cu:15:3: device variable 'elsewhere' is declared but not defined in this device code
; CHECK-DAG: error: user.cu:16:3: the number of threads of a barrier must be a multiple of 32, the warp size, not 100
define ptx_kernel void @k(ptr %p) !dbg !3 {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 16), !dbg !10
  %a = call i32 @llvm.nvvm.read.ptx.sreg.envreg3(), !dbg !11
  call void @wrapper(), !dbg !12
  %b = call i32 @vprintf(ptr %p, ptr %p), !dbg !13
  %c = call float @_Z5scalef(float 1.0), !dbg !14
  store i32 %a, ptr @elsewhere, !dbg !15
  call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 100), !dbg !17
  ret void
}

define internal void @wrapper() !dbg !6 {
  call void @__tex2D(), !dbg !16
  ret void
}

@elsewhere = external global i32
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.envreg3()
declare void @__tex2D()
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare i32 @vprintf(ptr, ptr)
declare float @_Z5scalef(float)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/home/user")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 9, unit: !0, type: !4)
!4 = !DISubroutineType(types: !{})
!5 = !DIFile(filename: "/opt/vxcc/include/texture.h", directory: "/")
!6 = distinct !DISubprogram(name: "wrapper", file: !5, line: 1, unit: !0, type: !4)
!10 = !DILocation(line: 10, column: 3, scope: !3)
!11 = !DILocation(line: 11, column: 3, scope: !3)
!12 = !DILocation(line: 12, column: 3, scope: !3)
!13 = !DILocation(line: 13, column: 3, scope: !3)
!14 = !DILocation(line: 14, column: 3, scope: !3)
!15 = !DILocation(line: 15, column: 3, scope: !3)
!17 = !DILocation(line: 16, column: 3, scope: !3)
!16 = !DILocation(line: 2, column: 1, scope: !6)
