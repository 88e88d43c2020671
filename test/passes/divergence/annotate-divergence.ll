; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Uniform branches are marked, divergent forks take a split and a join.
; RUN: %vx_opt -passes=vx-annotate-divergence %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A kernel's argument is one value for all lanes: the branch is only marked. The mark is on an operand
; of the compare, so that code generation fuses compare and branch.
; CHECK-LABEL: @uniform(
; CHECK: [[N:%.*]] = sext i32 %n to i64
; CHECK: [[OPAQUE:%.*]] = call i64 asm sideeffect "{{.*}}.vx.uniform,{{.*}} # vx.uniform 0", "=r,0"(i64 [[N]])
; CHECK: [[COND:%.*]] = icmp eq i64 [[OPAQUE]], 0
; CHECK: br i1 [[COND]], label %yes, label %no
; CHECK-NOT: vx.join
define void @uniform(i32 %n, ptr %p) #0 {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; A condition that is not an integer compare is marked itself.
; CHECK-LABEL: @uniform_float(
; CHECK: [[C:%.*]] = zext i1 %c to i64
; CHECK: [[OPAQUE:%.*]] = call i64 asm sideeffect "{{.*}} # vx.uniform 0", "=r,0"(i64 [[C]])
; CHECK: [[COND:%.*]] = icmp ne i64 [[OPAQUE]], 0
; CHECK: br i1 [[COND]]
define void @uniform_float(float %n, ptr %p) #0 {
  %c = fcmp oeq float %n, 0.0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; A device function may be called with anything: the same branch diverges.
; CHECK-LABEL: @argument(
; CHECK: [[SPLIT:%.*]] = call { i64, i64 } asm sideeffect ".insn r 0x0B, 2, 0, $0, $2, x0 # vx.split 0", "=&r,=r,1"(i64
; CHECK: [[TOKEN:%.*]] = extractvalue { i64, i64 } [[SPLIT]], 0
; CHECK: [[PASSED:%.*]] = extractvalue { i64, i64 } [[SPLIT]], 1
; CHECK: [[COND:%.*]] = icmp ne i64 [[PASSED]], 0
; CHECK: br i1 [[COND]], label %yes, label %no.join
; CHECK: yes:
; CHECK: br label %no.join
; CHECK: no.join:
; CHECK-NEXT: call void asm sideeffect ".insn r 0x0B, 3, 0, x0, $0, x0 # vx.join 0", "r"(i64 [[TOKEN]])
; CHECK-NEXT: br label %no
define void @argument(i32 %n, ptr %p) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; What is the same for the block does not diverge, what differs between threads does.
; CHECK-LABEL: @coordinates(
; CHECK: # vx.uniform 0
; CHECK: br i1 {{.*}}, label %first, label %join
; CHECK: # vx.split 1
; CHECK: br i1 {{.*}}, label %second, label %end.join
; CHECK: # vx.join 1
define void @coordinates(ptr %p) #0 {
  %bid = call i32 @__vx_block_idx_x()
  %b = icmp eq i32 %bid, 0
  br i1 %b, label %first, label %join
first:
  store i32 1, ptr %p
  br label %join
join:
  %tid = call i32 @__vx_thread_idx_x()
  %t = icmp eq i32 %tid, 0
  br i1 %t, label %second, label %end
second:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

; A load from a uniform address is uniform; an atomic result is each lane's own.
; CHECK-LABEL: @memory(
; CHECK: # vx.uniform 0
; CHECK: br i1 {{.*}}, label %first, label %join
; CHECK: # vx.split 1
; CHECK: br i1 {{.*}}, label %second, label %end.join
; CHECK: # vx.join 1
define void @memory(ptr %p) #0 {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %first, label %join
first:
  store i32 1, ptr %p
  br label %join
join:
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %d = icmp eq i32 %old, 7
  br i1 %d, label %second, label %end
second:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

; The address of a local differs between lanes, so what is loaded from it does too.
; CHECK-LABEL: @local(
; CHECK: # vx.split 0
; CHECK: # vx.join 0
define void @local(ptr %p) #0 {
  %a = alloca [4 x i32]
  call void @use(ptr %a)
  %v = load i32, ptr %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; Forks are numbered from the innermost outwards; the inner join comes before the outer one.
; CHECK-LABEL: @numbers(
; CHECK: # vx.split 1
; CHECK: outer:
; CHECK: # vx.split 0
; CHECK: # vx.join 0
; CHECK: # vx.join 1
; CHECK-NOT: vx.
define void @numbers(i32 %n, i32 %m, ptr %p) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %outer, label %no
outer:
  %d = icmp eq i32 %m, 0
  br i1 %d, label %inner, label %join
inner:
  store i32 1, ptr %p
  br label %join
join:
  br label %no
no:
  ret void
}

; Nothing to do, nothing done.
; CHECK-LABEL: @straight(
; CHECK-NOT: asm
; CHECK: ret void
define void @straight(ptr %p) {
  store i32 1, ptr %p
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_block_idx_x() memory(none)
declare void @use(ptr)
attributes #0 = { "vx-kernel" }
