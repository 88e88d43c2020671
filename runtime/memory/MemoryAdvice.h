// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program has said about ranges of managed memory (cudaMemAdvise, cudaMemPrefetchAsync),
// for cudaMemRangeGetAttribute. Managed memory is shared by all devices and the host, or moves as a
// whole around kernels, so that nothing is done about it.

#ifndef VX_RUNTIME_MEMORY_MEMORYADVICE_H
#define VX_RUNTIME_MEMORY_MEMORYADVICE_H

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace vx::rt {

struct Advice {
  static constexpr int kNowhere = -2; ///< cudaInvalidDeviceId
  bool readMostly = false;
  int preferredLocation = kNowhere; ///< a device, cudaCpuDeviceId or kNowhere
  int lastPrefetch = kNowhere;
  std::set<int> accessedBy;
};

class MemoryAdvice {
public:
  static MemoryAdvice &get();

  /// Applies CHANGE to the advice of each page of [address, address+size).
  void change(uint64_t address, uint64_t size, const std::function<void(Advice &)> &change);
  /// All different pieces of advice about [address, address+size), in order; never empty.
  std::vector<Advice> find(uint64_t address, uint64_t size) const;
  /// Memory in this range is no longer there.
  void forget(uint64_t address, uint64_t size);

private:
  struct Piece {
    uint64_t end = 0;
    Advice advice;
  };
  void splitAt(uint64_t address);

  mutable std::mutex mutex;
  std::map<uint64_t, Piece> pieces; // by their begins; what is not in one has no advice
};

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_MEMORYADVICE_H
