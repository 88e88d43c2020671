// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of kernels/ in CUDA. The inputs, and the result after it has been checked, go into
// files, which compare.py gives to the native kernels and compares with what they compute.
//
// usage: kernels vecadd|sgemm|sgemm2 SIZE BLOCK-X BLOCK-Y FOLDER

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(CALL)                                                                                \
  do {                                                                                             \
    if (cudaError_t error = (CALL)) {                                                              \
      std::fprintf(stderr, "%s: %s\n", #CALL, cudaGetErrorString(error));                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__global__ void vecadd(const float *a, const float *b, float *c, unsigned size) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    c[i] = a[i] + b[i];
}

__global__ void sgemm(const float *a, const float *b, float *c, unsigned size) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= size || column >= size)
    return;
  float sum = 0;
  for (unsigned k = 0; k < size; ++k)
    sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] = sum;
}

__global__ void sgemm2(const float *a, const float *b, float *c, unsigned size) {
  extern __shared__ float tiles[];
  unsigned tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  float *tileA = tiles, *tileB = tiles + tile * tile;
  unsigned row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (unsigned k = 0; k < size; k += tile) {
    tileA[y * tile + x] = a[row * size + k + x];
    tileB[y * tile + x] = b[(k + y) * size + column];
    __syncthreads();
    for (unsigned i = 0; i < tile; ++i)
      sum += tileA[y * tile + i] * tileB[i * tile + x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

using Floats = std::vector<float>;

/// Returns small whole numbers: sums of their products are exact, in whatever order they are added.
static Floats numbers(size_t count, unsigned seed) {
  Floats result(count);
  for (float &x : result)
    x = float((seed = seed * 1103515245 + 12345) >> 16 & 15);
  return result;
}

static Floats product(const Floats &a, const Floats &b, unsigned size) {
  Floats c(a.size());
  for (unsigned row = 0; row < size; ++row)
    for (unsigned k = 0; k < size; ++k)
      for (unsigned column = 0; column < size; ++column)
        c[row * size + column] += a[row * size + k] * b[k * size + column];
  return c;
}

static Floats sum(const Floats &a, const Floats &b) {
  Floats c(a);
  for (size_t i = 0; i < c.size(); ++i)
    c[i] += b[i];
  return c;
}

static void put(const std::string &path, const Floats &values) {
  FILE *file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(values.data(), sizeof(float), values.size(), file) != values.size() ||
      std::fclose(file)) {
    std::perror(path.c_str());
    std::exit(1);
  }
}

static float *copyToDevice(const Floats &values) {
  float *device;
  CHECK(cudaMalloc(&device, values.size() * sizeof(float)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s vecadd|sgemm|sgemm2 SIZE BLOCK-X BLOCK-Y FOLDER\n", argv[0]);
    return 2;
  }
  std::string kernel = argv[1], folder = argv[5];
  unsigned size = std::atoi(argv[2]);
  dim3 block(std::atoi(argv[3]), std::atoi(argv[4]));
  bool isVector = kernel == "vecadd";
  size_t count = isVector ? size : size_t(size) * size;
  Floats a = numbers(count, 1), b = numbers(count, 2);
  put(folder + "/a.bin", a);
  put(folder + "/b.bin", b);

  Floats result(count, -1.0f);
  float *deviceA = copyToDevice(a), *deviceB = copyToDevice(b), *deviceC = copyToDevice(result);
  dim3 grid((size + block.x - 1) / block.x, isVector ? 1 : (size + block.y - 1) / block.y);
  if (isVector)
    vecadd<<<grid, block>>>(deviceA, deviceB, deviceC, size);
  else if (kernel == "sgemm")
    sgemm<<<grid, block>>>(deviceA, deviceB, deviceC, size);
  else
    sgemm2<<<grid, block, 2 * block.x * block.y * sizeof(float)>>>(deviceA, deviceB, deviceC, size);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), deviceC, count * sizeof(float), cudaMemcpyDeviceToHost));
  if (result != (isVector ? sum(a, b) : product(a, b, size))) {
    std::fprintf(stderr, "%s: wrong result\n", kernel.c_str());
    return 1;
  }
  put(folder + "/c.bin", result);
}
