// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory besides global, shared and local memory that means the same on the device and on the host, for random
// kernels: a heap, managed memory, textures in linear memory and in an array.

#ifndef TEST_E2E_MEMORY_SPACES_H
#define TEST_E2E_MEMORY_SPACES_H

#include "harness.h"
#include <cstdlib>
#include <vector>

constexpr unsigned TableSize = 256, ImageSize = 16;

__managed__ unsigned managedTable[TableSize];
/// Objects of type cudaTextureObject_t: the table, and the image with clamped coordinates.
__constant__ cudaTextureObject_t tableTexture, imageTexture;

inline unsigned tableOnHost(unsigned i) { return mixed(i * 3 + 1); }
inline float imageOnHost(unsigned x, unsigned y) { return static_cast<float>((mixed(x + y * ImageSize) & 255) * 0.5); }

/// Returns one of the TableSize words of managed memory.
__host__ __device__ inline unsigned managedWord(unsigned i) { return managedTable[i % TableSize]; }

/// Returns the same words, read by a texture.
__host__ __device__ inline unsigned fetched(unsigned i) {
#ifdef __CUDA_ARCH__
  return tex1Dfetch<unsigned>(tableTexture, static_cast<int>(i % TableSize));
#else
  return tableOnHost(i % TableSize);
#endif
}

/// Returns the image's element at (X, Y); coordinates from 0 to 31 are clamped to its edge.
__host__ __device__ inline float sampled(unsigned x, unsigned y) {
  x %= 2 * ImageSize;
  y %= 2 * ImageSize;
#ifdef __CUDA_ARCH__
  return tex2D<float>(imageTexture, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
#else
  auto clamped = [](unsigned v) { return v < ImageSize ? v : ImageSize - 1; };
  return imageOnHost(clamped(x), clamped(y));
#endif
}

/// Allocates COUNT words of the heap, V, V + 1, …; null where there is no room, a wrong result.
__host__ __device__ inline unsigned *newWords(unsigned count, unsigned v) {
  unsigned *words = static_cast<unsigned *>(malloc(count * sizeof(unsigned)));
  for (unsigned i = 0; words && i < count; ++i)
    words[i] = v + i;
  return words;
}

/// Fills the memory. Once, before the first launch.
inline void prepareMemorySpaces() {
  std::vector<unsigned> table(TableSize);
  for (unsigned i = 0; i < TableSize; ++i)
    table[i] = managedTable[i] = tableOnHost(i);
  std::vector<float> image(ImageSize * ImageSize);
  for (unsigned y = 0; y < ImageSize; ++y)
    for (unsigned x = 0; x < ImageSize; ++x)
      image[y * ImageSize + x] = imageOnHost(x, y);

  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  how.filterMode = cudaFilterModePoint;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;

  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  CHECK(cudaMalloc(&linear.res.linear.devPtr, table.size() * sizeof(unsigned)));
  CHECK(cudaMemcpy(linear.res.linear.devPtr, table.data(), table.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  linear.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  linear.res.linear.sizeInBytes = table.size() * sizeof(unsigned);
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &linear, &how, nullptr));
  CHECK(cudaMemcpyToSymbol(tableTexture, &object, sizeof object));

  cudaResourceDesc array = {};
  array.resType = cudaResourceTypeArray;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array.res.array.array, &format, ImageSize, ImageSize));
  size_t row = ImageSize * sizeof(float);
  CHECK(cudaMemcpy2DToArray(array.res.array.array, 0, 0, image.data(), row, row, ImageSize, cudaMemcpyHostToDevice));
  CHECK(cudaCreateTextureObject(&object, &array, &how, nullptr));
  CHECK(cudaMemcpyToSymbol(imageTexture, &object, sizeof object));
}

#endif // TEST_E2E_MEMORY_SPACES_H
