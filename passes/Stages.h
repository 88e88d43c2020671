// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of the device compiler (Stages.def) as pipelines.

#ifndef VX_PASSES_STAGES_H
#define VX_PASSES_STAGES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace vx {

enum class Stage {
#define STAGE(ENUM, NAME, AFTER) ENUM,
#include "passes/Stages.def"
};

/// The options that the passes of a stage depend on besides the module's flags
/// (lib/VortexIR/TargetFeatures.h).
struct StageOptions {
  unsigned optLevel = 3; ///< 0 to 3
  bool host = false;     ///< for the host CPU
};

/// Returns the name by which vx-opt runs STAGE.
llvm::StringRef nameOf(Stage stage);

/// Returns the passes of STAGE. PB knows LLVM's own pipelines.
llvm::ModulePassManager buildStage(Stage stage, llvm::PassBuilder &pb, const StageOptions &options);

/// Makes the stages known to PB, which must live as long as it parses, under their names.
void registerStages(llvm::PassBuilder &pb);

/// Prints name of every stage, and what holds after it.
void printStages(llvm::raw_ostream &os);

} // namespace vx

#endif // VX_PASSES_STAGES_H
