// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to surface objects: bytes at a place that the device library works out
// (runtime/device/Surfaces.cpp). X counts in bytes.

#ifndef VX_CUDA_SURFACES_H
#define VX_CUDA_SURFACES_H

#include "surface_types.h"

#define VX_SURF static __device__ __forceinline__ __attribute__((__nodebug__))
#define VX_LIST(...) __VA_ARGS__

namespace vx_surface {
extern "C" __device__ unsigned long long __vx_surf_address(unsigned long long, int x, int y, int z,
                                                           unsigned bytes, unsigned mode);
template <class T>
VX_SURF T read(cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  const T *p = (const T *)__vx_surf_address(s, x, y, z, sizeof(T), mode);
  T value = T();
  if (mode == cudaBoundaryModeTrap || p)
    value = *p;
  return value;
}
template <class T>
VX_SURF void write(T value, cudaSurfaceObject_t s, int x, int y, int z,
                   cudaSurfaceBoundaryMode mode) {
  T *p = (T *)__vx_surf_address(s, x, y, z, sizeof(T), mode);
  if (mode == cudaBoundaryModeTrap || p)
    *p = value;
}
/// Layers count without a sign: one below 0 is beyond the last, as on GPUs.
VX_SURF int slice(int layer) { return layer < 0 ? 0x7fffffff : layer; }
} // namespace vx_surface

// surfNAMEread in its two forms, and surfNAMEwrite; PLACE is (x, y, z).
#define VX_SURFACE(NAME, PARAMETERS, PLACE)                                                        \
  template <class T>                                                                               \
  VX_SURF T surf##NAME##read(cudaSurfaceObject_t s, VX_LIST PARAMETERS,                            \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    return vx_surface::read<T>(s, VX_LIST PLACE, mode);                                            \
  }                                                                                                \
  template <class T>                                                                               \
  VX_SURF void surf##NAME##read(T *out, cudaSurfaceObject_t s, VX_LIST PARAMETERS,                 \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    *out = vx_surface::read<T>(s, VX_LIST PLACE, mode);                                            \
  }                                                                                                \
  template <class T>                                                                               \
  VX_SURF void surf##NAME##write(T value, cudaSurfaceObject_t s, VX_LIST PARAMETERS,               \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    vx_surface::write(value, s, VX_LIST PLACE, mode);                                              \
  }

VX_SURFACE(1D, (int x), (x, 0, 0))
VX_SURFACE(2D, (int x, int y), (x, y, 0))
VX_SURFACE(3D, (int x, int y, int z), (x, y, z))
VX_SURFACE(1DLayered, (int x, int layer), (x, 0, vx_surface::slice(layer)))
VX_SURFACE(2DLayered, (int x, int y, int layer), (x, y, vx_surface::slice(layer)))
// Faces of layers are numbered 6 * layer + face.
VX_SURFACE(Cubemap, (int x, int y, int face), (x, y, vx_surface::slice(face)))
VX_SURFACE(CubemapLayered, (int x, int y, int layerFace), (x, y, vx_surface::slice(layerFace)))

#undef VX_SURFACE
#undef VX_LIST
#undef VX_SURF

#endif // VX_CUDA_SURFACES_H
