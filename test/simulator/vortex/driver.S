// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program of Vortex's interface runs on libvortex-vx.so, which stands in for libvortex.so, with the
// simulator's settings, statistics, traces and reports of faults.
//
// RUN: mkdir -p %t
// RUN: c++ -std=c++20 %S/Inputs/host.cpp -L%build/lib/vortex -lvortex -o %t/host
// RUN: %as64 %s -Wl,-T,%S/Inputs/link.ld -Wl,--defsym=__tbss_size=16 -o %t/a.elf
// RUN: %python %S/../Inputs/make-vxbin.py %t/a.elf %t/a.vxbin
// RUN: env LD_LIBRARY_PATH=%build/lib/vortex %t/host %t/a.vxbin | FileCheck %s --check-prefix=FIRST
// RUN: env LD_LIBRARY_PATH=%build/lib/vortex %t/host %t/a.elf | FileCheck %s --check-prefix=FIRST
// FIRST: 4x8, 16384 bytes of local memory, 4096 for a warp
// FIRST-NEXT: sum 10, exit code 10, instructions [[N:[0-9]+]]
// FIRST-NEXT: sum 10, exit code 10, instructions [[N]]
// FIRST-NEXT: beyond the buffer: -1
// FIRST-NEXT: in use at the end: 0
// FIRST-NEXT: PERF: instrs=[[N]], cycles={{[0-9]+}}, IPC=0.{{[0-9]+}}
//
// RUN: env LD_LIBRARY_PATH=%build/lib/vortex VX_MODE=functional VX_SET=core.num_warps=8,num_cores=2 \
// RUN:   VX_STATS=csv:%t/stats.csv VX_TRACE=commit:%t/trace.txt %t/host %t/a.vxbin | FileCheck %s --check-prefix=WIDE
// RUN: FileCheck %s --check-prefix=STATS < %t/stats.csv
// RUN: grep -q csrr %t/trace.txt
// WIDE: 8x8, 16384 bytes of local memory, 2048 for a warp
// WIDE-NEXT: sum 36, exit code 36
// WIDE: PERF: core0: instrs=
// WIDE-NEXT: PERF: core1: instrs=
// WIDE-NEXT: PERF: instrs=
// STATS: "a.vxbin",2,
//
// A fault is the end of the run, not of the program; the symbols are those of the ELF file next to
// the image.
// RUN: mkdir -p %t/fault && %as64 %s -Wl,-T,%S/Inputs/link.ld -Wl,--defsym=__tbss_size=16 -DFAULT -o %t/fault/a.elf
// RUN: %python %S/../Inputs/make-vxbin.py %t/fault/a.elf %t/fault/a.vxbin
// RUN: not env LD_LIBRARY_PATH=%build/lib/vortex %t/host %t/fault/a.vxbin 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: vortex-vx: a.vxbin: illegal memory access: store of 4 byte(s) at 0x0
// FAULT-NEXT: pc {{.*}} at {{.*}}program.inc:
// FAULT: vx_ready_wait({{.*}}: -1
//
// RUN: %as64 %s -Wl,-T,%S/Inputs/link.ld -Wl,--defsym=__tbss_size=16 -DFOREVER -o %t/forever.elf
// RUN: not env LD_LIBRARY_PATH=%build/lib/vortex VX_SET=run.max_instructions=1000000 %t/host %t/forever.elf -t 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: vx_ready_wait({{.*}}: -1
//
// RUN: not env LD_LIBRARY_PATH=%build/lib/vortex VX_SET=core.num_warps=0 %t/host %t/a.vxbin 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: vortex-vx: vx_dev_open: VX_SET: configuration: core.num_warps = '0' is not allowed
//
// It exports what vortex.h has and nothing else.
// RUN: nm -D --defined-only %build/lib/libvortex-vx.so | FileCheck %s --check-prefix=NAMES
// NAMES-NOT: {{ [A-Z] [^v]}}
// NAMES: T vx_check_occupancy
// NAMES: T vx_dev_init

#include "program.inc"
