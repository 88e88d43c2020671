// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: mma.sync, and what moves parts of matrices: ldmatrix, stmatrix and movmatrix. Each
// form of mma.sync is a function of its own (MatrixProduct.h), since its code is long and programs
// have many of each.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Emit.h"
#include "passes/import/MatrixProduct.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Returns the registers of a list of COUNT, or the only one.
ArrayRef<PtxOperand> registersOf(PtxContext &c, const PtxOperand &o, unsigned count) {
  ArrayRef<PtxOperand> parts = elements(o);
  if (parts.size() != count)
    c.fail("a list of " + Twine(count) + " registers expected in inline PTX");
  return parts;
}

/// Emits code for mma.sync… d, a, b, c
void emitMma(PtxContext &c, const PtxStatement &s) {
  std::optional<Product> p = parseProduct(s);
  if (!p || s.operands.size() != 4)
    return c.failUnknown(s);
  Function *f = productFunction(*c.call.getModule(), *p, s.mnemonic());
  const unsigned counts[] = {p->sums(p->sum), p->rows() * p->chunks(), p->chunks(),
                             p->sums(p->start)};
  SmallVector<Value *, 16> args;
  for (unsigned i : {1, 2, 3})
    for (const PtxOperand &o : registersOf(c, s.operands[i], counts[i]))
      if (c.error.empty())
        args.push_back(c.read(o, f->getArg(args.size())->getType()));
  ArrayRef<PtxOperand> to = registersOf(c, s.operands[0], counts[0]);
  if (!c.error.empty())
    return;
  Value *sums = emitProduct(c.b, *f, args);
  for (unsigned i = 0; i < to.size(); ++i)
    c.write(to[i], c.b.CreateExtractValue(sums, i));
}

/// Matrices of 8 rows of 16 bytes in shared memory, whose addresses eight lanes each have. A
/// register of the matrix is elements 2t and 2t + 1 of row g, or with .trans of column g.
class MatrixMemory {
public:
  MatrixMemory(PtxContext &c, Value *address) : b(c.b), type(address->getType()) {
    Value *lane = emitCall(b, VxFn::LaneId);
    addresses = b.CreateTrunc(b.CreatePtrToInt(address, b.getInt64Ty()), b.getInt32Ty());
    g = b.CreateLShr(lane, 2);
    t = b.CreateAnd(lane, 3);
  }

  Value *load(unsigned matrix, bool transposed) {
    if (!transposed)
      return b.CreateAlignedLoad(b.getInt32Ty(), wordOf(matrix), Align(4));
    auto half = [&](unsigned i) {
      return b.CreateZExt(b.CreateAlignedLoad(b.getInt16Ty(), halfOf(matrix, i), Align(2)),
                          b.getInt32Ty());
    };
    Value *low = half(0);
    return b.CreateOr(low, b.CreateShl(half(1), 16));
  }

  void store(unsigned matrix, bool transposed, Value *value) {
    if (!transposed) {
      b.CreateAlignedStore(value, wordOf(matrix), Align(4));
      return;
    }
    for (unsigned i = 0; i < 2; ++i)
      b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(value, 16 * i), b.getInt16Ty()),
                           halfOf(matrix, i), Align(2));
  }

private:
  Value *wordOf(unsigned matrix) {
    return place(b.CreateOr(b.getInt32(kRowsInGroup * matrix), g), b.CreateShl(t, 2));
  }
  Value *halfOf(unsigned matrix, unsigned i) {
    Value *row = b.CreateOr(b.CreateShl(t, 1), b.getInt32(kRowsInGroup * matrix + i));
    return place(row, b.CreateShl(g, 1));
  }
  Value *place(Value *row, Value *bytes) {
    Value *start = readLane(b, addresses, row);
    Value *from = b.CreateIntToPtr(b.CreateZExt(start, b.getInt64Ty()), type);
    return b.CreatePtrAdd(from, b.CreateZExt(bytes, b.getInt64Ty()));
  }

  IRBuilder<> &b;
  Type *type;
  Value *addresses, *g, *t;
};

/// Emits code for ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 r, [p], or stmatrix…
/// [p], r
void emitMatrixAccess(PtxContext &c, const PtxStatement &s) {
  unsigned count = s.has("x4") ? 4 : s.has("x2") ? 2 : s.has("x1") ? 1 : 0;
  if (!count || !s.has("sync") || !s.has("m8n8") || !s.has("b16") || s.operands.size() != 2)
    return c.failUnknown(s);
  bool loads = s.op() == "ldmatrix";
  ArrayRef<PtxOperand> registers = registersOf(c, s.operands[loads ? 0 : 1], count);
  Value *address = c.readAddress(s.operands[loads ? 1 : 0], kSharedAS);
  if (!c.error.empty())
    return;
  MatrixMemory memory(c, address);
  for (unsigned i = 0; i < count; ++i)
    if (loads)
      c.write(registers[i], memory.load(i, s.has("trans")));
    else
      memory.store(i, s.has("trans"), c.read(registers[i], c.b.getInt32Ty()));
}

/// Emits code for movmatrix.sync.aligned.m8n8.trans.b16 d, a: the matrix that the warp's registers
/// are, transposed.
void emitMovmatrix(PtxContext &c, const PtxStatement &s) {
  if (!s.has("sync") || !s.has("m8n8") || !s.has("trans") || !s.has("b16"))
    return c.failUnknown(s);
  IRBuilder<> &b = c.b;
  Value *value = c.read(s.operands[1], b.getInt32Ty()), *lane = emitCall(b, VxFn::LaneId);
  Value *g = b.CreateLShr(lane, 2), *t = b.CreateAnd(lane, 3);
  // Element g of row 2t + i.
  auto half = [&](unsigned i) {
    Value *source = b.CreateOr(b.CreateShl(t, 3), b.CreateOr(b.CreateLShr(g, 1), 4 * i));
    Value *word = readLane(b, value, source);
    return b.CreateAnd(b.CreateLShr(word, b.CreateShl(b.CreateAnd(g, 1), 4)), 0xffff);
  };
  Value *low = half(0);
  c.write(s.operands[0], b.CreateOr(low, b.CreateShl(half(1), 16)));
}

constexpr PtxInstruction kMatrixInstructions[] = {
    {"mma", 4, emitMma, true, ""},
    {"ldmatrix", 2, emitMatrixAccess, true, ""},
    {"stmatrix", 2, emitMatrixAccess, true, ""},
    {"movmatrix", 2, emitMovmatrix, true, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxMatrixInstructions() {
  return kMatrixInstructions;
}

} // namespace vx::import
