// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-vx-to-llvm: an operation of the dialect becomes a call of a contract function (the table
// lib/VortexIR/VxFunctions.def has their names and types) with its operands as integers.

#include "frontend/mlir/dialect/Vx.h"
#include "lib/VortexIR/VxFunctions.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_CONVERTVXTOLLVM
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

using Rewriter = ConversionPatternRewriter;

Type importType(const llvm::Type *type, MLIRContext *context) {
  if (type->isIntegerTy())
    return IntegerType::get(context, type->getIntegerBitWidth());
  if (type->isFloatTy())
    return Float32Type::get(context);
  if (type->isDoubleTy())
    return Float64Type::get(context);
  if (type->isPointerTy())
    return LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMVoidType::get(context);
}

/// Calls FN, which is declared in the symbol table around OP; the result, if it has one.
FailureOr<Value> call(Rewriter &rewriter, Operation *op, VxFn fn, ValueRange args = {}) {
  llvm::LLVMContext types;
  const llvm::FunctionType *type = getType(types, fn);
  MLIRContext *context = op->getContext();
  SmallVector<Type> params;
  for (const llvm::Type *param : type->params())
    params.push_back(importType(param, context));
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  if (!table)
    return rewriter.notifyMatchFailure(op, "no symbol table around it");
  auto function = LLVM::lookupOrCreateFn(rewriter, table, getInfo(fn).name, params,
                                         importType(type->getReturnType(), context));
  if (failed(function))
    return failure();
  if (getInfo(fn).effects == VxEffects::Convergent)
    function->setConvergent(true);
  auto call = LLVM::CallOp::create(rewriter, op->getLoc(), *function, args);
  return call.getNumResults() ? call.getResult() : Value();
}

Value constant(Rewriter &rewriter, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), value);
}

Value orFull(Rewriter &rewriter, Location loc, Value mask) {
  return mask ? mask : constant(rewriter, loc, -1);
}

Value truth(Rewriter &rewriter, Location loc, Value value) {
  return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, value,
                              constant(rewriter, loc, 0));
}

/// Converts VALUE to an integer of 32 or 64 bits; fromWord() converts it back to TYPE.
Value toWord(Rewriter &rewriter, Location loc, Value value) {
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()))
    value = LLVM::BitcastOp::create(rewriter, loc, rewriter.getIntegerType(bits), value);
  if (bits < 32)
    value = LLVM::ZExtOp::create(rewriter, loc, rewriter.getI32Type(), value);
  return value;
}
Value fromWord(Rewriter &rewriter, Location loc, Value word, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits < 32)
    word = LLVM::TruncOp::create(rewriter, loc, rewriter.getIntegerType(bits), word);
  if (isa<FloatType>(type))
    word = LLVM::BitcastOp::create(rewriter, loc, type, word);
  return word;
}

/// Replaces OP by RESULT, or erases it if it has none.
LogicalResult finish(Rewriter &rewriter, Operation *op, FailureOr<Value> result) {
  if (failed(result))
    return failure();
  if (op->getNumResults())
    rewriter.replaceOp(op, *result);
  else
    rewriter.eraseOp(op);
  return success();
}

/// An operation that is a call without operands.
template <class Op, VxFn Fn> struct Plain : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor, Rewriter &rewriter) const override {
    return finish(rewriter, op, call(rewriter, op, Fn));
  }
};

template <class Op, VxFn X, VxFn Y, VxFn Z> struct Axis : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor, Rewriter &rewriter) const override {
    constexpr VxFn axes[] = {X, Y, Z};
    return finish(rewriter, op, call(rewriter, op, axes[unsigned(op.getDimension())]));
  }
};

struct Vote : ConvertOpToLLVMPattern<VoteOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(VoteOp op, OpAdaptor in, Rewriter &rewriter) const override {
    constexpr VxFn kinds[] = {VxFn::VoteAll, VxFn::VoteAny, VxFn::VoteUni, VxFn::VoteBallot};
    Location loc = op.getLoc();
    Value result = toWord(rewriter, loc, in.getPredicate());
    auto bits = call(rewriter, op, kinds[unsigned(op.getKind())],
                     {orFull(rewriter, loc, in.getMask()), result});
    if (succeeded(bits) && op.getKind() != VoteKind::Ballot)
      bits = truth(rewriter, loc, *bits);
    return finish(rewriter, op, bits);
  }
};

