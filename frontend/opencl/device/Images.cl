// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image functions that programs call.

#include "frontend/opencl/device/Images.h"

// Answered by vx-opencl-lower-arguments: an image is the address of its description, a sampler its
// bits.
typedef __global const struct VxImage *Image;
#define VX_OPAQUE __attribute__((overloadable, const))
uint VX_OPAQUE __vx_opencl_sampler(sampler_t);
#define VX_IMAGE(TYPE)                                                                             \
  Image VX_OPAQUE __vx_opencl_image(read_only TYPE);                                               \
  Image VX_OPAQUE __vx_opencl_image(write_only TYPE);                                              \
  Image VX_OPAQUE __vx_opencl_image(read_write TYPE);
VX_IMAGE(image1d_t)
VX_IMAGE(image1d_array_t)
VX_IMAGE(image1d_buffer_t)
VX_IMAGE(image2d_t)
VX_IMAGE(image2d_array_t)
VX_IMAGE(image3d_t)
VX_IMAGE(image2d_depth_t)
VX_IMAGE(image2d_array_depth_t)

// Layers of arrays: the one nearest to the coordinate, inside.
static int vxLayer(Image image, float layer) {
  return clamp(convert_int_sat_rte(layer), 0, (int)image->layers - 1);
}

// TYPE with a sampler: integer and float coordinates, how many count, the layer.
#define VX_SAMPLED_AT(TYPE, COORD, AT, DIMENSIONS, LAYER)                                          \
  VX_INLINE float4 read_imagef(read_only TYPE t, sampler_t s, COORD c) {                           \
    Image image = __vx_opencl_image(t);                                                            \
    return vxSampleF(image, __vx_opencl_sampler(s), AT, LAYER, DIMENSIONS);                        \
  }                                                                                                \
  VX_INLINE int4 read_imagei(read_only TYPE t, sampler_t s, COORD c) {                             \
    Image image = __vx_opencl_image(t);                                                            \
    return as_int4(vxSampleU(image, __vx_opencl_sampler(s), AT, LAYER, DIMENSIONS));               \
  }                                                                                                \
  VX_INLINE uint4 read_imageui(read_only TYPE t, sampler_t s, COORD c) {                           \
    Image image = __vx_opencl_image(t);                                                            \
    return vxSampleU(image, __vx_opencl_sampler(s), AT, LAYER, DIMENSIONS);                        \
  }
// An integer coordinate is the element, whose centre is half an element on.
VX_SAMPLED_AT(image1d_t, int, (float4)(c + 0.5f, 0, 0, 0), 1, 0)
VX_SAMPLED_AT(image1d_t, float, (float4)(c, 0, 0, 0), 1, 0)
VX_SAMPLED_AT(image1d_array_t, int2, (float4)(c.x + 0.5f, 0, 0, 0), 1, vxLayer(image, c.y))
VX_SAMPLED_AT(image1d_array_t, float2, (float4)(c.x, 0, 0, 0), 1, vxLayer(image, c.y))
VX_SAMPLED_AT(image2d_t, int2, (float4)(convert_float2(c) + 0.5f, 0, 0), 2, 0)
VX_SAMPLED_AT(image2d_t, float2, (float4)(c, 0, 0), 2, 0)
VX_SAMPLED_AT(image2d_array_t, int4, (float4)(convert_float2(c.xy) + 0.5f, 0, 0), 2,
              vxLayer(image, c.z))
VX_SAMPLED_AT(image2d_array_t, float4, (float4)(c.xy, 0, 0), 2, vxLayer(image, c.z))
VX_SAMPLED_AT(image3d_t, int4, convert_float4(c) + 0.5f, 3, 0)
VX_SAMPLED_AT(image3d_t, float4, c, 3, 0)

