// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-vectors: operations on vectors become those that convert-gpu-to-nvvm knows, of one
// dimension: transfers become loads and stores, with a mask where they may be out of bounds. The
// stock convert-vector-to-llvm does so, too, but knows no memory spaces of the dialect gpu.

#include "frontend/mlir/dialect/Vx.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_VXLOWERVECTORS
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

struct LowerVectorsPass : impl::VxLowerVectorsBase<LowerVectorsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::Dot);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorTransposeLoweringPatterns(patterns,
                                                    vector::VectorTransposeLowering::EltWise);
    vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace vx::dialect