struct Shuffle : ConvertOpToLLVMPattern<ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(ShuffleOp op, OpAdaptor in, Rewriter &rewriter) const override {
    constexpr VxFn modes[][2] = {{VxFn::ShflUp32, VxFn::ShflUp64},
                                 {VxFn::ShflDown32, VxFn::ShflDown64},
                                 {VxFn::ShflBfly32, VxFn::ShflBfly64},
                                 {VxFn::ShflIdx32, VxFn::ShflIdx64}};
    Location loc = op.getLoc();
    Type type = in.getValue().getType();
    bool wide = type.getIntOrFloatBitWidth() == 64;
    // This is as in PTX: the lanes of a segment, and the last lane that may be read.
    int32_t last = op.getMode() == ShuffleMode::Up ? 0 : 31;
    Value segment = constant(rewriter, loc, (32 - int32_t(op.getWidth())) << 8 | last);
    auto word = call(rewriter, op, modes[unsigned(op.getMode())][wide],
                     {orFull(rewriter, loc, in.getMask()), toWord(rewriter, loc, in.getValue()),
                      in.getOffset(), segment});
    if (succeeded(word))
      word = fromWord(rewriter, loc, *word, type);
    return finish(rewriter, op, word);
  }
};

struct Match : ConvertOpToLLVMPattern<MatchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(MatchOp op, OpAdaptor in, Rewriter &rewriter) const override {
    constexpr VxFn kinds[][2] = {{VxFn::MatchAny32, VxFn::MatchAny64},
                                 {VxFn::MatchAll32, VxFn::MatchAll64}};
    Location loc = op.getLoc();
    bool wide = in.getValue().getType().getIntOrFloatBitWidth() == 64;
    return finish(
        rewriter, op,
        call(rewriter, op, kinds[unsigned(op.getKind())][wide],
             {orFull(rewriter, loc, in.getMask()), toWord(rewriter, loc, in.getValue())}));
  }
};

/// Returns the function for a reduction; the verifier has seen to it that there is one.
VxFn reduction(ReduceKind kind, Type type) {
  bool wide = type.getIntOrFloatBitWidth() == 64;
  bool real = isa<FloatType>(type);
  auto choose = [&](VxFn i32, VxFn i64, VxFn f32, VxFn f64) {
    return real ? (wide ? f64 : f32) : (wide ? i64 : i32);
  };
  switch (kind) {
  case ReduceKind::Add:
    return choose(VxFn::ReduceAddI32, VxFn::ReduceAddI64, VxFn::ReduceAddF32, VxFn::ReduceAddF64);
  case ReduceKind::Min:
    return choose(VxFn::ReduceMinS32, VxFn::ReduceMinS64, VxFn::ReduceMinF32, VxFn::ReduceMinF64);
  case ReduceKind::Max:
    return choose(VxFn::ReduceMaxS32, VxFn::ReduceMaxS64, VxFn::ReduceMaxF32, VxFn::ReduceMaxF64);
  case ReduceKind::UMin:
    return wide ? VxFn::ReduceMinU64 : VxFn::ReduceMinU32;
  case ReduceKind::UMax:
    return wide ? VxFn::ReduceMaxU64 : VxFn::ReduceMaxU32;
  case ReduceKind::And:
    return wide ? VxFn::ReduceAndI64 : VxFn::ReduceAndI32;
  case ReduceKind::Or:
    return wide ? VxFn::ReduceOrI64 : VxFn::ReduceOrI32;
  case ReduceKind::Xor:
    return wide ? VxFn::ReduceXorI64 : VxFn::ReduceXorI32;
  }
  llvm_unreachable("all kinds are above");
}

/// Returns the member mask of the aligned segment of SIZE lanes that has LANE.
Value segmentMask(Rewriter &rewriter, Location loc, Value lane, uint32_t size) {
  if (size == 32)
    return constant(rewriter, loc, -1);
  Value first = LLVM::AndOp::create(rewriter, loc, lane, constant(rewriter, loc, -int32_t(size)));
  return LLVM::ShlOp::create(rewriter, loc, constant(rewriter, loc, (1u << size) - 1), first);
}

struct Reduce : ConvertOpToLLVMPattern<ReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(ReduceOp op, OpAdaptor in, Rewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value mask = orFull(rewriter, loc, in.getMask());
    if (op.getWidth()) {
      auto lane = call(rewriter, op, VxFn::LaneId);
      if (failed(lane))
        return failure();
      mask = segmentMask(rewriter, loc, *lane, *op.getWidth());
    }
    Value width = constant(rewriter, loc, op.getWidth().value_or(0));
    VxFn fn = reduction(op.getKind(), in.getValue().getType());
    return finish(rewriter, op, call(rewriter, op, fn, {mask, in.getValue(), width}));
  }
};

