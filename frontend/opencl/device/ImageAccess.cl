// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images in software: elements in memory, by format, and the elements that a sampler names (OpenCL
// C 3.0, 6.15.15; OpenCL API 3.0, 8.2). Images.cl has the functions that programs call.

#include "frontend/opencl/device/Images.h"

// Channel types and orders, as in CL/cl.h.
enum {
  SNORM8 = 0x10D0,
  SNORM16,
  UNORM8,
  UNORM16,
  SHORT565,
  SHORT555,
  INT101010,
  SIGNED8,
  SIGNED16,
  SIGNED32,
  UNSIGNED8,
  UNSIGNED16,
  UNSIGNED32,
  HALF,
  FLOAT
};
enum {
  ORDER_R = 0x10B0,
  ORDER_A,
  ORDER_RG,
  ORDER_RA,
  ORDER_RGB,
  ORDER_RGBA,
  ORDER_BGRA,
  ORDER_ARGB,
  ORDER_INTENSITY,
  ORDER_LUMINANCE,
  ORDER_RX,
  ORDER_RGX,
  ORDER_RGBX,
  ORDER_DEPTH,
  ORDER_SRGB = 0x10BF,
  ORDER_SRGBX,
  ORDER_SRGBA,
  ORDER_SBGRA,
  ORDER_ABGR
};

static uint channels(uint order) {
  switch (order) {
  case ORDER_RG:
  case ORDER_RA:
  case ORDER_RGX:
    return 2;
  case ORDER_RGB:
  case ORDER_RGBX:
  case ORDER_SRGB:
    return 3;
  case ORDER_RGBA:
  case ORDER_BGRA:
  case ORDER_ARGB:
  case ORDER_ABGR:
  case ORDER_SRGBA:
  case ORDER_SBGRA:
  case ORDER_SRGBX:
    return 4;
  default:
    return 1;
  }
}

static bool isPacked(uint type) {
  return type == SHORT565 || type == SHORT555 || type == INT101010;
}

static uint bytesOf(uint type) {
  switch (type) {
  case SNORM8:
  case UNORM8:
  case SIGNED8:
  case UNSIGNED8:
    return 1;
  case SIGNED32:
  case UNSIGNED32:
  case FLOAT:
  case INT101010:
    return 4;
  default:
    return 2;
  }
}

static __global char *address(__global const struct VxImage *image, uint x, uint y, uint z) {
  uint bytes = bytesOf(image->type) * (isPacked(image->type) ? 1 : channels(image->order));
  return (__global char *)(image->data + z * image->slicePitch + y * image->rowPitch +
                           (ulong)x * bytes);
}

/// Orders the channels, which are as in memory, by the channel order: absent ones are 0, and alpha
/// is ONE.
#define VX_ARRANGE(T4)                                                                             \
  switch (order) {                                                                                 \
  case ORDER_A:                                                                                    \
    return (T4)(0, 0, 0, v.x);                                                                     \
  case ORDER_RA:                                                                                   \
    return (T4)(v.x, 0, 0, v.y);                                                                   \
  case ORDER_BGRA:                                                                                 \
  case ORDER_SBGRA:                                                                                \
    return v.zyxw;                                                                                 \
  case ORDER_ARGB:                                                                                 \
    return v.yzwx;                                                                                 \
  case ORDER_ABGR:                                                                                 \
    return v.wzyx;                                                                                 \
  case ORDER_INTENSITY:                                                                            \
    return v.xxxx;                                                                                 \
  case ORDER_LUMINANCE:                                                                            \
    return (T4)(v.xxx, one);                                                                       \
  case ORDER_RGBA:                                                                                 \
  case ORDER_SRGBA:                                                                                \
    return v;                                                                                      \
  case ORDER_RG:                                                                                   \
  case ORDER_RGX:                                                                                  \
    return (T4)(v.xy, 0, one);                                                                     \
  case ORDER_RGB:                                                                                  \
  case ORDER_RGBX:                                                                                 \
  case ORDER_SRGB:                                                                                 \
  case ORDER_SRGBX:                                                                                \
    return (T4)(v.xyz, one);                                                                       \
  default:                                                                                         \
    return (T4)(v.x, 0, 0, one);                                                                   \
  }
