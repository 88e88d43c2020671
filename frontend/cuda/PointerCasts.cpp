// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access through a pointer cast has the alignment of the type that it is cast to:
//
//     __shared__ char bytes[64];
//     *(int *)(bytes + 4 * i) = 1;
//
// For nvcc this is a store of four bytes, and an error on the device where the address is not a
// multiple of four. Clang remembers that `bytes` may be at any address, and makes four stores of
// it. So, in front of code generation, a consumer puts an expression between such a cast in device
// code and its operand that has no effect, but through which clang does not look for the alignment.
// Arrays are aligned for it by vx-align-variables.

#include "frontend/cuda/PointerCasts.h"
#include "frontend/cuda/DeviceBodies.h"
#include "frontend/cuda/PluginAction.h"

namespace vx {
namespace {

class PointerCastConsumer final : public DeviceBodies {
  void visitStatement(clang::Stmt &statement) override {
    if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&statement))
      visitCast(*cast);
  }

  /// Returns the alignment of what is at a pointer of TYPE; 0: not known.
  int64_t alignmentAt(clang::QualType type) const {
    clang::QualType pointee = type->getPointeeType();
    if (pointee.isNull() || pointee->isDependentType() || pointee->isFunctionType() ||
        pointee->isIncompleteType())
      return 0;
    return context->getTypeAlignInChars(pointee).getQuantity();
  }

  void visitCast(clang::ExplicitCastExpr &cast) {
    clang::Expr *operand = cast.getSubExpr();
    if (cast.getCastKind() != clang::CK_BitCast || !cast.getType()->isPointerType() ||
        !operand->getType()->isPointerType() || llvm::isa<clang::ExprWithCleanups>(operand))
      return;
    if (alignmentAt(cast.getType()) > std::max<int64_t>(alignmentAt(operand->getType()), 1))
      cast.setSubExpr(clang::ExprWithCleanups::Create(*context, operand,
                                                      /*CleanupsHaveSideEffects=*/false, {}));
  }
};

} // namespace

void alignPointerCasts() {
  static clang::FrontendPluginRegistry::Add<PluginAction<PointerCastConsumer>> casts(
      "vx-pointer-casts", "gives accesses through pointer casts the alignment of the type");
}

} // namespace vx
