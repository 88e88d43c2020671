// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bar [cells [steps]]: heat flows from the hot end of a bar to the cold one.

#include "solver.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/// Does the same on the CPU, to compare with.
static void spreadHere(std::vector<float> &bar, int steps) {
  std::vector<float> next = bar;
  for (int s = 0; s < steps; ++s) {
    for (size_t i = 1; i + 1 < bar.size(); ++i)
      next[i] = bar[i] + 0.25f * (bar[i - 1] - 2 * bar[i] + bar[i + 1]);
    bar.swap(next);
  }
}

int main(int argc, char **argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 256, steps = argc > 2 ? std::atoi(argv[2]) : 200;
  std::vector<float> bar(cells, 20.0f);
  bar.front() = 100.0f;
  std::vector<float> expected = bar;
  spreadHere(expected, steps);
  if (!heat::spread(bar, steps))
    return 1;
  float worst = 0;
  for (int i = 0; i < cells; ++i)
    worst = std::fmax(worst, std::fabs(bar[i] - expected[i]));
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("%d cells, %d steps on %s: off by %g at most\n", cells, steps, device.name, worst);
  std::puts(worst < 1e-3f ? "PASS" : "FAIL");
  return worst < 1e-3f ? 0 : 1;
}