// TYPE without a sampler: indices x, y, z of coordinates c.
#define VX_LOADED(ACCESS, TYPE, COORD, X, Y, Z)                                                    \
  VX_INLINE float4 read_imagef(ACCESS TYPE t, COORD c) {                                           \
    return vxLoadF(__vx_opencl_image(t), X, Y, Z);                                                 \
  }                                                                                                \
  VX_INLINE int4 read_imagei(ACCESS TYPE t, COORD c) {                                             \
    return as_int4(vxLoadU(__vx_opencl_image(t), X, Y, Z));                                        \
  }                                                                                                \
  VX_INLINE uint4 read_imageui(ACCESS TYPE t, COORD c) {                                           \
    return vxLoadU(__vx_opencl_image(t), X, Y, Z);                                                 \
  }
#define VX_STORED(ACCESS, TYPE, COORD, X, Y, Z)                                                    \
  VX_INLINE void write_imagef(ACCESS TYPE t, COORD c, float4 v) {                                  \
    vxStoreF(__vx_opencl_image(t), X, Y, Z, v);                                                    \
  }                                                                                                \
  VX_INLINE void write_imagei(ACCESS TYPE t, COORD c, int4 v) {                                    \
    vxStoreU(__vx_opencl_image(t), X, Y, Z, as_uint4(v));                                          \
  }                                                                                                \
  VX_INLINE void write_imageui(ACCESS TYPE t, COORD c, uint4 v) {                                  \
    vxStoreU(__vx_opencl_image(t), X, Y, Z, v);                                                    \
  }
#define VX_ELEMENTS(TYPE, COORD, X, Y, Z)                                                          \
  VX_LOADED(read_only, TYPE, COORD, X, Y, Z)                                                       \
  VX_LOADED(read_write, TYPE, COORD, X, Y, Z)                                                      \
  VX_STORED(write_only, TYPE, COORD, X, Y, Z)                                                      \
  VX_STORED(read_write, TYPE, COORD, X, Y, Z)
VX_ELEMENTS(image1d_t, int, c, 0, 0)
VX_ELEMENTS(image1d_buffer_t, int, c, 0, 0)
VX_ELEMENTS(image1d_array_t, int2, c.x, 0, c.y)
VX_ELEMENTS(image2d_t, int2, c.x, c.y, 0)
VX_ELEMENTS(image2d_array_t, int4, c.x, c.y, c.z)
VX_ELEMENTS(image3d_t, int4, c.x, c.y, c.z)

// Depth images have one channel, and elements of one number.
#define VX_DEPTH_SAMPLED(TYPE, COORD, AT, LAYER)                                                   \
  VX_INLINE float read_imagef(read_only TYPE t, sampler_t s, COORD c) {                            \
    Image image = __vx_opencl_image(t);                                                            \
    return vxSampleF(image, __vx_opencl_sampler(s), AT, LAYER, 2).x;                               \
  }
VX_DEPTH_SAMPLED(image2d_depth_t, int2, (float4)(convert_float2(c) + 0.5f, 0, 0), 0)
VX_DEPTH_SAMPLED(image2d_depth_t, float2, (float4)(c, 0, 0), 0)
VX_DEPTH_SAMPLED(image2d_array_depth_t, int4, (float4)(convert_float2(c.xy) + 0.5f, 0, 0),
                 vxLayer(image, c.z))
VX_DEPTH_SAMPLED(image2d_array_depth_t, float4, (float4)(c.xy, 0, 0), vxLayer(image, c.z))
#define VX_DEPTH_LOADED(ACCESS, TYPE, COORD, Z)                                                    \
  VX_INLINE float read_imagef(ACCESS TYPE t, COORD c) {                                            \
    return vxLoadF(__vx_opencl_image(t), c.x, c.y, Z).x;                                           \
  }
#define VX_DEPTH_STORED(ACCESS, TYPE, COORD, Z)                                                    \
  VX_INLINE void write_imagef(ACCESS TYPE t, COORD c, float v) {                                   \
    vxStoreF(__vx_opencl_image(t), c.x, c.y, Z, (float4)(v, 0, 0, 1));                             \
  }
