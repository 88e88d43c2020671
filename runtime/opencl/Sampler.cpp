// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Sampler.h"
#include "intrinsics/opencl/ImageFormat.h"
#include "runtime/opencl/Api.h"

using namespace vx::cl;

uint64_t _cl_sampler::bits() const {
  uint64_t mode = 0;
  switch (addressing) {
  case CL_ADDRESS_CLAMP_TO_EDGE:
    mode = 2;
    break;
  case CL_ADDRESS_CLAMP:
    mode = 4;
    break;
  case CL_ADDRESS_REPEAT:
    mode = 6;
    break;
  case CL_ADDRESS_MIRRORED_REPEAT:
    mode = 8;
    break;
  default:
    break;
  }
  return mode | (normalized ? VX_SAMPLER_NORMALIZED : 0) |
         (filter == CL_FILTER_LINEAR ? VX_SAMPLER_LINEAR : 0x10);
}

extern "C" cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *properties, cl_int *code) {
  if (!isValid(context))
    return result<_cl_sampler>(code, CL_INVALID_CONTEXT);
  auto sampler = Ref<_cl_sampler>::adopt(new _cl_sampler(context));
  for (const cl_sampler_properties *p = properties; p && *p; p += 2) {
    sampler->properties.insert(sampler->properties.end(), {p[0], p[1]});
    switch (p[0]) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      sampler->normalized = cl_bool(p[1]);
      break;
    case CL_SAMPLER_ADDRESSING_MODE:
      if (p[1] < CL_ADDRESS_NONE || p[1] > CL_ADDRESS_MIRRORED_REPEAT)
        return result<_cl_sampler>(code, CL_INVALID_VALUE);
      sampler->addressing = cl_addressing_mode(p[1]);
      break;
    case CL_SAMPLER_FILTER_MODE:
      if (p[1] != CL_FILTER_NEAREST && p[1] != CL_FILTER_LINEAR)
        return result<_cl_sampler>(code, CL_INVALID_VALUE);
      sampler->filter = cl_filter_mode(p[1]);
      break;
    default:
      return result<_cl_sampler>(code, CL_INVALID_VALUE);
    }
  }
  if (properties)
    sampler->properties.push_back(0);
  retain(sampler.get());
  return result(code, CL_SUCCESS, sampler.get());
}

extern "C" cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                                  cl_addressing_mode addressing,
                                                  cl_filter_mode filter, cl_int *code) {
  cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                  normalized,
                                  CL_SAMPLER_ADDRESSING_MODE,
                                  addressing,
                                  CL_SAMPLER_FILTER_MODE,
                                  filter,
                                  0};
  cl_sampler sampler = clCreateSamplerWithProperties(context, list, code);
  if (sampler)
    sampler->properties.clear();
  return sampler;
}

VX_CL clRetainSampler(cl_sampler sampler) {
  return retainHandle(sampler, CL_INVALID_SAMPLER);
}
VX_CL clReleaseSampler(cl_sampler sampler) {
  return releaseHandle(sampler, CL_INVALID_SAMPLER);
}

VX_CL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t size, void *value,
                       size_t *needed) {
  if (!isValid(sampler))
    return CL_INVALID_SAMPLER;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_SAMPLER_REFERENCE_COUNT:
    return out.number(sampler->references.load());
  case CL_SAMPLER_CONTEXT:
    return out.number(sampler->context.get());
  case CL_SAMPLER_NORMALIZED_COORDS:
    return out.number(sampler->normalized);
  case CL_SAMPLER_ADDRESSING_MODE:
    return out.number(sampler->addressing);
  case CL_SAMPLER_FILTER_MODE:
    return out.number(sampler->filter);
  case CL_SAMPLER_PROPERTIES:
    return out.list(sampler->properties);
  default:
    return CL_INVALID_VALUE;
  }
}
