// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a launch takes, by what the compiler counted in the entries of a kernel (abi::EntryCost)
// and how the launch is laid out, to choose between mappings. Three things limit a core, and what
// is close to several of them is held up by all:
//
//   alone    a hardware warp is fetched for every seven cycles at most, and waits for branches and
//            for results: the cycles that it takes if it has the core to itself. Hardware warps
//            that are merged issue each instruction, and exchange values, for one after another.
//   issue    a core issues one instruction per cycle, of all hardware warps
//   memory   cache lines move one after another. Lanes that run neighbouring threads share them;
//            lanes that run different blocks have their own, and each lane has its own stack.
//
//   cycles = code + start + once + rounds * round, each of these but the code
//            sqrt(alone^2 + issue^2 + memory^2)
//
// How many hardware warps do what is up to the planner of the mapping (MappingPlanner.h).
//
// Blocks come in rounds, as many in each as are resident; start is what the hardware warps of a
// core that have a block execute while caches are cold, code the instructions that come from memory
// first. How often loops of the source go round is not known and taken to be the same in all
// mappings, as is what they find in caches; so estimates are good for comparisons only. The
// constants were fitted to the grid of docs/results/evaluation/mappings.md.

#ifndef VX_RUNTIME_PLAN_COSTMODEL_H
#define VX_RUNTIME_PLAN_COSTMODEL_H

#include "runtime/plan/LaunchPlan.h"

namespace vx::rt {

/// The estimated cycles of REQUEST, laid out as PLAN in the entries of KERNEL; none if the compiler
/// has not counted what they cost.
std::optional<double> estimateCycles(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                                     const DeviceShape &shape, const PlanRequest &request);

/// The other lowering has to be so many times as fast to be taken instead of hw: what lanes in
/// lockstep find in branches and caches differs more between lowerings than between mappings of
/// one.
inline constexpr double kLoweringMargin = 2;

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_COSTMODEL_H
