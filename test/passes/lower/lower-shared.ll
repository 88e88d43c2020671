; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shared variables become offsets from the base of the block's shared memory.
; RUN: %vx_opt -passes=vx-map-kernels,vx-lower-shared %s | FileCheck %s
; RUN: %vx_opt -passes=vx-map-kernels,vx-lower-shared %s | FileCheck %s --check-prefix=GONE
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; GONE-NOT: addrspace(3) global
@common = internal addrspace(3) global [5 x i32] undef, align 4
@first = internal addrspace(3) global i8 undef, align 1
@second = internal addrspace(3) global [4 x i64] undef, align 8
@dynamic = external addrspace(3) global [0 x i32], align 4

; Symbols of the image name what is where, for the checkers' reports.
; CHECK:      module asm ".type \22__vx_shared.__vx_entry.direct.own.common\22, @object"
; CHECK-NEXT: module asm ".set \22__vx_shared.__vx_entry.direct.own.common\22, 0"
; CHECK-NEXT: module asm ".size \22__vx_shared.__vx_entry.direct.own.common\22, 20"
; CHECK-NEXT: module asm ".type \22__vx_shared.__vx_entry.direct.own.first\22, @object"
; CHECK-NEXT: module asm ".set \22__vx_shared.__vx_entry.direct.own.first\22, 20"
; CHECK-NEXT: module asm ".size \22__vx_shared.__vx_entry.direct.own.first\22, 1"
; CHECK:      module asm ".set \22__vx_shared.__vx_entry.direct.own.second\22, 24"

; Outside of an entry the base comes from the control block, and dynamic memory's offset from the descriptor.
; CHECK-LABEL: define void @device()
; CHECK: [[BASE:%.*]] = call ptr @__vx_shared_base()
; CHECK: getelementptr inbounds i8, ptr [[BASE]], i64 0
; CHECK: [[DESC:%.*]] = call ptr @__vx_descriptor()
; CHECK: [[FIELD:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[DESC]], i64 160
; CHECK: load i32, ptr [[FIELD]]
; CHECK: [[AGAIN:%.*]] = call ptr @__vx_shared_base()
; CHECK: getelementptr inbounds i8, ptr [[AGAIN]], i64 %
define void @device() {
  store i32 3, ptr addrspace(3) @common
  store i32 5, ptr addrspace(3) @dynamic
  ret void
}

; A constant expression over a variable; a phi takes its address at the end of the predecessor.
; CHECK-LABEL: define i32 @expression(
; CHECK: yes:
; CHECK: [[BASE:%.*]] = call ptr @__vx_shared_base()
; CHECK: getelementptr inbounds i8, ptr [[BASE]], i64 0
; CHECK: br label %end
; CHECK: phi ptr
define i32 @expression(i1 %c, ptr %p) {
entry:
  br i1 %c, label %yes, label %end
yes:
  br label %end
end:
  %a = phi ptr [ %p, %entry ], [ addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @common, i64 8) to ptr), %yes ]
  %v = load i32, ptr %a
  ret i32 %v
}

; What device functions use comes first, at the same offset for every kernel; the kernel's own
; variables follow, each aligned: 20 bytes, one byte at 20, 32 bytes from 24 on.
; CHECK-LABEL: define void @__vx_entry.direct.own(
; CHECK: %shared = getelementptr inbounds i8, ptr %{{.*}}, !vx.shared.base
; CHECK-DAG: [[FIRST:%.*]] = getelementptr inbounds i8, ptr %shared, i64 20
; CHECK-DAG: [[F3:%.*]] = addrspacecast ptr [[FIRST]] to ptr addrspace(3)
; CHECK-DAG: store i8 1, ptr addrspace(3) [[F3]]
; CHECK-DAG: [[SECOND:%.*]] = getelementptr inbounds i8, ptr %shared, i64 24
; CHECK-DAG: [[S3:%.*]] = addrspacecast ptr [[SECOND]] to ptr addrspace(3)
; CHECK-DAG: store i64 2, ptr addrspace(3) [[S3]]
; CHECK: call void @device()
define void @own() "vx-kernel" {
  store i8 1, ptr addrspace(3) @first
  store i64 2, ptr addrspace(3) @second
  call void @device()
  ret void
}

; Another kernel's variables are not in the way: dynamic memory starts at the next multiple of 16.
; CHECK-LABEL: define void @__vx_entry.direct.dyn(
; CHECK: getelementptr inbounds i8, ptr %shared, i64 32
define void @dyn() "vx-kernel" {
  store i32 4, ptr addrspace(3) @dynamic
  ret void
}

; Static bytes: a multiple of 16.
; CHECK-DAG: !{!"name", !"own", {{.*}}!"staticSharedBytes", i64 64
; CHECK-DAG: !{!"name", !"dyn", {{.*}}!"staticSharedBytes", i64 32
