// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_SAMPLER_H
#define VX_RUNTIME_OPENCL_SAMPLER_H

#include "runtime/opencl/Context.h"

struct _cl_sampler : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Sampler;
  explicit _cl_sampler(cl_context context) : Object(kKind), context(context) {}

  /// Returns the bits that a kernel gets (VxSamplerBits).
  uint64_t bits() const;

  vx::cl::Ref<_cl_context> context;
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  std::vector<cl_sampler_properties> properties;
};

#endif // VX_RUNTIME_OPENCL_SAMPLER_H
