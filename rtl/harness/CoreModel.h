// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core under Verilator, a cycle at a time. Nothing else sees what Verilator makes.

#ifndef VX_RTL_HARNESS_COREMODEL_H
#define VX_RTL_HARNESS_COREMODEL_H

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace vx::rtl {

/// The shape that the core was built with.
inline constexpr uint32_t kWarps = VX_RTL_WARPS, kLanes = VX_RTL_LANES;
inline constexpr uint32_t kLineBytes = 64, kCellThreads = 4;
using Line = std::array<uint8_t, kLineBytes>;

/// In the order of fault_e in vx_pkg.sv.
enum class Fault : uint8_t {
  None,
  Illegal,
  Misaligned,
  Divergence,
  IpdomOverflow,
  IpdomUnderflow,
  Barrier,
  Spawn,
  Tile,
  Breakpoint,
  EnvironmentCall,
};

/// A beat that the core commits: an instruction of a group for one of its hardware warps.
struct Commit {
  uint32_t slot = 0; ///< the group begins at thread slot * kCellThreads
  uint32_t warp = 0;
  uint32_t pc = 0;
  bool isLast = false; ///< beat of the instruction
  uint64_t mask = 0;   ///< lanes
  bool writes = false;
  uint32_t rd = 0;                ///< from 32 on: floating-point
  std::span<const uint32_t> data; ///< by lane
  Fault fault = Fault::None;
  uint32_t target = 0; ///< Misaligned: the address
};

struct LineRequest {
  bool isWrite = false, isCode = false;
  uint64_t address = 0;
  std::span<const uint8_t> data; ///< of a write
  uint64_t bytes = 0;            ///< a bit for each byte that is written
};

/// The access to memory that the load/store unit works on.
struct Access {
  uint32_t slot = 0, pc = 0, address = 0;
};

class CoreModel {
public:
  CoreModel();
  ~CoreModel();

  /// Resets the core, which then starts at PC. Registers and local memory keep their contents.
  void reset(uint32_t pc, uint32_t argument);

  /// Begins a cycle in which ANSWER, if it is not null, is the data of the oldest read.
  void begin(const Line *answer);
  // What happens in the cycle:
  bool isDone() const;
  bool isStuck() const;
  bool hasRequest() const;
  LineRequest request() const;
  bool hasCommit() const;
  Commit commit() const;
  Access access() const;
  /// Ends the cycle.
  void end();

private:
  struct Verilated;
  std::unique_ptr<Verilated> model;
};

} // namespace vx::rtl

#endif // VX_RTL_HARNESS_COREMODEL_H
