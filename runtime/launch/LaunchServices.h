// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a context that device code uses in addition to the program's: the buffer of printf,
// the heap and the queue of launches; the limits that the program sets for them; and the text that
// kernels have printed.

#ifndef VX_RUNTIME_LAUNCH_LAUNCHSERVICES_H
#define VX_RUNTIME_LAUNCH_LAUNCHSERVICES_H

#include "runtime/core/ContextState.h"
#include "runtime/launch/Scratch.h"
#include <mutex>
#include <string>

namespace vx::rt {

struct ContextLimits {
  uint64_t stackBytes = 0; ///< what every lane has at least
  uint64_t printfBytes = 1 << 20;
  uint64_t heapBytes = 8 << 20;
  uint64_t syncDepth = 2;          ///< of device code that waits for its own launches
  uint64_t pendingLaunches = 2048; ///< of device code
  uint64_t fetchBytes = 64;        ///< cudaLimitMaxL2FetchGranularity, a hint without effect
};

class LaunchServices {
public:
  explicit LaunchServices(ContextState &state);

  ContextLimits limits();
  /// Launches from here on have it. The stacks are made at once, to know that there is room.
  cudaError_t setStackBytes(uint64_t bytes);
  cudaError_t setPrintfBytes(uint64_t bytes);
  cudaError_t setHeapBytes(uint64_t bytes);
  /// Of launches from here on.
  void setSyncDepth(uint64_t depth);
  cudaError_t setPendingLaunches(uint64_t count);
  void setFetchBytes(uint64_t bytes);

  /// Writes what kernels have printed to stdout: where the program waits for them, and at the end.
  void showPrinted();

  // In operations.
  /// Makes the buffers that every launch uses.
  Result<void> ensure();
  const Scratch &printf() const { return printfBuffer; }
  const Scratch &heapMemory() const { return heap; }
  Scratch &launchQueue() { return queue; }
  /// How many streams and events device code has made.
  uint32_t &deviceHandles() { return handles; }
  /// Takes what the last kernel has printed.
  void collectPrinted();
  /// The string at ADDRESS as far as its memory can be read, at most 64 KiB of it.
  std::string readString(uint64_t address);

private:
  template <typename Header>
  Result<void> ensureBuffer(Scratch &buffer, uint64_t bytes, const Header &header);
  Result<std::string> drainPrintf();
  cudaError_t drop(Scratch &scratch);
  bool isHeapUsed();

  ContextState &state;
  std::mutex mutex; // wanted, unseenText, hasPrinted; never held while the device is waited for
  ContextLimits wanted;
  std::string unseenText;  ///< of kernels; showPrinted()
  bool hasPrinted = false; ///< a kernel has
  // Only used by operations on the device.
  Scratch printfBuffer, heap, queue;
  uint32_t handles = 0;
};

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_LAUNCHSERVICES_H
