// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports calls of the API that fail, where the program is checked (VX_CHECK).

#include "intrinsics/text/Hex.h"
#include "runtime/cuda/Api.h"
#include "runtime/memory/CheckedMemory.h"

namespace vx::rt {

std::string describeNoStream(cudaStream_t handle) {
  return "no stream has the handle " + hexText(reinterpret_cast<uintptr_t>(handle)) +
         ": it was not created here, or has been destroyed";
}

std::string describeNoDevice(int number) {
  unsigned count = Runtime::get().deviceCount();
  return "there is no device " + std::to_string(number) + "; the last one is " +
         std::to_string(count - 1);
}

void reportFailedCall(cudaError_t error) {
  FailureReason reason = takeReason(error);
  if (error == cudaSuccess || error == cudaErrorNotReady || reason.isReported ||
      Scheduler::inHostFunction())
    return;
  ContextUse context = Runtime::get().existing();
  // What a stopped kernel leaves with its context has been reported with the kernel.
  if (!context || !context->isChecked() || context->stickyError() == error)
    return;
  sim::FailedCall call{std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error),
                       std::move(reason.text), std::move(reason.kernel), reason.address,
                       reason.size};
  context->scheduler().withDevice([&] { noteFailedCall(context->device(), std::move(call)); });
}

} // namespace vx::rt
