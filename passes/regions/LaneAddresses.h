// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that differ from lane to lane of a warp in a known way: each thread has a column of a
// table, as each digit of a radix sort has in the table of what earlier blocks have counted.
//
//     while ((sum = table[(block - 1) * 256 + threadIdx.x]) == 0) ;
//     table[block * 256 + threadIdx.x] = sum + own;
//
// No lane looks where another one of its warp writes.

#ifndef VX_PASSES_REGIONS_LANEADDRESSES_H
#define VX_PASSES_REGIONS_LANEADDRESSES_H

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace vx {

/// Where lanes access memory.
struct LaneAccess {
  const llvm::Value *pointer;
  uint64_t bytes = UINT64_MAX; ///< at most
};

/// Returns where I, a load, store or atomic operation, accesses memory; nothing for others.
std::optional<LaneAccess> laneAccessOf(const llvm::Instruction &i);

/// In which blocks accesses of two lanes are known not to overlap.
enum class Separation {
  None,
  FlatBlocks, ///< those of one dimension, in which threadIdx.x differs in the lanes of a warp
  AllBlocks,
};

/// Returns in which blocks an access A of one lane of a warp and an access B of another one do not
/// overlap, in whichever iterations of the loops around them.
Separation separationOfLanes(const LaneAccess &a, const LaneAccess &b,
                             const llvm::DataLayout &layout);

} // namespace vx

#endif // VX_PASSES_REGIONS_LANEADDRESSES_H
