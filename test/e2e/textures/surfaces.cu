// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %shapes --few %t && env VX_LOWERING=sw %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Surfaces of every shape, written and read by kernels in elements of several sizes, and what the
// boundary modes do outside. A trap stops the kernel.

#include "../Inputs/harness.h"

enum Shape { S1D, S2D, S3D, S1DLayered, S2DLayered, SCubemap, SCubemapLayered };

/// Makes one access of SHAPE; X counts in elements.
template <class T, int SHAPE>
__device__ T read(cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  int at = x * int(sizeof(T));
  T v;
  if (SHAPE == S1D)
    return surf1Dread<T>(s, at, mode);
  if (SHAPE == S2D) {
    surf2Dread(&v, s, at, y, mode);
    return v;
  }
  if (SHAPE == S3D)
    return surf3Dread<T>(s, at, y, z, mode);
  if (SHAPE == S1DLayered)
    return surf1DLayeredread<T>(s, at, z, mode);
  if (SHAPE == S2DLayered)
    return surf2DLayeredread<T>(s, at, y, z, mode);
  if (SHAPE == SCubemap)
    return surfCubemapread<T>(s, at, y, z, mode);
  return surfCubemapLayeredread<T>(s, at, y, z, mode);
}
template <class T, int SHAPE>
__device__ void write(T v, cudaSurfaceObject_t s, int x, int y, int z,
                      cudaSurfaceBoundaryMode mode) {
  int at = x * int(sizeof(T));
  if (SHAPE == S1D)
    surf1Dwrite(v, s, at, mode);
  else if (SHAPE == S2D)
    surf2Dwrite(v, s, at, y, mode);
  else if (SHAPE == S3D)
    surf3Dwrite(v, s, at, y, z, mode);
  else if (SHAPE == S1DLayered)
    surf1DLayeredwrite(v, s, at, z, mode);
  else if (SHAPE == S2DLayered)
    surf2DLayeredwrite(v, s, at, y, z, mode);
  else if (SHAPE == SCubemap)
    surfCubemapwrite(v, s, at, y, z, mode);
  else
    surfCubemapLayeredwrite(v, s, at, y, z, mode);
}

template <class T> __host__ __device__ T value(unsigned n) {
  T v;
  for (unsigned i = 0; i < sizeof(T); ++i)
    reinterpret_cast<unsigned char *>(&v)[i] = (unsigned char)(mixed(n) >> i % 4 * 8);
  return v;
}

template <class T> __device__ bool same(const T &a, const T &b) {
  bool equal = true;
  for (unsigned i = 0; i < sizeof(T); ++i)
    equal &= reinterpret_cast<const char *>(&a)[i] == reinterpret_cast<const char *>(&b)[i];
  return equal;
}

/// Writes all elements, and around them: those writes may do nothing.
template <class T, int SHAPE> __global__ void fill(cudaSurfaceObject_t s, int w, int h, int d) {
  for (int i = threadIdx.x; i < (w + 4) * (h + 4) * (d + 4); i += blockDim.x) {
    int x = i % (w + 4) - 2, y = i / (w + 4) % (h + 4) - 2, z = i / (w + 4) / (h + 4) - 2;
    bool usesY = SHAPE != S1D && SHAPE != S1DLayered, usesZ = SHAPE != S1D && SHAPE != S2D;
    if ((!usesY && y) || (!usesZ && z))
      continue;
    bool inside = x >= 0 && x < w && y >= 0 && y < h && z >= 0 && z < d;
    if (inside)
      write<T, SHAPE>(value<T>((z * h + y) * w + x), s, x, y, z, cudaBoundaryModeTrap);
    else
      write<T, SHAPE>(value<T>(12345), s, x, y, z, cudaBoundaryModeZero);
  }
}

