// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: products of matrices that the lanes of a warp hold together, mma.sync, and what moves
// their parts, ldmatrix, stmatrix and movmatrix (PTX ISA, "Warp-level matrix instructions", with
// the layouts of fragments).
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
//
// Each form is a function of its own, since its code is long and programs have many of each.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

constexpr unsigned kLanesInRow = 4, kRowsInGroup = 8, kColumns = 8;

/// What a factor's registers hold.
struct FactorType {
  enum Kind { None, Half, Brain, Tf32, Double, Signed, Unsigned, Bits } kind = None;
  unsigned bits = 0; ///< of an element

  unsigned perRegister() const { return kind == Double ? 1 : 32 / bits; }
  bool isInteger() const { return kind >= Signed; }
};

FactorType factorType(StringRef name) {
  return StringSwitch<FactorType>(name)
      .Case("f16", {FactorType::Half, 16})
      .Case("bf16", {FactorType::Brain, 16})
      .Case("tf32", {FactorType::Tf32, 32})
      .Case("f64", {FactorType::Double, 64})
      .Case("s8", {FactorType::Signed, 8})
      .Case("u8", {FactorType::Unsigned, 8})
      .Case("s4", {FactorType::Signed, 4})
      .Case("u4", {FactorType::Unsigned, 4})
      .Case("b1", {FactorType::Bits, 1})
      .Default({});
}

/// One form of mma.sync.
struct Product {
  unsigned m = 0, n = 0, k = 0;
  FactorType a, b;
  StringRef sum, start; ///< the types of D and C
  bool saturates = false;
  bool meets = false; ///< bits: and instead of exclusive or

  unsigned rows() const { return m / kRowsInGroup; }
  unsigned chunks() const { return k / (kLanesInRow * a.perRegister()); }
  /// Registers of C or D: two columns, which halves share.
  unsigned sums(StringRef type) const { return rows() * (type == "f16" ? 1 : 2); }
};

bool isShape(const Product &p) {
  if (p.n != kColumns || (p.m != 8 && p.m != 16))
    return false;
  unsigned chunk = kLanesInRow * p.a.perRegister();
  switch (p.a.kind) {
  case FactorType::Double:
    return p.m == 8 ? p.k == 4 : is_contained({4u, 8u, 16u}, p.k);
  case FactorType::Signed:
  case FactorType::Unsigned:
  case FactorType::Bits:
    return p.k == chunk || (p.m == 16 && p.k == 2 * chunk);
  default:
    return p.m == 16 && (p.k == chunk || p.k == 2 * chunk);
  }
}

/// mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor|and.popc}; nothing if there is no such
/// form.
std::optional<Product> parseProduct(const PtxStatement &s) {
  SmallVector<StringRef, 12> words(s.words.begin(), s.words.end());
  Product p;
  if (words.size() > 2 && words.back() == "popc") {
    p.meets = words[words.size() - 2] == "and";
    words.resize(words.size() - 2);
  }
  p.saturates = is_contained(words, "satfinite");
  if (words.size() != 10u + p.saturates || words[1] != "sync" || words[2] != "aligned" ||
      words[4] != "row" || words[5] != "col")
    return std::nullopt;
  StringRef shape = words[3];
  if (!shape.consume_front("m") || shape.consumeInteger(10, p.m) || !shape.consume_front("n") ||
      shape.consumeInteger(10, p.n) || !shape.consume_front("k") || shape.getAsInteger(10, p.k))
    return std::nullopt;
  ArrayRef<StringRef> types = ArrayRef(words).take_back(4);
  p.sum = types[0], p.start = types[3];
  p.a = factorType(types[1]), p.b = factorType(types[2]);
  if (!p.a.kind || p.a.bits != p.b.bits || !isShape(p))
    return std::nullopt;
  bool isHalf = p.a.kind == FactorType::Half;
  auto isSum = [&](StringRef type) {
    if (p.a.isInteger())
      return type == "s32";
    if (p.a.kind == FactorType::Double)
      return type == "f64";
    return type == "f32" || (isHalf && type == "f16");
  };
  bool sameKind = p.a.isInteger() ? p.b.isInteger() : p.a.kind == p.b.kind;
  if (!sameKind || !isSum(p.sum) || !isSum(p.start) || (p.saturates && !p.a.isInteger()))
    return std::nullopt;
  return p;
}

