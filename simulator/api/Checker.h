// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that drives a simulator tells the checkers (knobs check.*) what the memory is, which the
// simulator does not know. Without that, all mapped memory is taken for the program's, with values
// in it.

#ifndef VX_SIMULATOR_API_CHECKER_H
#define VX_SIMULATOR_API_CHECKER_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vx::sim {

/// The calls on the host that led to something, the innermost first; made when a report needs it.
using HostStack = std::function<std::vector<std::string>()>;

struct CheckedAllocation {
  uint64_t address = 0, size = 0;
  std::string what;       ///< "cudaMalloc", "host memory"
  bool hasValues = false; ///< its bytes can be read before they are written
  bool canLeak = false;   ///< it is reported if it is never freed
  HostStack stack;        ///< may be empty
};

/// A call of the CUDA API by the program that fails.
struct FailedCall {
  std::string error;              ///< in words
  std::string reason;             ///< in words; may be empty
  std::string kernel;             ///< whose launch it is; may be empty
  uint64_t address = 0, size = 0; ///< of device memory that it is about; 0: none
};

/// Not thread-safe: to be used by the thread that uses the simulator.
class Checker {
public:
  virtual ~Checker() = default;

  /// The bytes of ALLOCATION, which are mapped, are the program's from here on.
  virtual void allocated(CheckedAllocation allocation) = 0;
  /// The allocation at ADDRESS ends; nothing happens if there is none.
  virtual void freed(uint64_t address, HostStack stack) = 0;
  /// Others than this device may write SIZE bytes at ADDRESS.
  virtual void shared(uint64_t address, uint64_t size) = 0;
  /// The program has asked CALL to free ADDRESS, where no allocation begins.
  virtual void freedWrongly(uint64_t address, const std::string &call, HostStack stack) = 0;
  /// CALL, which STACK has led to, has failed.
  virtual void callFailed(FailedCall call, HostStack stack) = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_CHECKER_H
