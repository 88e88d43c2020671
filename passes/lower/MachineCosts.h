// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of the generated code of an entry, for the choice of a mapping
// (runtime/plan/CostModel.h): how much of it a hardware warp executes once, for each block, for
// each CUDA warp of it and for each thread, as the loops say that are around it
// (lib/VortexIR/LoopUnits.h).

#ifndef VX_PASSES_LOWER_MACHINECOSTS_H
#define VX_PASSES_LOWER_MACHINECOSTS_H

#include "intrinsics/abi/KernelTable.h"

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineFunction;
class MachineLoopInfo;
} // namespace llvm

namespace vx {

/// Loops of the source count as so many turns, whatever the mapping.
inline constexpr double kSourceTurns = 4;

abi::EntryCost countCosts(const llvm::MachineFunction &mf, const llvm::MachineLoopInfo &loops,
                          const llvm::MachineBlockFrequencyInfo &frequencies);

} // namespace vx

#endif // VX_PASSES_LOWER_MACHINECOSTS_H
