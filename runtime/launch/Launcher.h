// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels of a context. A launch is checked when the program asks for it (prepare) and
// runs when the stream reaches it (runKernel):
//
//   module on the device -> memory the device shares with the host -> scratch memory -> arguments
//   and descriptor -> start, wait -> what the kernel printed -> shared memory back -> faults

#ifndef VX_RUNTIME_LAUNCH_LAUNCHER_H
#define VX_RUNTIME_LAUNCH_LAUNCHER_H

#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/DescriptorWriter.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/LaunchServices.h"
#include "runtime/memory/DeviceMemory.h"
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace vx::rt {

class Launcher {
public:
  Launcher(ContextState &state, DeviceMemory &memory, ModuleLoader &modules,
           LaunchServices &services)
      : state(state), memory(memory), modules(modules), services(services),
        writer(state, services) {}

  /// Checks everything that can be checked before the launch and fills in the plan.
  cudaError_t prepare(LaunchRequest &request);
  /// The variant of KERNEL that a launch takes; null (and a message, once) if none can run here.
  const abi::KernelRecord *variantOf(const Kernel &kernel);
  /// As variantOf(); the first one there is, and no message, if none can run here.
  const abi::KernelRecord &recordOf(const Kernel &kernel) const;
  void launch(const std::shared_ptr<Stream> &stream, LaunchRequest request);

  /// In an operation: what a launch does when it is its turn.
  void runKernel(const LaunchRequest &request);
  /// In an operation: runs the blocks of REQUEST that its range names.
  void runBlocks(const LaunchRequest &request);

private:
  friend class DeviceLaunches;
  const abi::KernelRecord *findVariant(const Kernel &kernel) const;
  cudaError_t prepareCluster(LaunchRequest &request);
  Result<void> makeReady(Module &module, uint64_t stackBytes);
  void noteStatus(RunReport &report, const abi::LaunchDescriptor &descriptor);
  void handleFault(const Fault &fault, const LaunchRequest &request,
                   const abi::LaunchDescriptor &descriptor);

  ContextState &state;
  DeviceMemory &memory;
  ModuleLoader &modules;
  LaunchServices &services;
  DescriptorWriter writer;
  std::mutex mutex;                   // mentioned
  std::set<const Kernel *> mentioned; // kernels that are refused or fall back are said once
};

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_LAUNCHER_H