#define VX_DEPTH_ELEMENTS(TYPE, COORD, Z)                                                          \
  VX_DEPTH_LOADED(read_only, TYPE, COORD, Z)                                                       \
  VX_DEPTH_LOADED(read_write, TYPE, COORD, Z)                                                      \
  VX_DEPTH_STORED(write_only, TYPE, COORD, Z)                                                      \
  VX_DEPTH_STORED(read_write, TYPE, COORD, Z)
VX_DEPTH_ELEMENTS(image2d_depth_t, int2, 0)
VX_DEPTH_ELEMENTS(image2d_array_depth_t, int4, c.z)

// Queries.
#define VX_QUERIES(ACCESS, TYPE)                                                                   \
  VX_INLINE int get_image_width(ACCESS TYPE t) {                                                   \
    return __vx_opencl_image(t)->width;                                                            \
  }                                                                                                \
  VX_INLINE int get_image_channel_data_type(ACCESS TYPE t) {                                       \
    return __vx_opencl_image(t)->type;                                                             \
  }                                                                                                \
  VX_INLINE int get_image_channel_order(ACCESS TYPE t) {                                           \
    return __vx_opencl_image(t)->order;                                                            \
  }
#define VX_QUERIES_2D(ACCESS, TYPE)                                                                \
  VX_QUERIES(ACCESS, TYPE)                                                                         \
  VX_INLINE int get_image_height(ACCESS TYPE t) {                                                  \
    return __vx_opencl_image(t)->height;                                                           \
  }                                                                                                \
  VX_INLINE int2 get_image_dim(ACCESS TYPE t) {                                                    \
    return (int2)(get_image_width(t), get_image_height(t));                                        \
  }
#define VX_QUERIES_ARRAY(ACCESS, TYPE)                                                             \
  VX_INLINE size_t get_image_array_size(ACCESS TYPE t) {                                           \
    return __vx_opencl_image(t)->layers;                                                           \
  }
#define VX_QUERIES_3D(ACCESS, TYPE)                                                                \
  VX_QUERIES(ACCESS, TYPE)                                                                         \
  VX_INLINE int get_image_height(ACCESS TYPE t) {                                                  \
    return __vx_opencl_image(t)->height;                                                           \
  }                                                                                                \
  VX_INLINE int get_image_depth(ACCESS TYPE t) {                                                   \
    return __vx_opencl_image(t)->depth;                                                            \
  }                                                                                                \
  VX_INLINE int4 get_image_dim(ACCESS TYPE t) {                                                    \
    return (int4)(get_image_width(t), get_image_height(t), get_image_depth(t), 0);                 \
  }
#define VX_ALL_QUERIES(ACCESS)                                                                     \
  VX_QUERIES(ACCESS, image1d_t)                                                                    \
  VX_QUERIES(ACCESS, image1d_buffer_t)                                                             \
  VX_QUERIES(ACCESS, image1d_array_t)                                                              \
  VX_QUERIES_ARRAY(ACCESS, image1d_array_t)                                                        \
  VX_QUERIES_2D(ACCESS, image2d_t)                                                                 \
  VX_QUERIES_2D(ACCESS, image2d_array_t)                                                           \
  VX_QUERIES_ARRAY(ACCESS, image2d_array_t)                                                        \
  VX_QUERIES_3D(ACCESS, image3d_t)                                                                 \
  VX_QUERIES_2D(ACCESS, image2d_depth_t)                                                           \
  VX_QUERIES_2D(ACCESS, image2d_array_depth_t)                                                     \
  VX_QUERIES_ARRAY(ACCESS, image2d_array_depth_t)
VX_ALL_QUERIES(read_only)
VX_ALL_QUERIES(write_only)
VX_ALL_QUERIES(read_write)
