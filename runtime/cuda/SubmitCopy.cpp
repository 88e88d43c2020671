// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/SubmitCopy.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/memory/HostMemory.h"

namespace vx::rt {

static bool isPinned(const CopySide &side) {
  return HostMemory::get().find(pointerTo(side.address)).has_value();
}

/// A copy that is not asynchronous comes after what the other device's default stream has.
static void waitForDefaultStream(Context &context, const CopySide &side) {
  if (isForeign(context, side))
    side.context->scheduler().runAndWait(lookUpStream(*side.context, nullptr), [] {});
}

cudaError_t submitCopy(Context &current, Copy copy, cudaMemcpyKind kind, cudaStream_t handle,
                       bool async, Module *module) {
  StreamUse use = findStream(current, handle);
  if (!use.stream)
    return because(cudaErrorInvalidResourceHandle, describeNoStream(handle));
  // It would wait for the legacy stream, and that for the streams that capture.
  if (!async && refuseUnsafeCall(current) != cudaSuccess)
    return cudaErrorStreamCaptureImplicit;
  if (std::optional<cudaError_t> captured =
          captureOperation(*use.context, use.stream, [&](Graph &, NodeWork &work) {
            return makeCopy(*use.context, copy, kind, module, work);
          }))
    return *captured;
  if (cudaError_t e = resolveCopy(current, copy, kind); e != cudaSuccess || copy.extent.empty())
    return e;
  Context &context = *use.context;
  if (use.owner) // the stream belongs to another context, so that this one is a foreign one
    copy.uses.push_back(std::make_shared<ContextUse>(Runtime::get().find(current)));
  bool toPageable = copy.destination.space == PointerSpace::Host && !isPinned(copy.destination);
  std::shared_ptr<std::vector<uint8_t>> staged;
  if (async && !toPageable && copy.source.space == PointerSpace::Host && !isPinned(copy.source))
    staged = stageSource(copy);
  auto run = [&context, &current, copy, module, staged] {
    if (!module)
      return performCopy(context, copy);
    cudaError_t e = cudaSuccess;
    auto prepare = [&] {
      e = current.scheduler().withDevice([&] { return current.modules().use(*module); });
    };
    if (&current == &context)
      prepare();
    else
      context.scheduler().withoutDevice(prepare);
    return e == cudaSuccess ? performCopy(context, copy) : e;
  };
  if (async && !toPageable) {
    enqueueInStream(context, use.stream, run);
    return cudaSuccess;
  }
  if (!async) {
    waitForDefaultStream(context, copy.destination);
    waitForDefaultStream(context, copy.source);
  }
  return runInStream(context, use.stream, run);
}

cudaError_t submitFill(Context &current, CopySide side, const CopyExtent &extent, uint32_t value,
                       cudaStream_t handle, unsigned elementBytes) {
  StreamUse use = findStream(current, handle);
  if (!use.stream)
    return because(cudaErrorInvalidResourceHandle, describeNoStream(handle));
  if (std::optional<cudaError_t> captured =
          captureOperation(*use.context, use.stream, [&](Graph &, NodeWork &work) {
            return makeFill(*use.context, side, extent, value, elementBytes, work);
          }))
    return *captured;
  if (extent.empty())
    return cudaSuccess;
  ContextUses uses;
  if (cudaError_t e = resolveDeviceSide(current, side, extent, uses); e != cudaSuccess)
    return e;
  Context &context = *use.context;
  if (use.owner)
    uses.push_back(std::make_shared<ContextUse>(Runtime::get().find(current)));
  enqueueInStream(context, use.stream, [&context, side, extent, value, elementBytes, uses] {
    return performFill(context, side, extent, value, elementBytes);
  });
  return cudaSuccess;
}

} // namespace vx::rt
