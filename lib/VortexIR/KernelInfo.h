// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that the kernel table states of a kernel, carried through the pipeline as named
// metadata, one node for each record, so that each stage can be run by itself:
//
//     !vx.kernels = !{!0}
//     !0 = !{!"name", !"_Z1kPf", !"directEntry", ptr @e, !"chunkedEntry", ptr @e,
//            !"mapping", !"hw", !"contextBytes", i64 16, !"uses-barrier", i64 1, !"params", !1}
//     !1 = !{i64 0, i64 8}                         offset and size of each parameter
//
// The names are those of the rows of KernelFields.def and Mappings.def; what is 0 is left out.

#ifndef VX_LIB_VORTEXIR_KERNELINFO_H
#define VX_LIB_VORTEXIR_KERNELINFO_H

#include "intrinsics/abi/KernelTable.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace vx {

/// Returns the name of KERNEL or, if it is a variant of one, of that kernel.
llvm::StringRef sourceNameOf(const llvm::Function &kernel);

/// Returns true if F is the variant of a kernel that becomes a serial entry.
bool isSoftwareVariant(const llvm::Function &f);
/// Returns the software variants of M that have a body, in its order; M may change meanwhile.
llvm::SmallVector<llvm::Function *, 8> softwareVariantsOf(llvm::Module &m);

/// Returns the attribute of a kernel that sets FLAG of its record.
llvm::StringRef attributeOf(abi::KernelFlags flag);
/// Returns true if KERNEL has the attribute that sets FLAG.
bool hasKernelFlag(const llvm::Function &kernel, abi::KernelFlags flag);
void setKernelFlag(llvm::Function &kernel, abi::KernelFlags flag, bool value = true);

struct KernelInfo {
  std::string name; ///< mangled, as the host registers it
  llvm::Function *direct = nullptr;
  llvm::Function *chunked = nullptr;
  llvm::SmallVector<abi::KernelParam, 8> params;
  /// Everything but addresses and places in the section.
  abi::KernelRecord record{};

  bool has(abi::KernelFlags flag) const { return record.flags & flag; }
  void set(abi::KernelFlags flag, bool value = true) {
    record.flags = value ? record.flags | flag : record.flags & ~flag;
  }
  bool isFor(abi::Mapping mapping) const { return abi::isFor(record, mapping); }
  void add(abi::Mapping mapping) { record.mappings |= abi::bitOf(mapping); }
};

/// Returns what the attributes of KERNEL say of it: name, parameters, launch bounds, flags.
KernelInfo describeKernel(const llvm::Function &kernel);

void appendKernelInfo(llvm::Module &m, const KernelInfo &info);
/// Reads !vx.kernels; a node that is not as above is reported as an error, and left out.
llvm::SmallVector<KernelInfo, 8> readKernelInfos(const llvm::Module &m);
/// Replaces all nodes.
void writeKernelInfos(llvm::Module &m, llvm::ArrayRef<KernelInfo> infos);

} // namespace vx

#endif // VX_LIB_VORTEXIR_KERNELINFO_H
