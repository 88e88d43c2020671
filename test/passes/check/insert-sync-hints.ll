; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-insert-sync-hints %s | FileCheck %s
; RUN: sed 's/"vx.forCheckers", i32 1/"vx.forCheckers", i32 0/' %s | %vx_opt -passes=vx-insert-sync-hints | FileCheck --check-prefix=OFF %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; OFF-NOT: slti
define void @k(ptr %p, i32 %mask) "vx-kernel" {
; CHECK-LABEL: @k
; CHECK-NEXT: slti x0, $0, 10"
; CHECK-NEXT: slti x0, $0, 14"{{.*}}(i32 4)
; CHECK-NEXT: slti x0, $0, 15"
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: slti x0, $0, 20"
; CHECK-NEXT: slti x0, $0, 14"{{.*}}(i32 [[SYNC:[0-9]+]])
; CHECK-NEXT: slti x0, $0, 18"{{.*}}(i32 %mask)
; CHECK-NEXT: call void @__vx_warp_sync(i32 %mask)
; CHECK-NEXT: slti x0, $0, 20"
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: slti x0, $0, 14"{{.*}}(i32 [[VOTE:[0-9]+]])
; CHECK-NEXT: slti x0, $0, 19"{{.*}}(i32 %mask)
; CHECK-NEXT: call i32 @__vx_vote_ballot(i32 %mask, i32 1)
; CHECK-NEXT: slti x0, $0, 20"
; CHECK-NEXT: slti x0, $0, 12"
; CHECK-NEXT: call void @__vx_fence_block()
; CHECK-NEXT: slti x0, $0, 13"
; CHECK-NEXT: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: slti x0, $0, 9"{{.*}}(i64 [[A]])
; CHECK-NEXT: store atomic i32 1, ptr %p release
; CHECK-NEXT: slti x0, $0, 9"{{.*}}(i32 0)
; CHECK-NEXT: store volatile i32 2, ptr %p, align 4, !vx.plain
; CHECK-NEXT: slti x0, $0, 11"
; CHECK-NEXT: ret void
  call void @__vx_barrier()
  call void @__vx_warp_sync(i32 %mask)
  %active = call i32 @__vx_activemask()
  %votes = call i32 @__vx_vote_ballot(i32 %mask, i32 1)
  call void @__vx_fence_block()
  store atomic i32 1, ptr %p release, align 4
  store volatile i32 2, ptr %p, !vx.plain !1
  ret void
}

