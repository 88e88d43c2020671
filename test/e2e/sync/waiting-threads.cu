// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --lower=sw %t.3
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t.0
//
// Threads of a block that wait for each other in loops without a barrier, for those with lower
// numbers and for those with higher ones, in blocks of all sizes.

#include "../Inputs/harness.h"

/// A thread takes every blockDim.x-th place, and waits for the place before it.
__global__ void chainUp(volatile int *ready, int *sums, int n) {
  int k = threadIdx.x;
  while (k < n)
    if (k == 0 || ready[k - 1]) {
      sums[k] = k == 0 ? 1 : ((volatile int *)sums)[k - 1] + k;
      __threadfence();
      ready[k] = 1;
      k += blockDim.x;
    }
}

/// Does the same from the end: threads wait for those after them. What is ready is told by atomics.
__global__ void chainDown(int *ready, int *sums, int n) {
  int k = n - 1 - threadIdx.x;
  while (k >= 0) {
    if (k == n - 1 || atomicAdd(&ready[k + 1], 0) != 0) {
      sums[k] = k == n - 1 ? 1 : ((volatile int *)sums)[k + 1] + k;
      __threadfence();
      atomicExch(&ready[k], 1);
      k -= blockDim.x;
    }
  }
}

/// Cells are summed up as soon as all their children are: the shape of a tree code. -1: not yet.
__global__ void sumTree(const int *children, volatile int *sums, int n) {
  __shared__ int child[128][4];
  bool cached = false;
  for (int k = n - 1 - threadIdx.x; k >= 0;) {
    int missing = 0, sum = 1;
    for (int i = 0; i < 4; ++i) {
      if (!cached)
        child[threadIdx.x][i] = children[4 * k + i];
      int c = child[threadIdx.x][i];
      int s = c < 0 ? 0 : sums[c];
      if (s < 0)
        ++missing;
      else
        sum += s;
    }
    cached = true;
    if (missing == 0) {
      sums[k] = sum;
      k -= blockDim.x;
      cached = false;
    }
  }
}

/// A greedy independent set: a node is decided as soon as its neighbour with the higher number is.
/// 1: not yet. Lanes that are ready go round with those that are not.
__global__ void decide(volatile unsigned char *state, int n) {
  bool missing;
  do {
    missing = false;
    for (int v = threadIdx.x; v < n; v += blockDim.x)
      if (state[v] == 1) {
        if (v + 1 < n && state[v + 1] == 1)
          missing = true;
        else
          state[v] = v + 1 < n && state[v + 1] == 2 ? 0 : 2;
      }
  } while (missing);
}

int main() {
  for (int threads : {1, 3, 8, 33, 64, 128}) {
    int n = 3 * threads + 1;
    std::vector<int> up(n, 1), down(n, 1), tree(4 * n), sums(n);
    for (int k = 1; k < n; ++k)
      up[k] = up[k - 1] + k;
    for (int k = n - 2; k >= 0; --k)
      down[k] = down[k + 1] + k;
    for (int k = n - 1; k >= 0; --k) {
      sums[k] = 1;
      for (int i = 0; i < 4; ++i) {
        int c = 4 * k + i + 1;
        tree[4 * k + i] = c < n ? c : -1;
        sums[k] += c < n ? sums[c] : 0;
      }
    }
    DeviceArray<int> ready(n), back(n), upSums(n), downSums(n), children(tree);
    DeviceArray<int> treeSums(std::vector<int>(n, -1));
    DeviceArray<unsigned char> state(std::vector<unsigned char>(n, 1));
    chainUp<<<1, threads>>>(ready, upSums, n);
    chainDown<<<1, threads>>>(back, downSums, n);
    sumTree<<<1, threads>>>(children, treeSums, n);
    decide<<<1, threads>>>(state, n);
    std::vector<unsigned char> decided = state.host();
    for (int k = 0; k < n; ++k)
      expectEqual<int>(decided[k], (n - 1 - k) % 2 == 0 ? 2 : 0, "decided", k);
    std::vector<int> gotUp = upSums.host(), gotDown = downSums.host(), gotTree = treeSums.host();
    for (int k = 0; k < n; ++k) {
      expectEqual(gotUp[k], up[k], "up", k);
      expectEqual(gotDown[k], down[k], "down", k);
      expectEqual(gotTree[k], sums[k], "tree", k);
    }
  }
  return finish();
}
