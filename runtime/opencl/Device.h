// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The platform and its devices: those of the CUDA driver API, one to one.

#ifndef VX_RUNTIME_OPENCL_DEVICE_H
#define VX_RUNTIME_OPENCL_DEVICE_H

#include "runtime/opencl/Objects.h"
#include <cuda.h>
#include <mutex>

struct _cl_platform_id : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Platform;
  _cl_platform_id() : Object(kKind) {}
};

struct _cl_device_id : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Device;
  explicit _cl_device_id(CUdevice device) : Object(kKind), device(device) {}

  /// Makes the device's primary context the calling thread's; an error of OpenCL if it cannot.
  cl_int enter();
  int attribute(CUdevice_attribute which) const;

  CUdevice device;
  CUcontext context = nullptr; ///< the primary context, once something has needed it
  std::mutex mutex;
};

namespace vx::cl {

/// The only platform.
cl_platform_id platform();

/// Its devices; empty if the driver does not start.
const std::vector<cl_device_id> &devices();

/// OpenCL's error for what a call of the driver said; FALLBACK where there is no closer one.
cl_int errorOf(CUresult result, cl_int fallback = CL_OUT_OF_RESOURCES);

/// The extensions of the platform and its devices; as the text "cl_khr_icd cl_khr_fp64 …".
const std::vector<std::string> &extensions();
std::string extensionText();

/// The largest work-group, and the version of everything.
inline constexpr size_t kMaxGroupSize = 1024;
inline constexpr cl_version kVersion = CL_MAKE_VERSION(3, 0, 0);

/// Alignment of buffers and of local arguments, that of long16.
inline constexpr size_t kAlignment = 128;

/// Images: the most that CL_DEVICE_IMAGE… report.
inline constexpr size_t kMaxImageWidth = 16384, kMaxImageDepth = 2048, kMaxImageArray = 2048;
inline constexpr size_t kMaxImageBuffer = 65536 * 16;

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_DEVICE_H
