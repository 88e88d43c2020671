// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel that may launch kernels, and all that comes of it. The device queues launches
// (intrinsics/abi/DeviceLaunch.h); they are done here, one at a time and in the order in which they
// were made, when the blocks that made them have ended:
//
//   a part of the blocks -> what they launched, each with all that it launches -> the next part …
//   -> launches into the tail stream
//
// Doing all of it in that order keeps CUDA's promises for streams and events of the device. Grids
// of many blocks run in parts so that the queue, which holds as many launches as
// cudaLimitDevRuntimePendingLaunchCount says, is emptied in between.

#ifndef VX_RUNTIME_LAUNCH_DEVICELAUNCHES_H
#define VX_RUNTIME_LAUNCH_DEVICELAUNCHES_H

#include "intrinsics/abi/DeviceLaunch.h"
#include "runtime/launch/Launcher.h"
#include <deque>

namespace vx::rt {

class DeviceLaunches {
public:
  explicit DeviceLaunches(Launcher &launcher)
      : launcher(launcher), state(launcher.state), device(state.device()),
        memory(launcher.services.launchQueue()), limits(launcher.services.limits()) {}

  /// Inside an operation. Errors are the context's.
  void run(LaunchRequest &request);

private:
  /// A launch, copy or fill that waits.
  struct Pending {
    abi::LaunchRecord record;
    std::vector<uint8_t> arguments; ///< the argument block, or a CopyOperation
    Kernel *kernel = nullptr;
    const Kernel *launchedBy = nullptr;
    std::shared_ptr<const sim::RunAnnotations> annotations; ///< of the launch by the host
    uint32_t depth = 0;
  };
  /// A grid that is under way, or the tail launches that it has left.
  struct Frame {
    LaunchRequest request;
    uint32_t depth = 0;
    uint64_t nextBlock = 0, numBlocks = 0; ///< those from nextBlock on have yet to run
    uint64_t partBlocks = 0;               ///< of the next part
    std::deque<Pending> work;              ///< what blocks that have ended launched
    std::deque<Pending> tail;
  };

  void open(LaunchRequest request, uint32_t depth);
  void runPart(Frame &frame);
  void start(Pending &pending);
  void startKernel(Pending &pending);
  Result<void> copy(const Pending &pending);
  Result<void> ensureQueue();
  Result<void> fillQueue(const Frame &frame);
  Result<void> drainQueue(Frame &frame);
  Result<Pending> readLaunch(const abi::LaunchRecord &record);
  std::span<uint8_t> headerBytes();

  Launcher &launcher;
  ContextState &state;
  Device &device;
  Scratch &memory; ///< of the queue
  const ContextLimits limits;
  std::vector<Frame> frames;
  abi::LaunchQueue queue{};
  uint64_t waiting = 0; ///< in all frames
};

/// The value of ATTRIBUTE (runtime/cuda/DeviceProperties.cpp).
cudaError_t readAttribute(const ContextState &state, cudaDeviceAttr attribute, int &value);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_DEVICELAUNCHES_H
