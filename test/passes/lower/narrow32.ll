; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers shrink to 32 bits; every object in memory stays where the 64-bit layout has it.
; RUN: %vx_opt -passes=vx-narrow32 %s | FileCheck %s
; RUN: %vx_opt -passes=vx-narrow32,vx-narrow32 %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

%node = type { i8, ptr, i32 }

; CHECK: target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
; CHECK: target triple = "riscv32-unknown-elf"

; An initializer is written out with its padding and the high halves of its pointers.
; CHECK: @one = global <{ i8, [7 x i8], ptr, i32, i32, [4 x i8] }> <{ i8 1, [7 x i8] zeroinitializer, ptr getelementptr inbounds (i8, ptr @many, i32 32), i32 0, i32 7, [4 x i8] zeroinitializer }>, align 8
@one = global %node { i8 1, ptr getelementptr inbounds ([4 x %node], ptr @many, i64 0, i64 1, i32 1), i32 7 }
; CHECK: @many = internal global [96 x i8] zeroinitializer, align 16
@many = internal global [4 x %node] zeroinitializer, align 16
; An address as an integer too; what holds no address is left alone.
; CHECK: @number = global <{ ptr, i32, i32, i32 }> <{ ptr @plain, i32 0, i32 {{.*}}@one to i32{{.*}}, i32 0 }>, align 8
@number = global { ptr, i64 } { ptr @plain, i64 ptrtoint (ptr @one to i64) }
; CHECK: @plain = global { i32, i64 } { i32 1, i64 2 }
@plain = global { i32, i64 } { i32 1, i64 2 }

; CHECK-LABEL: @address(
; CHECK: %[[SCALED:.*]] = mul i64 %i, 24
; CHECK: %[[OFFSET:.*]] = add i64 %[[SCALED]], 16
; CHECK: %[[SHORT:.*]] = trunc i64 %[[OFFSET]] to i32
; CHECK: getelementptr inbounds i8, ptr %p, i32 %[[SHORT]]
define ptr @address(ptr %p, i64 %i) {
  %q = getelementptr inbounds %node, ptr %p, i64 %i, i32 2
  ret ptr %q
}

; CHECK-LABEL: @operand(
; CHECK: store i32 1, ptr getelementptr (i8, ptr @many, i32 40)
define void @operand() {
  store i32 1, ptr getelementptr ([4 x %node], ptr @many, i64 0, i64 1, i32 2)
  ret void
}

; A pointer store clears the other half of its slot first.
; CHECK-LABEL: @slot(
; CHECK: %local = alloca [24 x i8], align 8
; CHECK: %[[HIGH:.*]] = getelementptr i8, ptr %p, i32 4
; CHECK-NEXT: store i32 0, ptr %[[HIGH]], align 4
; CHECK-NEXT: store ptr %local, ptr %p, align 8
define void @slot(ptr %p) {
  %local = alloca %node, align 8
  store ptr %local, ptr %p, align 8
  ret void
}

; CHECK-LABEL: @aggregate(
; CHECK: load ptr, ptr %p, align 8
; CHECK: getelementptr i8, ptr %p, i32 8
; CHECK: load i32, {{.*}} align 8
; CHECK: store i32 0, {{.*}} align 4
; CHECK: store ptr {{.*}}, ptr %q, align 8
; CHECK: getelementptr i8, ptr %q, i32 8
; CHECK: store i32 {{.*}}, align 8
define void @aggregate(ptr %p, ptr %q) {
  %v = load { ptr, i32 }, ptr %p, align 8
  store { ptr, i32 } %v, ptr %q, align 8
  ret void
}

; CHECK-LABEL: @vector(
; CHECK: load ptr, ptr %p, align 16
; CHECK: getelementptr i8, ptr %p, i32 8
; CHECK: load ptr, {{.*}} align 8
; CHECK: insertelement
define <2 x ptr> @vector(ptr %p) {
  %v = load <2 x ptr>, ptr %p, align 16
  ret <2 x ptr> %v
}

; CHECK-LABEL: @atomic(
; CHECK: %[[BITS:.*]] = ptrtoint ptr %v to i64
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr %p, i64 %[[BITS]] monotonic, align 8
; CHECK: inttoptr i64 %[[OLD]] to ptr
; CHECK: cmpxchg ptr %p, i64 {{.*}}, i64 {{.*}} monotonic monotonic, align 8
define i1 @atomic(ptr %p, ptr %v) {
  %old = atomicrmw xchg ptr %p, ptr %v monotonic, align 8
  %pair = cmpxchg ptr %p, ptr %old, ptr %v monotonic monotonic, align 8
  %done = extractvalue { ptr, i1 } %pair, 1
  ret i1 %done
}

; CHECK-LABEL: @lengths(
; CHECK: call void @llvm.memcpy.p0.p0.i32(ptr align 8 %p, ptr align 8 %q, i32 24, i1 false)
; CHECK: call void @llvm.memset.p0.i32(ptr %p, i8 0, i32 {{.*}}, i1 false)
; CHECK: call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 -16)
define ptr @lengths(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  ret ptr %a
}

; CHECK-LABEL: @byvalue(
; CHECK-SAME: ptr byval([24 x i8]) align 8 %s
; CHECK: call void @byvalue(ptr byval([24 x i8]) align 8 %s)
define void @byvalue(ptr byval(%node) align 8 %s) {
  call void @byvalue(ptr byval(%node) align 8 %s)
  ret void
}

; A 64-bit counter is read in halves; other machine registers have 32 bits.
; CHECK-LABEL: @registers(
; CHECK: call i32 asm sideeffect "csrr $0, 0xB80"
; CHECK: call i32 asm sideeffect "csrr $0, 0xB00"
; CHECK: call i32 asm sideeffect "csrr $0, 0xB80"
; CHECK: %[[CSR:.*]] = call i32 asm "csrr $0, 0x340"
; CHECK: zext i32 %[[CSR]] to i64
define i64 @registers() {
  %t = call i64 asm sideeffect "csrr $0, 0xB00", "=r,~{memory}"()
  %s = call i64 asm "csrr $0, 0x340", "=r"()
  %r = add i64 %t, %s
  ret i64 %r
}
