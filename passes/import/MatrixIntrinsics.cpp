// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics for matrices, which producers other than clang have: llvm.nvvm.mma.*, wmma.*,
// ldmatrix, stmatrix and movmatrix become the statements of inline PTX that they stand for, which
// PtxMatrix and PtxWmma know. The name of an mma has its shape, layouts and, as far as others do
// not follow, types:
//
//   mma.m16n8k16.row.col.f32.f16    of halves: the result's, the sum's
//   mma.m16n8k16.row.col.bf16       else the type of a and b, or both
//   mma.xor.popc.m16n8k128.row.col.b1
//   wmma.m16n16k16.mma.row.col.f32.f16
//   wmma.m16n16k16.load.a.row.stride.f16.p0, wmma.m16n16k16.store.d.row.f32.p3

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

/// An asm statement in the making. Operands are numbered, results first.
class Statement {
public:
  explicit Statement(CallInst &call) : call(call), b(&call) {
    auto *structure = dyn_cast<StructType>(call.getType());
    if (structure)
      results.append(structure->element_begin(), structure->element_end());
    else if (!call.getType()->isVoidTy())
      results.push_back(call.getType());
    for (Type *type : results)
      addConstraint("=", type);
  }

  unsigned resultCount() const { return results.size(); }
  std::string resultList() const { return list(0, results.size()); }

  /// Returns the list of the next COUNT arguments.
  std::string takeList(unsigned count) {
    unsigned first = results.size() + args.size();
    for (unsigned i = 0; i < count; ++i)
      take();
    return list(first, count);
  }
  /// Returns the next argument, an address: in shared memory, an integer.
  std::string takeAddress() { return "[" + takeOne() + "]"; }
  std::string takeOne() {
    std::string text = "$" + std::to_string(results.size() + args.size());
    take();
    return text;
  }

  void replace(const Twine &text) {
    SmallVector<Type *, 16> types, parameters;
    for (Type *type : results)
      types.push_back(registerType(type));
    for (Value *arg : args)
      parameters.push_back(arg->getType());
    Type *result = types.empty()       ? b.getVoidTy()
                   : types.size() == 1 ? types[0]
                                       : StructType::get(b.getContext(), types);
    auto *type = FunctionType::get(result, parameters, /*isVarArg=*/false);
    CallInst *made = b.CreateCall(InlineAsm::get(type, (text + ";").str(), join(constraints, ","),
                                                 /*hasSideEffects=*/true),
                                  args);
    made->setAttributes(AttributeList().addFnAttribute(b.getContext(), Attribute::Convergent));
    if (isa<StructType>(call.getType())) {
      Value *whole = PoisonValue::get(call.getType());
      for (unsigned i = 0; i < types.size(); ++i) {
        Value *one = types.size() == 1 ? made : b.CreateExtractValue(made, i);
        whole = b.CreateInsertValue(whole, b.CreateBitCast(one, results[i]), i);
      }
      call.replaceAllUsesWith(whole);
    } else if (!types.empty()) {
      call.replaceAllUsesWith(b.CreateBitCast(made, results[0]));
    }
    call.eraseFromParent();
  }

private:
  /// Pairs of halves are in registers of 32 bits.
  Type *registerType(Type *type) { return type->isVectorTy() ? b.getInt32Ty() : type; }

  void addConstraint(StringRef prefix, Type *type) {
    StringRef kind = type->isFloatTy()                              ? "f"
                     : type->isDoubleTy()                           ? "d"
                     : type->isIntegerTy(64) || type->isPointerTy() ? "l"
                                                                    : "r";
    constraints.push_back((prefix + kind).str());
  }

  void take() {
    Value *arg = call.getArgOperand(args.size());
    if (arg->getType()->isVectorTy())
      arg = b.CreateBitCast(arg, b.getInt32Ty());
    else if (arg->getType()->isPointerTy())
      arg = arg->getType()->getPointerAddressSpace() == kSharedAS
                ? b.CreateTrunc(b.CreatePtrToInt(arg, b.getInt64Ty()), b.getInt32Ty())
                : b.CreateAddrSpaceCast(arg, b.getPtrTy());
    addConstraint("", arg->getType());
    args.push_back(arg);
  }

  static std::string list(unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return text + "}";
  }

  CallInst &call;
  IRBuilder<> b;
  SmallVector<Type *, 8> results;
  SmallVector<Value *, 16> args;
  SmallVector<std::string, 24> constraints;
};

struct ProductTypes {
  StringRef d, a, b, c;
};

/// Returns the types of a product that has FIRST and LAST in its name: of halves, those of the
/// result and the sum, else of a and b.
ProductTypes typesOf(StringRef first, StringRef last) {
  if (first == "f16" || first == "f32")
    return {first, "f16", "f16", last};
  StringRef sum = first == "f64" ? "f64" : first == "bf16" || first == "tf32" ? "f32" : "s32";
  return {sum, first, last, sum};
}

