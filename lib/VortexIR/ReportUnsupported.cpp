// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the line at which an unsupported use is reported. Device functions of the CUDA headers are
// thin wrappers, so the line that helps is that of the nearest caller outside of them.

#include "lib/VortexIR/ReportUnsupported.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true for a location in a directory called `include`: our CUDA headers, clang's or the
/// system's.
bool isHeader(const DILocation &loc) {
  for (auto it = sys::path::begin(loc.getFilename()), e = sys::path::end(loc.getFilename());
       it != e; ++it)
    if (*it == "include")
      return true;
  return false;
}

/// Returns the innermost location of the inlining stack of LOC that is in the user's own file.
const DILocation *userLocation(const DILocation *loc) {
  for (; loc; loc = loc->getInlinedAt())
    if (!isHeader(*loc))
      return loc;
  return nullptr;
}

const Instruction *findUserCall(const Function &f, SmallPtrSetImpl<const Function *> &seen) {
  if (!seen.insert(&f).second)
    return nullptr;
  for (const User *u : f.users()) {
    const auto *call = dyn_cast<CallBase>(u);
    if (!call || call->getCalledOperand() != &f)
      continue;
    if (userLocation(call->getDebugLoc().get()))
      return call;
    if (const Instruction *outer = findUserCall(*call->getFunction(), seen))
      return outer;
  }
  return nullptr;
}

} // namespace

void reportUnsupported(const Instruction &at, const Twine &message) {
  const DILocation *loc = userLocation(at.getDebugLoc().get());
  if (!loc && at.getDebugLoc()) {
    SmallPtrSet<const Function *, 8> seen;
    if (const Instruction *call = findUserCall(*at.getFunction(), seen))
      loc = userLocation(call->getDebugLoc().get());
  }
  if (!loc)
    loc = at.getDebugLoc().get();
  if (!loc) {
    at.getContext().diagnose(
        DiagnosticInfoGeneric(message + " (in '" + at.getFunction()->getName() + "')", DS_Error));
    return;
  }
  at.getContext().diagnose(
      DiagnosticInfoGenericWithLoc(message, *at.getFunction(), DiagnosticLocation(DebugLoc(loc))));
}

void reportUnsupported(const Module &m, const Twine &message) {
  m.getContext().diagnose(DiagnosticInfoGeneric(message, DS_Error));
}

} // namespace vx
