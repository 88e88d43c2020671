; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops over threads run groups of them as lanes; what is left of the last group runs as before.
; RUN: %vx_opt -passes=vx-widen-threads %s | FileCheck %s
; RUN: %vx_opt -passes=vx-widen-threads -pass-remarks-missed=vx-widen-threads %s -o /dev/null 2>&1 | FileCheck --check-prefix=WHY %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Neighbouring threads have neighbouring elements; a guard is a mask.
; CHECK-LABEL: @guarded(
; CHECK: [[WHOLE:%.*]] = and i32 %threads, -16
; CHECK: [[FIRST:%.*]] = phi i32 [ 0, %entry ]
; CHECK: icmp ult i32 [[FIRST]], [[WHOLE]]
; CHECK: [[MASK:%.*]] = icmp slt <16 x i32> {{.*}}
; CHECK: call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> [[MASK]])
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 {{.*}}, <16 x i1> [[MASK]]
; CHECK: fmul <16 x float>
; CHECK: call void @llvm.masked.store.v16f32.p0(
; CHECK: phi i32 [ [[FIRST]], %groups.rest ]
define void @guarded(i32 %threads, i32 %base, i32 %n, ptr %p) #0 {
entry:
  br label %header
header:
  %t = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i32 %t, %threads
  br i1 %more, label %body, label %done
body:
  %i = add i32 %base, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %latch
then:
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %at
  %w = fmul float %v, %v
  store float %w, ptr %at
  br label %latch
latch:
  %next = add nuw i32 %t, 1
  br label %header, !llvm.loop !0
done:
  ret void
}

; A loop that lanes leave one by one goes on until the last has left it. Its count is one for all.
; CHECK-LABEL: @oneByOne(
; CHECK: phi i32 [ 0, %group ]
; CHECK: [[LIVE:%.*]] = phi <16 x i1> [ splat (i1 true), %group ]
; CHECK: fadd <16 x float>
; CHECK: select <16 x i1> [[LIVE]]
; CHECK: call i1 @llvm.vector.reduce.or.v16i1(
define void @oneByOne(i32 %threads, ptr %p, float %limit) #0 {
entry:
  br label %header
header:
  %t = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i32 %t, %threads
  br i1 %more, label %body, label %done
body:
  %wide = zext i32 %t to i64
  %at = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %at
  br label %inner
inner:
  %k = phi i32 [ 0, %body ], [ %k1, %inner ]
  %s = phi float [ %v, %body ], [ %s1, %inner ]
  %s1 = fadd float %s, %s
  %k1 = add i32 %k, 1
  %far = fcmp ogt float %s1, %limit
  br i1 %far, label %latch, label %inner
latch:
  %r = phi float [ %s1, %inner ]
  %c = phi i32 [ %k1, %inner ]
  %cf = uitofp i32 %c to float
  %sum = fadd float %r, %cf
  store float %sum, ptr %at
  %next = add nuw i32 %t, 1
  br label %header, !llvm.loop !0
done:
  ret void
}

; The threads of a warp are one group, in which a read of another lane's element is a move.
; CHECK-LABEL: @exchange(
; CHECK-NOT: phi
; CHECK: store <32 x i32>
; CHECK: [[ALL:%.*]] = load <32 x i32>, ptr
; CHECK: shufflevector <32 x i32> [[ALL]], <32 x i32> poison, <32 x i32> <i32 1, i32 0, i32 3,
; CHECK: ret void
define void @exchange(ptr %p) #0 {
entry:
  %lanes = alloca [128 x i8], align 64, !vx.lane.arrays !2
  br label %header
header:
  %t = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %t, 32
  br i1 %more, label %body, label %second
body:
  %wide = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %at
  %own = getelementptr i32, ptr %lanes, i64 %wide
  store i32 %v, ptr %own
  %next = add nuw i32 %t, 1
  br label %header, !llvm.loop !0
second:
  br label %header2
header2:
  %u = phi i32 [ 0, %second ], [ %next2, %body2 ]
  %more2 = icmp ult i32 %u, 32
  br i1 %more2, label %body2, label %done
body2:
  %other = xor i32 %u, 1
  %wide2 = zext i32 %other to i64
  %from = getelementptr i32, ptr %lanes, i64 %wide2
  %o = load i32, ptr %from
  %wide3 = zext i32 %u to i64
  %to = getelementptr i32, ptr %p, i64 %wide3
  store i32 %o, ptr %to
  %next2 = add nuw i32 %u, 1
  br label %header2, !llvm.loop !0
done:
  ret void
}

; Threads may wait for each other.
; CHECK-LABEL: @lock(
; CHECK-NOT: <16 x
; CHECK: ret void
; WHY: threads are not lanes of vectors: a loop with atomic operations whose results are used
define void @lock(i32 %threads, ptr %p) #0 {
entry:
  br label %header
header:
  %t = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i32 %t, %threads
  br i1 %more, label %body, label %done
body:
  br label %wait
wait:
  %old = atomicrmw xchg ptr %p, i32 1 seq_cst
  %free = icmp eq i32 %old, 0
  br i1 %free, label %latch, label %wait
latch:
  store i32 0, ptr %p
  %next = add nuw i32 %t, 1
  br label %header, !llvm.loop !0
done:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v3" }
!0 = distinct !{!0, !1}
!1 = !{!"vx.loop.unit", i32 3}
!2 = !{}
