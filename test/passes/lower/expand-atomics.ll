; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic operations without an AMO become loops over load-reserved and store-conditional.
; RUN: %vx_opt -passes=vx-expand-atomics %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: @__vx_unreserved = internal global i64 0, align 8

; These are instructions.
; CHECK-LABEL: @amos(
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 monotonic
; CHECK-NEXT: atomicrmw umax ptr %p, i64 2 monotonic
; CHECK-NEXT: atomicrmw xchg ptr %p, i32 3 monotonic
; CHECK-NEXT: atomicrmw sub ptr %p, i32 4 monotonic
; CHECK-NEXT: ret void
define void @amos(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 monotonic
  %b = atomicrmw umax ptr %p, i64 2 monotonic
  %c = atomicrmw xchg ptr %p, i32 3 monotonic
  %d = atomicrmw sub ptr %p, i32 4 monotonic
  ret void
}

; Compare-and-swap: one piece of assembly without a branch, which stores where nothing is reserved if the
; comparison fails; again where it held and the store failed.
; CHECK-LABEL: @cas(
; CHECK: [[E:%.*]] = sext i32 %e to i64
; CHECK: [[D:%.*]] = sext i32 %d to i64
; CHECK: atomic:
; CHECK: [[TRY:%.*]] = call { i64, i64, i64, i64 } asm sideeffect "lr.w.aqrl $0, ($4){{.*}}xor $3, $4, $7\0Aand $3, $3, $2\0Axor $3, $3, $7\0Asc.w.rl $1, $6, ($3)", "=&r,=&r,=&r,=&r,r,r,r,r,~{memory}"(ptr %p, i64 [[E]], i64 [[D]], ptr @__vx_unreserved)
; CHECK: [[WAS:%.*]] = extractvalue { i64, i64, i64, i64 } [[TRY]], 0
; CHECK: [[OLD:%.*]] = trunc i64 [[WAS]] to i32
; CHECK: [[SC:%.*]] = extractvalue { i64, i64, i64, i64 } [[TRY]], 1
; CHECK: [[EQUAL:%.*]] = extractvalue { i64, i64, i64, i64 } [[TRY]], 2
; CHECK: [[AND:%.*]] = and i64 [[SC]], [[EQUAL]]
; CHECK: [[LOST:%.*]] = icmp ne i64 [[AND]], 0
; CHECK: br i1 [[LOST]], label %atomic, label
; CHECK: [[R:%.*]] = insertvalue { i32, i1 } poison, i32 [[OLD]], 0
; CHECK: [[EQ:%.*]] = icmp eq i32 [[OLD]], %e
; CHECK: insertvalue { i32, i1 } [[R]], i1 [[EQ]], 1
define { i32, i1 } @cas(ptr %p, i32 %e, i32 %d) {
  %r = cmpxchg ptr %p, i32 %e, i32 %d monotonic monotonic
  ret { i32, i1 } %r
}

; CHECK-LABEL: @cas64(
; CHECK: "lr.d.aqrl $0, ($4){{.*}}sc.d.rl $1, $6, ($3)"
define { i64, i1 } @cas64(ptr %p, i64 %e, i64 %d) {
  %r = cmpxchg ptr %p, i64 %e, i64 %d seq_cst seq_cst
  ret { i64, i1 } %r
}

; In shared memory, whose pointers are of another type than that of the word that is never reserved.
; CHECK-LABEL: @cas_shared(
; CHECK: lr.w.aqrl {{.*}}(ptr addrspace(3) %p, i64 0, i64 1, ptr @__vx_unreserved)
; CHECK: lr.w.aqrl {{.*}}(ptr addrspace(3) %q, ptr addrspace(3) {{.*}}, ptr @__vx_unreserved)
define void @cas_shared(ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %a = cmpxchg ptr addrspace(3) %p, i32 0, i32 1 monotonic monotonic
  %b = cmpxchg ptr addrspace(3) %q, i8 0, i8 1 monotonic monotonic
  ret void
}

; A pointer and a float go as their bits.
; CHECK-LABEL: @cas_pointer(
; CHECK: ptrtoint ptr %e to i64
; CHECK: lr.d
; CHECK: inttoptr i64
define { ptr, i1 } @cas_pointer(ptr %p, ptr %e, ptr %d) {
  %r = cmpxchg ptr %p, ptr %e, ptr %d monotonic monotonic
  ret { ptr, i1 } %r
}

; Sixteen bits: load-reserved and store-conditional of the word around them, which store the neighbours
; as they were loaded. A hint says which part of the word is meant.
; CHECK-LABEL: @cas16(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[W:%.*]] = and i64 [[A]], -4
; CHECK: [[WORD:%.*]] = inttoptr i64 [[W]] to ptr
; CHECK: [[MASK:%.*]] = shl i32 65535,
; CHECK: atomic:
; CHECK-NOT: load
; CHECK: [[E:%.*]] = sext i32 %{{.*}} to i64
; CHECK: [[D:%.*]] = sext i32 %{{.*}} to i64
; CHECK: [[M:%.*]] = sext i32 [[MASK]] to i64
; CHECK: [[TRY:%.*]] = call { i64, i64, i64, i64 } asm sideeffect "slti x0, $4, 4\0Alr.w.aqrl $0, ($5){{.*}}and $2, $2, $8{{.*}}sc.w.rl $1, $3, ($1)", {{.*}}(ptr %p, ptr [[WORD]], i64 [[E]], i64 [[D]], i64 [[M]], ptr @__vx_unreserved)
; CHECK: [[LOST:%.*]] = icmp ne i64 %{{.*}}, 0
; CHECK: br i1 [[LOST]], label %atomic
define { i16, i1 } @cas16(ptr %p, i16 %e, i16 %d) {
  %r = cmpxchg ptr %p, i16 %e, i16 %d monotonic monotonic
  ret { i16, i1 } %r
}

; Read, compute, swap if it is still that; the lanes that succeed leave.
; CHECK-LABEL: @add_float(
; CHECK: atomic:
; CHECK: [[NOW:%.*]] = load volatile float, ptr %p
; CHECK: [[NEW:%.*]] = fadd float [[NOW]], %v
; CHECK: [[BITS:%.*]] = bitcast float [[NOW]] to i32
; CHECK: lr.w.aqrl
; CHECK: [[STORED:%.*]] = icmp eq i64 %{{.*}}, 0
; CHECK: [[SAME:%.*]] = icmp eq i32 %{{.*}}, [[BITS]]
; CHECK: [[DONE:%.*]] = and i1 [[STORED]], [[SAME]]
; CHECK-NOT: cmpxchg
; CHECK: label %atomic
; CHECK: ret float [[NOW]]
define float @add_float(ptr %p, float %v) {
  %r = atomicrmw fadd ptr %p, float %v monotonic
  ret float %r
}

; CHECK-LABEL: @add_double(
; CHECK: fadd double
; CHECK: lr.d.aqrl
define double @add_double(ptr %p, double %v) {
  %r = atomicrmw fadd ptr %p, double %v monotonic
  ret double %r
}

; CUDA's atomicInc and atomicDec.
; CHECK-LABEL: @wrap(
; CHECK: icmp uge i32
; CHECK: lr.w.aqrl
; CHECK: lr.w.aqrl
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @wrap(ptr %p, i32 %v) {
  %a = atomicrmw uinc_wrap ptr %p, i32 %v monotonic
  %b = atomicrmw udec_wrap ptr %p, i32 %v monotonic
  ret void
}

; An exchange of floats is one of integers; of a byte, a loop.
; CHECK-LABEL: @exchange(
; CHECK: [[B:%.*]] = bitcast float %v to i32
; CHECK: [[O:%.*]] = atomicrmw xchg ptr %p, i32 [[B]] monotonic
; CHECK: bitcast i32 [[O]] to float
; CHECK: atomic:
; CHECK: load volatile i8
; CHECK: slti x0, $4, 3
; CHECK: lr.w.aqrl
; CHECK-NOT: atomic{{[0-9]*}}:
; CHECK-NOT: atomicrmw
; CHECK: ret float
define float @exchange(ptr %p, float %v, i8 %b) {
  %r = atomicrmw xchg ptr %p, float %v monotonic
  %s = atomicrmw xchg ptr %p, i8 %b monotonic
  ret float %r
}

; Loads and stores need nothing.
; CHECK-LABEL: @plain(
; CHECK-NEXT: load atomic i32
; CHECK-NEXT: store atomic i32
define void @plain(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %v, ptr %p release, align 4
  ret void
}
