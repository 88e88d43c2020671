// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host && env VX_BACKEND=host %run %t.host
//
// Copies to, from and between arrays in all their forms, in streams and graphs, against the same
// copies on the host.

#include "../Inputs/harness.h"

using Bytes = std::vector<unsigned char>;
const int w = 7, h = 5, d = 3, element = 4, row = w * element;

Bytes numbered(size_t count, unsigned first) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = (unsigned char)mixed(first + unsigned(i));
  return bytes;
}

cudaArray_t make(int height, int depth, unsigned flags = 0) {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, height, depth), flags));
  return array;
}

void expectRows(cudaArray_t array, const Bytes &want, int line) {
  Bytes got(want.size());
  CHECK(cudaMemcpyFromArray(got.data(), array, 0, 0, got.size(), cudaMemcpyDeviceToHost));
  expect(got == want, "rows of an array", line);
}

void linear() {
  cudaArray_t array = make(h, 0);
  Bytes want = numbered(row * h, 1), part = numbered(60, 1000);
  CHECK(cudaMemcpyToArray(array, 0, 0, want.data(), want.size(), cudaMemcpyHostToDevice));
  expectRows(array, want, __LINE__);
  // From the middle of a row over the ends of two.
  CHECK(cudaMemcpyToArray(array, 8, 1, part.data(), 60, cudaMemcpyHostToDevice));
  std::copy(part.begin(), part.end(), want.begin() + row + 8);
  expectRows(array, want, __LINE__);
  Bytes got(50);
  CHECK(cudaMemcpyFromArray(got.data(), array, 20, 2, 50, cudaMemcpyDeviceToHost));
  EXPECT(std::equal(got.begin(), got.end(), want.begin() + 2 * row + 20));
  cudaArray_t other = make(h, 0);
  CHECK(cudaMemcpyToArray(other, 0, 0, want.data(), want.size(), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyArrayToArray(other, 4, 0, array, 16, 1, 70));
  Bytes moved = want;
  std::copy(want.begin() + row + 16, want.begin() + row + 86, moved.begin() + 4);
  expectRows(other, moved, __LINE__);
  // Beyond the end, and the wrong way round.
  EXPECT(cudaMemcpyToArray(array, 8, 4, part.data(), 60, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(cudaMemcpyToArray(array, 0, 0, part.data(), 60, cudaMemcpyHostToHost) != cudaSuccess);
  EXPECT(cudaMemcpy2DToArray(array, 8, 0, part.data(), 24, 24, 1, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array));
  EXPECT(cudaMemcpyToArray(array, 0, 0, part.data(), 4, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(other));
}

void rows() {
  cudaArray_t array = make(h, 0);
  Bytes want = numbered(row * h, 5), source = numbered(100, 77);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, want.data(), row, row, h, cudaMemcpyHostToDevice));
  DeviceArray<unsigned char> memory(source);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemcpy2DToArrayAsync(array, 8, 2, memory, 24, 12, 3, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int y = 0; y < 3; ++y)
    std::copy(&source[y * 24], &source[y * 24] + 12, &want[(y + 2) * row + 8]);
  expectRows(array, want, __LINE__);
  Bytes got(40);
  CHECK(cudaMemcpy2DFromArray(got.data(), 20, array, 12, 1, 16, 2, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 2; ++y)
    EXPECT(std::equal(&got[y * 20], &got[y * 20] + 16, &want[(y + 1) * row + 12]));
  cudaArray_t other = make(h, 0);
  CHECK(cudaMemcpy2DToArray(other, 0, 0, want.data(), row, row, h, cudaMemcpyDefault));
  // One row needs no pitch, several do.
  EXPECT(cudaMemcpy2DToArray(other, 0, 1, want.data(), 0, row, 2, cudaMemcpyDefault) ==
         cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2DToArray(other, 0, 0, &want[row], 0, row, 1, cudaMemcpyDefault));
  Bytes first(row);
  CHECK(cudaMemcpy2DFromArray(first.data(), 0, other, 0, 0, row, 1, cudaMemcpyDefault));
  EXPECT(std::equal(first.begin(), first.end(), &want[row]));
  CHECK(cudaMemcpy2DToArray(other, 0, 0, want.data(), 0, row, 1, cudaMemcpyDefault));
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 3, array, 8, 0, 20, 2));
  Bytes moved = want;
  for (int y = 0; y < 2; ++y)
    std::copy(&want[y * row + 8], &want[y * row + 8] + 20, &moved[(y + 3) * row]);
  expectRows(other, moved, __LINE__);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
}

/// Boxes, whose widths and places count elements.
void boxes(unsigned flags) {
  cudaArray_t array = make(h, d, flags);
  Bytes all = numbered(size_t(row) * h * d, 9), got(all.size());
  cudaMemcpy3DParms to = {};
  to.srcPtr = make_cudaPitchedPtr(all.data(), row, w, h);
  to.dstArray = array;
  to.extent = make_cudaExtent(w, h, d);
  to.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&to));
  Bytes part = numbered(4 * 3 * 2 * 2, 500);
  to.srcPtr = make_cudaPitchedPtr(part.data(), 8, 2, 3);
  to.dstPos = make_cudaPos(5, 1, 1);
  to.extent = make_cudaExtent(2, 3, 2);
  CHECK(cudaMemcpy3D(&to));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      std::copy(&part[(z * 3 + y) * 8], &part[(z * 3 + y) * 8] + 8,
                &all[((z + 1) * h + y + 1) * row + 5 * element]);
  cudaMemcpy3DParms from = {};
  from.srcArray = array;
  from.dstPtr = make_cudaPitchedPtr(got.data(), row, w, h);
  from.extent = make_cudaExtent(w, h, d);
  from.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&from));
  EXPECT(got == all);
  // The same as a node of a graph.
  std::fill(got.begin(), got.end(), 0);
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &from));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(got == all);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  to.dstPos.x = 6;
  EXPECT(cudaMemcpy3D(&to) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array));
}