/// NAME is without the prefix "mma.".
void writeMma(CallInst &call, StringRef name) {
  SmallVector<StringRef, 10> parts;
  name.split(parts, '.');
  std::string operation; // of single bits
  if (parts[0] == "xor" || parts[0] == "and") {
    operation = "." + parts[0].str() + ".popc";
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  if (parts.size() < 4)
    return;
  StringRef shape = parts[0];
  auto types = ArrayRef(parts).drop_front(3);
  std::string saturates;
  if (!types.empty() && types[0] == "satfinite") {
    saturates = ".satfinite";
    types = types.drop_front();
  }
  if (types.empty())
    return;
  const auto [d, a, b, c] = typesOf(types[0], types.back());
  Statement s(call);
  unsigned results = s.resultCount();
  unsigned sums = d == c ? results : c == "f16" ? results / 2 : results * 2;
  unsigned factors = call.arg_size() - sums;
  unsigned ofA = shape.starts_with("m16n8") ? factors / 3 * 2 : factors / 2;
  std::string text = "mma.sync.aligned." + (shape + "." + parts[1] + "." + parts[2]).str() +
                     saturates + ("." + d + "." + a + "." + b + "." + c).str() + operation + " " +
                     s.resultList();
  for (unsigned count : {ofA, factors - ofA, sums})
    text += ", " + s.takeList(count);
  s.replace(text);
}

/// NAME is that of an ldmatrix or stmatrix, and ends with the address space.
void writeAccess(CallInst &call, StringRef name) {
  StringRef space = name.substr(name.rfind('.') + 1);
  name = name.drop_back(space.size() + 1);
  auto [front, type] = name.rsplit('.');
  std::string text = (front + (space == "p3" ? ".shared." : ".") + type + " ").str();
  Statement s(call);
  if (name.starts_with("ldmatrix"))
    text += s.resultList() + ", " + s.takeAddress();
  else {
    text += s.takeAddress() + ", ";
    text += s.takeList(call.arg_size() - 1);
  }
  s.replace(text);
}

/// NAME is without the prefix "wmma.".
void writeWmma(CallInst &call, StringRef name) {
  SmallVector<StringRef, 10> parts;
  name.split(parts, '.');
  if (parts.size() < 5)
    return;
  StringRef shape = parts[0], kind = parts[1];
  Statement s(call);
  if (kind == "load" || kind == "store") {
    bool isShared = parts.back() == "p3", hasStride = is_contained(parts, "stride");
    if (parts.back().starts_with("p"))
      parts.pop_back();
    std::string all = ("wmma." + kind + "." + parts[2] + ".sync.aligned." + parts[3] + "." + shape +
                       (isShared ? ".shared." : ".") + parts.back() + " ")
                          .str();
    if (kind == "load")
      all += s.resultList() + ", " + s.takeAddress();
    else {
      all += s.takeAddress() + ", ";
      all += s.takeList(call.arg_size() - 1 - hasStride);
    }
    if (hasStride)
      all += ", " + s.takeOne();
    return s.replace(all);
  }
  auto rest = ArrayRef(parts).drop_front(2);
  std::string operation, saturates, rounding;
  if (rest[0] == "xor" || rest[0] == "and") {
    operation = "." + rest[0].str() + ".popc";
    rest = rest.drop_front(2);
  }
  if (rest.size() > 3 && rest.back() == "satfinite") {
    saturates = ".satfinite";
    rest = rest.drop_back();
  }
  if (rest.size() < 3)
    return;
  StringRef layoutA = rest[0], layoutB = rest[1];
  rest = rest.drop_front(2);
  if (rest.size() > 1 && rest[0].size() == 2 && rest[0].starts_with("r")) {
    rounding = "." + rest[0].str();
    rest = rest.drop_front();
  }
  const auto [d, a, b, c] = typesOf(rest[0], rest.back());
  std::string types = a == "f16" ? (d + "." + c).str() : (d + "." + a + "." + b + "." + c).str();
  unsigned ofSum = c == "f16" ? 4 : shape.starts_with("m8n8") ? 2 : 8;
  unsigned factors = call.arg_size() - ofSum;
  // Factors of halves are in eight registers each, others in as many as they need.
  unsigned ofA = a == "f16"                   ? factors / 2
                 : shape.starts_with("m32n8") ? factors / 5 * 4
                 : shape.starts_with("m8n32") ? factors / 5
                                              : factors / 2;
  std::string all = ("wmma.mma" + operation + ".sync.aligned." + layoutA + "." + layoutB + "." +
                     shape + rounding + "." + types + saturates + " " + s.resultList())
                        .str();
  for (unsigned count : {ofA, factors - ofA, ofSum})
    all += ", " + s.takeList(count);
  s.replace(all);
}

} // namespace

void importMatrixIntrinsics(Module &m) {
  for (Function &f : make_early_inc_range(m)) {
    StringRef name = f.getName();
    if (!f.isDeclaration() || !name.consume_front("llvm.nvvm."))
      continue;
    for (User *user : make_early_inc_range(f.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &f)
        continue;
      StringRef rest = name;
      if (rest.consume_front("mma."))
        writeMma(*call, rest);
      else if (rest.consume_front("wmma."))
        writeWmma(*call, rest);
      else if (name.starts_with("ldmatrix.") || name.starts_with("stmatrix."))
        writeAccess(*call, name);
      else if (name.starts_with("movmatrix.")) {
        Statement s(*call);
        StringRef operands = " $0, $1";
        (void)s.takeList(1);
        s.replace(name + operands);
      }
    }
  }
}

} // namespace vx::import