/// Writes the body of one form's function.
class ProductWriter {
public:
  ProductWriter(const Product &p, Function &f)
      : p(p), f(f), b(BasicBlock::Create(f.getContext(), "", &f)) {}

  void run() {
    lane = emitCall(b, VxFn::LaneId);
    unsigned factors = p.rows() * p.chunks(), start = factors + p.chunks();
    readStart(start);
    for (unsigned chunk = 0; chunk < p.chunks(); ++chunk)
      for (unsigned part = 0; part < kLanesInRow; ++part)
        multiply(chunk, part, factors);
    if (p.a.isInteger())
      addStart(start);
    returnSums();
  }

private:
  Value *&sumAt(unsigned row, unsigned column) { return sums[2 * row + column]; }

  /// Integers are added up from 0, so that the sum is saturated once.
  void readStart(unsigned first) {
    sums.assign(2 * p.rows(), b.getInt32(0));
    if (p.a.isInteger())
      return;
    for (unsigned row = 0; row < p.rows(); ++row)
      for (unsigned column = 0; column < 2; ++column)
        sumAt(row, column) =
            p.start == "f16" ? b.CreateFPExt(half(f.getArg(first + row), column), b.getFloatTy())
                             : static_cast<Value *>(f.getArg(first + 2 * row + column));
  }
  void addStart(unsigned first) {
    for (unsigned i = 0; i < sums.size(); ++i)
      sums[i] = p.saturates
                    ? b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, sums[i], f.getArg(first + i))
                    : b.CreateAdd(sums[i], f.getArg(first + i));
  }

  Value *half(Value *word, unsigned place) {
    Value *bits = b.CreateTrunc(b.CreateLShr(word, 16 * place), b.getInt16Ty());
    return b.CreateBitCast(bits, b.getHalfTy());
  }

  Value *from(Value *lane, Value *value) {
    bool wide = value->getType()->isDoubleTy();
    Type *bits = b.getIntNTy(wide ? 64 : 32);
    Value *moved = emitCall(b, wide ? VxFn::ShflIdx64 : VxFn::ShflIdx32,
                            {b.getInt32(-1), b.CreateBitCast(value, bits), lane, b.getInt32(31)});
    return b.CreateBitCast(moved, value->getType());
  }

  /// Adds the products of the elements that lane PART of each row and column has of CHUNK.
  void multiply(unsigned chunk, unsigned part, unsigned factors) {
    Value *ofRow = b.CreateOr(b.CreateAnd(lane, ~3), part);
    SmallVector<Value *, 2> a, y;
    for (unsigned row = 0; row < p.rows(); ++row)
      a.push_back(from(ofRow, f.getArg(chunk * p.rows() + row)));
    for (unsigned column = 0; column < 2; ++column) {
      Value *number = b.CreateOr(b.CreateShl(b.CreateAnd(lane, 3), 1), column);
      Value *ofColumn = b.CreateOr(b.CreateShl(number, 2), part);
      y.push_back(from(ofColumn, f.getArg(factors + chunk)));
    }
    for (unsigned row = 0; row < p.rows(); ++row)
      for (unsigned column = 0; column < 2; ++column)
        addProducts(sumAt(row, column), a[row], y[column]);
  }

  void addProducts(Value *&sum, Value *x, Value *y) {
    if (p.a.kind == FactorType::Bits) {
      Value *both = p.meets ? b.CreateAnd(x, y) : b.CreateXor(x, y);
      sum = b.CreateAdd(sum, b.CreateUnaryIntrinsic(Intrinsic::ctpop, both));
      return;
    }
    for (unsigned i = 0; i < p.a.perRegister(); ++i) {
      Value *left = element(p.a, x, i), *right = element(p.b, y, i);
      sum = p.a.isInteger()
                ? b.CreateAdd(sum, b.CreateMul(left, right))
                : b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {left, right, sum});
    }
  }

  /// Element I of a register, as what is computed with.
  Value *element(const FactorType &type, Value *word, unsigned i) {
    switch (type.kind) {
    case FactorType::Half:
      return b.CreateFPExt(half(word, i), b.getFloatTy());
    case FactorType::Brain:
      return b.CreateBitCast(i ? b.CreateAnd(word, 0xffff0000u) : b.CreateShl(word, 16),
                             b.getFloatTy());
    case FactorType::Tf32: // the bits behind its significand do not count
      return b.CreateBitCast(b.CreateAnd(word, 0xffffe000u), b.getFloatTy());
    case FactorType::Signed:
      return b.CreateAShr(b.CreateShl(word, 32 - type.bits * (i + 1)), 32 - type.bits);
    case FactorType::Unsigned:
      return b.CreateAnd(b.CreateLShr(word, type.bits * i), (1u << type.bits) - 1);
    default:
      return word;
    }
  }

  void returnSums() {
    SmallVector<Value *, 4> results(sums.begin(), sums.end());
    if (p.sum == "f16") {
      results.clear();
      for (unsigned row = 0; row < p.rows(); ++row) {
        auto bits = [&](unsigned column) {
          Value *rounded = b.CreateFPTrunc(sumAt(row, column), b.getHalfTy());
          return b.CreateZExt(b.CreateBitCast(rounded, b.getInt16Ty()), b.getInt32Ty());
        };
        results.push_back(b.CreateOr(bits(0), b.CreateShl(bits(1), 16)));
      }
    }
    b.CreateAggregateRet(results.data(), results.size());
  }

  const Product &p;
  Function &f;
  IRBuilder<> b;
  Value *lane = nullptr;
  SmallVector<Value *, 4> sums; ///< two columns for each row
};

