; Operations that code generation would turn into branches become straight-line code.
; RUN: %vx_opt -passes=vx-expand-branchy-ops %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; With Zicond an integer select is two instructions: it stays.
; CHECK-LABEL: @select_int(
; CHECK-NEXT: select i1 %c, i32 %x, i32 %y
define i32 @select_int(i1 %c, i32 %x, i32 %y) {
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}

; A float is selected as its bits.
; CHECK-LABEL: @select_float(
; CHECK-DAG: [[X:%.*]] = bitcast float %x to i32
; CHECK-DAG: [[Y:%.*]] = bitcast float %y to i32
; CHECK: [[B:%.*]] = select i1 %c, i32 [[X]], i32 [[Y]]
; CHECK: %r = bitcast i32 [[B]] to float
; CHECK: ret float %r
define float @select_float(i1 %c, float %x, float %y) {
  %r = select i1 %c, float %x, float %y
  ret float %r
}

; Truth values are and/or; the arm that is not chosen may be poison.
; CHECK-LABEL: @select_truth(
; CHECK-DAG: [[X:%.*]] = freeze i1 {{%.*}}
; CHECK-DAG: [[A:%.*]] = and i1 %c, [[X]]
; CHECK-DAG: [[Y:%.*]] = freeze i1 {{%.*}}
; CHECK-DAG: [[B:%.*]] = and i1 {{%.*}}, [[Y]]
; CHECK: or i1 [[A]], [[B]]
; CHECK-NOT: select
; CHECK: ret
define <1 x i1> @select_truth(i1 %c, <1 x i1> %x, <1 x i1> %y) {
  %r = select i1 %c, <1 x i1> %x, <1 x i1> %y
  ret <1 x i1> %r
}


