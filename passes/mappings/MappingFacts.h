// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts about a software variant on which its mappings depend (vx-decide-mappings).

#ifndef VX_PASSES_MAPPINGS_MAPPINGFACTS_H
#define VX_PASSES_MAPPINGS_MAPPINGFACTS_H

#include "llvm/IR/PassManager.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace vx {

struct MappingDecision;

/// Where lanes of a hardware warp need not be at the same place (TargetFeatures.h).
inline constexpr const char *kOnPaths = "lanes of a hardware warp may be on different paths";

/// Returns true if the code of M is for the checkers or a debugger.
bool isWatched(const llvm::Module &m);
/// Returns true if I is a vote or a shuffle.
bool isExchange(const llvm::Instruction &i);

class MappingFacts {
public:
  /// DECISION: what is decided of VARIANT so far. LANESWAIT: lanes of a warp may wait for each
  /// other.
  MappingFacts(llvm::Function &variant, llvm::FunctionAnalysisManager &fam,
               const MappingDecision &decision, bool lanesWait)
      : variant(variant), fam(fam), decision(decision), lanesWait(lanesWait) {}

  const llvm::Module &module() const;
  bool isForHost() const;
  /// Returns true if blocks may wait for each other.
  bool blocksWait() const;
  /// Returns why hardware warps may not form logical warps (LogicalWarps.h); empty: they may.
  /// Leaves the plan on the variant unless the hardware variant serves as well: there are no warp
  /// functions.
  const std::string &whyNoLogicalWarps();

  llvm::Function &variant;
  llvm::FunctionAnalysisManager &fam;
  const MappingDecision &decision;

private:
  std::string findWhyNoLogicalWarps();

  bool lanesWait;
  std::optional<std::string> noLogicalWarps;
};

} // namespace vx

#endif // VX_PASSES_MAPPINGS_MAPPINGFACTS_H
