; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Mapping coarsened: lane l of a hardware warp of 8 runs threads l, l + 8, l + 16 and l + 24.
; RUN: %vx_opt -passes=vx-decide-mappings,vx-clone-mappings,verify %s | FileCheck %s
; RUN: %vx_opt -passes=vx-decide-mappings,vx-print-mappings %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_block_dim_x()
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare void @__vx_barrier()
declare void @__vx_exit()

; The predicates of a lane's threads are combined, and the warp votes once; what is one value for the
; warp is computed once. Elements of other parts are at a constant distance.
; CHECK-LABEL: define void @vote.coarse(
; CHECK: %[[T:.*]] = call i32 @__vx_part_thread(i32 0, i32 8)
; CHECK: load i32, ptr %[[P:.*]], align 4
; CHECK: load i32, ptr %{{.*}}, align 4
; CHECK: load i32, ptr %{{.*}}, align 4
; CHECK: load i32, ptr %{{.*}}, align 4
; CHECK: or i1
; CHECK: or i1
; CHECK: or i1
; CHECK: call i32 @__vx_vote_any(i32 -1
; CHECK-NOT: call i32 @__vx_vote_any(i32 -1
; CHECK: mul i32 %{{.*}}, 5
; CHECK-NOT: mul i32 %{{.*}}, 5
; CHECK: ret void
; WHY-LABEL: mappings of 'vote':
; WHY: coarsened: yes
define void @vote.sw(ptr %in, ptr %out) #0 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %big = icmp sgt i32 %v, 7
  %word = zext i1 %big to i32
  %any = call i32 @__vx_vote_any(i32 -1, i32 %word)
  %five = mul i32 %any, 5
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %five, ptr %q, align 4
  ret void
}

; A shuffle by 8 is between the threads of a lane, one by 4 takes an instruction for each part.
; CHECK-LABEL: define void @down.coarse(
; CHECK-COUNT-4: load i32
; CHECK: call i32 @__vx_part_lane(i32 0, i32 8)
; CHECK: icmp ult i32 %{{.*}}, 4
; CHECK: select i1
; CHECK: call i32 @__vx_shfl_idx_32(i32 -1, i32 %{{.*}}, i32 %{{.*}}, i32 6175)
; CHECK: call i32 @__vx_shfl_idx_32(
; CHECK: call i32 @__vx_shfl_idx_32(
; CHECK: call i32 @__vx_shfl_down_32(i32 -1, i32 %{{.*}}, i32 4, i32 6175)
; CHECK-NOT: call i32 @__vx_shfl
; CHECK: ret void
define void @down.sw(ptr %in, ptr %out) #1 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %eight = call i32 @__vx_shfl_down_32(i32 -1, i32 %v, i32 8, i32 31)
  %four = call i32 @__vx_shfl_down_32(i32 -1, i32 %v, i32 4, i32 31)
  %sum = add i32 %eight, %four
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %q, align 4
  ret void
}

; Threads that differ run one after another where they do.
; CHECK-LABEL: define void @some.coarse(
; CHECK: call i32 @__vx_shfl_bfly_32(i32 -1, i32 %{{.*}}, i32 1, i32 6175)
; CHECK-COUNT-4: store i32
; CHECK: call void @__vx_barrier()
; CHECK-NOT: call void @__vx_barrier()
; CHECK: ret void
define void @some.sw(ptr %in, ptr %out) #2 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %other = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  %far = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %other, i32 16, i32 31)
  %is = icmp sgt i32 %far, 7
  br i1 %is, label %then, label %end
then:
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %far, ptr %q, align 4
  br label %end
end:
  call void @__vx_barrier()
  ret void
}

; A loop without side effects, which threads may leave at different times: all parts together, as long
; as they agree; the index is one for all of them.
; CHECK-LABEL: define void @loop.coarse(
; CHECK: loop.together:
; CHECK: %[[I:.*]] = phi i32
; CHECK-COUNT-4: load i32
; CHECK: %[[NEXT:.*]] = add i32 %[[I]], %
; CHECK: call i32 @__vx_vote_all(
; CHECK: br i1 %{{.*}}, label %loop.together, label %[[REST:.*]]
; CHECK: call void @__vx_barrier()
; CHECK: ret void
define void @loop.sw(ptr %in, ptr %out, i32 %n) #3 {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %step = call i32 @__vx_block_dim_x()
  br label %before
before:
  br label %loop
loop:
  %i = phi i32 [ %x, %before ], [ %next, %loop ]
  %sum = phi i32 [ 0, %before ], [ %more, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %wide
  %v = load i32, ptr %p, align 4
  %more = add i32 %sum, %v
  %next = add i32 %i, %step
  %stay = icmp slt i32 %next, %n
  br i1 %stay, label %loop, label %end
end:
  call void @__vx_barrier()
  %first = call i32 @__vx_shfl_idx_32(i32 -1, i32 %more, i32 0, i32 31)
  store i32 %first, ptr %out, align 4
  ret void
}

; WHY-LABEL: mappings of 'eight':
; WHY: coarsened: no: hardware warps hold all threads that exchange values
define void @eight.sw(ptr %out) #4 {
  %x = call i32 @__vx_thread_idx_x()
  %v = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %x, i32 4, i32 31)
  store i32 %v, ptr %out, align 4
  ret void
}

; WHY-LABEL: mappings of 'apart':
; WHY: coarsened: no: the threads of a warp may diverge around a warp function
define void @apart.sw(ptr %in, ptr %out) #5 {
  %x = call i32 @__vx_thread_idx_x()
  %is = icmp ult i32 %x, 5
  br i1 %is, label %then, label %end
then:
  %any = call i32 @__vx_vote_any(i32 31, i32 %x)
  store i32 %any, ptr %out, align 4
  br label %end
end:
  call void @__vx_barrier()
  ret void
}

; WHY-LABEL: mappings of 'ends':
; WHY: coarsened: no: a thread may end in the middle, and its lane runs others
define void @ends.sw(ptr %in, ptr %out) #6 {
  %x = call i32 @__vx_thread_idx_x()
  %any = call i32 @__vx_vote_any(i32 -1, i32 %x)
  store i32 %any, ptr %out, align 4
  %is = icmp ult i32 %x, 5
  br i1 %is, label %then, label %end
then:
  call void @__vx_exit()
  br label %end
end:
  store i32 %x, ptr %in, align 4
  ret void
}

; The region begins with the head of a loop. Its four loads let two parts run together, so there are two groups, whose
; loops are entered from different places.
; CHECK-LABEL: define void @rows.coarse(
; CHECK: loop.before:
; CHECK-NEXT: br label %loop.together
; CHECK: group:
; CHECK: br label %[[SECOND:loop.together[0-9]+]]
; CHECK: apart:
; CHECK-NEXT: br label %loop
; CHECK: loop.together:
; CHECK-NEXT: phi i64 [ %{{.*}}, %loop.together ], [ %{{.*}}, %loop.before ]
; CHECK: [[SECOND]]:
; CHECK-NEXT: phi i64 [ %{{.*}}, %[[SECOND]] ], [ %{{.*}}, %group ]
; CHECK: ret void
define void @rows.sw(ptr %in, ptr %out, i64 %n) #7 {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %t = zext nneg i32 %x to i64
  br label %outer

outer:
  %row = phi i64 [ 0, %entry ], [ %row.next, %outer.latch ]
  br label %loop

loop:
  %i = phi i64 [ %t, %outer ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %outer ], [ %sum.next, %loop ]
  %base = mul i64 %row, 128
  %at = add i64 %base, %i
  %p0 = getelementptr i32, ptr %in, i64 %at
  %p1 = getelementptr i8, ptr %p0, i64 4096
  %p2 = getelementptr i8, ptr %p0, i64 8192
  %p3 = getelementptr i8, ptr %p0, i64 12288
  %v0 = load i32, ptr %p0, align 4
  %v1 = load i32, ptr %p1, align 4
  %v2 = load i32, ptr %p2, align 4
  %v3 = load i32, ptr %p3, align 4
  %s1 = mul i32 %v0, %v1
  %s2 = mul i32 %v2, %v3
  %s3 = add i32 %s1, %s2
  %sum.next = add i32 %sum, %s3
  %i.next = add nuw i64 %i, 32
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %s = call i32 @__vx_shfl_down_32(i32 -1, i32 %sum.next, i32 16, i32 31)
  %q = getelementptr i32, ptr %out, i64 %t
  store i32 %s, ptr %q, align 4
  br label %outer.latch

outer.latch:
  %row.next = add i64 %row, 1
  %again = icmp ult i64 %row.next, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
attributes #0 = { "vx-kernel" "vx-software" "vx-source-name"="vote" }
attributes #1 = { "vx-kernel" "vx-software" "vx-source-name"="down" }
attributes #2 = { "vx-kernel" "vx-software" "vx-source-name"="some" }
attributes #3 = { "vx-kernel" "vx-software" "vx-source-name"="loop" }
attributes #4 = { "vx-kernel" "vx-software" "vx-source-name"="eight" }
attributes #5 = { "vx-kernel" "vx-software" "vx-source-name"="apart" }
attributes #6 = { "vx-kernel" "vx-software" "vx-source-name"="ends" }
attributes #7 = { "vx-kernel" "vx-software" "vx-source-name"="rows" }

!vx.mappings = !{!0, !1, !2, !3, !4, !5, !6, !7}
!0 = !{!"vote", !"coarsened", !""}
!1 = !{!"down", !"coarsened", !""}
!2 = !{!"some", !"coarsened", !""}
!3 = !{!"loop", !"coarsened", !""}
!4 = !{!"eight", !"coarsened", !""}
!5 = !{!"apart", !"coarsened", !""}
!6 = !{!"ends", !"coarsened", !""}
!7 = !{!"rows", !"coarsened", !""}
