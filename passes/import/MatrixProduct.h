// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices that the lanes of a warp hold together (PTX ISA, "Warp-level matrix
// instructions", with the layouts of fragments): the forms of mma.sync, and functions for them.
//
// A lane is (g, t) = (lane / 4, lane % 4), and a register holds e elements that follow each other
// in k: as many as 32 bits have room for, or one double. With 4e elements of k in a chunk, a lane
// holds
//
//   of A, for each chunk  row g, and row g + 8 if there are 16 rows, k from te on
//   of B, for each chunk  column g, k from te on
//   of C and D            the same rows as of A, columns 2t and 2t + 1
//
// So for each chunk and each te, D needs A from the lanes of the same g, and B from those of two
// columns. All types and shapes of compute capability 8.0 are of this form but m8n8k4 of halves,
// which is for pairs of quads. Floating-point numbers are added up in the order of k, as float, or
// double, each product with its addition being rounded once.

#ifndef VX_PASSES_IMPORT_MATRIX_PRODUCT_H
#define VX_PASSES_IMPORT_MATRIX_PRODUCT_H

#include "passes/import/Ptx.h"
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace vx::import {

/// Lanes with parts of one row, and rows that the lanes of a warp have.
inline constexpr unsigned kLanesInRow = 4, kRowsInGroup = 8;

/// Emits what LANE of the warp has in VALUE, of 32 or 64 bits.
llvm::Value *readLane(llvm::IRBuilderBase &b, llvm::Value *value, llvm::Value *lane);

/// The contents of a factor's registers.
struct FactorType {
  enum Kind { None, Half, Brain, Tf32, Double, Signed, Unsigned, Bits } kind = None;
  unsigned bits = 0; ///< of an element

  unsigned perRegister() const { return kind == Double ? 1 : 32 / bits; }
  bool isInteger() const { return kind >= Signed; }
};

/// One form of mma.sync.
struct Product {
  unsigned m = 0, n = 0, k = 0;
  FactorType a, b;
  llvm::StringRef sum, start; ///< the types of D and C
  bool saturates = false;
  bool meets = false; ///< bits: and instead of exclusive or

  unsigned rows() const { return m / kRowsInGroup; }
  unsigned chunks() const { return k / (kLanesInRow * a.perRegister()); }
  /// Registers of C or D: two columns, which halves share.
  unsigned sums(llvm::StringRef type) const { return rows() * (type == "f16" ? 1 : 2); }
};

/// Returns the type that PTX gives NAME to; none if that is not of factors.
FactorType factorType(llvm::StringRef name);

/// Sets the shape of P to the one of TEXT, as "m16n8k16". Returns false if it is not that of one.
bool parseShape(llvm::StringRef text, Product &p);

/// Returns the form that S has: mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor|and.popc};
/// nothing if there is no such form.
std::optional<Product> parseProduct(const PtxStatement &s);

/// Returns the function of form P in M, made if it is not there: from the registers of A, B and C
/// to those of D.
llvm::Function *productFunction(llvm::Module &m, const Product &p, const std::string &mnemonic);

/// Calls F, which is one of these, with the registers ARGS.
llvm::Value *emitProduct(llvm::IRBuilderBase &b, llvm::Function &f,
                         llvm::ArrayRef<llvm::Value *> args);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_MATRIX_PRODUCT_H