struct Tile : ConvertOpToLLVMPattern<TileOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(TileOp op, OpAdaptor, Rewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto lane = call(rewriter, op, VxFn::LaneId);
    if (failed(lane))
      return failure();
    uint32_t size = op.getSize();
    Value rank = LLVM::AndOp::create(rewriter, loc, *lane, constant(rewriter, loc, size - 1));
    Value index =
        LLVM::LShrOp::create(rewriter, loc, *lane, constant(rewriter, loc, llvm::Log2_32(size)));
    rewriter.replaceOp(op, {segmentMask(rewriter, loc, *lane, size), rank, index});
    return success();
  }
};

struct WarpSync : ConvertOpToLLVMPattern<WarpSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(WarpSyncOp op, OpAdaptor in, Rewriter &rewriter) const override {
    return finish(rewriter, op,
                  call(rewriter, op, VxFn::WarpSync, orFull(rewriter, op.getLoc(), in.getMask())));
  }
};

struct BarrierReduce : ConvertOpToLLVMPattern<BarrierReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(BarrierReduceOp op, OpAdaptor in,
                                Rewriter &rewriter) const override {
    constexpr VxFn kinds[] = {VxFn::BarrierCount, VxFn::BarrierAnd, VxFn::BarrierOr};
    auto result = call(rewriter, op, kinds[unsigned(op.getKind())],
                       toWord(rewriter, op.getLoc(), in.getPredicate()));
    if (succeeded(result) && op.getKind() != BarrierReduction::Count)
      result = truth(rewriter, op.getLoc(), *result);
    return finish(rewriter, op, result);
  }
};

struct GroupSync : ConvertOpToLLVMPattern<GroupSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(GroupSyncOp op, OpAdaptor, Rewriter &rewriter) const override {
    return finish(
        rewriter, op,
        call(rewriter, op, VxFn::GroupSync, constant(rewriter, op.getLoc(), op.getThreads())));
  }
};

struct Fence : ConvertOpToLLVMPattern<FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(FenceOp op, OpAdaptor, Rewriter &rewriter) const override {
    constexpr VxFn scopes[] = {VxFn::FenceBlock, VxFn::FenceDevice, VxFn::FenceSystem};
    return finish(rewriter, op, call(rewriter, op, scopes[unsigned(op.getScope())]));
  }
};

struct ConvertPass : impl::ConvertVxToLLVMBase<ConvertPass> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    populateVxToLLVMPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addIllegalDialect<VxDialect>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

struct ConversionInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;
  void populateConvertToLLVMConversionPatterns(ConversionTarget &target,
                                               LLVMTypeConverter &converter,
                                               RewritePatternSet &patterns) const override {
    target.addIllegalDialect<VxDialect>();
    populateVxToLLVMPatterns(converter, patterns);
  }
};

} // namespace

void populateVxToLLVMPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<Axis<ThreadIdOp, VxFn::ThreadIdxX, VxFn::ThreadIdxY, VxFn::ThreadIdxZ>,
               Axis<BlockIdOp, VxFn::BlockIdxX, VxFn::BlockIdxY, VxFn::BlockIdxZ>,
               Axis<BlockDimOp, VxFn::BlockDimX, VxFn::BlockDimY, VxFn::BlockDimZ>,
               Axis<GridDimOp, VxFn::GridDimX, VxFn::GridDimY, VxFn::GridDimZ>,
               Plain<LaneIdOp, VxFn::LaneId>, Plain<WarpIdOp, VxFn::WarpId>,
               Plain<ActiveMaskOp, VxFn::ActiveMask>, Plain<BarrierOp, VxFn::Barrier>,
               Plain<GridSyncOp, VxFn::GridSync>, Plain<ClockOp, VxFn::Clock64>,
               Plain<GlobalTimerOp, VxFn::GlobalTimer>, Plain<TrapOp, VxFn::Trap>, Vote, Shuffle,
               Match, Reduce, Tile, WarpSync, BarrierReduce, GroupSync, Fence>(converter);
}

void addConversionInterface(VxDialect &dialect) {
  dialect.addInterfaces<ConversionInterface>();
}

} // namespace vx::dialect