Type *sumType(LLVMContext &ctx, StringRef name) {
  return name == "f32"   ? Type::getFloatTy(ctx)
         : name == "f64" ? Type::getDoubleTy(ctx)
                         : static_cast<Type *>(Type::getInt32Ty(ctx));
}

Function *productFunction(Module &m, const Product &p, const std::string &mnemonic) {
  std::string name = "__vx_ptx." + mnemonic;
  if (Function *f = m.getFunction(name))
    return f;
  LLVMContext &ctx = m.getContext();
  Type *factor = p.a.kind == FactorType::Double ? Type::getDoubleTy(ctx)
                                                : static_cast<Type *>(Type::getInt32Ty(ctx));
  SmallVector<Type *, 16> args((p.rows() + 1) * p.chunks(), factor);
  args.append(p.sums(p.start), sumType(ctx, p.start));
  SmallVector<Type *, 4> results(p.sums(p.sum), sumType(ctx, p.sum));
  auto *type = FunctionType::get(StructType::get(ctx, results), args, false);
  auto *f = Function::Create(type, GlobalValue::InternalLinkage, name, m);
  f->addFnAttr(Attribute::Convergent);
  f->addFnAttr(Attribute::NoUnwind);
  ProductWriter(p, *f).run();
  return f;
}

/// The registers of a list of COUNT, or the only one.
ArrayRef<PtxOperand> registersOf(PtxContext &c, const PtxOperand &o, unsigned count) {
  ArrayRef<PtxOperand> parts = o.kind == PtxOperand::List ? ArrayRef(o.parts) : ArrayRef(o);
  if (parts.size() != count)
    c.fail("a list of " + Twine(count) + " registers expected in inline PTX");
  return parts;
}

/// mma.sync… d, a, b, c
void emitMma(PtxContext &c, const PtxStatement &s) {
  std::optional<Product> p = parseProduct(s);
  if (!p || s.operands.size() != 4)
    return c.fail("PTX instruction '" + s.mnemonic() + "' is not supported by vxcc");
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
  CallInst *call = c.b.CreateCall(f, args);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  for (unsigned i = 0; i < to.size(); ++i)
    c.write(to[i], c.b.CreateExtractValue(call, i));
}

