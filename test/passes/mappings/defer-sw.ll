; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; --vx-defer-sw: in a module whose kernels have more instructions than that, those that hw runs get
; no mapping of the sw lowering, except for kernels whose lanes or blocks may wait for each other.

; RUN: sed s/LIMIT/9/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFERRED
; RUN: sed s/LIMIT/9/ %s | %vx_opt -passes=vx-decide-mappings | FileCheck %s --check-prefix=FLAG
; RUN: sed s/LIMIT/100/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE
; RUN: sed s/LIMIT/4294967295/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

; DEFERRED-LABEL: mappings of 'plain':
; DEFERRED: hw: yes
; DEFERRED: block-per-lane: no: it is compiled when a program asks for it (--vx-defer-sw)
; DEFERRED: warps-per-lane: no: it is compiled when a program asks for it (--vx-defer-sw)
; DEFERRED: thread-per-lane: no: it is compiled when a program asks for it (--vx-defer-sw)
; DEFERRED-LABEL: mappings of 'waits':
; DEFERRED: block-per-lane: yes
; DEFERRED-LABEL: mappings of 'syncs':
; DEFERRED: block-per-lane: yes
; DEFERRED-LABEL: mappings of 'soft':
; DEFERRED: block-per-lane: yes

; FLAG: define void @plain{{.*}} #[[PLAIN:[0-9]+]]
; FLAG: define void @waits{{.*}} #[[WAITS:[0-9]+]]
; FLAG: define void @syncs{{.*}} #[[OTHER:[0-9]+]]
; FLAG: attributes #[[PLAIN]] = {{.*}}"vx-sw-deferred"
; FLAG: attributes #[[OTHER]] = { "vx-kernel" }

; WHOLE-LABEL: mappings of 'plain':
; WHOLE: block-per-lane: yes

declare i32 @__vx_tid_x() memory(none)
declare void @__vx_grid_sync() convergent

define void @plain(ptr addrspace(1) %out) #0 {
  %t = call i32 @__vx_tid_x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}
define void @waits(ptr addrspace(1) %out) #0 {
  ret void
}
define void @syncs(ptr addrspace(1) %out) #0 {
  call void @__vx_grid_sync()
  ret void
}

define void @plain.sw(ptr addrspace(1) %out) #1 {
  %t = call i32 @__vx_tid_x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}
define void @waits.sw(ptr addrspace(1) %out) #2 {
  %t = call i32 @__vx_tid_x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}
define void @syncs.sw(ptr addrspace(1) %out) #3 {
  call void @__vx_grid_sync()
  ret void
}
define void @soft.sw(ptr addrspace(1) %out) #4 {
  %t = call i32 @__vx_tid_x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}

attributes #0 = { "vx-kernel" }
attributes #1 = { "vx-kernel" "vx-software" "vx-source-name"="plain" }
attributes #2 = { "vx-kernel" "vx-software" "vx-source-name"="waits" "vx-lanes-wait" }
attributes #3 = { "vx-kernel" "vx-software" "vx-source-name"="syncs" }
attributes #4 = { "vx-kernel" "vx-software" "vx-source-name"="soft" }

!vx.mappings = !{!0, !1, !2, !3}
!0 = !{!"plain", !"hw", !"", !"block-per-lane", !"", !"warps-per-lane", !"", !"thread-per-lane", !""}
!1 = !{!"waits", !"hw", !"", !"block-per-lane", !"", !"warps-per-lane", !"", !"thread-per-lane", !""}
!2 = !{!"syncs", !"hw", !"", !"block-per-lane", !"", !"warps-per-lane", !"", !"thread-per-lane", !""}
!3 = !{!"soft", !"hw", !"--lower=sw", !"block-per-lane", !"", !"warps-per-lane", !"", !"thread-per-lane", !""}
!llvm.module.flags = !{!4}
!4 = !{i32 7, !"vx.deferSwLimit", i32 LIMIT}
