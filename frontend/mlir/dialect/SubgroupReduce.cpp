// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-subgroup-reduce. A vx.reduce sees to warps that are partly filled, and is a butterfly in
// hardware and a loop in software; what it does not have is left to the stock patterns, which make
// shuffles.

#include "frontend/mlir/dialect/Vx.h"
#include "intrinsics/abi/WarpSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_VXLOWERSUBGROUPREDUCE
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

std::optional<ReduceKind> kindOf(gpu::AllReduceOperation op) {
  switch (op) {
  case gpu::AllReduceOperation::ADD:
    return ReduceKind::Add;
  case gpu::AllReduceOperation::MINSI:
  case gpu::AllReduceOperation::MINNUMF:
    return ReduceKind::Min;
  case gpu::AllReduceOperation::MAXSI:
  case gpu::AllReduceOperation::MAXNUMF:
    return ReduceKind::Max;
  case gpu::AllReduceOperation::MINUI:
    return ReduceKind::UMin;
  case gpu::AllReduceOperation::MAXUI:
    return ReduceKind::UMax;
  case gpu::AllReduceOperation::AND:
    return ReduceKind::And;
  case gpu::AllReduceOperation::OR:
    return ReduceKind::Or;
  case gpu::AllReduceOperation::XOR:
    return ReduceKind::Xor;
  case gpu::AllReduceOperation::MUL:
  case gpu::AllReduceOperation::MINIMUMF: // a NaN is the result
  case gpu::AllReduceOperation::MAXIMUMF:
    return std::nullopt;
  }
  return std::nullopt;
}

struct ToReduce : OpRewritePattern<gpu::SubgroupReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupReduceOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto kind = kindOf(op.getOp());
    if (!kind || !(type.isInteger(32) || type.isInteger(64) || type.isF32() || type.isF64()))
      return rewriter.notifyMatchFailure(op, "vx.reduce does not have it");
    std::optional<uint32_t> size = op.getClusterSize();
    if (op.getClusterStride() != 1 && size != 1u)
      return rewriter.notifyMatchFailure(op, "the lanes are not contiguous");
    rewriter.replaceOpWithNewOp<ReduceOp>(op, type, *kind, op.getValue(),
                                          size ? rewriter.getI32IntegerAttr(*size) : nullptr,
                                          /*mask=*/Value());
    return success();
  }
};

/// A vector of numbers that vx.reduce may have, element by element.
struct Scalarize : OpRewritePattern<gpu::SubgroupReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getElementTypeBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "not a vector, or one of small elements");
    Location loc = op.getLoc();
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value element = vector::ExtractOp::create(rewriter, loc, op.getValue(), i);
      elements.push_back(gpu::SubgroupReduceOp::create(rewriter, loc, element, op.getOp(),
                                                       op.getUniform(), op.getClusterSize(),
                                                       op.getClusterStride()));
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }
};

struct LowerPass : impl::VxLowerSubgroupReduceBase<LowerPass> {
  void runOnOperation() override {
    auto tooLarge = [](gpu::SubgroupReduceOp op) {
      if (op.getClusterSize().value_or(1) <= abi::kWarpSize)
        return WalkResult::advance();
      op.emitOpError() << "a subgroup has " << abi::kWarpSize << " threads, the cluster "
                       << *op.getClusterSize();
      return WalkResult::interrupt();
    };
    if (getOperation()->walk(tooLarge).wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ToReduce, Scalarize>(&getContext(), /*benefit=*/4);
    populateGpuBreakDownSubgroupReducePatterns(patterns, 32, 3);
    for (auto [bits, benefit] : {std::pair(32u, 2), std::pair(64u, 1)}) {
      populateGpuLowerSubgroupReduceToShufflePatterns(patterns, abi::kWarpSize, bits, benefit);
      populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, abi::kWarpSize, bits,
                                                               benefit);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace vx::dialect
