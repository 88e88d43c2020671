; vx-opencl-lower-printf packs the arguments; a vector is printed element by element.
;
; RUN: %vx_opt -passes=vx-opencl-lower-printf %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@vector = private addrspace(4) constant [14 x i8] c"%5.2v2hlf %d\0A\00"
@star = private addrspace(4) constant [6 x i8] c"%*d%%\00"
@bytes = private addrspace(4) constant [8 x i8] c"%v2hhx\0A\00"
@hello = private addrspace(4) constant [6 x i8] c"hello\00"

; CHECK-DAG: @[[FORMAT:format[.0-9]*]] = private unnamed_addr addrspace(4) constant {{.*}} c"%5.2f,%5.2f %d\0A\00"
; CHECK-DAG: c"%hhx,%hhx\0A\00"

declare i32 @printf(ptr addrspace(4), ...)

define i32 @two(<2 x float> %v, i32 %n) {
; CHECK-LABEL: define i32 @two
; CHECK: alloca { double, double, i32 }
; CHECK: extractelement <2 x float> %v, i64 0
; CHECK: fpext float
; CHECK: extractelement <2 x float> %v, i64 1
; CHECK: %[[DONE:.*]] = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @[[FORMAT]] to ptr), ptr
; CHECK: %[[FAILED:.*]] = icmp slt i32 %[[DONE]], 0
; CHECK: %[[RESULT:.*]] = select i1 %[[FAILED]], i32 -1, i32 0
; CHECK: ret i32 %[[RESULT]]
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @vector, <2 x float> %v, i32 %n)
  ret i32 %r
}

define void @width(i32 %w, i32 %n) {
; CHECK-LABEL: define void @width
; CHECK: alloca { i32, i32 }
; CHECK: call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @star to ptr)
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @star, i32 %w, i32 %n)
  ret void
}

; Elements below 32 bits are widened as their conversion says.
define void @unsigned(<2 x i8> %v) {
; CHECK-LABEL: define void @unsigned
; CHECK: zext i8
; CHECK: zext i8
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @bytes, <2 x i8> %v)
  ret void
}

define void @nothing() {
; CHECK-LABEL: define void @nothing
; CHECK: call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @hello to ptr), ptr null)
  %r = call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) @hello)
  ret void
}
