// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %shapes --few %t && env VX_LOWERING=sw %run %t
// RUN: env VX_SET=isa.texture=1 %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Texture objects on arrays of 1, 2 and 3 dimensions in every combination of addressing, filter and
// coordinates, for several formats, against the manual's formulas: what formats round is next to
// that. All lowerings print the same bits.

#include "Inputs/reference.h"

template <int D>
__global__ void sample(cudaTextureObject_t t, const float *x, float4 *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  if (D == 1)
    out[i] = tex1D<float4>(t, x[i]);
  else if (D == 2)
    out[i] = tex2D<float4>(t, x[i], x[count + i]);
  else
    out[i] = tex3D<float4>(t, x[i], x[count + i], x[2 * count + i]);
}

/// The way elements are stored, and read as numbers.
struct Format {
  const char *name;
  cudaChannelFormatDesc desc;
  int sign; ///< of integers: bits of a number below the sign; 0: float
  double rounding; ///< of results, at most, where the largest is 1
  bool srgb = false;
  /// Returns the border's number in a format of integers.
  double border(float b) const { return sign && !srgb ? steps(b) : b; }
  double steps(double b) const {
    int most = (1 << sign) - 1;
    return value(std::ceil(b * most - 0.5), 0);
  }
  double value(double stored, int c) const {
    if (!sign)
      return stored;
    double v = std::fmax(stored / ((1 << sign) - 1), -1);
    if (!srgb || c == 3)
      return v;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
};
const Format formats[] = {
    {"float", {32, 0, 0, 0, cudaChannelFormatKindFloat}, 0, 0},
    {"float4", {32, 32, 32, 32, cudaChannelFormatKindFloat}, 0, 0},
    {"half2", {16, 16, 0, 0, cudaChannelFormatKindFloat}, 0, 0x1p-12},
    {"uchar4", {8, 8, 8, 8, cudaChannelFormatKindUnsigned}, 8, 0x1p-17},
    {"srgb", {8, 8, 8, 8, cudaChannelFormatKindUnsigned}, 8, 0x1p-7, true},
    {"char2", {8, 8, 0, 0, cudaChannelFormatKindSigned}, 7, 0x1.1p-7},
    {"ushort", {16, 0, 0, 0, cudaChannelFormatKindUnsigned}, 16, 0x1p-17},
    {"short4", {16, 16, 16, 16, cudaChannelFormatKindSigned}, 15, 0x1p-14},
    {"unorm8x4", {8, 8, 8, 8, cudaChannelFormatKindUnsignedNormalized8X4}, 8, 0x1p-17},
};

unsigned short halfBits(int n) { // small integers
  _Float16 h = _Float16(n);
  unsigned short bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}

/// Makes an array with numbers, and what they mean.
cudaArray_t makeArray(const Format &format, int dimensions, const int *size, Image &image) {
  const cudaChannelFormatDesc &d = format.desc;
  int bytes = d.x / 8, channels = 1 + (d.y > 0) + (d.z > 0) + (d.w > 0);
  size_t count = size_t(size[0]) * size[1] * size[2];
  std::vector<unsigned char> memory(count * channels * bytes);
  image.channels = channels;
  std::copy(size, size + 3, image.size);
  image.values.resize(count * channels);
  for (size_t i = 0; i < count * channels; ++i) {
    int stored = int(mixed(i) % 4096) - 2048;
    if (format.sign) {
      bool isSigned = format.sign % 8 == 7;
      int range = 1 << (format.sign + isSigned);
      stored = int(mixed(i) % range) - (isSigned ? range / 2 : 0);
    }
    float f = float(stored);
    unsigned short h = halfBits(stored);
    const void *from = format.sign ? (const void *)&stored : bytes == 4 ? (const void *)&f : &h;
    std::memcpy(&memory[i * bytes], from, bytes);
    image.values[i] = format.value(stored, int(i) % channels);
  }
  cudaArray_t array;
  cudaExtent extent =
      make_cudaExtent(size[0], dimensions > 1 ? size[1] : 0, dimensions > 2 ? size[2] : 0);
  CHECK(cudaMalloc3DArray(&array, &d, extent, 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(memory.data(), size[0] * channels * bytes, size[0], size[1]);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(size[0], size[1], size[2]);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

unsigned long long checksum = 0;

template <int D> void run(const Format &format) {
  const int size[3] = {5, D > 1 ? 4 : 1, D > 2 ? 3 : 1};
  const int count = 96;
  Reference want;
  want.dimensions = D;
  cudaArray_t array = makeArray(format, D, size, want.image);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  DeviceArray<float4> out(count);
  double largest = 1;
  for (double v : want.image.values)
    largest = std::fmax(largest, std::fabs(v));
  for (int mode = 0; mode < 32; ++mode) {
    // Mixed addressing in the last rounds.
    for (int d = 0; d < 3; ++d)
      want.mode[d] = cudaTextureAddressMode((mode + (mode >= 16 ? d : 0)) % 4);
    want.linear = mode & 4;
    want.normalized = mode & 8;
    cudaTextureDesc desc = {};
    std::copy(want.mode, want.mode + 3, desc.addressMode);
    desc.filterMode = want.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.readMode = format.sign ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = want.normalized;
    desc.sRGB = format.srgb;
    for (int c = 0; c < 4; ++c)
      want.border[c] = format.border(desc.borderColor[c] = 0.25f * (c + 1));
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    // Multiples of 1/512 around and far from the texture, and the places where formulas change.
    std::vector<float> x(3 * count);
    for (int i = 0; i < 3 * count; ++i) {
      int n = size[i / count];
      double span = want.normalized ? 1 : n;
      double at = int(mixed(i + 977 * mode) % 2048 - 768.0) / 512.0 * span;
      if (i % 8 == 0)
        at = (int(mixed(i) % 13) - 6) / 4.0 * span;
      if (i % 31 == 0)
        at = (i % 2 ? 100 : -100) * span;
      x[i] = float(at);
    }
    DeviceArray<float> coordinates(x);
    sample<D><<<(count + 31) / 32, 32>>>(texture, coordinates, out, count);
    std::vector<float4> got = out.host();
    for (int i = 0; i < count; ++i) {
      const double at[3] = {x[i], x[count + i], x[2 * count + i]};
      const float channels[4] = {got[i].x, got[i].y, got[i].z, got[i].w};
      for (int c = 0; c < 4; ++c) {
        double right = c < want.image.channels ? want.sample(at, c) : 0;
        double error = (4e-7 + format.rounding) * largest;
        if (!expect(std::fabs(channels[c] - right) <= error, format.name, D * 10000 + mode * 100 + i) &&
            wrongResults() <= 10)
          std::printf("  (%g, %g, %g).%d: got %.9g, wanted %.9g\n", at[0], at[1], at[2], c,
                      channels[c], right);
        unsigned bits;
        std::memcpy(&bits, &channels[c], 4);
        checksum = checksum * 31 + bits;
      }
    }
    CHECK(cudaDestroyTextureObject(texture));
  }
  CHECK(cudaFreeArray(array));
}

int main() {
  for (const Format &format : formats) {
    run<1>(format);
    run<2>(format);
    run<3>(format);
  }
  std::printf("%016llx\n", checksum);
  return finish();
}
