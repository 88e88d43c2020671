// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last word of the import: what is called but known to no later stage is the user's error, here
// with a source line instead of later as an undefined symbol.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Returns true for what is defined later: device math by linkDeviceMath, the contract by the
/// lowerings, textures and surfaces by bitcode that the import links.
bool isKnown(const Function &f) {
  StringRef name = f.getName();
  return f.isIntrinsic() || lookupVxFn(name) || name.starts_with("__nv_") ||
         name.starts_with("__vxm_") || name.starts_with("__vx_tex_") ||
         name.starts_with("__vx_surf_");
}

/// Returns true for what CUDA's headers and compilers declare; programs have no such names of their
/// own.
bool isOfCuda(StringRef name) {
  return name.starts_with("cuda") || name.starts_with("__");
}

/// Reports each instruction that uses V, directly or through constants. Returns true if there was
/// one.
bool reportUses(const Value &v, const Twine &message) {
  bool found = false;
  for (const User *u : v.users()) {
    if (const auto *i = dyn_cast<Instruction>(u)) {
      reportUnsupported(*i, message);
      found = true;
    } else if (isa<Constant>(u) && !isa<GlobalValue>(u)) {
      found |= reportUses(*u, message);
    }
  }
  return found;
}

/// Returns why the CUDA runtime has a function for the host only, where CUDA's device runtime has
/// it too; empty for others.
StringRef whyHostOnly(StringRef name) {
  constexpr StringLiteral kOccupancy =
      ": how many blocks a core takes is known to the host, which can pass it as an argument";
  constexpr StringLiteral kGraphs =
      ": graphs are run by the host; kernels can be launched, into cudaStreamTailLaunch or "
      "cudaStreamFireAndForget, too";
  return StringSwitch<StringRef>(name)
      .Case("cudaDeviceSynchronize",
            ", as in CUDA 12 for new GPUs: a kernel launched into cudaStreamTailLaunch runs after "
            "the grid and all that it has launched")
      .Case("cudaOccupancyMaxActiveBlocksPerMultiprocessor", kOccupancy)
      .Case("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", kOccupancy)
      .Cases({"cudaGraphLaunch", "cudaGetCurrentGraphExec"}, kGraphs)
      .Default("");
}

void report(const GlobalValue &g, const Module &m, StringRef kind) {
  StringRef name = g.getName();
  name.consume_back("_ptsz"); // of CUDA_API_PER_THREAD_DEFAULT_STREAM
  if (StringRef why = whyHostOnly(name); !why.empty()) {
    reportUses(g, name + "() is not available in device code" + why);
    return;
  }
  std::string message = (kind + " '" + demangle(g.getName()) +
                         "' is declared but not defined in this device code; another source may "
                         "define it (in CUDA, with -rdc=true)")
                            .str();
  if (g.getName() == "__cxa_allocate_exception")
    message = "device code cannot throw exceptions";
  else if (isa<Function>(g) && isOfCuda(g.getName()))
    message = (kind + " '" + g.getName() + "' is not supported by vxcc").str();
  if (!reportUses(g, message))
    reportUnsupported(m, message);
}

} // namespace

bool isProvided(const Function &f) {
  return isKnown(f) || isLibraryFunction(f.getName());
}

void reportUnresolved(Module &m) {
  for (Function &f : make_early_inc_range(m))
    if (f.isDeclaration() && f.use_empty())
      f.eraseFromParent();
    else if (f.isDeclaration() && !isKnown(f))
      report(f, m, "function");
  for (GlobalVariable &g : make_early_inc_range(m.globals()))
    if (g.isDeclaration() && g.use_empty())
      g.eraseFromParent();
    else if (g.isDeclaration() && !g.hasExternalWeakLinkage() && g.getAddressSpace() != kSharedAS)
      report(g, m, "device variable");
}

} // namespace vx::import
