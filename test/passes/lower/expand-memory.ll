; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Copies that would become library calls become loops; a few words stay.
; RUN: %vx_opt -passes=vx-expand-memory %s | FileCheck %s
; RUN: %vx_opt -passes=vx-expand-memory %s | llc -mattr=+m,+a,+f,+d,+zicond | FileCheck %s --check-prefix=ASM
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; ASM-NOT: {{call|tail}}

; CHECK-LABEL: @few_words(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: ret void
define void @few_words(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %b, i64 32, i1 false)
  ret void
}

; 32 bytes at any address are 32 accesses: that is a call.
; CHECK-LABEL: @few_bytes(
; CHECK-NOT: llvm.memcpy
; CHECK: load i8
define void @few_bytes(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %a, ptr align 1 %b, i64 32, i1 false)
  ret void
}

; Aligned, the loop copies words of that size.
; CHECK-LABEL: @many_words(
; CHECK-NOT: llvm.memcpy
; CHECK: load i64
; CHECK: store i64
; CHECK: br i1
define void @many_words(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %b, i64 4096, i1 false)
  ret void
}

; CHECK-LABEL: @any_length(
; CHECK-NOT: llvm.memcpy
; CHECK: br i1
; CHECK: ret void
define void @any_length(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 %n, i1 false)
  ret void
}

; memmove looks which way round is safe.
; CHECK-LABEL: @overlapping(
; CHECK-NOT: llvm.memmove
; CHECK: icmp ult ptr %b, %a
; CHECK: ret void
define void @overlapping(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: @fill(
; CHECK-NOT: llvm.memset
; CHECK: store i8 %v
; CHECK: ret void
define void @fill(ptr %a, i8 %v, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %a, i8 %v, i64 %n, i1 false)
  ret void
}