/// Reads in and around the surface in the two modes that do not stop the kernel.
template <class T, int SHAPE>
__global__ void check(cudaSurfaceObject_t s, int w, int h, int d, unsigned *wrong) {
  for (int i = threadIdx.x; i < (w + 4) * (h + 4) * (d + 4); i += blockDim.x) {
    int x = i % (w + 4) - 2, y = i / (w + 4) % (h + 4) - 2, z = i / (w + 4) / (h + 4) - 2;
    bool usesY = SHAPE != S1D && SHAPE != S1DLayered, usesZ = SHAPE != S1D && SHAPE != S2D;
    if ((!usesY && y) || (!usesZ && z))
      continue;
    bool inside = x >= 0 && x < w && y >= 0 && y < h && z >= 0 && z < d;
    constexpr bool sliced = SHAPE >= S1DLayered; // a layer below 0 is beyond the last
    int cx = min(max(x, 0), w - 1), cy = min(max(y, 0), h - 1);
    int cz = sliced ? (int)min((unsigned)z, d - 1u) : min(max(z, 0), d - 1);
    T near = value<T>((cz * h + cy) * w + cx), zero = T();
    T clamped = read<T, SHAPE>(s, x, y, z, cudaBoundaryModeClamp);
    T zeroed = read<T, SHAPE>(s, x, y, z, cudaBoundaryModeZero);
    if (!same(clamped, near) || !same(zeroed, inside ? near : zero))
      atomicAdd(wrong, 1);
  }
}

template <class T, int SHAPE> void run(const char *name) {
  constexpr bool cube = SHAPE == SCubemap || SHAPE == SCubemapLayered;
  constexpr bool layered = SHAPE == S1DLayered || SHAPE == S2DLayered || SHAPE == SCubemapLayered;
  int w = cube ? 3 : 5, h = cube ? 3 : SHAPE == S1D || SHAPE == S1DLayered ? 1 : 4;
  int d = SHAPE == SCubemap ? 6 : SHAPE == SCubemapLayered ? 12 : SHAPE >= S3D ? 3 : 1;
  unsigned flags =
      cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0) | (cube ? cudaArrayCubemap : 0);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h > 1 ? h : 0, d > 1 ? d : 0), flags));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  fill<T, SHAPE><<<1, 64>>>(surface, w, h, d);
  DeviceArray<unsigned> wrong(1);
  check<T, SHAPE><<<1, 64>>>(surface, w, h, d, wrong);
  expect(wrong.host()[0] == 0, name, SHAPE);
  cudaResourceDesc back;
  CHECK(cudaGetSurfaceObjectResourceDesc(&back, surface));
  EXPECT(back.resType == cudaResourceTypeArray && back.res.array.array == array);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

__global__ void outside(cudaSurfaceObject_t s) {
  surf2Dwrite<float>(1, s, 4 * threadIdx.x, 0);
}

/// A level of a mipmapped array, written as a surface and copied out.
static void runLevel() {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  CHECK(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(8, 6, 0), 2));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaGetMipmappedArrayLevel(&resource.res.array.array, mipmap, 1));
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  fill<float, S2D><<<1, 64>>>(surface, 4, 3, 1);
  float level[12];
  CHECK(cudaMemcpy2DFromArray(level, 16, resource.res.array.array, 0, 0, 16, 3,
                              cudaMemcpyDeviceToHost));
  for (int i = 0; i < 12; ++i)
    expect(level[i] == value<float>(i), "level", i);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeMipmappedArray(mipmap));
}

int main() {
  run<unsigned char, S2D>("uchar");
  run<short2, S2D>("short2");
  run<float, S1D>("float");
  run<float, S2D>("float");
  run<float, S3D>("float");
  run<float, S1DLayered>("float");
  run<float, S2DLayered>("float");
  run<float, SCubemap>("float");
  run<float, SCubemapLayered>("float");
  run<float2, S3D>("float2");
  run<uint4, S2D>("uint4");
  runLevel();

  // The default mode stops at the first access outside. CUDA does not look at the array's flag.
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMallocArray(&resource.res.array.array, &desc, 4, 4));
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  outside<<<1, 4>>>(surface);
  CHECK(cudaDeviceSynchronize());
  outside<<<1, 5>>>(surface);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return finish();
}
