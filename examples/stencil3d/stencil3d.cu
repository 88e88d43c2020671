// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flow in a box: a 7-point stencil over a 3-D grid, a few time steps with two buffers. A 2-D
// block walks up the z axis; the coefficients are in constant memory.
// usage: stencil3d [x [y [z [steps]]]]

#include "../common/example.h"
#include <cmath>
#include <utility>
#include <vector>

struct Extent {
  int x, y, z;
  __host__ __device__ size_t at(int i, int j, int k) const { return (size_t(k) * y + j) * x + i; }
};

__constant__ float coefficients[2]; // centre, neighbour

__global__ void heatStep(const float *in, float *out, Extent extent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= extent.x || j >= extent.y)
    return;
  const bool border = i == 0 || j == 0 || i == extent.x - 1 || j == extent.y - 1;
  for (int k = 0; k < extent.z; ++k) {
    const size_t p = extent.at(i, j, k);
    if (border || k == 0 || k == extent.z - 1) {
      out[p] = in[p];
      continue;
    }
    const float sum = in[p - 1] + in[p + 1] + in[p - extent.x] + in[p + extent.x] +
                      in[extent.at(i, j, k - 1)] + in[extent.at(i, j, k + 1)];
    out[p] = coefficients[0] * in[p] + coefficients[1] * sum;
  }
}

static void referenceStep(const std::vector<double> &in, std::vector<double> &out, Extent extent,
                          const float *weights) {
  out = in;
  for (int k = 1; k < extent.z - 1; ++k)
    for (int j = 1; j < extent.y - 1; ++j)
      for (int i = 1; i < extent.x - 1; ++i)
        out[extent.at(i, j, k)] =
            weights[0] * in[extent.at(i, j, k)] +
            weights[1] * (in[extent.at(i - 1, j, k)] + in[extent.at(i + 1, j, k)] +
                          in[extent.at(i, j - 1, k)] + in[extent.at(i, j + 1, k)] +
                          in[extent.at(i, j, k - 1)] + in[extent.at(i, j, k + 1)]);
}

int main(int argc, char **argv) {
  const Extent extent = {sizeArgument(argc, argv, 1, 45), sizeArgument(argc, argv, 2, 38),
                         sizeArgument(argc, argv, 3, 31)};
  const int steps = sizeArgument(argc, argv, 4, 4);
  const size_t count = size_t(extent.x) * extent.y * extent.z, bytes = count * sizeof(float);
  const float weights[2] = {0.4f, 0.1f};
  Random random(6);
  std::vector<float> grid(count);
  for (float &x : grid)
    x = 100.0f * random.nextFloat();
  std::vector<double> expected(grid.begin(), grid.end()), next;

  float *current, *other;
  CHECK(cudaMalloc(&current, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMemcpy(current, grid.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(coefficients, weights, sizeof weights));
  const dim3 threads(16, 4);
  const dim3 blocks((extent.x + threads.x - 1) / threads.x, (extent.y + threads.y - 1) / threads.y);
  DeviceTimer timer;
  for (int step = 0; step < steps; ++step) {
    heatStep<<<blocks, threads>>>(current, other, extent);
    CHECK(cudaGetLastError());
    std::swap(current, other);
  }
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(grid.data(), current, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(current));
  CHECK(cudaFree(other));

  for (int step = 0; step < steps; ++step) {
    referenceStep(expected, next, extent, weights);
    std::swap(expected, next);
  }
  long mismatches = 0;
  for (size_t i = 0; i < count; ++i) // the weights sum to 1: a step adds a few ulps of 100
    mismatches += !(std::fabs(grid[i] - expected[i]) <= 1e-4 * steps);
  std::printf("stencil3d: %d x %d x %d, %d steps, %.3f ms\n", extent.x, extent.y, extent.z, steps,
              milliseconds);
  return verdict(mismatches);
}
