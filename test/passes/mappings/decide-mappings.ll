; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which mappings each kernel may have, and why not the others.
; RUN: %vx_opt -passes=vx-stage-decide,vx-print-mappings %s -o %t.ll 2>&1 | FileCheck %s --match-full-lines
; RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
; The decisions outlive the variants.
; RUN: %vx_opt -passes=vx-stage-serialize,vx-stage-map,vx-print-mappings %t.ll -o /dev/null 2>&1 | FileCheck %s --match-full-lines
; Before that, and on the host.
; RUN: %vx_opt -passes=vx-decide-lowerings,vx-print-mappings %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
; RUN: sed '$a !llvm.module.flags = !{!0}\n!0 = !{i32 7, !"vx.host", i32 1}' %s > %t.host.ll
; RUN: %vx_opt -passes=vx-stage-decide,vx-print-mappings %t.host.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOST
; Where lanes have paths, those that run several threads or blocks do not exchange values.
; RUN: sed '$a !llvm.module.flags = !{!0}\n!0 = !{i32 7, !"vx.paths", i32 1}' %s > %t.paths.ll
; RUN: %vx_opt -passes=vx-stage-decide,vx-print-mappings %t.paths.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=PATHS
; PATHS: mappings of 'plain':
; PATHS: thread-per-lane: yes
; PATHS: mappings of 'vote':
; PATHS: block-per-lane: yes
; PATHS-NEXT: warps-per-lane: no: lanes of a hardware warp may be on different paths
; PATHS-NEXT: thread-per-lane: no: lanes of a hardware warp may be on different paths
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: mappings of 'hardware':
; CHECK-NEXT:   hw: yes
; CHECK-NEXT:   block-per-lane: no: --lower=hw
; CHECK-NEXT:   warps-per-lane: no: --lower=hw
; CHECK-NEXT:   thread-per-lane: no: --lower=hw
define void @hardware(ptr %p) "vx-kernel" "vx-lower"="hw" "vx-lower-by"="--lower=hw" {
  store i32 1, ptr %p
  ret void
}

define void @"votes-in-hw"(ptr %p) "vx-kernel" "vx-lower"="hw" "vx-lower-by"="--lower=hw" {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  store i32 %r, ptr %p
  ret void
}

; Groups of four fit every hardware warp.
define void @four(ptr %p, i32 %v) "vx-kernel" "vx-lower"="hw" "vx-lower-by"="--lower=hw" {
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 2, i32 31)
  store i32 %r, ptr %p
  ret void
}

; Without warp functions its hw variant serves for thread-per-lane.
; CHECK: mappings of 'plain':
; CHECK-NEXT:   hw: yes
; CHECK-NEXT:   block-per-lane: yes
; CHECK-NEXT:   warps-per-lane: no: it has no warp functions
; CHECK-NEXT:   thread-per-lane: yes
; EARLY: mappings of 'plain':
; EARLY-NEXT: hw: yes
; EARLY-NEXT: block-per-lane: yes
; IR-DAG: define void @plain(ptr %p) [[HW:#[0-9]+]] {
define void @plain(ptr %p) "vx-kernel" "vx-lower"="auto" "vx-lower-by"="--lower=auto" {
  store i32 1, ptr %p
  ret void
}

; The variant for software takes the place of a kernel that is for nothing else.
; CHECK: mappings of 'vote':
; CHECK-NEXT:   hw: no: --lower=sw
; CHECK-NEXT:   block-per-lane: yes
; CHECK-NEXT:   warps-per-lane: yes
; CHECK-NEXT:   thread-per-lane: yes
; HOST: mappings of 'vote':
; HOST-NEXT: hw: no: --lower=sw
; HOST-NEXT: block-per-lane: yes
; HOST-NEXT: warps-per-lane: no: a thread of the host runs a whole block
; HOST-NEXT: thread-per-lane: no: a thread of the host runs a whole block
; IR-DAG: define void @vote.sw(ptr %p) [[VOTE:#[0-9]+]] {
define void @vote(ptr %p) "vx-kernel" "vx-lower"="sw" "vx-lower-by"="--lower=sw" {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  store i32 %r, ptr %p
  ret void
}

; CHECK: mappings of 'diverges':
; CHECK-NEXT:   hw: yes
; CHECK-NEXT:   block-per-lane: yes
; CHECK-NEXT:   warps-per-lane: yes
; CHECK-NEXT:   thread-per-lane: no: the threads of a warp may diverge around a warp function
define void @diverges(ptr %p, i32 %n) "vx-kernel" "vx-lower"="auto" "vx-lower-by"="--lower=auto" {
  %t = call i32 @__vx_thread_idx_x()
  %c = icmp ult i32 %t, %n
  br i1 %c, label %some, label %others
some:
  %r = call i32 @__vx_vote_ballot(i32 127, i32 %t)
  store i32 %r, ptr %p
  br label %end
others:
  %s = call i32 @__vx_vote_ballot(i32 -128, i32 %t)
  store i32 %s, ptr %p
  br label %end
end:
  ret void
}

; Lanes may wait for a lock: the hw variant is marked.
; CHECK: mappings of 'locks':
; CHECK:   warps-per-lane: no: blocks may wait for each other
; CHECK-NEXT:   thread-per-lane: no: threads of a warp may wait for a lock that another one holds
; IR-DAG: define void @locks(ptr %lock) [[LOCKS:#[0-9]+]] {
define void @locks(ptr %lock) "vx-kernel" "vx-lower"="auto" "vx-lower-by"="--lower=auto" {
entry:
  br label %wait
wait:
  %r = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %end, label %wait
end:
  %free = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}

; CHECK: mappings of 'groups':
; CHECK:   thread-per-lane: no: it has groups of several warps
define void @groups(ptr %p) "vx-kernel" "vx-lower"="auto" "vx-lower-by"="--lower=auto" {
  store volatile i32 1, ptr %p
  call void @__vx_group_sync(i32 64)
  store volatile i32 2, ptr %p
  ret void
}

; Only blocks of one dimension: the number of the warp is threadIdx.x / 32 there.
; CHECK: mappings of 'flat':
; CHECK:   thread-per-lane: yes
; IR-DAG: define void @flat.sw(ptr %p) [[FLAT:#[0-9]+]] {
define void @flat(ptr %p) "vx-kernel" "vx-lower"="sw" "vx-lower-by"="--lower=sw" {
  %t = call i32 @__vx_thread_idx_x()
  %first = icmp ult i32 %t, 32
  br i1 %first, label %some, label %others
some:
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %t)
  store i32 %r, ptr %p
  br label %end
others:
  %s = call i32 @__vx_vote_any(i32 -1, i32 %t)
  store i32 %s, ptr %p
  br label %end
end:
  ret void
}

; IR-DAG: define void @plain.sw(ptr %p) [[SW:#[0-9]+]] {
; IR-NOT: define void @vote(
; IR-DAG: attributes [[HW]] = { "vx-kernel" "vx-lower"="auto" "vx-lower-by"="--lower=auto" }
; IR-DAG: attributes [[VOTE]] = { {{.*}}"vx-logical-warp-plan"="uniform" {{.*}}"vx-software" "vx-source-name"="vote" }
; IR-DAG: attributes [[LOCKS]] = { {{.*}}"vx-lanes-wait"{{.*}} }
; IR-DAG: attributes [[FLAT]] = { {{.*}}"vx-logical-warp-plan"="uniform flat" {{.*}} }
; IR-DAG: attributes [[SW]] = { {{.*}}"vx-software" "vx-source-name"="plain" }

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32) convergent
declare void @__vx_group_sync(i32) convergent
