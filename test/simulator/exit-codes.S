// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %as64 %s -o %t
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode != 77)" %vx_sim --functional %t
// RUN: %as32 %s -o %t.32
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode != 77)" %vx_sim %t.32

#include "vortex.inc"
  .globl _start
_start:
  li a0, 77
  exit
