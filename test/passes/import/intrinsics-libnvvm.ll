; libNVVM's names of warp functions, whose mode is an operand, and what is not known of a mode.
; RUN: %vx_opt -passes=vx-stage-import %s -o - | FileCheck %s
; RUN: sed 's/i32 3, i1/i32 4, i1/' %s | not %vx_opt -passes=vx-stage-import - 2>&1 | FileCheck %s --check-prefix=MODE
target triple = "nvptx64-nvidia-cuda"

; MODE: the mode of 'llvm.nvvm.vote.sync' is a constant below 4

; CHECK-LABEL: @k(
; CHECK: call i32 @__vx_vote_all(i32 -1
; CHECK: call i32 @__vx_vote_any(i32 -1
; CHECK: call i32 @__vx_vote_uni(i32 -1
; CHECK: call i32 @__vx_vote_ballot(i32 -1
; CHECK: call i32 @__vx_shfl_idx{{.*}}(i32 -1
; CHECK: call i32 @__vx_shfl_up{{.*}}(i32 -1
; CHECK: call i32 @__vx_shfl_down{{.*}}(i32 -1
; CHECK: call i32 @__vx_shfl_bfly{{.*}}(i32 -1
; CHECK: call i32 @__vx_match_all{{.*}}(i32 -1, i32
; CHECK: call i32 @__vx_match_all{{.*}}(i32 -1, i64
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x, i64 %y, i1 %c) {
  %a = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 0, i1 %c)
  %a.all = extractvalue { i32, i1 } %a, 1
  %b = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 1, i1 %a.all)
  %b.any = extractvalue { i32, i1 } %b, 1
  %d = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 2, i1 %b.any)
  %d.uni = extractvalue { i32, i1 } %d, 1
  %e = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 3, i1 %d.uni)
  %ballot = extractvalue { i32, i1 } %e, 0
  %f = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 0, i32 %ballot, i32 %x, i32 31)
  %f.value = extractvalue { i32, i1 } %f, 0
  %g = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 1, i32 %f.value, i32 %x, i32 0)
  %g.value = extractvalue { i32, i1 } %g, 0
  %h = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 2, i32 %g.value, i32 %x, i32 31)
  %h.value = extractvalue { i32, i1 } %h, 0
  %i = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %h.value, i32 %x, i32 31)
  %i.value = extractvalue { i32, i1 } %i, 0
  %j = call { i32, i1 } @llvm.nvvm.match.all.sync.i32(i32 -1, i32 %i.value)
  %j.lanes = extractvalue { i32, i1 } %j, 0
  %l = call { i32, i1 } @llvm.nvvm.match.all.sync.i64(i32 -1, i64 %y)
  %l.lanes = extractvalue { i32, i1 } %l, 0
  %sum = add i32 %j.lanes, %l.lanes
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

declare { i32, i1 } @llvm.nvvm.vote.sync(i32, i32, i1)
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64(i32, i64)
