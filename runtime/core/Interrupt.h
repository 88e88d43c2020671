// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C while a kernel runs: it is stopped, what there is to report is reported, and the program
// ends as the signal would have ended it.

#ifndef VX_RUNTIME_CORE_INTERRUPT_H
#define VX_RUNTIME_CORE_INTERRUPT_H

#include <cstddef>
#include <string>

namespace vx::rt {

class Device;

/// While one exists, Ctrl-C asks DEVICE to stop. A second one ends the program at once. Programs
/// that handle SIGINT themselves are left alone. The handler stays between kernels, where it does
/// what the system would have done: taking it away and back would cost as much as a small kernel.
class InterruptGuard {
public:
  explicit InterruptGuard(Device &device);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  bool wasInterrupted() const;

private:
  size_t place; ///< of the device among those that run
};

/// In a process that has been forked: none of the devices runs here.
void forgetRunningDevices();

/// Reports an interrupt in KERNEL and what DEVICE has to report, then ends the program as Ctrl-C
/// would have.
void endInterrupted(Device &device, const std::string &kernel);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_INTERRUPT_H
