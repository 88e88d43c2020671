// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/ImageProperties.h"
#include "runtime/memory/ImageLimits.h"
#include <cstddef>
#include <cstring>

namespace vx::rt {

namespace {

struct Row {
  cudaDeviceAttr attribute;
  size_t offset; ///< of the number in cudaDeviceProp
  int value;
};
constexpr Row kRows[] = {
    {cudaDevAttrMaxTexture1DWidth, offsetof(cudaDeviceProp, maxTexture1D) + 0 * sizeof(int),
     int(kMax1D.width)},
    {cudaDevAttrMaxTexture1DMipmappedWidth,
     offsetof(cudaDeviceProp, maxTexture1DMipmap) + 0 * sizeof(int), int(kMax1DMipmapped.width)},
    {cudaDevAttrMaxTexture1DLinearWidth,
     offsetof(cudaDeviceProp, maxTexture1DLinear) + 0 * sizeof(int), int(kMax1DLinear.width)},
    {cudaDevAttrMaxTexture2DWidth, offsetof(cudaDeviceProp, maxTexture2D) + 0 * sizeof(int),
     int(kMax2D.width)},
    {cudaDevAttrMaxTexture2DHeight, offsetof(cudaDeviceProp, maxTexture2D) + 1 * sizeof(int),
     int(kMax2D.height)},
    {cudaDevAttrMaxTexture2DMipmappedWidth,
     offsetof(cudaDeviceProp, maxTexture2DMipmap) + 0 * sizeof(int), int(kMax2DMipmapped.width)},
    {cudaDevAttrMaxTexture2DMipmappedHeight,
     offsetof(cudaDeviceProp, maxTexture2DMipmap) + 1 * sizeof(int), int(kMax2DMipmapped.height)},
    {cudaDevAttrMaxTexture2DLinearWidth,
     offsetof(cudaDeviceProp, maxTexture2DLinear) + 0 * sizeof(int), int(kMax2DLinear.width)},
    {cudaDevAttrMaxTexture2DLinearHeight,
     offsetof(cudaDeviceProp, maxTexture2DLinear) + 1 * sizeof(int), int(kMax2DLinear.height)},
    {cudaDevAttrMaxTexture2DLinearPitch,
     offsetof(cudaDeviceProp, maxTexture2DLinear) + 2 * sizeof(int), int(kMax2DLinearPitch)},
    {cudaDevAttrMaxTexture2DGatherWidth,
     offsetof(cudaDeviceProp, maxTexture2DGather) + 0 * sizeof(int), int(kMax2DGather.width)},
    {cudaDevAttrMaxTexture2DGatherHeight,
     offsetof(cudaDeviceProp, maxTexture2DGather) + 1 * sizeof(int), int(kMax2DGather.height)},
    {cudaDevAttrMaxTexture3DWidth, offsetof(cudaDeviceProp, maxTexture3D) + 0 * sizeof(int),
     int(kMax3D.width)},
    {cudaDevAttrMaxTexture3DHeight, offsetof(cudaDeviceProp, maxTexture3D) + 1 * sizeof(int),
     int(kMax3D.height)},
    {cudaDevAttrMaxTexture3DDepth, offsetof(cudaDeviceProp, maxTexture3D) + 2 * sizeof(int),
     int(kMax3D.depth)},
    {cudaDevAttrMaxTexture3DWidthAlt, offsetof(cudaDeviceProp, maxTexture3DAlt) + 0 * sizeof(int),
     int(kMax3DAlternate.width)},
    {cudaDevAttrMaxTexture3DHeightAlt, offsetof(cudaDeviceProp, maxTexture3DAlt) + 1 * sizeof(int),
     int(kMax3DAlternate.height)},
    {cudaDevAttrMaxTexture3DDepthAlt, offsetof(cudaDeviceProp, maxTexture3DAlt) + 2 * sizeof(int),
     int(kMax3DAlternate.depth)},
    {cudaDevAttrMaxTextureCubemapWidth,
     offsetof(cudaDeviceProp, maxTextureCubemap) + 0 * sizeof(int), int(kMaxCubemap.width)},
    {cudaDevAttrMaxTexture1DLayeredWidth,
     offsetof(cudaDeviceProp, maxTexture1DLayered) + 0 * sizeof(int), int(kMax1DLayered.width)},
    {cudaDevAttrMaxTexture1DLayeredLayers,
     offsetof(cudaDeviceProp, maxTexture1DLayered) + 1 * sizeof(int), int(kMax1DLayered.depth)},
    {cudaDevAttrMaxTexture2DLayeredWidth,
     offsetof(cudaDeviceProp, maxTexture2DLayered) + 0 * sizeof(int), int(kMax2DLayered.width)},
    {cudaDevAttrMaxTexture2DLayeredHeight,
     offsetof(cudaDeviceProp, maxTexture2DLayered) + 1 * sizeof(int), int(kMax2DLayered.height)},
    {cudaDevAttrMaxTexture2DLayeredLayers,
     offsetof(cudaDeviceProp, maxTexture2DLayered) + 2 * sizeof(int), int(kMax2DLayered.depth)},
    {cudaDevAttrMaxTextureCubemapLayeredWidth,
     offsetof(cudaDeviceProp, maxTextureCubemapLayered) + 0 * sizeof(int),
     int(kMaxCubemapLayered.width)},
    {cudaDevAttrMaxTextureCubemapLayeredLayers,
     offsetof(cudaDeviceProp, maxTextureCubemapLayered) + 1 * sizeof(int),
     int(kMaxCubemapLayered.depth)},
    {cudaDevAttrMaxSurface1DWidth, offsetof(cudaDeviceProp, maxSurface1D) + 0 * sizeof(int),
     int(kMaxSurface1D.width)},
    {cudaDevAttrMaxSurface2DWidth, offsetof(cudaDeviceProp, maxSurface2D) + 0 * sizeof(int),
     int(kMax2D.width)},
    {cudaDevAttrMaxSurface2DHeight, offsetof(cudaDeviceProp, maxSurface2D) + 1 * sizeof(int),
     int(kMax2D.height)},
    {cudaDevAttrMaxSurface3DWidth, offsetof(cudaDeviceProp, maxSurface3D) + 0 * sizeof(int),
     int(kMax3D.width)},
    {cudaDevAttrMaxSurface3DHeight, offsetof(cudaDeviceProp, maxSurface3D) + 1 * sizeof(int),
     int(kMax3D.height)},
    {cudaDevAttrMaxSurface3DDepth, offsetof(cudaDeviceProp, maxSurface3D) + 2 * sizeof(int),
     int(kMax3D.depth)},
    {cudaDevAttrMaxSurface1DLayeredWidth,
     offsetof(cudaDeviceProp, maxSurface1DLayered) + 0 * sizeof(int), int(kMax1DLayered.width)},
    {cudaDevAttrMaxSurface1DLayeredLayers,
     offsetof(cudaDeviceProp, maxSurface1DLayered) + 1 * sizeof(int), int(kMax1DLayered.depth)},
    {cudaDevAttrMaxSurface2DLayeredWidth,
     offsetof(cudaDeviceProp, maxSurface2DLayered) + 0 * sizeof(int), int(kMax2DLayered.width)},
    {cudaDevAttrMaxSurface2DLayeredHeight,
     offsetof(cudaDeviceProp, maxSurface2DLayered) + 1 * sizeof(int), int(kMax2DLayered.height)},
    {cudaDevAttrMaxSurface2DLayeredLayers,
     offsetof(cudaDeviceProp, maxSurface2DLayered) + 2 * sizeof(int), int(kMax2DLayered.depth)},
    {cudaDevAttrMaxSurfaceCubemapWidth,
     offsetof(cudaDeviceProp, maxSurfaceCubemap) + 0 * sizeof(int), int(kMaxCubemap.width)},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth,
     offsetof(cudaDeviceProp, maxSurfaceCubemapLayered) + 0 * sizeof(int),
     int(kMaxCubemapLayered.width)},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers,
     offsetof(cudaDeviceProp, maxSurfaceCubemapLayered) + 1 * sizeof(int),
     int(kMaxCubemapLayered.depth)},
};

} // namespace

void setImageLimits(cudaDeviceProp &properties) {
  for (const Row &row : kRows)
    std::memcpy(reinterpret_cast<char *>(&properties) + row.offset, &row.value, sizeof row.value);
}

std::optional<int> imageLimit(cudaDeviceAttr attribute) {
  for (const Row &row : kRows)
    if (row.attribute == attribute)
      return row.value;
  return std::nullopt;
}

} // namespace vx::rt