static float4 arrangeF(float4 v, uint order) {
  const float one = 1;
  VX_ARRANGE(float4)
}
static uint4 arrangeU(uint4 v, uint order) {
  const uint one = 1;
  VX_ARRANGE(uint4)
}

/// The reverse: what goes to memory, in the order of memory.
#define VX_DISARRANGE                                                                              \
  switch (order) {                                                                                 \
  case ORDER_A:                                                                                    \
    return v.wwww;                                                                                 \
  case ORDER_RA:                                                                                   \
    return v.xwxw;                                                                                 \
  case ORDER_BGRA:                                                                                 \
  case ORDER_SBGRA:                                                                                \
    return v.zyxw;                                                                                 \
  case ORDER_ARGB:                                                                                 \
    return v.wxyz;                                                                                 \
  case ORDER_ABGR:                                                                                 \
    return v.wzyx;                                                                                 \
  default:                                                                                         \
    return v;                                                                                      \
  }
static float4 disarrangeF(float4 v, uint order) {
  VX_DISARRANGE
}
static uint4 disarrangeU(uint4 v, uint order) {
  VX_DISARRANGE
}

static bool isSrgb(uint order) {
  return order >= ORDER_SRGB && order <= ORDER_SBGRA;
}

static float fromSrgb(float c) {
  return c <= 0.04045f ? c / 12.92f : pow((c + 0.055f) / 1.055f, 2.4f);
}

static float channelF(__global const char *p, uint type, uint i) {
  switch (type) {
  case SNORM8:
    return max(((__global const char *)p)[i] * (1.0f / 127), -1.0f);
  case SNORM16:
    return max(((__global const short *)p)[i] / 32767.0f, -1.0f);
  case UNORM8:
    return ((__global const uchar *)p)[i] / 255.0f;
  case UNORM16:
    return ((__global const ushort *)p)[i] / 65535.0f;
  case HALF:
    return vload_half(i, (__global const half *)p);
  default:
    return ((__global const float *)p)[i];
  }
}

static uint channelU(__global const char *p, uint type, uint i) {
  switch (type) {
  case SIGNED8:
    return (int)((__global const char *)p)[i];
  case SIGNED16:
    return (int)((__global const short *)p)[i];
  case UNSIGNED8:
    return ((__global const uchar *)p)[i];
  case UNSIGNED16:
    return ((__global const ushort *)p)[i];
  default:
    return ((__global const uint *)p)[i];
  }
}

float4 vxLoadF(__global const struct VxImage *image, uint x, uint y, uint z) {
  __global const char *p = address(image, x, y, z);
  uint type = image->type, n = channels(image->order);
  if (type == SHORT565) {
    uint bits = *(__global const ushort *)p;
    return (float4)((bits >> 11) / 31.0f, (bits >> 5 & 63) / 63.0f, (bits & 31) / 31.0f, 1);
  }
  if (type == SHORT555) {
    uint bits = *(__global const ushort *)p;
    return (float4)((bits >> 10 & 31) / 31.0f, (bits >> 5 & 31) / 31.0f, (bits & 31) / 31.0f, 1);
  }
  if (type == INT101010) {
    uint bits = *(__global const uint *)p;
    return (float4)((bits >> 20 & 1023) / 1023.0f, (bits >> 10 & 1023) / 1023.0f,
                    (bits & 1023) / 1023.0f, 1);
  }
  float4 v = 0;
  v.x = channelF(p, type, 0);
  if (n > 1)
    v.y = channelF(p, type, 1);
  if (n > 2)
    v.z = channelF(p, type, 2);
  if (n > 3)
    v.w = channelF(p, type, 3);
  v = arrangeF(v, image->order);
  return isSrgb(image->order) ? (float4)(fromSrgb(v.x), fromSrgb(v.y), fromSrgb(v.z), v.w) : v;
}

