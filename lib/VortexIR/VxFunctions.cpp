// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/VxFunctions.h"
#include "intrinsics/abi/WarpSize.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

enum class Ty { Void, I32, I64, F32, F64, Ptr };

struct Row {
  VxFnInfo info;
  Ty result;
  SmallVector<Ty, 4> params;
};

const std::vector<Row> &rows() {
  static const std::vector<Row> table = [] {
    using enum Ty;
    std::vector<Row> r;
#define VX_FUNCTION(ID, NAME, RET, PARAMS, UNIFORMITY, EFFECTS)                                    \
  r.push_back({{VxFn::ID, NAME, VxUniformity::UNIFORMITY, VxEffects::EFFECTS}, RET, {PARAMS}});
#include "lib/VortexIR/VxFunctions.def"
    return r;
  }();
  return table;
}

Type *irType(LLVMContext &ctx, Ty t) {
  switch (t) {
  case Ty::Void:
    return Type::getVoidTy(ctx);
  case Ty::I32:
    return Type::getInt32Ty(ctx);
  case Ty::I64:
    return Type::getInt64Ty(ctx);
  case Ty::F32:
    return Type::getFloatTy(ctx);
  case Ty::F64:
    return Type::getDoubleTy(ctx);
  case Ty::Ptr:
    return PointerType::get(ctx, kGenericAS);
  }
  llvm_unreachable("covered switch");
}

} // namespace

const VxFnInfo &getInfo(VxFn fn) {
  return rows()[static_cast<size_t>(fn)].info;
}

std::optional<VxFn> lookupVxFn(StringRef name) {
  if (!name.starts_with("__vx_"))
    return std::nullopt;
  static const StringMap<VxFn> byName = [] {
    StringMap<VxFn> m;
    for (const Row &r : rows())
      m[r.info.name] = r.info.fn;
    return m;
  }();
  auto it = byName.find(name);
  return it == byName.end() ? std::nullopt : std::optional<VxFn>(it->second);
}

std::optional<VxFn> getVxFn(const Value *v) {
  const auto *call = dyn_cast<CallBase>(v);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isIntrinsic() ? lookupVxFn(callee->getName()) : std::nullopt;
}

bool isWarpFunction(VxFn fn) {
  return fn >= VxFn::WarpSync && fn <= VxFn::ReduceXorI64;
}
bool isWarpLevel(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && (isWarpFunction(*fn) || *fn == VxFn::GroupSync);
}

bool hasWarpFunctions(const Function &f) {
  return any_of(instructions(f), isWarpLevel);
}

bool isFence(VxFn fn) {
  return fn == VxFn::FenceBlock || fn == VxFn::FenceDevice || fn == VxFn::FenceSystem;
}

std::optional<Rounded> getRounded(VxFn fn) {
  if (fn < VxFn::FAddF32Rz || fn > VxFn::FmaF64Ru)
    return std::nullopt;
  int n = static_cast<int>(fn) - static_cast<int>(VxFn::FAddF32Rz);
  return Rounded{static_cast<RoundedOp>(n / 6), static_cast<Rounding>(n % 3)};
}
static_assert(static_cast<int>(VxFn::FmaF64Ru) - static_cast<int>(VxFn::FAddF32Rz) == 35);

/// Returns the range of FN's result, where that is known.
static std::optional<ConstantRange> resultRange(VxFn fn) {
  auto range = [](unsigned first, unsigned end) {
    return ConstantRange(APInt(32, first), APInt(32, end));
  };
  switch (fn) {
  // So indices that are made of these do not wrap, and are steps of a pointer.
  case VxFn::ThreadIdxX:
  case VxFn::ThreadIdxY:
  case VxFn::ThreadIdxZ:
    return range(0, abi::kMaxBlockThreads);
  case VxFn::BlockDimX:
  case VxFn::BlockDimY:
  case VxFn::BlockDimZ:
    return range(1, abi::kMaxBlockThreads + 1);
  case VxFn::LaneId:
  case VxFn::PartLane:
    return range(0, abi::kWarpSize);
  case VxFn::WarpId:
  case VxFn::WarpColumn:
  case VxFn::PartWarp:
    return range(0, abi::kMaxBlockWarps);
  case VxFn::VoteAll:
  case VxFn::VoteAny:
  case VxFn::VoteUni:
    return range(0, 2);
  default:
    return std::nullopt;
  }
}

void addAttributes(Function &f, VxFn fn) {
  f.addFnAttr(Attribute::NoUnwind);
  if (std::optional<ConstantRange> range = resultRange(fn))
    f.addRetAttr(Attribute::get(f.getContext(), Attribute::Range, *range));
  switch (getInfo(fn).effects) {
  case VxEffects::Pure:
    f.setMemoryEffects(MemoryEffects::none());
    f.addFnAttr(Attribute::WillReturn);
    f.addFnAttr(Attribute::Speculatable);
    break;
  case VxEffects::Read:
    f.setOnlyReadsMemory();
    f.addFnAttr(Attribute::WillReturn);
    break;
  case VxEffects::Convergent:
    f.addFnAttr(Attribute::Convergent);
    f.addFnAttr(Attribute::WillReturn);
    // Lanes exchange values, not memory; their order among themselves is kept.
    if (isWarpFunction(fn) && fn != VxFn::WarpSync)
      f.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    break;
  case VxEffects::NoReturn:
    f.addFnAttr(Attribute::NoReturn);
    break;
  case VxEffects::Effect:
    f.addFnAttr(Attribute::WillReturn);
    break;
  }
}

FunctionType *getType(LLVMContext &ctx, VxFn fn) {
  const Row &row = rows()[static_cast<size_t>(fn)];
  SmallVector<Type *, 4> params;
  for (Ty t : row.params)
    params.push_back(irType(ctx, t));
  return FunctionType::get(irType(ctx, row.result), params, false);
}

Function *getOrDeclare(Module &m, VxFn fn) {
  FunctionCallee callee = m.getOrInsertFunction(getInfo(fn).name, getType(m.getContext(), fn));
  auto *f = cast<Function>(callee.getCallee());
  addAttributes(*f, fn);
  return f;
}

CallInst *emitCall(IRBuilderBase &b, VxFn fn, ArrayRef<Value *> args) {
  CallInst *call = b.CreateCall(getOrDeclare(*b.GetInsertBlock()->getModule(), fn), args);
  if (getInfo(fn).effects == VxEffects::Convergent)
    call->setConvergent();
  return call;
}

bool refersToShared(const Value *v) {
  const auto *c = dyn_cast<Constant>(v);
  if (!c || isa<Function>(c))
    return false;
  if (const auto *g = dyn_cast<GlobalVariable>(c))
    return g->getAddressSpace() == kSharedAS;
  return any_of(c->operands(), [](const Use &u) { return refersToShared(u); });
}

bool isKernel(const Function &f) {
  return f.hasFnAttribute(kKernelAttr);
}

} // namespace vx
