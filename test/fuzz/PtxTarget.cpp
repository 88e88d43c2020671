// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as inline PTX: it is parsed, and translated as an asm statement with six operands. What
// is translated without a complaint is valid IR.

#include "passes/import/Import.h"
#include "passes/import/Ptx.h"
#include "test/fuzz/Fuzz.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

/// Outputs, and inputs: $0 and $1 are written; $2 to $7 are of 32 bits, 64 bits, 16 bits, float,
/// double and a pointer.
static CallInst *addAsm(Module &m, StringRef text) {
  LLVMContext &context = m.getContext();
  IRBuilder<> b(context);
  Type *outputs = StructType::get(b.getInt32Ty(), b.getFloatTy());
  Type *inputs[] = {b.getInt32Ty(), b.getInt64Ty(),  b.getInt16Ty(),
                    b.getFloatTy(), b.getDoubleTy(), b.getPtrTy()};
  auto *f = Function::Create(FunctionType::get(outputs, inputs, false), Function::ExternalLinkage,
                             "f", m);
  b.SetInsertPoint(BasicBlock::Create(context, "entry", f));
  auto *statement =
      InlineAsm::get(FunctionType::get(outputs, inputs, false), text, "=r,=f,r,l,h,f,d,l", true);
  SmallVector<Value *> arguments;
  for (Argument &argument : f->args())
    arguments.push_back(&argument);
  CallInst *call = b.CreateCall(statement, arguments);
  b.CreateRet(call);
  return call;
}

namespace {

struct Complaints final : DiagnosticHandler {
  explicit Complaints(bool &any) : any(any) {}
  bool handleDiagnostics(const DiagnosticInfo &) override { return any = true; }
  bool &any;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  auto statements = vx::import::parsePtx(text);
  if (!statements)
    vx::fuzz::require(!toString(statements.takeError()).empty(), "a failure says what is wrong");
  LLVMContext context;
  bool complained = false;
  context.setDiagnosticHandler(std::make_unique<Complaints>(complained));
  Module m("input", context);
  addAsm(m, text);
  vx::import::importInlinePtx(m);
  if (!complained)
    vx::fuzz::require(!verifyModule(m, &errs()), "what is translated is valid");
  return 0;
}
