// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types with other address spaces in their pointers, for passes that renumber the spaces of a
// module.

#ifndef VX_LIB_VORTEXIR_ADDRESSSPACETYPES_H
#define VX_LIB_VORTEXIR_ADDRESSSPACETYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

/// Maps pointers to the space that MAPSPACE gives for theirs, and types that contain pointers to
/// types of their mapped parts. Other types stay as they are; a named structure that changes gives
/// its name to the new one.
class AddressSpaceTypes : public llvm::ValueMapTypeRemapper {
public:
  using SpaceMap = unsigned (*)(unsigned);
  explicit AddressSpaceTypes(SpaceMap mapSpace) : mapSpace(mapSpace) {}

  llvm::Type *remapType(llvm::Type *type) override;

private:
  llvm::Type *map(llvm::Type *type);

  SpaceMap mapSpace;
  llvm::DenseMap<llvm::Type *, llvm::Type *> known;
};

/// Maps the types that attributes of F's parameters name (byval and its kin).
void remapParameterAttributes(llvm::Function &f, llvm::ValueMapTypeRemapper &types);

} // namespace vx

#endif // VX_LIB_VORTEXIR_ADDRESSSPACETYPES_H
