// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that differ from lane to lane of a warp in a known way: each thread has a column of a
// table, as each digit of a radix sort has in the table of what earlier blocks have counted.
//
//     while ((sum = table[(block - 1) * 256 + threadIdx.x]) == 0) ;
//     table[block * 256 + threadIdx.x] = sum + own;
//
// No lane looks where another one of its warp writes. Nor does one wait for another by way of other
// blocks: each block looks at rows before its own only.

#ifndef VX_PASSES_REGIONS_LANEADDRESSES_H
#define VX_PASSES_REGIONS_LANEADDRESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// In which blocks no lane of a warp waits for another one.
enum class Separation {
  None,
  FlatBlocks, ///< those of one dimension, in which threadIdx.x differs in the lanes of a warp
  AllBlocks,
};

/// Returns in which blocks a lane that LOOKs for what others WRITE waits for no other lane of its
/// warp, in whichever iterations of the loops around them. ISUNIFORM: of a value that is the same
/// in all threads of a block.
Separation separationOfLanes(const LaneAccess &look, const LaneAccess &write,
                             llvm::function_ref<bool(const llvm::Value &)> isUniform,
                             const llvm::DataLayout &layout);

} // namespace vx

#endif // VX_PASSES_REGIONS_LANEADDRESSES_H
