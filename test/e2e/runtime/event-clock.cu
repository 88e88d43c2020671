// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose time events take: said where the user has not chosen, on a terminal after what the program has printed and
// once in its session; in the statistics always.
// RUN: %vxcc -O3 %s -o %t
// RUN: setsid -w %run %t 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: rm -rf %t.cache && env XDG_CACHE_HOME=%t.cache setsid -w script -qec "%t; %t; %t untimed" /dev/null | FileCheck %s --check-prefix=SESSION
// RUN: env XDG_CACHE_HOME=%t.cache setsid -w script -qec "%t; %t" /dev/null | FileCheck %s --check-prefix=SESSION
// RUN: env VX_MODE=functional %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_SET=run.mode=functional %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_MODE=timing %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_SET=run.mode=timing %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_EVENT_CLOCK=host %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %run %t untimed 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=TIMING --implicit-check-not=vxrt
// RUN: env VX_STATS=text VX_MODE=functional %run %t 2>&1 | FileCheck %s --check-prefix=FUNCTIONAL --implicit-check-not=vxrt
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host 2>&1 | FileCheck %s --check-prefix=QUIET
//
// NOTE: vxrt: event times count instructions; VX_MODE=timing counts the machine's cycles
// NOTE-NOT: vxrt
// NOTE: PASS
// SESSION: PASS
// SESSION-NEXT: vxrt: event times
// SESSION-NEXT: PASS
// SESSION-NOT: vxrt
// QUIET-NOT: vxrt
// QUIET: PASS
// TIMING: mode timing {{ *}}cycles and event times are those of the cycle-level model
// TIMING-NEXT: kernel
// FUNCTIONAL: mode functional {{ *}}cycles and event times count instructions, not the work of the machine
// FUNCTIONAL-NEXT: kernel

#include "../Inputs/harness.h"

__global__ void work(int *p) { *p += 1; }

static float timeOf(int *p, bool timed) {
  cudaEvent_t begin, end;
  float ms = 1;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  work<<<1, 1>>>(p);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  if (timed)
    CHECK(cudaEventElapsedTime(&ms, begin, end));
  return ms;
}

int main(int argc, char **) {
  DeviceArray<int> p(1);
  bool good = timeOf(p, argc == 1) > 0 && timeOf(p, argc == 1) > 0;
  std::puts(good ? "PASS" : "FAIL");
  return !good;
}
