; Kernels become functions with the attribute vx-kernel; bounds and the chosen lowering become
; attributes; what neither a kernel nor the host reaches goes.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@name = private constant [9 x i8] c"vx.lower\00"
@file = private constant [5 x i8] c"a.cu\00"
@choice = private constant [3 x i8] c"sw\00"
@args = private constant { ptr } { ptr @choice }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @bounded, ptr @name, ptr @file, i32 3, ptr @args }], section "llvm.metadata"

; CHECK: target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
; CHECK: target triple = "riscv64-unknown-elf"
; CHECK-NOT: llvm.global.annotations

; CHECK: define dso_local void @bounded(ptr byval([2 x i32]) align 4 %s) #[[BOUNDED:[0-9]+]]
; CHECK-NEXT: call i32 @helper
define ptx_kernel void @bounded(ptr byval([2 x i32]) align 4 %s) #0 {
  %v = call i32 @helper(i32 1)
  ret void
}

; CHECK: define dso_local void @plain() #[[PLAIN:[0-9]+]]
define protected ptx_kernel void @plain() #1 {
  ret void
}

; CHECK: define internal i32 @helper(i32 %x)
define weak_odr i32 @helper(i32 %x) {
  ret i32 %x
}

; A device function that nothing calls cannot be an error.
; CHECK-NOT: @unused
define void @unused() {
  call void @tex2D()
  ret void
}
declare void @tex2D()

; Variable arguments are passed in memory, aligned as for NVPTX.
; CHECK-LABEL: define dso_local void @calls(
; CHECK: store i32 7, ptr
; CHECK: store double 2.000000e+00, ptr
; CHECK: call i32 @sum(i32 1, ptr {{.*}})
; CHECK-LABEL: define internal i32 @sum(i32 %n, ptr %varargs)
; CHECK-NOT: llvm.va_
define ptx_kernel void @calls(ptr %p) {
  %v = call i32 (i32, ...) @sum(i32 1, i32 7, double 2.0)
  store i32 %v, ptr %p
  ret void
}
define i32 @sum(i32 %n, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %at = load ptr, ptr %list
  %v = load i32, ptr %at
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %v
}

; CHECK: attributes #[[BOUNDED]] = { convergent "vx-kernel" "vx-lower"="sw" "vx-max-threads"="256" "vx-min-blocks"="2" }
; CHECK: attributes #[[PLAIN]] = { "vx-kernel" "vx-max-threads"="64" }
attributes #0 = { convergent "nvvm.maxntid"="256" "nvvm.minctasm"="2" "target-cpu"="sm_80" "target-features"="+ptx80" }
attributes #1 = { "nvvm.reqntid"="8,4,2" "uniform-work-group-size" "frame-pointer"="all" }

; Only what describes debug information stays.
; CHECK-NOT: nvvm
; CHECK: !llvm.module.flags = !{![[FLAG:[0-9]+]]}
; CHECK: ![[FLAG]] = !{i32 2, !"Debug Info Version", i32 3}
!llvm.module.flags = !{!0, !1}
!nvvmir.version = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 2, i32 0}
