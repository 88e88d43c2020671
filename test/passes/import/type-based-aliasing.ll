; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Device code has no type-based alias information: programs access memory as other types than it was
; written as. What a scalar and a copy of an aggregate say of types goes; other metadata stays.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define dso_local void @kernel(
; CHECK: store i32 0, ptr %p, align 4{{$}}
; CHECK: load i16, ptr %p, align 2, !range
; CHECK-NOT: tbaa
define ptx_kernel void @kernel(ptr %p, ptr %q) {
  store i32 0, ptr %p, align 4, !tbaa !0
  %v = load i16, ptr %p, align 2, !tbaa !4, !range !7
  store i16 %v, ptr %q, align 2, !tbaa !4
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 4, i1 false), !tbaa.struct !6
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"Simple C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"short", !2}
!6 = !{i64 0, i64 4, !0}
!7 = !{i16 0, i16 100}