void info() {
  cudaArray_t array = make(h, d, cudaArrayLayered);
  cudaChannelFormatDesc desc;
  cudaExtent extent;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&desc, &extent, &flags, array));
  EXPECT(desc.x == 32 && desc.y == 0 && desc.f == cudaChannelFormatKindSigned);
  EXPECT(extent.width == w && extent.height == h && extent.depth == d);
  EXPECT(flags == cudaArrayLayered);
  CHECK(cudaFreeArray(array));
  desc = cudaCreateChannelDesc<float4>();
  cudaMipmappedArray_t mipmapped;
  CHECK(cudaMallocMipmappedArray(&mipmapped, &desc, make_cudaExtent(20, 6, 0), 9));
  for (unsigned level = 0; level < 5; ++level) {
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT(extent.width == 20u >> level && extent.height == (level > 2 ? 1 : 6u >> level));
  }
  EXPECT(cudaGetMipmappedArrayLevel(&array, mipmapped, 5) == cudaErrorInvalidValue);
  EXPECT(cudaFreeArray(array) == cudaErrorInvalidValue); // a level is not an array of its own
  CHECK(cudaFreeMipmappedArray(mipmapped));
  // Formats and extents that there are not.
  desc.z = 0;
  EXPECT(cudaMallocArray(&array, &desc, 4, 4) == cudaErrorInvalidChannelDescriptor);
  desc = cudaCreateChannelDesc<float3>();
  EXPECT(cudaMallocArray(&array, &desc, 4, 4) == cudaErrorInvalidChannelDescriptor);
  desc = cudaCreateChannelDesc<float>();
  EXPECT(cudaMallocArray(&array, &desc, 0, 4) == cudaErrorInvalidValue);
  EXPECT(cudaMallocArray(&array, &desc, 1 << 20, 1) == cudaErrorInvalidValue);
  EXPECT(cudaMalloc3DArray(&array, &desc, make_cudaExtent(4, 5, 6), cudaArrayCubemap) ==
         cudaErrorInvalidValue);
}

int main() {
  linear();
  rows();
  boxes(0);
  boxes(cudaArrayLayered);
  info();
  return finish();
}
