// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of classes as variable arguments of device functions:
//
//     sum(2, Pair{1, 2.5}, Pair{3, 4.5}); // int sum(int n, ...)
//
// Clang passes the members of such an object one by one, each with an alignment of its own, and
// va_arg reads an object of the class, with the alignment of that. So, in front of code generation,
// a consumer passes the address of a temporary object instead, and makes va_arg read what is at
// such an address.

#include "frontend/cuda/VariadicObjects.h"
#include "frontend/cuda/DeviceBodies.h"
#include "frontend/cuda/PluginAction.h"

namespace vx {
namespace {

class VariadicObjectConsumer final : public DeviceBodies {
  void visitStatement(clang::Stmt &statement) override {
    if (auto *call = llvm::dyn_cast<clang::CallExpr>(&statement))
      visitCall(*call);
    else if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(&statement))
      passAddresses(*construction, *construction->getConstructor()->getFunctionType(), 0);
    for (clang::Stmt *&child : statement.children())
      if (auto *read = llvm::dyn_cast_or_null<clang::VAArgExpr>(child))
        if (read->getType()->isRecordType())
          child = readThroughAddress(*read);
  }

  void visitCall(clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (call.isTypeDependent() || (callee && callee->getBuiltinID()))
      return;
    clang::QualType type = callee ? callee->getType() : call.getCallee()->getType();
    if (type->isSpecificPlaceholderType(clang::BuiltinType::BoundMember))
      type = clang::Expr::findBoundMemberType(call.getCallee());
    if (!type.isNull() && type->isAnyPointerType())
      type = type->getPointeeType();
    const auto *function = type.isNull() ? nullptr : type->getAs<clang::FunctionType>();
    // The object of an operator that is a member is an argument of the expression.
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (function)
      passAddresses(call, *function,
                    llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
                        method->isImplicitObjectMemberFunction());
  }

  template <class Call>
  void passAddresses(Call &call, const clang::FunctionType &type, unsigned objects) {
    const auto *function = llvm::dyn_cast<clang::FunctionProtoType>(&type);
    if (!function || !function->isVariadic())
      return;
    for (unsigned i = objects + function->getNumParams(); i < call.getNumArgs(); ++i)
      if (clang::Expr *argument = call.getArg(i); argument->getType()->isRecordType())
        call.setArg(i, addressOf(*argument));
  }

  clang::Expr *addressOf(clang::Expr &object) {
    clang::QualType type = object.getType();
    auto *temporary = new (*context)
        clang::MaterializeTemporaryExpr(type, &object, /*BoundToLvalueReference=*/true);
    return makeUnary(temporary, clang::UO_AddrOf, context->getPointerType(type), clang::VK_PRValue);
  }

  clang::Expr *readThroughAddress(clang::VAArgExpr &read) {
    clang::QualType type = read.getType(), address = context->getPointerType(type);
    auto *pointer = new (*context) clang::VAArgExpr(
        read.getBuiltinLoc(), read.getSubExpr(), context->getTrivialTypeSourceInfo(address),
        read.getRParenLoc(), address, read.isMicrosoftABI());
    return clang::ImplicitCastExpr::Create(
        *context, type, clang::CK_LValueToRValue,
        makeUnary(pointer, clang::UO_Deref, type, clang::VK_LValue), nullptr, clang::VK_PRValue,
        {});
  }

  clang::Expr *makeUnary(clang::Expr *operand, clang::UnaryOperatorKind kind, clang::QualType type,
                         clang::ExprValueKind category) {
    return clang::UnaryOperator::Create(*context, operand, kind, type, category, clang::OK_Ordinary,
                                        operand->getBeginLoc(), /*CanOverflow=*/false, {});
  }
};

} // namespace

void passVariadicObjects() {
  static clang::FrontendPluginRegistry::Add<PluginAction<VariadicObjectConsumer>> action(
      "vx-variadic-objects", "passes objects of classes as variable arguments by their addresses");
}

} // namespace vx
