// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcast inside groups of 8, 16 and 32 lanes with __shfl_sync: in each round, another lane of
// the group hands its value to all of them. usage: shuffle [values [threads of a block [rounds]]]

#include "../common/example.h"

template <int Width> __global__ void broadcast(const unsigned *in, unsigned *out, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i];
  for (int round = 0; round < rounds; ++round) {
    unsigned chosen = __shfl_sync(0xffffffffu, value, round % Width, Width);
    value = value * 5 + chosen;
  }
  out[i] = value;
}

template <int Width>
static long check(const std::vector<unsigned> &in, const std::vector<unsigned> &out, int rounds) {
  long mismatches = 0;
  for (size_t first = 0; first < in.size(); first += Width) {
    unsigned values[Width];
    for (int lane = 0; lane < Width; ++lane)
      values[lane] = in[first + lane];
    for (int round = 0; round < rounds; ++round) {
      unsigned chosen = values[round % Width];
      for (unsigned &value : values)
        value = value * 5 + chosen;
    }
    for (int lane = 0; lane < Width; ++lane)
      mismatches += out[first + lane] != values[lane];
  }
  return mismatches;
}

template <int Width>
static long run(const std::vector<unsigned> &in, int threads, int rounds, float &milliseconds) {
  DeviceBuffer<unsigned> deviceIn(in), deviceOut(in.size());
  DeviceTimer timer;
  broadcast<Width><<<in.size() / threads, threads>>>(deviceIn, deviceOut, rounds);
  CHECK(cudaGetLastError());
  milliseconds += timer.stop();
  return check<Width>(in, deviceOut.host(), rounds);
}

int main(int argc, char **argv) {
  const int threads = blockArgument(argc, argv, 2, 256);
  const int n = (sizeArgument(argc, argv, 1, 8192) + threads - 1) / threads * threads;
  const int rounds = sizeArgument(argc, argv, 3, 16);
  Random random(13);
  std::vector<unsigned> in(n);
  for (unsigned &x : in)
    x = random.next();
  float milliseconds = 0;
  long mismatches = run<8>(in, threads, rounds, milliseconds);
  mismatches += run<16>(in, threads, rounds, milliseconds);
  mismatches += run<32>(in, threads, rounds, milliseconds);
  std::printf("shuffle: %d values, groups of 8, 16 and 32, %d rounds, %.3f ms\n", n, rounds,
              milliseconds);
  return verdict(mismatches);
}
