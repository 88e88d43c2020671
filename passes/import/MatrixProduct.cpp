// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/MatrixProduct.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

constexpr unsigned kColumns = 8;

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

  /// Adds the products of the elements that lane PART of each row and column has of CHUNK.
  void multiply(unsigned chunk, unsigned part, unsigned factors) {
    Value *ofRow = b.CreateOr(b.CreateAnd(lane, ~3), part);
    SmallVector<Value *, 2> a, y;
    for (unsigned row = 0; row < p.rows(); ++row)
      a.push_back(readLane(b, f.getArg(chunk * p.rows() + row), ofRow));
    for (unsigned column = 0; column < 2; ++column) {
      Value *number = b.CreateOr(b.CreateShl(b.CreateAnd(lane, 3), 1), column);
      Value *ofColumn = b.CreateOr(b.CreateShl(number, 2), part);
      y.push_back(readLane(b, f.getArg(factors + chunk), ofColumn));
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

  /// Returns element I of a register, as what is computed with.
  Value *element(const FactorType &type, Value *word, unsigned i) {
    switch (type.kind) {
    case FactorType::Half:
      return b.CreateFPExt(half(word, i), b.getFloatTy());
    case FactorType::Brain:
      return b.CreateBitCast(i ? b.CreateAnd(word, 0xffff0000u) : b.CreateShl(word, 16),
                             b.getFloatTy());
    case FactorType::Tf32: // the bits after its significand do not count
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

} // namespace

Value *readLane(IRBuilderBase &b, Value *value, Value *lane) {
  return emitWarpShuffle(b, VxFn::ShflIdx32, VxFn::ShflIdx64, b.getInt32(-1), value, lane);
}

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

bool parseShape(StringRef text, Product &p) {
  return text.consume_front("m") && !text.consumeInteger(10, p.m) && text.consume_front("n") &&
         !text.consumeInteger(10, p.n) && text.consume_front("k") && !text.getAsInteger(10, p.k);
}

std::optional<Product> parseProduct(const PtxStatement &s) {
  SmallVector<StringRef, 12> words(s.words.begin(), s.words.end());
  Product p;
  if (words.size() > 2 && words.back() == "popc") {
    p.meets = words[words.size() - 2] == "and";
    words.resize(words.size() - 2);
  }
  p.saturates = is_contained(words, "satfinite");
  if (words.size() != 10u + p.saturates || words[1] != "sync" || words[2] != "aligned" ||
      words[4] != "row" || words[5] != "col" || !parseShape(words[3], p))
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

Value *emitProduct(IRBuilderBase &b, Function &f, ArrayRef<Value *> args) {
  CallInst *call = b.CreateCall(&f, args);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

} // namespace vx::import