/// Matrices of 8 rows of 16 bytes in shared memory, whose addresses eight lanes each have. A
/// register of the matrix is elements 2t and 2t + 1 of row g, or with .trans of column g.
class MatrixMemory {
public:
  MatrixMemory(PtxContext &c, Value *address) : b(c.b), type(address->getType()) {
    lane = emitCall(b, VxFn::LaneId);
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
    Value *start = emitCall(b, VxFn::ShflIdx32, {b.getInt32(-1), addresses, row, b.getInt32(31)});
    Value *from = b.CreateIntToPtr(b.CreateZExt(start, b.getInt64Ty()), type);
    return b.CreatePtrAdd(from, b.CreateZExt(bytes, b.getInt64Ty()));
  }

  IRBuilder<> &b;
  Type *type;
  Value *lane, *addresses, *g, *t;
};

/// The number of matrices of S, ldmatrix or stmatrix; 0, and an error, if there is no such form.
unsigned matricesOf(PtxContext &c, const PtxStatement &s) {
  unsigned count = s.has("x4") ? 4 : s.has("x2") ? 2 : s.has("x1") ? 1 : 0;
  if (count && s.has("sync") && s.has("m8n8") && s.has("b16") && s.operands.size() == 2)
    return count;
  c.fail("PTX instruction '" + s.mnemonic() + "' is not supported by vxcc");
  return 0;
}

/// ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 r, [p]
void emitLdmatrix(PtxContext &c, const PtxStatement &s) {
  unsigned count = matricesOf(c, s);
  ArrayRef<PtxOperand> to;
  if (count)
    to = registersOf(c, s.operands[0], count);
  if (!c.error.empty())
    return;
  Value *address = c.readAddress(s.operands[1], kSharedAS);
  if (!c.error.empty())
    return;
  MatrixMemory memory(c, address);
  for (unsigned i = 0; i < count; ++i)
    c.write(to[i], memory.load(i, s.has("trans")));
}

/// stmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 [p], r
void emitStmatrix(PtxContext &c, const PtxStatement &s) {
  unsigned count = matricesOf(c, s);
  SmallVector<Value *, 4> values;
  if (count)
    for (const PtxOperand &o : registersOf(c, s.operands[1], count))
      values.push_back(c.read(o, c.b.getInt32Ty()));
  if (!c.error.empty())
    return;
  Value *address = c.readAddress(s.operands[0], kSharedAS);
  if (!c.error.empty())
    return;
  MatrixMemory memory(c, address);
  for (unsigned i = 0; i < count; ++i)
    memory.store(i, s.has("trans"), values[i]);
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a: the matrix that the warp's registers are,
/// transposed.
void emitMovmatrix(PtxContext &c, const PtxStatement &s) {
  if (!s.has("sync") || !s.has("m8n8") || !s.has("trans") || !s.has("b16"))
    return c.fail("PTX instruction '" + s.mnemonic() + "' is not supported by vxcc");
  IRBuilder<> &b = c.b;
  Value *value = c.read(s.operands[1], b.getInt32Ty()), *lane = emitCall(b, VxFn::LaneId);
  Value *g = b.CreateLShr(lane, 2), *t = b.CreateAnd(lane, 3);
  // Element g of row 2t + i.
  auto half = [&](unsigned i) {
    Value *source = b.CreateOr(b.CreateShl(t, 3), b.CreateOr(b.CreateLShr(g, 1), 4 * i));
    Value *word = emitCall(b, VxFn::ShflIdx32, {b.getInt32(-1), value, source, b.getInt32(31)});
    return b.CreateAnd(b.CreateLShr(word, b.CreateShl(b.CreateAnd(g, 1), 4)), 0xffff);
  };
  Value *low = half(0);
  c.write(s.operands[0], b.CreateOr(low, b.CreateShl(half(1), 16)));
}

constexpr PtxInstruction kInstructions[] = {
    {"mma", 4, emitMma, true, ""},
    {"ldmatrix", 2, emitLdmatrix, true, ""},
    {"stmatrix", 2, emitStmatrix, true, ""},
    {"movmatrix", 2, emitMovmatrix, true, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxMatrixInstructions() {
  return kInstructions;
}

} // namespace vx::import
