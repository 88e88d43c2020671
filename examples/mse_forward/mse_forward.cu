// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mean squared error, the forward pass of a loss function. One block computes the loss of one
// sample: its threads add up squared differences, each warp adds its threads' sums, and every warp
// adds the warps' sums, which passed through shared memory. Both are cg::reduce on a tile of 32.
// usage: mse_forward [values of a sample [threads of a block [samples]]]

#include "../common/example.h"
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void mseForward(const float *predicted, const float *target, float *loss, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float sums[32];
  predicted += size_t(blockIdx.x) * n;
  target += size_t(blockIdx.x) * n;

  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float difference = predicted[i] - target[i];
    sum += difference * difference;
  }
  float ofWarp = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0)
    sums[warp.meta_group_rank()] = ofWarp;
  block.sync();
  float other = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
  float ofBlock = cg::reduce(warp, other, cg::plus<float>());
  if (threadIdx.x == 0)
    loss[blockIdx.x] = ofBlock / n;
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 49152);
  const int threads = blockArgument(argc, argv, 2, 512);
  const int samples = sizeArgument(argc, argv, 3, 4);
  Random random(11);
  std::vector<float> predicted(size_t(samples) * n), target(predicted.size());
  for (size_t i = 0; i < predicted.size(); ++i) {
    predicted[i] = random.nextFloat();
    target[i] = random.nextFloat();
  }
  DeviceBuffer<float> devicePredicted(predicted), deviceTarget(target), deviceLoss(samples);

  DeviceTimer timer;
  mseForward<<<samples, threads>>>(devicePredicted, deviceTarget, deviceLoss, n);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();

  std::vector<float> loss = deviceLoss.host();
  long mismatches = 0;
  for (int s = 0; s < samples; ++s) {
    double sum = 0;
    for (size_t i = size_t(s) * n; i < size_t(s + 1) * n; ++i)
      sum += std::pow(double(predicted[i]) - target[i], 2);
    // A thread adds n / threads squares; the tree on top of that is 10 sums deep.
    double bound = 1.2e-7 * (n / threads + 12) * sum / n + 1e-12;
    mismatches += !(std::fabs(loss[s] - sum / n) <= bound);
  }
  std::printf("mse_forward: %d samples of %d values, blocks of %d, loss %.6f, %.3f ms\n", samples,
              n, threads, loss[0], milliseconds);
  return verdict(mismatches);
}
