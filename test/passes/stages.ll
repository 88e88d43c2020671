; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Every stage of the device compiler runs by itself, on what the one before has made. (The driver links
; device code of the resource folder in between; this kernel needs none.)
; RUN: %vx_opt -passes=vx-stage-import %s -o %t.import.ll && FileCheck %s --check-prefix=IMPORT --input-file=%t.import.ll
; RUN: %vx_opt -passes=vx-stage-handles %t.import.ll -o %t.handles.ll
; RUN: %vx_opt '-passes=vx-stage-optimize<O1>' %t.handles.ll -o %t.optimize.ll && FileCheck %s --check-prefix=OPTIMIZE --input-file=%t.optimize.ll
; RUN: sed 's/"vx-kernel"/"vx-kernel" "vx-lower"="auto"/' %t.optimize.ll > %t.chosen.ll
; RUN: %vx_opt -passes=vx-stage-prepare %t.chosen.ll -o %t.prepare.ll
; RUN: %vx_opt -passes=vx-stage-decide %t.prepare.ll -o %t.decide.ll && FileCheck %s --check-prefix=DECIDE --input-file=%t.decide.ll
; RUN: %vx_opt -passes=vx-stage-serialize %t.decide.ll -o %t.serialize.ll && FileCheck %s --check-prefix=SERIALIZE --input-file=%t.serialize.ll
; RUN: %vx_opt -passes=vx-stage-map %t.serialize.ll -o %t.map.ll && FileCheck %s --check-prefix=MAP --input-file=%t.map.ll
; RUN: %vx_opt -passes=vx-stage-lower-shared %t.map.ll -o %t.shared.ll && FileCheck %s --check-prefix=SHARED --input-file=%t.shared.ll
; RUN: %vx_opt -passes=vx-stage-clean-up %t.shared.ll -o %t.clean.ll
; RUN: %vx_opt -passes=vx-stage-guard %t.clean.ll -o %t.guard.ll && FileCheck %s --check-prefix=GUARD --input-file=%t.guard.ll
; RUN: llc -filetype=obj %t.guard.ll -o %t.o
; RUN: %vx_opt -passes=vx-stage-export %t.import.ll | FileCheck %s --check-prefix=EXPORT

; The whole list, and what is not a stage.
; RUN: %vx_opt --print-passes | FileCheck %s --check-prefix=LIST
; RUN: not %vx_opt '-passes=vx-stage-optimize<O9>' %s 2>&1 | FileCheck %s --check-prefix=LEVEL
; LIST: vx-stage-import
; LIST: vx-stage-guard
; LEVEL: vx-stage-optimize<O9>

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] poison
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; IMPORT: define dso_local void @reverse(ptr {{.*}}) #[[KERNEL:[0-9]+]]
; IMPORT: call i32 @__vx_thread_idx_x()
; IMPORT: call void @__vx_barrier()
; IMPORT: attributes #[[KERNEL]] = { {{.*}}"vx-kernel"
; EXPORT: define dso_local void @reverse(
; EXPORT: call void @__vx_barrier()
; OPTIMIZE: define dso_local void @reverse(
; DECIDE-DAG: define dso_local void @reverse(
; DECIDE-DAG: define dso_local void @reverse.sw(
; DECIDE-DAG: !{!"reverse", !"hw", !"", !"block-per-lane", !"", !"warps-per-lane", !"it has no warp functions", !"thread-per-lane", !"", !"coarsened", !"--vx-coarsen=false"}
; SERIALIZE-DAG: define void @__vx_entry.serial.reverse(
; SERIALIZE-DAG: define dso_local void @reverse(
; MAP-NOT: define dso_local void @reverse(
; MAP-DAG: define void @__vx_entry.direct.reverse(
; MAP-DAG: define void @__vx_entry.chunked.reverse(
; MAP-DAG: !{!"name", !"reverse", {{.*}}!"block-per-lane"
; MAP-DAG: !{!"name", !"reverse", {{.*}}!"hw"
; SHARED-NOT: @tile
; SHARED: !"staticSharedBytes", i64 256
; GUARD: module asm ".pushsection .vx.kernels
; GUARD-NOT: @__vx_barrier
define ptx_kernel void @reverse(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %from = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %from
  %to = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %to
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i64 63, %i
  %back = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %other
  %w = load i32, ptr addrspace(3) %back
  store i32 %w, ptr %from
  ret void
}
