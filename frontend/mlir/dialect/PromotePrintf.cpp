// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-promote-printf: the stock conversion of gpu.printf stores its arguments as they are, while
// printf takes an `int` where they are smaller, as C promotes them.

#include "frontend/mlir/dialect/Vx.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_VXPROMOTEPRINTF
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

struct PromotePass : impl::VxPromotePrintfBase<PromotePass> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::PrintfOp op) {
      OpBuilder builder(op);
      Type wide = builder.getI32Type();
      for (OpOperand &argument : op.getArgsMutable()) {
        Value value = argument.get();
        if (!value.getType().isInteger() || value.getType().getIntOrFloatBitWidth() >= 32)
          continue;
        argument.set(value.getType().isInteger(1)
                         ? Value(arith::ExtUIOp::create(builder, op.getLoc(), wide, value))
                         : Value(arith::ExtSIOp::create(builder, op.getLoc(), wide, value)));
      }
    });
  }
};

} // namespace
} // namespace vx::dialect
