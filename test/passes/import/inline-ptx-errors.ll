; RUN: not timeout 60 %vx_opt -passes=vx-stage-import %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: user.cu:16:3: asm goto is not supported in device code
; CHECK: error: user.cu:10:3: PTX instruction 'tex.2d.v4.f32.f32' is not supported by vxcc
; CHECK: error: user.cu:11:3: PTX register '%envreg3' is not supported by vxcc
; CHECK: error: user.cu:12:3: PTX register 't' is read before it is written
; CHECK: error: user.cu:13:3: inline PTX is not understood: label 'loop'
; CHECK: error: user.cu:14:3: PTX instruction 'add.q7' is not supported by vxcc
; CHECK: error: user.cu:15:3: the number of threads of a barrier must be a multiple of 32, the warp size, not 97
; CHECK: error: user.cu:15:3: PTX instruction 'shl.f32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lo.f32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lo.s32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lt.b32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lt.and.s32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lt.s32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'setp.lt.f16' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'set.lt.b32.s32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'slct.f32.u32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX instruction 'ld.release.u32' is not supported by vxcc
; CHECK: error: user.cu:15:3: PTX operand '!$1' is not a predicate
; CHECK: error: user.cu:15:3: PTX guard '$1' is not a predicate
; CHECK: error: user.cu:16:3: inline PTX is not understood: directive '.insn'; assembly of the device starts with '.vortex'
; CHECK: error: user.cu:16:3: inline PTX is not understood: directive '.x'; assembly of the device starts with '.vortex'
; CHECK: error: user.cu:16:3: inline PTX is not understood: ';' is missing after '.reg'
; CHECK: error: user.cu:16:3: inline PTX is not understood: unexpected '...'
; CHECK: error: user.cu:16:3: inline PTX is not understood: lists in lists
; CHECK: error: user.cu:16:3: unexpected destination in inline PTX
; CHECK: error: user.cu:16:3: PTX instruction 'add.u32' is not supported by vxcc
; CHECK: error: user.cu:16:3: PTX register '$' is read before it is written
; CHECK: error: user.cu:16:3: barrier 16 is out of range: a block has 0 to 15
; CHECK: error: user.cu:16:3: barrier -1 is out of range: a block has 0 to 15
; CHECK: error: user.cu:16:3: a barrier at which threads arrive without waiting needs a number of threads
; CHECK: error: user.cu:16:3: PTX instruction 'barrier.cta.arrive' is not supported by vxcc
; CHECK: error: user.cu:16:3: PTX instruction 'bar.red.xor.pred' is not supported by vxcc
; CHECK: error: user.cu:16:3: the number of threads of a barrier must be a multiple of 32, the warp size, not 33
; CHECK: error: user.cu:16:3: PTX instruction 'griddepcontrol.wait.all' is not supported by vxcc
; CHECK: error: user.cu:16:3: PTX instruction 'setmaxnreg.inc.aligned.u32' is not supported by vxcc
; CHECK: error: user.cu:16:3: PTX instruction 'setmaxnreg.dec.sync.aligned.b32' is not supported by vxcc
define ptx_kernel void @k(ptr %p) !dbg !3 {
  %a = call i32 asm "tex.2d.v4.f32.f32 $0, [t, {$0}];", "=r"(), !dbg !10
  %b = call i32 asm "mov.u32 $0, %envreg3;", "=r"(), !dbg !11
  %c = call i32 asm "{ .reg .u32 t; add.u32 $0, t, 1; }", "=r"(), !dbg !12
  %d = call i32 asm "loop: add.u32 $0, $0, 1;", "=r"(), !dbg !13
  %e = call i32 asm "add.q7 $0, 1, 1;", "=r"(), !dbg !14
  call void asm sideeffect "bar.sync 1, 97;", ""(), !dbg !15
  %f = call float asm "shl.f32 $0, $1, 1;", "=f,f"(float 1.0), !dbg !15
  %g = call i32 asm "setp.lo.f32 $0, $1, 1.5;", "=r,f"(float 1.0), !dbg !15
  call void asm sideeffect "setp.lo.s32 p, $0, 1;", "r"(i32 1), !dbg !15
  call void asm sideeffect "setp.lt.b32 p, $0, 1;", "r"(i32 1), !dbg !15
  call void asm sideeffect "setp.lt.and.s32 p, $0, 1;", "r"(i32 1), !dbg !15
  call void asm sideeffect "setp.lt.s32 p, $0, 1, 1;", "r"(i32 1), !dbg !15
  call void asm sideeffect "setp.lt.f16 p|q, $0, $0;", "h"(i16 1), !dbg !15
  call void asm sideeffect "set.lt.b32.s32 x, $0, 1;", "r"(i32 1), !dbg !15
  call void asm sideeffect "slct.f32.u32 x, 1.0, 2.0, $0;", "r"(i32 1), !dbg !15
  %h = call i32 asm "ld.release.u32 $0, [$1];", "=r,l"(ptr %p), !dbg !15
  %i = call float asm "add.f32 $0, $1, !$1;", "=f,f"(float 1.0), !dbg !15
  %j = call float asm "@$1 add.f32 $0, $1, $1;", "=f,f"(float 1.0), !dbg !15
  call void asm sideeffect ".insn r 0x33, 0, 0, x0, x0, x0", ""(), !dbg !16
  call void asm sideeffect ".x", ""(), !dbg !16
  call void asm sideeffect ".reg .u32 t", ""(), !dbg !16
  call void asm sideeffect "@p ... ;", ""(), !dbg !16
  call void asm sideeffect "mov.b64 {{{{{{{{{{{{$$0", ""(), !dbg !16
  call void asm sideeffect "setp.ne.s32 [x, y], 1, 2;", ""(), !dbg !16
  call void asm sideeffect "add.u32 /* x", ""(), !dbg !16
  %l = call i32 asm "mov.u32 $0, ${", "=r"(), !dbg !16
  call void asm sideeffect "bar.sync 16;", ""(), !dbg !16
  call void asm sideeffect "bar.arrive $0, 64;", "r"(i32 -1), !dbg !16
  call void asm sideeffect "bar.arrive 3, 0;", ""(), !dbg !16
  call void asm sideeffect "barrier.cta.arrive 3;", ""(), !dbg !16
  call void asm sideeffect "bar.red.xor.pred p, 3, q;", ""(), !dbg !16
  %m = call i32 asm sideeffect "{ .reg .pred p; setp.eq.u32 p, 0, 1; barrier.red.popc.u32 $0, 3, 33, p; }", "=r"(), !dbg !16
  call void asm sideeffect "griddepcontrol.wait.all;", ""(), !dbg !16
  call void asm sideeffect "setmaxnreg.inc.aligned.u32 64;", ""(), !dbg !16
  call void asm sideeffect "setmaxnreg.dec.sync.aligned.b32 64;", ""(), !dbg !16
  callbr void asm sideeffect "bra $0;", "!i"() to label %end [label %end], !dbg !16
end:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/home/user")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 9, unit: !0, type: !4)
!4 = !DISubroutineType(types: !{})
!10 = !DILocation(line: 10, column: 3, scope: !3)
!11 = !DILocation(line: 11, column: 3, scope: !3)
!12 = !DILocation(line: 12, column: 3, scope: !3)
!13 = !DILocation(line: 13, column: 3, scope: !3)
!14 = !DILocation(line: 14, column: 3, scope: !3)
!15 = !DILocation(line: 15, column: 3, scope: !3)
!16 = !DILocation(line: 16, column: 3, scope: !3)
