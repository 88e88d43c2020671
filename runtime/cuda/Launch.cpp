// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches.

#include "intrinsics/abi/SymbolNames.h"
#include "runtime/context/LaunchAttributes.h"
#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/Launcher.h"

using namespace vx::rt;

static cudaError_t launch(Context &context, const void *function, dim3 grid, dim3 block,
                          void **arguments, size_t sharedBytes, cudaStream_t handle,
                          const LaunchSettings &settings) {
  std::shared_ptr<Stream> stream = lookUpStream(context, handle);
  if (!stream)
    return because(cudaErrorInvalidResourceHandle, describeNoStream(handle));
  LaunchRequest request;
  if (cudaError_t e = context.modules().findKernel(function, request.kernel); e != cudaSuccess)
    return e;
  request.grid = {grid.x, grid.y, grid.z};
  request.block = {block.x, block.y, block.z};
  request.dynSharedBytes = sharedBytes;
  request.cooperative = settings.cooperative;
  request.priority = settings.priority;
  request.cluster = settings.cluster;
  if (cudaError_t e = context.launcher().prepare(request); e != cudaSuccess) {
    invalidateCapture(context, stream);
    return becauseOfLaunch(e, vx::abi::sourceName(request.kernel->name));
  }
  if (!request.kernel->packArguments(arguments, request.arguments))
    return cudaErrorInvalidValue;
  if (std::optional<cudaError_t> captured =
          captureOperation(context, stream, [&](Graph &, NodeWork &work) {
            if (!settings.events.empty())
              return cudaErrorStreamCaptureUnsupported;
            if (!request.priority)
              request.priority = stream->priority;
            return makeKernel(function, std::move(request), work);
          }))
    return *captured;
  context.launcher().launch(stream, std::move(request));
  for (const std::shared_ptr<EventRecord> &event : settings.events)
    recordEvent(context, *event, stream);
  return cudaSuccess;
}

extern "C" cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t sharedBytes, cudaStream_t stream) {
  return callWithContext([&](Context &context) {
    return launch(context, function, grid, block, arguments, sharedBytes, stream, {});
  });
}

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                                   void **arguments, size_t sharedBytes,
                                                   cudaStream_t stream) {
  return callWithContext([&](Context &context) {
    return launch(context, function, grid, block, arguments, sharedBytes, stream,
                  {.cooperative = true});
  });
}

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                           void **arguments) {
  return callWithContext([&](Context &context) {
    if (!config)
      return cudaErrorInvalidValue;
    LaunchSettings settings;
    cudaError_t e = readLaunchAttributes(context, config->attrs, config->numAttrs, settings);
    if (e == cudaSuccess)
      e = launch(context, function, config->gridDim, config->blockDim, arguments,
                 config->dynamicSmemBytes, config->stream, settings);
    return e;
  });
}

extern "C" cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *launches,
                                                              unsigned count, unsigned flags) {
  constexpr unsigned known =
      cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync;
  return recordError(launches && count && !(flags & ~known) ? cudaErrorNotSupported
                                                            : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function,
                                          void *userData) {
  return callWithContext([&](Context &context) {
    std::shared_ptr<Stream> stream = lookUpStream(context, handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (!function)
      return cudaErrorInvalidValue;
    if (std::optional<cudaError_t> captured =
            captureOperation(context, stream, [&](Graph &graph, NodeWork &work) {
              return graph.isBody ? cudaErrorNotSupported : makeHost({function, userData}, work);
            }))
      return *captured;
    auto run = [&context, function, userData] {
      if (context.stickyError() == cudaSuccess)
        function(userData);
    };
    context.scheduler().enqueue(stream, {run, nullptr, true});
    return cudaSuccess;
  });
}
