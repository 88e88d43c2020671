// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of cudaLaunchKernelExC, checked.

#ifndef VX_RUNTIME_CONTEXT_LAUNCHATTRIBUTES_H
#define VX_RUNTIME_CONTEXT_LAUNCHATTRIBUTES_H

#include "runtime/context/Context.h"
#include "runtime/plan/LaunchPlan.h"
#include <optional>
#include <vector>

namespace vx::rt {

/// The settings of a launch in addition to its dimensions and arguments.
struct LaunchSettings {
  bool cooperative = false;
  std::optional<Dim> cluster = std::nullopt;             ///< in place of the kernel's own
  std::optional<int> priority = std::nullopt;            ///< in place of the stream's
  std::vector<std::shared_ptr<EventRecord>> events = {}; ///< happen when the kernel has run
};

/// Reads COUNT attributes into SETTINGS. Hints about caches, memory domains, the shared memory's
/// size and overlap with the next kernel are checked and have no effect.
cudaError_t readLaunchAttributes(Context &context, const cudaLaunchAttribute *attributes,
                                 unsigned count, LaunchSettings &settings);

/// The most bytes of a cudaAccessPolicyWindow, which is a hint without effect.
inline constexpr size_t kMaxAccessPolicyWindow = 128 << 20;

/// Returns true if WINDOW is one that a launch, a stream or a kernel node may have.
bool isValidWindow(const cudaAccessPolicyWindow &window);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_LAUNCHATTRIBUTES_H
