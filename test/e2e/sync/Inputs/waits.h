// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one block whose threads wait for each other: each thread adds one to a count when it
// is through.

#ifndef TEST_E2E_SYNC_WAITS_H
#define TEST_E2E_SYNC_WAITS_H

#include "../../Inputs/harness.h"

/// The data that the threads of a kernel share, zeroes at its start.
struct State {
  int count, lock, ticket, serving, locks[16], fill[8], table[8][64], flags[128], links[128];
};
__device__ State state;

/// Adds one, not atomically: for critical sections.
__device__ void addOne() {
  volatile int *count = &state.count;
  *count = *count + 1;
  __threadfence();
}

struct Program {
  const char *name;
  void (*kernel)();
};

/// Runs those of PROGRAMS that are named on the command line, or all.
template <int N> int runPrograms(const Program (&programs)[N], int argc, char **argv) {
  auto isWanted = [&](const char *name) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i)
      wanted |= !std::strcmp(argv[i], name);
    return wanted;
  };
  for (const Program &program : programs)
    if (isWanted(program.name))
      for (int threads : {32, 64}) {
        static const State zeroes = {};
        CHECK(cudaMemcpyToSymbol(state, &zeroes, sizeof zeroes));
        program.kernel<<<1, threads>>>();
        CHECK(cudaDeviceSynchronize());
        State after;
        CHECK(cudaMemcpyFromSymbol(&after, state, sizeof after));
        expectEqual(after.count, threads, program.name, threads);
      }
  return finish();
}

#endif // TEST_E2E_SYNC_WAITS_H
