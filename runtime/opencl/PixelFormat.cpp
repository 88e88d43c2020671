// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/PixelFormat.h"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vx::cl {
namespace {

/// Which of red, green, blue, alpha lie in memory, in its order.
std::vector<int> componentsOf(cl_channel_order order) {
  switch (order) {
  case CL_A:
    return {3};
  case CL_RG:
  case CL_RGx:
    return {0, 1};
  case CL_RA:
    return {0, 3};
  case CL_RGB:
    return {0, 1, 2};
  case CL_RGBA:
  case CL_sRGBA:
    return {0, 1, 2, 3};
  case CL_BGRA:
    return {2, 1, 0, 3};
  case CL_ARGB:
    return {3, 0, 1, 2};
  case CL_ABGR:
    return {3, 2, 1, 0};
  default:
    return {0};
  }
}

/// VALUE scaled to LEAST … MOST, to the nearest, ties to even.
int64_t scaled(float value, double scale, double least, double most) {
  if (std::isnan(value))
    return 0;
  return int64_t(std::nearbyint(std::clamp(double(value) * scale, least, most)));
}

uint16_t halfOf(float value) {
  _Float16 half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

float toSrgb(float c) {
  return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
}

template <class T> void put(std::vector<char> &out, T value) {
  const char *bytes = reinterpret_cast<const char *>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

void putChannel(std::vector<char> &out, cl_channel_type type, const void *color, int component) {
  float f = static_cast<const float *>(color)[component];
  int32_t i = static_cast<const int32_t *>(color)[component];
  uint32_t u = static_cast<const uint32_t *>(color)[component];
  switch (type) {
  case CL_SNORM_INT8:
    return put(out, int8_t(scaled(f, 127, -128, 127)));
  case CL_SNORM_INT16:
    return put(out, int16_t(scaled(f, 32767, -32768, 32767)));
  case CL_UNORM_INT8:
    return put(out, uint8_t(scaled(f, 255, 0, 255)));
  case CL_UNORM_INT16:
    return put(out, uint16_t(scaled(f, 65535, 0, 65535)));
  case CL_SIGNED_INT8:
    return put(out, int8_t(std::clamp(i, -128, 127)));
  case CL_SIGNED_INT16:
    return put(out, int16_t(std::clamp(i, -32768, 32767)));
  case CL_UNSIGNED_INT8:
    return put(out, uint8_t(std::min(u, 255u)));
  case CL_UNSIGNED_INT16:
    return put(out, uint16_t(std::min(u, 65535u)));
  case CL_HALF_FLOAT:
    return put(out, halfOf(f));
  default: // 32-bit integers and floats
    return put(out, u);
  }
}

} // namespace

std::vector<char> packPixel(const cl_image_format &format, size_t bytes, const void *color) {
  std::vector<char> out;
  const float *f = static_cast<const float *>(color);
  switch (format.image_channel_data_type) {
  case CL_UNORM_SHORT_565:
    put(out, uint16_t(scaled(f[0], 31, 0, 31) << 11 | scaled(f[1], 63, 0, 63) << 5 |
                      scaled(f[2], 31, 0, 31)));
    break;
  case CL_UNORM_SHORT_555:
    put(out, uint16_t(scaled(f[0], 31, 0, 31) << 10 | scaled(f[1], 31, 0, 31) << 5 |
                      scaled(f[2], 31, 0, 31)));
    break;
  case CL_UNORM_INT_101010:
    put(out, uint32_t(scaled(f[0], 1023, 0, 1023) << 20 | scaled(f[1], 1023, 0, 1023) << 10 |
                      scaled(f[2], 1023, 0, 1023)));
    break;
  default: {
    float srgb[4];
    if (format.image_channel_order == CL_sRGBA) {
      for (int c = 0; c < 3; ++c)
        srgb[c] = toSrgb(f[c]);
      srgb[3] = f[3];
      color = srgb;
    }
    for (int component : componentsOf(format.image_channel_order))
      putChannel(out, format.image_channel_data_type, color, component);
  }
  }
  out.resize(bytes);
  return out;
}

} // namespace vx::cl
