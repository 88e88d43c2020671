; printf, assert, the heap and C's memory functions.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@format = private constant [4 x i8] c"%d\0A\00"
@vtable = internal constant [1 x ptr] [ptr @__cxa_pure_virtual]

; CHECK-LABEL: @print(
define ptx_kernel void @print(i1 %c) {
  %args = alloca { i32, double }
  %more = alloca { i32, i32, i32 }
; CHECK: call i32 @__vx_printf(ptr @format, ptr %args, i32 16)
  %a = call i32 @vprintf(ptr @format, ptr %args)
; CHECK: call i32 @__vx_printf(ptr @format, ptr null, i32 0)
  %b = call i32 @vprintf(ptr @format, ptr null)
; CHECK: [[SIZE:%.*]] = select i1 %c, i32 16, i32 12
; CHECK-NEXT: call i32 @__vx_printf(ptr @format, ptr %either, i32 [[SIZE]])
  %either = select i1 %c, ptr %args, ptr %more
  %d = call i32 @vprintf(ptr @format, ptr %either)
  ret void
}

; The number of arguments that the format asks for, or that there are.
; CHECK-LABEL: @counted(
define ptx_kernel void @counted(ptr %any, ptr %p) {
  %args = alloca { i32, double }
; CHECK: [[A:%.*]] = call i32 @__vx_printf(ptr @format, ptr %args, i32 16)
; CHECK-NEXT: [[FAILED:%.*]] = icmp slt i32 [[A]], 0
; CHECK-NEXT: select i1 [[FAILED]], i32 [[A]], i32 1
  %a = call i32 @vprintf(ptr @format, ptr %args)
  store i32 %a, ptr %p
; CHECK: [[B:%.*]] = call i32 @__vx_printf(ptr %any, ptr %args, i32 16)
; CHECK: select i1 {{%.*}}, i32 [[B]], i32 2
  %b = call i32 @vprintf(ptr %any, ptr %args)
  store i32 %b, ptr %p
  ret void
}

; CHECK-LABEL: @merged(
define ptx_kernel void @merged(i1 %c) {
  %args = alloca { i32, double }
  br i1 %c, label %yes, label %join
yes:
  br label %join
join:
; CHECK: [[SIZE:%.*]] = phi i32 [ 16, %yes ], [ 0, %0 ]
; CHECK: call i32 @__vx_printf(ptr @format, ptr %p, i32 [[SIZE]])
  %p = phi ptr [ %args, %yes ], [ null, %0 ]
  %d = call i32 @vprintf(ptr @format, ptr %p)
  ret void
}

; CHECK-LABEL: @memory(
define ptx_kernel void @memory(ptr %p, i64 %n) {
; CHECK: %a = call ptr @__vx_malloc(i64 %n)
  %a = call ptr @_Znam(i64 %n)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 1 %a, ptr align 1 %p, i64 %n, i1 false)
  %b = call ptr @memcpy(ptr %a, ptr %p, i64 %n)
; CHECK: call void @llvm.memset.p0.i64(ptr align 1 %a, i8 3, i64 %n, i1 false)
  %c = call ptr @memset(ptr %b, i32 3, i64 %n)
; CHECK: call void @__vx_free(ptr %a)
  call void @_ZdaPv(ptr %c)
; CHECK: call void @__vx_assert_fail(ptr %p, ptr %p, i32 12, ptr %p)
  call void @__assertfail(ptr %p, ptr %p, i32 12, ptr %p, i64 1)
  %slot = load ptr, ptr @vtable
  call void %slot()
  ret void
}

; C's mathematical functions, as builtins leave them.
; CHECK-LABEL: @mathematics(
define ptx_kernel void @mathematics(float %x, double %y, i64 %n, ptr %p) {
; CHECK: %a = call float @__nv_hypotf(float %x, float %x)
  %a = call float @hypotf(float %x, float %x)
; CHECK: %b = call i32 @__nv_ilogb(double %y)
  %b = call i32 @ilogb(double %y)
; CHECK: [[LEAST:%.*]] = call i64 @llvm.smax.i64(i64 %n, i64 -65536)
; CHECK: [[MOST:%.*]] = call i64 @llvm.smin.i64(i64 [[LEAST]], i64 65536)
; CHECK: [[INT:%.*]] = trunc i64 [[MOST]] to i32
; CHECK: %c = call double @__nv_scalbn(double %y, i32 [[INT]])
  %c = call double @scalbln(double %y, i64 %n)
; CHECK: %d = call double @__nv_remquo(double %y, double %c, ptr %p)
  %d = call double @remquo(double %y, double %c, ptr %p)
; CHECK: call double @own(double %d)
  %e = call double @own(double %d)
  ret void
}
define internal double @own(double %x) noinline {
  ret double %x
}

; CHECK: define internal void @__cxa_pure_virtual()
; CHECK-NEXT: call void @__vx_trap()
; CHECK-NEXT: unreachable
declare void @__cxa_pure_virtual()
declare i32 @vprintf(ptr, ptr)
declare float @hypotf(float, float)
declare i32 @ilogb(double)
declare double @scalbln(double, i64)
declare double @remquo(double, double, ptr)
declare ptr @_Znam(i64)
declare void @_ZdaPv(ptr)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
