// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mappings of the registry (intrinsics/abi/Mappings.def) that each kernel may have, and why it
// may not have the others: decided by vx-decide-lowerings and vx-decide-mappings, printed by
// vx-print-mappings and -Rvx-lower, followed by the passes that make variants and entries. Named
// metadata of the module, one node for each kernel:
//
//     !vx.mappings = !{!0}
//     !0 = !{!"_Z1kPf", !"hw", !"", !"block-per-lane", !"", !"warps-per-lane",
//            !"it has no warp functions", …}
//
// An empty reason means that the mapping is possible. What is not named is not decided yet.

#ifndef VX_LIB_VORTEXIR_MAPPINGDECISIONS_H
#define VX_LIB_VORTEXIR_MAPPINGDECISIONS_H

#include "intrinsics/abi/Mappings.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <optional>
#include <string>

namespace llvm {
class Function;
class Module;
class raw_ostream;
} // namespace llvm

namespace vx {

/// The decisions about the mappings of one kernel.
struct MappingDecision {
  /// The reasons why the kernel does not have a mapping, by the mapping's number; empty: it has it.
  std::array<std::optional<std::string>, abi::kNumMappings> reasons;

  void allow(abi::Mapping mapping) { forbid(mapping, ""); }
  void forbid(abi::Mapping mapping, llvm::StringRef why) {
    reasons[static_cast<uint32_t>(mapping)] = why.str();
  }
  bool allows(abi::Mapping mapping) const {
    const std::optional<std::string> &why = reasons[static_cast<uint32_t>(mapping)];
    return why && why->empty();
  }
  /// Returns why the kernel does not have MAPPING; empty if it has it, or that is not decided.
  llvm::StringRef whyNot(abi::Mapping mapping) const {
    const std::optional<std::string> &why = reasons[static_cast<uint32_t>(mapping)];
    return why ? llvm::StringRef(*why) : llvm::StringRef();
  }
  /// Returns false if it is decided that the kernel does not have LOWERING.
  bool mayHave(abi::Lowering lowering) const { return whyNot(abi::baseOf(lowering)).empty(); }
};

/// The decisions about all kernels of a module.
class MappingDecisions {
public:
  /// Reads what M has. A node that is not as above is left out.
  explicit MappingDecisions(const llvm::Module &m);

  /// Returns the decisions about KERNEL, a kernel or a variant of one.
  MappingDecision &of(const llvm::Function &kernel);
  /// Replaces what M has.
  void write(llvm::Module &m) const;
  /// Prints one line for each mapping of each kernel.
  void print(llvm::raw_ostream &os) const;

private:
  llvm::MapVector<std::string, MappingDecision, std::map<std::string, unsigned>> kernels;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_MAPPINGDECISIONS_H
