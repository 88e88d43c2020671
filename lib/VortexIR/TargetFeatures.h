// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the hardware offers, as module flags: passes that run under vx-opt see the same facts as in
// the driver's pipeline. A missing flag means the default (RV64IMAFD with Zicond, profile warp).

#ifndef VX_LIB_VORTEXIR_TARGETFEATURES_H
#define VX_LIB_VORTEXIR_TARGETFEATURES_H

#include "intrinsics/abi/FatBinary.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace vx {

inline uint64_t getModuleFlagOr(const llvm::Module &m, llvm::StringRef key, uint64_t otherwise) {
  auto *c = llvm::mdconst::extract_or_null<llvm::ConstantInt>(m.getModuleFlag(key));
  return c ? c->getZExtValue() : otherwise;
}

/// Module flag "vx.zicond": 0 or 1.
inline bool hasZicond(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.zicond", 1) != 0;
}

/// Module flag "vx.xlen": register width, 32 or 64. Pointers have it only after vx-narrow32.
inline unsigned getXlen(const llvm::Module &m) {
  return static_cast<unsigned>(getModuleFlagOr(m, "vx.xlen", 64));
}

/// True if the user asked what becomes of each kernel (-Rvx-lower).
inline bool wantsLowerRemarks(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.remarks", 0) != 0;
}

/// Module flag "vx.split-warps": whether kernels get variants for mapping split-warps.
inline bool wantsSplitWarps(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.split-warps", 0) != 0;
}

/// Module flag "vx.coarsen": whether kernels get variants for mapping coarsened.
inline bool wantsCoarsening(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.coarsen", 0) != 0;
}

/// Module flag "vx.mapping-budget": for how many instructions of kernels there may be variants in
/// mapping coarsened; 0: for all.
inline unsigned getMappingBudget(const llvm::Module &m) {
  return static_cast<unsigned>(getModuleFlagOr(m, "vx.mapping-budget", 0));
}

/// Module flag "vx.defer-sw": of a module whose kernels have more instructions, the sw lowering is
/// left for when a program asks for it; 0: it never is.
inline unsigned getDeferSwLimit(const llvm::Module &m) {
  return static_cast<unsigned>(getModuleFlagOr(m, "vx.defer-sw", 0));
}

/// Module flag "vx.check": whether the code is to be watched by the simulator's checkers.
inline bool isForCheckers(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.check", 0) != 0;
}

/// Module flag "vx.paths": whether warps keep paths (profile `paths`), so that branches need
/// neither vx_split nor vx_pred, and may leave any lanes behind.
inline bool hasPaths(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.paths", 0) != 0;
}

/// Module flag "vx.isa": an abi::IsaProfile; profile `paths` counts as Warp here.
inline abi::IsaProfile getIsa(const llvm::Module &m) {
  return static_cast<abi::IsaProfile>(
      getModuleFlagOr(m, "vx.isa", static_cast<uint64_t>(abi::IsaProfile::Warp)));
}

/// Module flag "vx.host": 1 when kernels become code of the host CPU.
inline bool isForHost(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.host", 0) != 0;
}

/// Module flag "vx.canonical-nan": whether a NaN that an instruction computes is 0x7fc00000 (or its
/// like of double), as on RISC-V; others keep bits of operands.
inline bool hasCanonicalNaN(const llvm::Module &m) {
  return getModuleFlagOr(m, "vx.canonical-nan", 1) != 0;
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_TARGETFEATURES_H
