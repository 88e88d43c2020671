// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that move by a constant from one part of a lane's threads to the next (Coarsening.h), as
// threadIdx.x does, the index of a loop that begins with it, and the addresses of elements with
// such an index. Those of other parts need not be computed: they are the first part's, a constant
// away.

#ifndef VX_LIB_PRTRANSFORM_PARTSTRIDES_H
#define VX_LIB_PRTRANSFORM_PARTSTRIDES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace vx {

/// The value of part p is that of part 0 plus p * STEP (bytes, for a pointer), modulo its width; in
/// integers of any size if there is no wrap.
struct PartStride {
  int64_t step = 0;
  bool noSignedWrap = true, noUnsignedWrap = true;

  friend bool operator==(const PartStride &, const PartStride &) = default;
};

class PartStrides {
public:
  /// Is for kernels whose blocks have one dimension. LANES lanes run such a kernel, and a grid has
  /// less than 2^31 threads. ISVARYING: whether an instruction has different values for the parts.
  PartStrides(unsigned lanes, llvm::function_ref<bool(const llvm::Instruction &)> isVarying)
      : lanes(lanes), isVarying(isVarying) {}

  /// Assumes that ADD, of a value with a stride and one without, does not wrap, as a signed or an
  /// unsigned integer.
  void assumeNoWrap(const llvm::Instruction &add, bool isSigned) { assumed[&add] = isSigned; }
  /// Finds those of BLOCKS, in reverse post-order, where all parts take the same path; what is
  /// known of other blocks stays.
  void find(llvm::ArrayRef<llvm::BasicBlock *> blocks);
  /// Returns the stride of V; none if it has none, or is of no block that was looked at.
  std::optional<PartStride> of(const llvm::Value *v) const;

  /// Emits the value that is PARTS parts after VALUE, which has STRIDE.
  static llvm::Value *emit(llvm::IRBuilderBase &b, llvm::Value *value, PartStride stride,
                           unsigned parts);

private:
  enum class State { Unknown, Known, None };
  struct Entry {
    State state = State::Unknown;
    PartStride stride;
  };
  Entry look(const llvm::Value *v) const;
  Entry evaluate(const llvm::Instruction &i) const;
  Entry evaluateSum(const llvm::Instruction &i) const;
  Entry evaluateAddress(const llvm::Instruction &i) const;
  bool isGridIndex(const llvm::Instruction &add) const;

  const unsigned lanes;
  const llvm::function_ref<bool(const llvm::Instruction &)> isVarying;
  llvm::DenseMap<const llvm::Value *, Entry> entries;
  llvm::DenseMap<const llvm::Value *, bool> assumed;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_PARTSTRIDES_H
