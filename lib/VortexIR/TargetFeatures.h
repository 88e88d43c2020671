// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The features of the hardware, as module flags: passes that run under vx-opt see the same facts as
// in the driver's pipeline. A missing flag means the default (RV64IMAFD with Zicond, profile warp).

#ifndef VX_LIB_VORTEXIR_TARGETFEATURES_H
#define VX_LIB_VORTEXIR_TARGETFEATURES_H

#include "intrinsics/abi/FatBinary.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace vx {

inline uint64_t getModuleFlagOr(const llvm::Module &m, llvm::StringRef key, uint64_t otherwise) {
  auto *c = llvm::mdconst::extract_or_null<llvm::ConstantInt>(m.getModuleFlag(key));
  return c ? c->getZExtValue() : otherwise;
}

/// Sets flag KEY of M; of modules that are linked the largest value counts.
inline void setModuleFlag(llvm::Module &m, llvm::StringRef key, uint32_t value) {
  llvm::Type *type = llvm::Type::getInt32Ty(m.getContext());
  m.setModuleFlag(llvm::Module::Max, key,
                  llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value)));
}

/// Returns module flag "vx.zicond": 0 or 1.
inline bool hasZicond(const llvm::Module &m) {
  return getModuleFlagOr(m, kZicondFlag, 1) != 0;
}

/// Returns module flag "vx.xlen": register width, 32 or 64. Pointers have it only after
/// vx-narrow32.
inline unsigned getXlen(const llvm::Module &m) {
  return static_cast<unsigned>(getModuleFlagOr(m, kXlenFlag, 64));
}

/// Returns module flag "vx.paths": whether warps keep paths (profile `paths`), so that branches
/// need neither vx_split nor vx_pred, and may separate any lanes.
inline bool hasPaths(const llvm::Module &m) {
  return getModuleFlagOr(m, kPathsFlag, 0) != 0;
}

/// Returns module flag "vx.isa": an abi::IsaProfile; profile `paths` counts as Warp here.
inline abi::IsaProfile getIsa(const llvm::Module &m) {
  return static_cast<abi::IsaProfile>(
      getModuleFlagOr(m, kIsaFlag, static_cast<uint64_t>(abi::IsaProfile::Warp)));
}

/// Returns module flag "vx.host": 1 when kernels become code of the host CPU.
inline bool isForHost(const llvm::Module &m) {
  return getModuleFlagOr(m, kHostFlag, 0) != 0;
}

/// Returns module flag "vx.canonical-nan": whether a NaN that an instruction computes is 0x7fc00000
/// (or its like of double), as on RISC-V; others keep bits of operands.
inline bool hasCanonicalNaN(const llvm::Module &m) {
  return getModuleFlagOr(m, kCanonicalNanFlag, 1) != 0;
}

/// Returns module flag "vx.kept": true if a debugger is to find the variables of M in memory.
inline bool keepsVariables(const llvm::Module &m) {
  return getModuleFlagOr(m, kKeptFlag, 0) != 0;
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_TARGETFEATURES_H
