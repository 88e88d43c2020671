// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches.

#include "runtime/driver/Modules.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

/// The arguments of a launch as the runtime API takes them: an address for each.
class Arguments {
public:
  /// PARAMETERS are that already; EXTRA names a buffer with all of them.
  CUresult read(const void *function, void **parameters, void **extra) {
    if (parameters && extra)
      return CUDA_ERROR_INVALID_VALUE;
    list = parameters;
    return extra ? readExtra(function, extra) : CUDA_SUCCESS;
  }
  void **get() const { return list; }

private:
  CUresult readExtra(const void *function, void **extra) {
    const uint8_t *buffer = nullptr;
    size_t size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
        buffer = static_cast<const uint8_t *>(extra[1]);
      else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
        size = *static_cast<const size_t *>(extra[1]);
      else
        return CUDA_ERROR_INVALID_VALUE;
    }
    return withContext([&](Context &context) {
      Kernel *kernel = nullptr;
      if (cudaError_t e = context.modules().findKernel(function, kernel); e != cudaSuccess)
        return fromRuntime(e);
      if (kernel->params.empty())
        return CUDA_SUCCESS;
      // The buffer has the layout of the host's 64-bit pointers.
      if (!buffer)
        return CUDA_ERROR_INVALID_VALUE;
      if (context.pointerBits() == 32)
        return CUDA_ERROR_NOT_SUPPORTED;
      for (const vx::abi::KernelParam &parameter : kernel->params) {
        if (parameter.offset > size || parameter.size > size - parameter.offset)
          return CUDA_ERROR_INVALID_VALUE;
        addresses.push_back(const_cast<uint8_t *>(buffer) + parameter.offset);
      }
      list = addresses.data();
      return CUDA_SUCCESS;
    });
  }

  std::vector<void *> addresses;
  void **list = nullptr;
};

} // namespace

extern "C" CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                   unsigned gridZ, unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                   void **parameters, void **extra) {
  if (CUresult e = checkFunction(function); e != CUDA_SUCCESS)
    return e;
  Arguments arguments;
  if (CUresult e = arguments.read(function, parameters, extra); e != CUDA_SUCCESS)
    return e;
  return callInContext([&] {
    return cudaLaunchKernel(function, dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ),
                            arguments.get(), sharedBytes, stream);
  });
}

cudaLaunchConfig_t vx::rt::driver::toRuntime(const CUlaunchConfig &config) {
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  cudaLaunchConfig_t same{};
  same.gridDim = dim3(config.gridDimX, config.gridDimY, config.gridDimZ);
  same.blockDim = dim3(config.blockDimX, config.blockDimY, config.blockDimZ);
  same.dynamicSmemBytes = config.sharedMemBytes;
  same.stream = config.hStream;
  same.attrs = reinterpret_cast<cudaLaunchAttribute *>(config.attrs);
  same.numAttrs = config.numAttrs;
  return same;
}

extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                     void **parameters, void **extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult e = checkFunction(function); e != CUDA_SUCCESS)
    return e;
  Arguments arguments;
  if (CUresult e = arguments.read(function, parameters, extra); e != CUDA_SUCCESS)
    return e;
  cudaLaunchConfig_t same = toRuntime(*config);
  return callInContext([&] { return cudaLaunchKernelExC(&same, function, arguments.get()); });
}

extern "C" CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                              unsigned gridZ, unsigned blockX, unsigned blockY,
                                              unsigned blockZ, unsigned sharedBytes,
                                              CUstream stream, void **parameters) {
  if (CUresult e = checkFunction(function); e != CUDA_SUCCESS)
    return e;
  return callInContext([&] {
    return cudaLaunchCooperativeKernel(function, dim3(gridX, gridY, gridZ),
                                       dim3(blockX, blockY, blockZ), parameters, sharedBytes,
                                       stream);
  });
}

extern "C" CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *userData) {
  return callInContext([&] { return cudaLaunchHostFunc(stream, function, userData); });
}
