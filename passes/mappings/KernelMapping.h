// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes do for one mapping (intrinsics/abi/Mappings.def). A row of the registry names its
// class: <ENUM>Mapping, of which k<ENUM>Mapping is the instance; a row without one does not link.

#ifndef VX_PASSES_MAPPINGS_KERNELMAPPING_H
#define VX_PASSES_MAPPINGS_KERNELMAPPING_H

#include "intrinsics/abi/Mappings.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "passes/mappings/MappingFacts.h"
#include "passes/regions/EntrySlot.h"
#include <optional>
#include <string>

namespace vx {

class MappingDecisions;
struct KernelInfo;

/// How a serial entry runs a block.
struct SerialForm {
  RegionMapping regions;
  MakeSlot *makeSlot;
  bool sharesBlocks; ///< several hardware threads run a block
};

class KernelMapping {
public:
  // Decisions.
  /// Returns which option keeps the mapping from all kernels of M; empty: none.
  virtual llvm::StringRef whyNotIn(const llvm::Module &) const { return ""; }
  /// Returns true for a mapping of the hw lowering whose variants are copies of software variants,
  /// into which warp functions are inlined.
  virtual bool isMadeOfSoftwareVariant() const { return false; }
  /// Returns why a software variant does not have the mapping; empty: it does.
  virtual std::string whyNot(MappingFacts &) const { return ""; }
  /// Takes the mapping from some of VARIANTS, the software variants of a module, if all that may
  /// have it are too much code.
  virtual void limit(llvm::ArrayRef<llvm::Function *>, MappingDecisions &) const {}

  // Variants, which are mapped to lanes as a kernel of mapping hw is (vx-map-kernels).
  /// Makes the variant of the mapping from VARIANT, a software variant that has the mapping.
  virtual void makeVariant(llvm::Function &, llvm::FunctionAnalysisManager &) const {}
  /// Returns true if hardware warps merge where a group of threads is larger.
  virtual bool mergesWarps() const { return false; }
  /// Returns how the entries of a variant share slots for blocks; REGROUPS: hardware warps merge.
  virtual MakeSlot *slotOf(bool regroups) const {
    return regroups ? makeGroupedSlot : makeWarpsSlot;
  }
  /// Returns true if kernels of any size have a direct entry of their own.
  virtual bool keepsDirectEntry() const { return false; }

  // Serial entries.
  /// Returns how the serial entry of VARIANT runs blocks in this mapping; none if it does not.
  virtual std::optional<SerialForm> serialFormOf(const llvm::Function &) const {
    return std::nullopt;
  }

  // The kernel table.
  /// Returns true if entries of mapping hw, whose record is complete in INFO, serve as well.
  virtual bool isServedBy(const KernelInfo &) const { return false; }
  /// Returns what -Rvx-lower adds where a kernel of the hw lowering has the mapping, too.
  virtual llvm::StringRef remark() const { return ""; }

protected:
  explicit constexpr KernelMapping(abi::Mapping mapping) : mapping(mapping) {}
  ~KernelMapping() = default;

  /// Returns a copy of VARIANT that is of this mapping, with SUFFIX after the kernel's name.
  llvm::Function &copyOf(llvm::Function &variant, llvm::StringRef suffix) const;

private:
  abi::Mapping mapping;
};

#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE)                                  \
  extern const KernelMapping &k##ENUM##Mapping;
#include "intrinsics/abi/Mappings.def"

const KernelMapping &kernelMappingOf(abi::Mapping mapping);

/// Returns the mapping that KERNEL is a variant for: hw if it is none.
abi::Mapping mappingOf(const llvm::Function &kernel);

} // namespace vx

#endif // VX_PASSES_MAPPINGS_KERNELMAPPING_H
