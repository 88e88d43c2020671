// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t -lcuda && %run %t
//
// Arrays, copies, textures and surfaces of the driver API, with kernels of the same program.

#include "../Inputs/harness.h"
#include <cuda.h>

#define CHECK_CU(call) expect((call) == CUDA_SUCCESS, #call, __LINE__)

__global__ void doubled(CUtexObject t, CUsurfObject s, float *numbers) {
  int x = threadIdx.x, y = blockIdx.x;
  uchar4 v = tex2D<uchar4>(t, x, y);
  surf2Dwrite(make_uchar4(v.x * 2, v.y * 2, v.z * 2, v.w * 2), s, x * 4, y);
  numbers[y * blockDim.x + x] = tex2D<float4>(t, x, y).y;
}

__global__ void normalized(CUtexObject t, float *numbers) {
  numbers[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

int main() {
  constexpr int w = 8, h = 4;
  CHECK_CU(cuInit(0));
  CHECK(cudaFree(nullptr)); // the primary context
  CUDA_ARRAY3D_DESCRIPTOR d = {};
  d.Width = w, d.Height = h;
  d.Format = CU_AD_FORMAT_UNSIGNED_INT8, d.NumChannels = 4;
  d.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray from, to;
  CUDA_ARRAY_DESCRIPTOR plain = {w, h, CU_AD_FORMAT_UNSIGNED_INT8, 4};
  CHECK_CU(cuArrayCreate(&from, &plain));
  CHECK_CU(cuArray3DCreate(&to, &d));
  CUDA_ARRAY3D_DESCRIPTOR back = {};
  CHECK_CU(cuArray3DGetDescriptor(&back, to));
  EXPECT(back.Width == w && back.Height == h && back.Depth == 0 && back.NumChannels == 4 &&
         back.Format == CU_AD_FORMAT_UNSIGNED_INT8 && back.Flags == d.Flags);

  // The middle of larger rows, moved by one element.
  std::vector<unsigned char> host(48 * h), got(w * 4 * h);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = (unsigned char)(mixed(i) & 127);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 48;
  copy.srcXInBytes = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = from;
  copy.WidthInBytes = w * 4;
  copy.Height = h;
  CHECK_CU(cuMemcpy2D(&copy));
  copy.WidthInBytes = 6;
  EXPECT(cuMemcpy2D(&copy) == CUDA_ERROR_INVALID_VALUE); // half an element

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = from;
  CUDA_TEXTURE_DESC desc = {};
  desc.flags = CU_TRSF_READ_AS_INTEGER;
  desc.addressMode[0] = CU_TR_ADDRESS_MODE_BORDER;
  CUtexObject texture;
  CHECK_CU(cuTexObjectCreate(&texture, &resource, &desc, nullptr));
  CUDA_TEXTURE_DESC told;
  CHECK_CU(cuTexObjectGetTextureDesc(&told, texture));
  EXPECT(told.flags == desc.flags && told.addressMode[0] == CU_TR_ADDRESS_MODE_BORDER);
  CUDA_RESOURCE_DESC which;
  CHECK_CU(cuTexObjectGetResourceDesc(&which, texture));
  EXPECT(which.resType == CU_RESOURCE_TYPE_ARRAY && which.res.array.hArray == from);
  EXPECT(cuTexObjectGetResourceViewDesc(nullptr, texture) == CUDA_ERROR_INVALID_VALUE);
  CUsurfObject surface;
  resource.res.array.hArray = to;
  CHECK_CU(cuSurfObjectCreate(&surface, &resource));

  DeviceArray<float> numbers(w * h);
  doubled<<<h, w>>>(texture, surface, numbers);
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = to;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = got.data();
  copy.WidthInBytes = w * 4;
  copy.Height = h;
  CHECK_CU(cuMemcpy2D(&copy));
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w * 4; ++x)
      expectEqual<int>(got[y * w * 4 + x], 2 * host[y * 48 + 4 + x], "surface", y * 100 + x);
  // From array to array, and from there as bytes.
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box.srcArray = to;
  box.dstArray = from;
  box.WidthInBytes = w * 4;
  box.Height = h;
  box.Depth = 1;
  CHECK_CU(cuMemcpy3D(&box));
  std::vector<unsigned char> row(w * 4);
  CHECK_CU(cuMemcpyAtoH(row.data(), from, 0, w * 4));
  EXPECT(std::equal(row.begin(), row.end(), got.begin()));

  // Bytes are numbers unless the program says otherwise.
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  DeviceArray<unsigned char> bytes(host);
  resource.res.linear.devPtr = CUdeviceptr((unsigned char *)bytes);
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = host.size();
  CUtexObject numbersOf;
  desc.flags = 0;
  CHECK_CU(cuTexObjectCreate(&numbersOf, &resource, &desc, nullptr));
  normalized<<<1, w * h>>>(numbersOf, numbers);
  std::vector<float> read = numbers.host();
  for (int i = 0; i < w * h; ++i)
    EXPECT(read[i] == host[i] / 255.0f);

  CHECK_CU(cuTexObjectDestroy(numbersOf));
  CHECK_CU(cuTexObjectDestroy(texture));
  CHECK_CU(cuSurfObjectDestroy(surface));
  CHECK_CU(cuArrayDestroy(from));
  CHECK_CU(cuArrayDestroy(to));
  EXPECT(cuArrayDestroy(to) == CUDA_ERROR_INVALID_HANDLE);
  plain.NumChannels = 3;
  EXPECT(cuArrayCreate(&from, &plain) == CUDA_ERROR_INVALID_VALUE);
  return finish();
}
