// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes: of each warp, whether any and whether all of its values are above a threshold, for rising
// thresholds; then the same asked of the even lanes only.
// usage: vote [values [threads of a block [thresholds]]]

#include "../common/example.h"

__global__ void voteAny(const unsigned *in, unsigned *out, int thresholds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i] % thresholds;
  unsigned result = 0;
  for (int t = 0; t < thresholds; ++t)
    result = result * 2 + __any_sync(0xffffffffu, value > unsigned(t));
  out[i] = result;
}

__global__ void voteAll(const unsigned *in, unsigned *out, int thresholds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i] % thresholds;
  unsigned result = 0;
  for (int t = 0; t < thresholds; ++t)
    result = result * 2 + __all_sync(0xffffffffu, value > unsigned(t));
  out[i] = result;
}

/// Votes among even lanes. The odd lanes do not take part: their values do not count, and they get
/// no result.
__global__ void voteEven(const unsigned *in, unsigned *out, int thresholds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 != 0)
    return;
  const unsigned value = in[i] % thresholds;
  unsigned result = 0;
  for (int t = 0; t < thresholds; ++t) {
    int above = value > unsigned(t);
    result = result * 4 + 2 * __any_sync(0x55555555u, above) + __all_sync(0x55555555u, above);
  }
  out[i] = result;
}

static long check(const std::vector<unsigned> &in, const std::vector<unsigned> &any,
                  const std::vector<unsigned> &all, const std::vector<unsigned> &even,
                  unsigned thresholds) {
  long mismatches = 0;
  for (size_t warp = 0; warp < in.size(); warp += 32) {
    unsigned wantAny = 0, wantAll = 0, wantEven = 0;
    for (unsigned t = 0; t < thresholds; ++t) {
      unsigned votes = 0;
      for (int lane = 0; lane < 32; ++lane)
        votes |= unsigned(in[warp + lane] % thresholds > t) << lane;
      wantAny = wantAny * 2 + (votes != 0);
      wantAll = wantAll * 2 + (votes == 0xffffffffu);
      votes &= 0x55555555u;
      wantEven = wantEven * 4 + 2 * (votes != 0) + (votes == 0x55555555u);
    }
    for (size_t i = warp; i < warp + 32; ++i)
      mismatches += any[i] != wantAny || all[i] != wantAll || even[i] != (i % 2 ? 0 : wantEven);
  }
  return mismatches;
}

int main(int argc, char **argv) {
  const int threads = blockArgument(argc, argv, 2, 128);
  const int n = (sizeArgument(argc, argv, 1, 8192) + threads - 1) / threads * threads;
  const int thresholds = sizeArgument(argc, argv, 3, 16);
  Random random(14);
  std::vector<unsigned> in(n);
  for (int i = 0; i < n; ++i) // warps of small, of mixed and of large values
    in[i] = i / 32 % 3 == 0 ? random.next() % 3 : i / 32 % 3 == 1 ? random.next() : ~0u;
  DeviceBuffer<unsigned> deviceIn(in), any(n), all(n), even(n);

  DeviceTimer timer;
  voteAny<<<n / threads, threads>>>(deviceIn, any, thresholds);
  voteAll<<<n / threads, threads>>>(deviceIn, all, thresholds);
  voteEven<<<n / threads, threads>>>(deviceIn, even, thresholds);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::printf("vote: %d values, %d thresholds, %.3f ms\n", n, thresholds, milliseconds);
  return verdict(check(in, any.host(), all.host(), even.host(), thresholds));
}