; The place where the branches around a synchronization, or around a call that leads to one, join is
; said before it, taken back after it, and said there, with a 1 where more comes than the end. A
; path that ends in a failed assert joins nothing.
define void @branches(ptr %p, i1 %a, i1 %b, i1 %c, i32 %mask) "vx-kernel" {
; CHECK-LABEL: @branches
; CHECK:      checked:
; CHECK-NEXT:   br i1 %b
; CHECK:      then:
; CHECK-NEXT:   slti x0, $0, 28"{{.*}}(i32 1)
; CHECK-NEXT:   slti x0, $0, 28"{{.*}}(i32 2)
; CHECK-NEXT:   slti x0, $0, 14"
; CHECK-NEXT:   slti x0, $0, 15"
; CHECK-NEXT:   call void @__vx_barrier()
; CHECK-NEXT:   slti x0, $0, 20"
; CHECK-NEXT:   slti x0, $0, 29"{{.*}}(i32 2)
; CHECK:      inner:
; CHECK-NEXT:   slti x0, $0, 27"{{.*}}(i32 3)
; CHECK-NEXT:   store
; CHECK:      outer:
; CHECK-NEXT:   slti x0, $0, 27"{{.*}}(i32 5)
; CHECK-NEXT:   br i1 %c
; CHECK:      calls:
; CHECK-NEXT:   slti x0, $0, 28"{{.*}}(i32 3)
; CHECK-NEXT:   call void @meets(i32 %mask)
; CHECK-NEXT:   slti x0, $0, 29"{{.*}}(i32 1)
; CHECK:      last:
; CHECK-NEXT:   slti x0, $0, 27"{{.*}}(i32 6)
; CHECK-NEXT:   slti x0, $0, 11"
entry:
  br i1 %a, label %some, label %outer
some:
  br i1 %c, label %checked, label %fails
fails:
  call void @fail()
  unreachable
checked:
  br i1 %b, label %then, label %inner
then:
  call void @__vx_barrier()
  br label %inner
inner:
  store i32 1, ptr %p, align 4
  br label %outer
outer:
  br i1 %c, label %calls, label %last
calls:
  call void @meets(i32 %mask)
  br label %last
last:
  ret void
}
; Clang leads a return out of a scope through a block that branches by a variable: more may come
; after that join, but not for those that return. A variable of the program is not such a choice.
define void @leaves(ptr %p, i1 %a) "vx-kernel" {
; CHECK-LABEL: @leaves
; CHECK:      cleanup:
; CHECK-NEXT:   slti x0, $0, 27"{{.*}}(i32 8)
  %slot = alloca i32, align 4
  br i1 %a, label %sync, label %return
sync:
  call void @__vx_barrier()
  store i32 0, ptr %slot, align 4
  br label %cleanup
return:
  store i32 1, ptr %slot, align 4
  br label %cleanup
cleanup:
  %way = load i32, ptr %slot, align 4
  switch i32 %way, label %last [ i32 0, label %more ]
more:
  store i32 1, ptr %p, align 4
  br label %last
last:
  ret void
}
define void @chooses(ptr %p, i1 %a, i32 %n) "vx-kernel" {
; CHECK-LABEL: @chooses
; CHECK:      joined:
; CHECK-NEXT:   slti x0, $0, 27"{{.*}}(i32 11)
  %slot = alloca i32, align 4
  store i32 %n, ptr %slot, align 4
  br i1 %a, label %sync, label %joined
sync:
  call void @__vx_barrier()
  br label %joined
joined:
  %way = load i32, ptr %slot, align 4
  switch i32 %way, label %last [ i32 0, label %more ]
more:
  store i32 1, ptr %p, align 4
  br label %last
last:
  ret void
}
define internal void @meets(i32 %mask) {
; CHECK-LABEL: define internal void @meets
; CHECK-NOT: slti x0, $0, 2{{[789]}}
  call void @__vx_warp_sync(i32 %mask)
  ret void
}
; Where all `return`s of a value lead is not a place that threads go past.
; CHECK-LABEL: define i32 @returns(
; CHECK-NOT: slti x0, $0, {{27|28}}
; CHECK: ret i32
define i32 @returns(i1 %c) {
  %value = alloca i32
  br i1 %c, label %one, label %other
one:
  call void @__vx_barrier()
  store i32 1, ptr %value
  br label %return
other:
  store i32 2, ptr %value
  br label %return
return:
  %v = load i32, ptr %value
  ret i32 %v
}

; Where the front end marks returns, a thread says at the end whether it has come there by one.
; CHECK-LABEL: define void @marked(
; CHECK: [[LEAVES:%.*]] = alloca i1
; CHECK: store i1 false, ptr [[LEAVES]]
; CHECK-NOT: __vx_leave
; CHECK: early:
; CHECK-NEXT: store i1 true, ptr [[LEAVES]]
; CHECK: return:
; CHECK-NEXT: slti x0, $0, 27"{{.*}}(i32 12)
; CHECK-NEXT: slti x0, $0, 14"{{.*}}(i32 6)
; CHECK-NEXT: [[RETURNS:%.*]] = load i1, ptr [[LEAVES]]
; CHECK-NEXT: [[PAST:%.*]] = xor i1 [[RETURNS]], true
; CHECK-NEXT: [[BIT:%.*]] = zext i1 [[PAST]] to i32
; CHECK-NEXT: [[WHAT:%.*]] = or i32 [[BIT]], 12
; CHECK-NEXT: slti x0, $0, 35"{{.*}}(i32 [[WHAT]])
define void @marked(i1 %c) "vx-kernel" {
  call void @__vx_leave(i32 0)
  br i1 %c, label %early, label %rest
early:
  call void @__vx_leave(i32 1)
  br label %return
rest:
  call void @__vx_barrier()
  br label %return
return:
  ret void
}

declare void @__vx_leave(i32)
declare void @fail()
declare void @__vx_barrier()
declare void @__vx_warp_sync(i32)
declare i32 @__vx_activemask()
declare i32 @__vx_vote_ballot(i32, i32)
declare void @__vx_fence_block()

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.forCheckers", i32 1}
!1 = !{}
