// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-subgroup-ops: the operations of the dialect gpu on subgroups for which the stock
// conversion has no counterpart in NVVM. A subgroup is a warp of 32 threads.
//
//   gpu.subgroup_size, gpu.num_subgroups      constants and the block's dimensions
//   gpu.subgroup_id                           vx.warp_id
//   gpu.subgroup_broadcast                    vx.shuffle idx, among the lanes that execute it
//   gpu.rotate                                gpu.shuffle idx
//   gpu.shuffle of vectors, small numbers     gpu.shuffle of elements, of i32

#include "frontend/mlir/dialect/Vx.h"
#include "intrinsics/abi/WarpSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_VXLOWERSUBGROUPOPS
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

Value constantInt(PatternRewriter &rewriter, Location loc, int32_t value) {
  return arith::ConstantIntOp::create(rewriter, loc, value, 32);
}

Value constantIndex(PatternRewriter &rewriter, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, loc, value);
}

struct Size : OpRewritePattern<gpu::SubgroupSizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, constantIndex(rewriter, op.getLoc(), abi::kWarpSize));
    return success();
  }
};

struct Id : OpRewritePattern<gpu::SubgroupIdOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupIdOp op, PatternRewriter &rewriter) const override {
    Value id = WarpIdOp::create(rewriter, op.getLoc(), rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(op, op.getType(), id);
    return success();
  }
};

struct Number : OpRewritePattern<gpu::NumSubgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value threads = constantIndex(rewriter, loc, 1);
    for (gpu::Dimension axis : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
      threads = arith::MulIOp::create(rewriter, loc, threads,
                                      gpu::BlockDimOp::create(rewriter, loc, axis));
    Value size = constantIndex(rewriter, loc, abi::kWarpSize);
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, threads, size);
    return success();
  }
};

struct Broadcast : OpRewritePattern<gpu::SubgroupBroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupBroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (!op.getType().isIntOrIndexOrFloat() || op.getType().getIntOrFloatBitWidth() > 64)
      return rewriter.notifyMatchFailure(op, "vx.shuffle does not have the type");
    Value active = ActiveMaskOp::create(rewriter, loc, rewriter.getI32Type());
    Value lane = op.getLane();
    if (!lane)
      lane = math::CountTrailingZerosOp::create(rewriter, loc, active);
    rewriter.replaceOpWithNewOp<ShuffleOp>(op, op.getType(), ShuffleMode::Idx, op.getSrc(), lane,
                                           abi::kWarpSize, active);
    return success();
  }
};

struct Rotate : OpRewritePattern<gpu::RotateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::RotateOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int32_t width = op.getWidth();
    Value lane = LaneIdOp::create(rewriter, loc, rewriter.getI32Type());
    Value sum =
        arith::AddIOp::create(rewriter, loc, lane, constantInt(rewriter, loc, op.getOffset()));
    Value place = arith::AndIOp::create(rewriter, loc, sum, constantInt(rewriter, loc, width - 1));
    Value first = arith::AndIOp::create(rewriter, loc, lane, constantInt(rewriter, loc, -width));
    Value source = arith::OrIOp::create(rewriter, loc, first, place);
    auto moved =
        gpu::ShuffleOp::create(rewriter, loc, op.getValue(), source,
                               constantInt(rewriter, loc, abi::kWarpSize), gpu::ShuffleMode::IDX);
    Value valid = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, lane,
                                        constantInt(rewriter, loc, width));
    rewriter.replaceOp(op, {moved.getShuffleResult(), valid});
    return success();
  }
};

struct ShuffleElements : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getValue().getType());
    if (!type || type.getRank() != 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "not a vector of known length");
    SmallVector<Value> elements;
    Value valid;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value element = vector::ExtractOp::create(rewriter, op.getLoc(), op.getValue(), i);
      auto moved = gpu::ShuffleOp::create(rewriter, op.getLoc(), element, op.getOffset(),
                                          op.getWidth(), op.getMode());
      elements.push_back(moved.getShuffleResult());
      valid = moved.getValid();
    }
    Value whole = vector::FromElementsOp::create(rewriter, op.getLoc(), type, elements);
    rewriter.replaceOp(op, {whole, valid});
    return success();
  }
};

struct ShuffleSmall : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = op.getValue();
    Type type = value.getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32)
      return rewriter.notifyMatchFailure(op, "not a small number");
    Type bits = rewriter.getIntegerType(type.getIntOrFloatBitWidth());
    if (type != bits)
      value = arith::BitcastOp::create(rewriter, loc, bits, value);
    value = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), value);
    auto moved =
        gpu::ShuffleOp::create(rewriter, loc, value, op.getOffset(), op.getWidth(), op.getMode());
    Value result = arith::TruncIOp::create(rewriter, loc, bits, moved.getShuffleResult());
    if (type != bits)
      result = arith::BitcastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, {result, moved.getValid()});
    return success();
  }
};

struct LowerOpsPass : impl::VxLowerSubgroupOpsBase<LowerOpsPass> {
  void runOnOperation() override {
    auto tooWide = [](gpu::RotateOp op) {
      if (op.getWidth() <= abi::kWarpSize)
        return WalkResult::advance();
      op.emitOpError() << "a subgroup has " << abi::kWarpSize << " threads, the width is "
                       << op.getWidth();
      return WalkResult::interrupt();
    };
    if (getOperation()->walk(tooWide).wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<Size, Id, Number, Broadcast, Rotate, ShuffleElements, ShuffleSmall>(&getContext());
    populateGpuAllReducePatterns(patterns); // their shuffles may be of small numbers
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace vx::dialect
