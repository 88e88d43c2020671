; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Mapping coarsened of kernels whose threads exchange no values.
; RUN: %vx_opt -passes=vx-decide-mappings,vx-clone-mappings,verify %s | FileCheck %s
; RUN: %vx_opt -passes=vx-decide-mappings,vx-print-mappings %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

declare i32 @__vx_thread_idx_x() nounwind willreturn memory(none)
declare i32 @__vx_thread_idx_y() nounwind willreturn memory(none)
declare i32 @__vx_thread_idx_z() nounwind willreturn memory(none)
declare i32 @__vx_block_dim_x() nounwind willreturn memory(none)
declare i32 @__vx_block_dim_y() nounwind willreturn memory(none)
declare void @__vx_barrier()
declare void @__vx_trap() noreturn

; Where all threads of the warp take the branch, the loads of a lane come before its stores; the
; warp votes once for that. Where no thread does, nothing is done; else the threads run one after
; another. Accesses say whose they are.
; WHY-LABEL: mappings of 'guarded':
; WHY: coarsened: yes
; CHECK-LABEL: define void @guarded.coarse(
; CHECK:     then.together:
; CHECK:     load float, ptr %{{.*}}, !dbg ![[FIRST:[0-9]+]]
; CHECK-NOT: store
; CHECK:     load float, ptr %{{.*}}, !dbg ![[SECOND:[0-9]+]]
; CHECK-NOT: store
; CHECK:     load float
; CHECK-NOT: store
; CHECK:     load float
; CHECK-COUNT-4: store float
; CHECK:     %[[ALL:.*]] = call i32 @__vx_vote_all(
; CHECK-NEXT: %[[YES:.*]] = icmp ne i32 %[[ALL]], 0
; CHECK-NEXT: br i1 %[[YES]], label %then.together, label %rest
; CHECK:     call i32 @__vx_vote_any(
; CHECK:     label %apart
; CHECK:     ret void
define void @guarded.sw(ptr %in, ptr %out, i32 %n) #0 !dbg !10 {
  %x = call i32 @__vx_thread_idx_x()
  %c = icmp slt i32 %x, %n
  br i1 %c, label %then, label %end
then:
  %i = zext nneg i32 %x to i64
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p, align 4, !dbg !11
  %w = fmul float %v, 2.0
  %q = getelementptr float, ptr %out, i64 %i
  store float %w, ptr %q, align 4, !dbg !11
  br label %end
end:
  ret void
}

; Behind another divergent branch it is too late to start again: stores stay one after another.
; WHY-LABEL: mappings of 'twice':
; WHY: coarsened: yes
; CHECK-LABEL: define void @twice.coarse(
; CHECK-NOT: call i32 @__vx_vote_all(
; CHECK:     ret void
define void @twice.sw(ptr %in, ptr %out, i32 %n) #1 {
  %x = call i32 @__vx_thread_idx_x()
  %c = icmp slt i32 %x, %n
  br i1 %c, label %then, label %end
then:
  %i = zext nneg i32 %x to i64
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p, align 4
  %q = getelementptr float, ptr %out, i64 %i
  store float %v, ptr %q, align 4
  %d = fcmp olt float %v, 0.0
  br i1 %d, label %more, label %end
more:
  store float 0.0, ptr %q, align 4
  br label %end
end:
  ret void
}

; The number of a thread in its block has no second coordinate where blocks are flat.
; WHY-LABEL: mappings of 'ranked':
; WHY: coarsened: yes
; CHECK-LABEL: define void @ranked.coarse(
; CHECK-NOT: call i32 @__vx_thread_idx
; CHECK:     ret void
define void @ranked.sw(ptr %out) #2 {
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %z = call i32 @__vx_thread_idx_z()
  %dx = call i32 @__vx_block_dim_x()
  %dy = call i32 @__vx_block_dim_y()
  %slices = mul i32 %z, %dy
  %row = add i32 %slices, %y
  %rows = mul i32 %row, %dx
  %rank = add i32 %rows, %x
  %i = zext i32 %rank to i64
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %rank, ptr %q, align 4
  ret void
}

; WHY-LABEL: mappings of 'plane':
; WHY: coarsened: no: its blocks have more than one dimension
define void @plane.sw(ptr %out) #3 {
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %i = zext i32 %x to i64
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %q, align 4
  ret void
}

; WHY-LABEL: mappings of 'trap':
; WHY: coarsened: no: its threads do not all come to its end
define void @trap.sw() #4 {
  call void @__vx_trap()
  ret void
}

; Behind a trap in a loop there is nothing.
; WHY-LABEL: mappings of 'checks':
; WHY: coarsened: yes
; CHECK-LABEL: define void @checks.coarse(
; CHECK:     call void @__vx_trap()
; CHECK-NEXT: unreachable
define void @checks.sw(ptr %in, ptr %out, i32 %n) #5 {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %q = getelementptr i32, ptr %out, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %p = getelementptr i32, ptr %in, i32 %k
  %v = load i32, ptr %p, align 4
  %bad = icmp slt i32 %v, 0
  br i1 %bad, label %trap, label %latch
trap:
  call void @__vx_trap()
  br label %latch2
latch2:
  br label %latch
latch:
  store i32 %v, ptr %q, align 4
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

attributes #0 = { "vx-kernel" "vx-software" "vx-source-name"="guarded" }
attributes #1 = { "vx-kernel" "vx-software" "vx-source-name"="twice" }
attributes #2 = { "vx-kernel" "vx-software" "vx-source-name"="ranked" }
attributes #3 = { "vx-kernel" "vx-software" "vx-source-name"="plane" }
attributes #4 = { "vx-kernel" "vx-software" "vx-source-name"="trap" }
attributes #5 = { "vx-kernel" "vx-software" "vx-source-name"="checks" }

!vx.mappings = !{!0, !1, !2, !3, !4, !12}
!0 = !{!"guarded", !"coarsened", !""}
!1 = !{!"twice", !"coarsened", !""}
!2 = !{!"ranked", !"coarsened", !""}
!3 = !{!"plane", !"coarsened", !""}
!4 = !{!"trap", !"coarsened", !""}

!llvm.dbg.cu = !{!5}
!llvm.module.flags = !{!7}
!5 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !6, emissionKind: LineTablesOnly)
!6 = !DIFile(filename: "plain.cu", directory: "/")
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !DISubroutineType(types: !9)
!9 = !{}
!10 = distinct !DISubprogram(name: "guarded", file: !6, line: 1, type: !8, unit: !5, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 2, scope: !10)
!12 = !{!"checks", !"coarsened", !""}
; CHECK-DAG: ![[FIRST]] = !DILocation(line: 2, scope: ![[ONE:[0-9]+]])
; CHECK-DAG: ![[SECOND]] = !DILocation(line: 2, scope: ![[TWO:[0-9]+]])
; CHECK-DAG: ![[ONE]] = !DILexicalBlockFile({{.*}}discriminator: 1)
; CHECK-DAG: ![[TWO]] = !DILexicalBlockFile({{.*}}discriminator: 2)
