// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces and the profile of a bare image.
//
// RUN: %as64 %s -o %t
// RUN: %vx_sim %t --set core.num_warps=2,core.num_threads=4 --trace-konata=%t.kanata --trace-perfetto %t.json --trace-commit=%t.timing --profile=%t.profile
// RUN: %vx_sim --functional %t --set core.num_warps=2,core.num_threads=4 --trace-commit=%t.functional
// RUN: cmp %t.timing %t.functional
// RUN: FileCheck %s --check-prefix=COMMIT < %t.timing
// COMMIT: # run 1: kernel {{.*}}reports.S
// COMMIT-NEXT: # core 0 warp 0
// COMMIT: 0x1 vx_wspawn
// COMMIT: 0xf add a4, a3, a1  a4=0x3e8,0x3e9,0x3ea,0x3eb
// COMMIT-NEXT: 0xf fcvt.d.l fa0, a3{{.*}}  fa0=0x408f400000000000
// COMMIT: csrrs a5, mcycle, zero{{$}}
// COMMIT: # core 0 warp 1
// COMMIT: a4=0x3ec,0x3ed,0x3ee,0x3ef
//
// RUN: head -1 %t.kanata | FileCheck %s --check-prefix=KONATA
// KONATA: {{^}}Kanata	0004{{$}}
// RUN: %python -c "import json, sys; e = json.load(open(sys.argv[1]))['traceEvents']; n = sum(x.get('cat') == 'insn' for x in e); sys.exit(n != len([l for l in open(sys.argv[2]) if l[0] != '#']))" %t.json %t.timing
//
// RUN: FileCheck %s --check-prefix=TEXT < %t.profile.txt
// TEXT: === {{.*}}reports.S
// TEXT: 1 run, {{[0-9]+}} cycles
// TEXT: reports.S:[[#DIV:]]  div a6, a3, a4 // "slow" & <hot>
// TEXT: --- {{.*}}reports.S
// TEXT: [[#DIV]]  {{ *}}div a6, a3, a4 // "slow" & <hot>
// RUN: FileCheck %s --check-prefix=HTML < %t.profile.html
// HTML: <!DOCTYPE html>
// HTML: div a6, a3, a4 // &quot;slow&quot; &amp; &lt;hot&gt;
// HTML: </html>
//
// Windows, and the profile on standard output, without line information.
// RUN: llvm-strip-22 --strip-debug %t -o %t.bare
// RUN: %vx_sim %t.bare --set core.num_warps=2,core.num_threads=4 --trace-commit=%t.warp1 --trace-warps=1 --profile | FileCheck %s --check-prefix=BARE
// BARE: The image has no line information: by function.
// BARE: {{ }}_start
// RUN: FileCheck %s --check-prefix=WARP1 < %t.warp1
// WARP1: # core 0 warp 1
// WARP1-NOT: warp 0
//
// Files are complete when the guest is stopped.
// RUN: not %vx_sim %t --set run.max_cycles=150 --trace-perfetto=%t.cut.json --trace-konata=- 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: Kanata	0004
// CUT: R	{{[0-9]+}}	0	1
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]))" %t.cut.json
//
// RUN: not %vx_sim %t --functional --profile 2>&1 | FileCheck %s --check-prefix=FUNC
// FUNC: profile.output needs the timing model
// RUN: not %vx_sim %t --trace-cycles=9:1 --trace-cores=x 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: trace.cycles = '9:1' is not allowed; the range 9:1 is empty
// RANGE: trace.cores = 'x' is not allowed; it must be numbers and ranges
// RUN: not %vx_sim %t --trace-konata=/no/such/folder/x 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: cannot write '/no/such/folder/x'

#include "vortex.inc"
  .globl _start
  .type _start, @function
_start:
  csrr t0, NUM_WARPS
  la t1, work
  vx_wspawn t0, t1
work:
  li t0, -1
  vx_tmc t0
  csrr a1, mhartid
  li a3, 1000
  add a4, a3, a1
  fcvt.d.l fa0, a3
  div a6, a3, a4 // "slow" & <hot>
  add a6, a6, a6
  csrr a5, mcycle
  vx_tmc zero
  .size _start, . - _start
