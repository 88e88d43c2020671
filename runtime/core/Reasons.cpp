// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Reasons.h"
#include <utility>

namespace vx::rt {

static thread_local FailureReason kept;

/// Returns what is kept for ERROR, in place of what was kept for another one.
static FailureReason &keptFor(cudaError_t error) {
  if (kept.error != error) {
    kept = {};
    kept.error = error;
  }
  return kept;
}

cudaError_t because(cudaError_t error, std::string text, uint64_t address, uint64_t size) {
  FailureReason &reason = keptFor(error);
  if (!reason.text.empty())
    return error;
  reason.text = std::move(text);
  reason.address = address;
  reason.size = size;
  return error;
}

cudaError_t becauseOfLaunch(cudaError_t error, std::string kernel) {
  keptFor(error).kernel = std::move(kernel);
  return error;
}

void markReported(cudaError_t error) {
  keptFor(error).isReported = true;
}

FailureReason takeReason(cudaError_t error) {
  if (kept.error == cudaSuccess) [[likely]]
    return {};
  FailureReason reason = std::exchange(kept, {});
  return reason.error == error ? reason : FailureReason();
}

} // namespace vx::rt
