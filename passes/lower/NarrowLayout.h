// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 64-bit layout of objects in memory made explicit for a machine with 32-bit pointers
// (vx-narrow32): which types depend on it, where their elements are, and constants whose bytes do
// not change with the width of pointers.

#ifndef VX_PASSES_LOWER_NARROWLAYOUT_H
#define VX_PASSES_LOWER_NARROWLAYOUT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Constant;
} // namespace llvm

namespace vx {

/// Returns true for a type whose size, alignment or inner offsets depend on the width of pointers.
bool isLayoutDependent(llvm::Type *t);
/// Returns true for an aggregate or vector of that kind: it is loaded and stored element by
/// element.
bool isDecomposed(llvm::Type *t);
/// Returns the number of elements of such a type.
unsigned countElements(llvm::Type *t);

class NarrowLayout {
public:
  NarrowLayout(llvm::LLVMContext &ctx, const llvm::DataLayout &wide);

  /// Returns the offset of element I of T, and its type.
  std::pair<uint64_t, llvm::Type *> elementAt(llvm::Type *t, unsigned i) const;
  /// Returns an array of as many bytes as a T.
  llvm::ArrayType *bytesOf(llvm::Type *t) const;

  /// Returns C with every address computation in bytes.
  llvm::Constant *narrowConstant(llvm::Constant *c) const;
  /// Returns true if C holds an address or a type that must be laid out by hand.
  static bool needsFlattening(const llvm::Constant *c);
  /// Returns C, which needs it, as a constant of plain bytes, integers and 32-bit pointers.
  llvm::Constant *flattenInitializer(llvm::Constant *c) const;

  const llvm::DataLayout wide;

private:
  /// Fields of a packed struct that repeats a constant as the 64-bit layout has it.
  struct FieldList {
    llvm::SmallVector<llvm::Constant *, 16> fields;
    uint64_t size = 0;
  };

  llvm::ArrayType *bytes(uint64_t count) const { return llvm::ArrayType::get(i8, count); }
  llvm::Constant *lowHalf(llvm::Constant *c) const;
  void padTo(FieldList &list, uint64_t offset) const;
  void flatten(llvm::Constant *c, uint64_t offset, FieldList &list) const;

  llvm::LLVMContext &ctx;
  llvm::Type *i8, *i32, *i64;
};

} // namespace vx

#endif // VX_PASSES_LOWER_NARROWLAYOUT_H
