// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of an array with cooperative groups: tiles of 4, 8, 16 or 32 threads add their threads' sums
// by cg::reduce, and the first tile adds the tiles' sums, which passed through shared memory. A
// second launch of one block adds the blocks' sums.
// usage: reduce_tile [values [threads of a block [threads of a tile [blocks]]]]

#include "../common/example.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <unsigned TileSize> __global__ void reduceTile(const int *in, int *out, int n) {
  __shared__ int sums[1024 / TileSize];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<TileSize>(block);
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  if (tile.thread_rank() == 0)
    sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() != 0)
    return;
  sum = 0;
  for (unsigned i = tile.thread_rank(); i < tile.meta_group_size(); i += tile.size())
    sum += sums[i];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  if (tile.thread_rank() == 0)
    out[blockIdx.x] = sum;
}

template <unsigned TileSize>
static void launch(const int *in, int *partial, int *out, int n, int threads, int blocks) {
  reduceTile<TileSize><<<blocks, threads>>>(in, partial, n);
  reduceTile<TileSize><<<1, threads>>>(partial, out, blocks);
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 60000);
  const int threads = blockArgument(argc, argv, 2, 256);
  const int tile = sizeArgument(argc, argv, 3, 32);
  if (tile != 4 && tile != 8 && tile != 16 && tile != 32) {
    std::fprintf(stderr, "reduce_tile: tiles have 4, 8, 16 or 32 threads\n");
    return 2;
  }
  const int blocks = sizeArgument(argc, argv, 4, 16);
  Random random(15);
  std::vector<int> in(n);
  int expected = 0;
  for (int &x : in) {
    x = int(random.next() % 2001) - 1000;
    expected += x;
  }
  DeviceBuffer<int> deviceIn(in), partial(blocks), result(1);

  DeviceTimer timer;
  auto run = tile == 4 ? launch<4> : tile == 8 ? launch<8> : tile == 16 ? launch<16> : launch<32>;
  run(deviceIn, partial, result, n, threads, blocks);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  int sum = result.host()[0];
  std::printf("reduce_tile: %d values, %d blocks of %d, tiles of %d, sum %d, %.3f ms\n", n, blocks,
              threads, tile, sum, milliseconds);
  return verdict(sum != expected);
}