uint4 vxLoadU(__global const struct VxImage *image, uint x, uint y, uint z) {
  __global const char *p = address(image, x, y, z);
  uint n = channels(image->order);
  uint4 v = 0;
  v.x = channelU(p, image->type, 0);
  if (n > 1)
    v.y = channelU(p, image->type, 1);
  if (n > 2)
    v.z = channelU(p, image->type, 2);
  if (n > 3)
    v.w = channelU(p, image->type, 3);
  return arrangeU(v, image->order);
}

static void storeF(__global char *p, uint type, uint i, float v) {
  switch (type) {
  case SNORM8:
    p[i] = convert_char_sat_rte(v * 127);
    return;
  case SNORM16:
    ((__global short *)p)[i] = convert_short_sat_rte(v * 32767);
    return;
  case UNORM8:
    ((__global uchar *)p)[i] = convert_uchar_sat_rte(v * 255);
    return;
  case UNORM16:
    ((__global ushort *)p)[i] = convert_ushort_sat_rte(v * 65535);
    return;
  case HALF:
    vstore_half_rte(v, i, (__global half *)p);
    return;
  default:
    ((__global float *)p)[i] = v;
  }
}

void vxStoreF(__global const struct VxImage *image, uint x, uint y, uint z, float4 v) {
  if (x >= image->width || y >= image->height || z >= max(image->depth, image->layers))
    return;
  __global char *p = address(image, x, y, z);
  uint type = image->type, n = channels(image->order);
  if (isPacked(type)) {
    float3 c = clamp(v.xyz, 0.0f, 1.0f);
    if (type == SHORT565)
      *(__global ushort *)p = convert_uint_rte(c.x * 31) << 11 | convert_uint_rte(c.y * 63) << 5 |
                              convert_uint_rte(c.z * 31);
    else if (type == SHORT555)
      *(__global ushort *)p = convert_uint_rte(c.x * 31) << 10 | convert_uint_rte(c.y * 31) << 5 |
                              convert_uint_rte(c.z * 31);
    else
      *(__global uint *)p = convert_uint_rte(c.x * 1023) << 20 |
                            convert_uint_rte(c.y * 1023) << 10 | convert_uint_rte(c.z * 1023);
    return;
  }
  v = disarrangeF(v, image->order);
  storeF(p, type, 0, v.x);
  if (n > 1)
    storeF(p, type, 1, v.y);
  if (n > 2)
    storeF(p, type, 2, v.z);
  if (n > 3)
    storeF(p, type, 3, v.w);
}

static void storeU(__global char *p, uint type, uint i, uint v) {
  switch (type) {
  case SIGNED8:
    p[i] = convert_char_sat(as_int(v));
    return;
  case SIGNED16:
    ((__global short *)p)[i] = convert_short_sat(as_int(v));
    return;
  case UNSIGNED8:
    ((__global uchar *)p)[i] = convert_uchar_sat(v);
    return;
  case UNSIGNED16:
    ((__global ushort *)p)[i] = convert_ushort_sat(v);
    return;
  default:
    ((__global uint *)p)[i] = v;
  }
}

void vxStoreU(__global const struct VxImage *image, uint x, uint y, uint z, uint4 v) {
  if (x >= image->width || y >= image->height || z >= max(image->depth, image->layers))
    return;
  __global char *p = address(image, x, y, z);
  uint type = image->type, n = channels(image->order);
  v = disarrangeU(v, image->order);
  storeU(p, type, 0, v.x);
  if (n > 1)
    storeU(p, type, 1, v.y);
  if (n > 2)
    storeU(p, type, 2, v.z);
  if (n > 3)
    storeU(p, type, 3, v.w);
}

/// Returns what is read outside of an image: alpha is 1 where the format has none.
float4 vxBorder(__global const struct VxImage *image) {
  switch (image->order) {
  case ORDER_R:
  case ORDER_RG:
  case ORDER_RGB:
  case ORDER_LUMINANCE:
  case ORDER_DEPTH:
  case ORDER_SRGB:
    return (float4)(0, 0, 0, 1);
  default:
    return 0;
  }
}

