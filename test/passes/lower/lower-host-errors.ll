; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No assembly of the device gets as far as code of the host.
; RUN: not %vx_opt -passes=vx-lower-host %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}}in function fences {{.*}}assembly of the device has no form for the host
define void @fences() {
  call void asm sideeffect "fence rw, rw", "~{memory}"()
  ret void
}
