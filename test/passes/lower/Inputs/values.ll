; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Functions for values.c.

define float @my_floor_f32(float %x) {
  %r = call float @llvm.floor.f32(float %x)
  ret float %r
}
define float @my_ceil_f32(float %x) {
  %r = call float @llvm.ceil.f32(float %x)
  ret float %r
}
define float @my_trunc_f32(float %x) {
  %r = call float @llvm.trunc.f32(float %x)
  ret float %r
}
define float @my_rint_f32(float %x) {
  %r = call float @llvm.rint.f32(float %x)
  ret float %r
}
define float @my_round_f32(float %x) {
  %r = call float @llvm.round.f32(float %x)
  ret float %r
}
define float @my_roundeven_f32(float %x) {
  %r = call float @llvm.roundeven.f32(float %x)
  ret float %r
}
define double @my_floor_f64(double %x) {
  %r = call double @llvm.floor.f64(double %x)
  ret double %r
}
define double @my_ceil_f64(double %x) {
  %r = call double @llvm.ceil.f64(double %x)
  ret double %r
}
define double @my_trunc_f64(double %x) {
  %r = call double @llvm.trunc.f64(double %x)
  ret double %r
}
define double @my_rint_f64(double %x) {
  %r = call double @llvm.rint.f64(double %x)
  ret double %r
}
define double @my_round_f64(double %x) {
  %r = call double @llvm.round.f64(double %x)
  ret double %r
}
define double @my_roundeven_f64(double %x) {
  %r = call double @llvm.roundeven.f64(double %x)
  ret double %r
}
define i8 @my_ctlz_i8(i8 %x) {
  %r = call i8 @llvm.ctlz.i8(i8 %x, i1 false)
  ret i8 %r
}
define i8 @my_cttz_i8(i8 %x) {
  %r = call i8 @llvm.cttz.i8(i8 %x, i1 false)
  ret i8 %r
}
define i32 @my_ctlz_i32(i32 %x) {
  %r = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  ret i32 %r
}
define i32 @my_cttz_i32(i32 %x) {
  %r = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  ret i32 %r
}
define i64 @my_ctlz_i64(i64 %x) {
  %r = call i64 @llvm.ctlz.i64(i64 %x, i1 false)
  ret i64 %r
}
define i64 @my_cttz_i64(i64 %x) {
  %r = call i64 @llvm.cttz.i64(i64 %x, i1 false)
  ret i64 %r
}
define float @my_select_f32(i32 %c, float %x, float %y) {
  %d = icmp ne i32 %c, 0
  %r = select i1 %d, float %x, float %y
  ret float %r
}
define double @my_select_f64(i32 %c, double %x, double %y) {
  %d = icmp ne i32 %c, 0
  %r = select i1 %d, double %x, double %y
  ret double %r
}