/// Returns the element of SIZE that coordinate U names (8.2); -1: the border.
static int wrap(int i, int size, uint mode) {
  switch (mode) {
  case CLK_ADDRESS_CLAMP_TO_EDGE:
    return clamp(i, 0, size - 1);
  case CLK_ADDRESS_REPEAT:
    return i < 0 ? i + size : i >= size ? i - size : i;
  case CLK_ADDRESS_MIRRORED_REPEAT:
    return clamp(i, 0, size - 1);
  case CLK_ADDRESS_CLAMP:
    return i < 0 || i >= size ? -1 : i;
  default:
    return i < 0 || i >= size ? -1 : i;
  }
}

/// Returns a coordinate in elements, from one as the program gives it.
static float scale(float s, int size, uint sampler) {
  switch (sampler & VX_SAMPLER_ADDRESS) {
  case CLK_ADDRESS_REPEAT:
    return (s - floor(s)) * size;
  case CLK_ADDRESS_MIRRORED_REPEAT:
    return fabs(s - 2 * rint(0.5f * s)) * size;
  default:
    return sampler & VX_SAMPLER_NORMALIZED ? s * size : s;
  }
}

static float4 loadOrBorder(__global const struct VxImage *image, int x, int y, int z) {
  return x < 0 || y < 0 || z < 0 ? vxBorder(image) : vxLoadF(image, x, y, z);
}

/// Returns the nearest element as the indices of an image of DIMENSIONS; those not used are 0.
static int4 nearest(__global const struct VxImage *image, uint sampler, float4 at,
                    uint dimensions) {
  uint mode = sampler & VX_SAMPLER_ADDRESS;
  int4 i = 0;
  i.x = wrap(convert_int_sat_rtn(scale(at.x, image->width, sampler)), image->width, mode);
  if (dimensions > 1)
    i.y = wrap(convert_int_sat_rtn(scale(at.y, image->height, sampler)), image->height, mode);
  if (dimensions > 2)
    i.z = wrap(convert_int_sat_rtn(scale(at.z, image->depth, sampler)), image->depth, mode);
  return i;
}

/// Finds the two neighbours of a coordinate and returns the weight of the second.
static float neighbours(float s, int size, uint sampler, int *first, int *second) {
  float u = scale(s, size, sampler) - 0.5f;
  float low = floor(u);
  uint mode = sampler & VX_SAMPLER_ADDRESS;
  *first = wrap(convert_int_sat(low), size, mode);
  *second = wrap(convert_int_sat(low) + 1, size, mode);
  return u - low;
}

float4 vxSampleF(__global const struct VxImage *image, uint sampler, float4 at, int layer,
                 uint dimensions) {
  if (!(sampler & VX_SAMPLER_LINEAR)) {
    int4 i = nearest(image, sampler, at, dimensions);
    return loadOrBorder(image, i.x, i.y, dimensions > 2 ? i.z : layer);
  }
  int x0, x1, y0 = 0, y1 = 0, z0 = layer, z1 = layer;
  float a = neighbours(at.x, image->width, sampler, &x0, &x1), b = 0, c = 0;
  if (dimensions > 1)
    b = neighbours(at.y, image->height, sampler, &y0, &y1);
  if (dimensions > 2)
    c = neighbours(at.z, image->depth, sampler, &z0, &z1);
  float4 sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    bool fx = corner & 1, fy = corner & 2, fz = corner & 4;
    if ((fy && dimensions < 2) || (fz && dimensions < 3))
      continue;
    float weight = (fx ? a : 1 - a) * (fy ? b : 1 - b) * (fz ? c : 1 - c);
    sum += weight * loadOrBorder(image, fx ? x1 : x0, fy ? y1 : y0, fz ? z1 : z0);
  }
  return sum;
}

uint4 vxSampleU(__global const struct VxImage *image, uint sampler, float4 at, int layer,
                uint dimensions) {
  int4 i = nearest(image, sampler, at, dimensions);
  int z = dimensions > 2 ? i.z : layer;
  return i.x < 0 || i.y < 0 || z < 0 ? as_uint4(convert_int4(vxBorder(image)))
                                     : vxLoadU(image, i.x, i.y, z);
}
