// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a texture of RGBA bytes into an image of the same size, as the texture benchmarks of the
// Vortex thesis do, a quarter of an element aside so that filters have something to do.
//
//   textures SIZE point|bilinear|trilinear texture|written
//
// texture: CUDA's fetches. written: software in the kernel itself for this one format and
// addressing mode, as one writes it without textures.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  if (cudaError_t status = (call); status != cudaSuccess) {                                        \
    std::printf("%s: %s\n", #call, cudaGetErrorName(status));                                      \
    std::exit(1);                                                                                  \
  }

enum Filter { Point, Bilinear, Trilinear };
constexpr float shift = 0.75f, detail = 0.5f; // between the levels 0 and 1

struct Plane {
  const uchar4 *texels;
  int size;
};

__host__ __device__ inline int clamped(int i, int size) {
  return i < 0 ? 0 : i < size ? i : size - 1;
}
__host__ __device__ inline float4 mix(float4 a, float4 b, float t) {
  return make_float4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z),
                     a.w + t * (b.w - a.w));
}
__host__ __device__ inline float4 number(uchar4 c) {
  return make_float4(c.x, c.y, c.z, c.w);
}
__host__ __device__ inline uchar4 element(const Plane &p, int x, int y) {
  return p.texels[clamped(y, p.size) * p.size + clamped(x, p.size)];
}
__host__ __device__ inline float4 bilinear(const Plane &p, float u, float v) {
  float x = u * p.size - 0.5f, y = v * p.size - 0.5f;
  float left = floorf(x), top = floorf(y);
  float s = floorf((x - left) * 256 + 0.5f) / 256, t = floorf((y - top) * 256 + 0.5f) / 256;
  int i = int(left), j = int(top);
  return mix(mix(number(element(p, i, j)), number(element(p, i + 1, j)), s),
             mix(number(element(p, i, j + 1)), number(element(p, i + 1, j + 1)), s), t);
}
__host__ __device__ inline uchar4 rounded(float4 c, float scale) {
  return make_uchar4((unsigned char)(c.x * scale + 0.5f), (unsigned char)(c.y * scale + 0.5f),
                     (unsigned char)(c.z * scale + 0.5f), (unsigned char)(c.w * scale + 0.5f));
}
__host__ __device__ inline uchar4 sample(const Plane &p, const Plane &next, float u, float v,
                                         Filter filter) {
  if (filter == Point)
    return element(p, int(u * p.size), int(v * p.size));
  if (filter == Bilinear)
    return rounded(bilinear(p, u, v), 1);
  return rounded(mix(bilinear(p, u, v), bilinear(next, u, v), detail), 1);
}

template <Filter filter> __global__ void written(uchar4 *out, Plane p, Plane next, float step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * p.size + x] = sample(p, next, (x + shift) * step, (y + shift) * step, filter);
}

template <Filter filter>
__global__ void texture(uchar4 *out, cudaTextureObject_t t, int size, float step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + shift) * step, v = (y + shift) * step;
  out[y * size + x] = filter == Point      ? tex2D<uchar4>(t, u, v)
                      : filter == Bilinear ? rounded(tex2D<float4>(t, u, v), 255)
                                           : rounded(tex2DLod<float4>(t, u, v, detail), 255);
}

/// Returns a mipmapped array of the two levels LEVELS, or an array of the first, as a texture.
cudaTextureObject_t textureOf(const std::vector<uchar4> *levels, int size, Filter filter) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaResourceDesc resource = {};
  cudaArray_t array[2] = {};
  if (filter == Trilinear) {
    resource.resType = cudaResourceTypeMipmappedArray;
    CHECK(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format,
                                   make_cudaExtent(size, size, 0), 2));
    for (int i = 0; i < 2; ++i)
      CHECK(cudaGetMipmappedArrayLevel(&array[i], resource.res.mipmap.mipmap, i));
  } else {
    resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&array[0], &format, size, size));
    resource.res.array.array = array[0];
  }
  for (int i = 0; i < 2; ++i)
    if (size_t pitch = (size >> i) * sizeof(uchar4); array[i])
      CHECK(cudaMemcpy2DToArray(array[i], 0, 0, levels[i].data(), pitch, pitch, size >> i,
                                cudaMemcpyHostToDevice));
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  desc.filterMode = filter == Point ? cudaFilterModePoint : cudaFilterModeLinear;
  desc.mipmapFilterMode = filter == Trilinear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = filter == Point ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  desc.normalizedCoords = 1;
  desc.maxMipmapLevelClamp = 1;
  cudaTextureObject_t made;
  CHECK(cudaCreateTextureObject(&made, &resource, &desc, nullptr));
  return made;
}

template <Filter filter> void draw(int size, bool isTexture) {
  std::vector<uchar4> levels[2];
  Plane host[2], device[2];
  for (int i = 0; i < 2; ++i) {
    int side = size >> i;
    levels[i].resize(side * side);
    for (size_t k = 0; k < levels[i].size(); ++k) {
      unsigned mixed = unsigned(k + 1 + 77777 * i) * 2654435761u;
      std::memcpy(&levels[i][k], &mixed, 4);
    }
    void *memory;
    CHECK(cudaMalloc(&memory, side * side * sizeof(uchar4)));
    CHECK(
        cudaMemcpy(memory, levels[i].data(), side * side * sizeof(uchar4), cudaMemcpyHostToDevice));
    host[i] = {levels[i].data(), side};
    device[i] = {static_cast<uchar4 *>(memory), side};
  }
  uchar4 *out;
  CHECK(cudaMalloc(&out, size * size * sizeof(uchar4)));
  dim3 block(16, 2), grid(size / 16, size / 2);
  float step = 1.0f / size;
  if (isTexture)
    texture<filter><<<grid, block>>>(out, textureOf(levels, size, filter), size, step);
  else
    written<filter><<<grid, block>>>(out, device[0], device[1], step);
  std::vector<uchar4> got(size * size);
  CHECK(cudaMemcpy(got.data(), out, size * size * sizeof(uchar4), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < size * size; ++i) {
    uchar4 want =
        sample(host[0], host[1], (i % size + shift) * step, (i / size + shift) * step, filter);
    auto differs = [](int a, int b) { return std::abs(a - b) > 1; }; // sums are rounded
    wrong += differs(got[i].x, want.x) || differs(got[i].y, want.y) || differs(got[i].z, want.z) ||
             differs(got[i].w, want.w);
  }
  std::printf("%s\n", wrong ? "FAIL" : "PASS");
  if (wrong)
    std::exit(1);
}

int main(int count, char **arguments) {
  if (count != 4 || std::atoi(arguments[1]) < 16 || std::atoi(arguments[1]) % 16) {
    std::printf("usage: textures SIZE point|bilinear|trilinear texture|written; SIZE is a multiple "
                "of 16\n");
    return 2;
  }
  int size = std::atoi(arguments[1]);
  bool isTexture = !std::strcmp(arguments[3], "texture");
  switch (arguments[2][0]) {
  case 'p':
    draw<Point>(size, isTexture);
    break;
  case 'b':
    draw<Bilinear>(size, isTexture);
    break;
  default:
    draw<Trilinear>(size, isTexture);
    break;
  }
}
