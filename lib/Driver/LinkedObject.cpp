// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host object that a device link makes. Each relocatable object calls its registration function
// before main; the first one registers the fat binary, and each hands the object's kernels and
// variables to the same module of the runtime.

#include "frontend/Frontend.h"
#include "intrinsics/abi/FatBinary.h"
#include "lib/Driver/DeviceLink.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// The handle is null until the first object comes. A library that is closed takes its module
/// along: atexit of an object in a shared library is called then.
constexpr StringLiteral kRegister = R"(
@handle = internal global ptr null
declare ptr @__cudaRegisterFatBinary(ptr)
declare void @__cudaRegisterFatBinaryEnd(ptr)
declare void @__cudaUnregisterFatBinary(ptr)
declare i32 @atexit(ptr)
define internal void @unregister() nounwind {
  %handle = load ptr, ptr @handle
  call void @__cudaUnregisterFatBinary(ptr %handle)
  ret void
}
define internal void @register(ptr %globals) nounwind {
  %old = load ptr, ptr @handle
  %isFirst = icmp eq ptr %old, null
  br i1 %isFirst, label %first, label %registered
first:
  %new = call ptr @__cudaRegisterFatBinary(ptr @wrapper)
  store ptr %new, ptr @handle
  %ignored = call i32 @atexit(ptr @unregister)
  br label %registered
registered:
  %handle = load ptr, ptr @handle
  %isEmpty = icmp eq ptr %globals, null
  br i1 %isEmpty, label %end, label %call
call:
  call void %globals(ptr %handle)
  br label %end
end:
  call void @__cudaRegisterFatBinaryEnd(ptr %handle)
  ret void
}
)";

std::string textFor(ArrayRef<std::string> registrations) {
  std::string text;
  raw_string_ostream os(text);
  if (registrations.empty())
    return text;
  os << "@image = external constant i8\n"
     << "@wrapper = internal constant { i32, i32, ptr, ptr } { i32 " << abi::kFatWrapperMagic
     << ", i32 1, ptr @image, ptr null }, section \".nvFatBinSegment\", align 8\n"
     << kRegister;
  // Hidden: another library may have objects of the same name.
  for (const std::string &name : registrations)
    os << "define hidden void @" << name << "(ptr %globals, ptr, ptr, ptr) nounwind {\n"
       << "  call void @register(ptr %globals)\n  ret void\n}\n";
  return text;
}

void addImage(Module &module, ArrayRef<char> bytes) {
  GlobalVariable *use = module.getGlobalVariable("image");
  if (!use)
    return;
  Constant *data = ConstantDataArray::getRaw(StringRef(bytes.data(), bytes.size()), bytes.size(),
                                             Type::getInt8Ty(module.getContext()));
  auto *image = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                   GlobalValue::InternalLinkage, data, "fatbin");
  image->setSection(".nv_fatbin");
  image->setAlignment(Align(16));
  use->replaceAllUsesWith(image);
  use->eraseFromParent();
}

} // namespace

bool makeLinkedObject(ArrayRef<char> fatBinary, ArrayRef<std::string> registrations, Bytes &output,
                      DiagnosticLog &log) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssemblyString(textFor(registrations), problem, context);
  Triple triple(sys::getDefaultTargetTriple());
  std::string error = module ? "" : problem.getMessage().str();
  const llvm::Target *target = module ? TargetRegistry::lookupTarget(triple, error) : nullptr;
  std::unique_ptr<TargetMachine> machine(
      target ? target->createTargetMachine(triple, "x86-64", "", {}, Reloc::PIC_) : nullptr);
  raw_svector_ostream os(output);
  legacy::PassManager passes;
  if (!machine || machine->addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::ObjectFile)) {
    log.addPlain(Severity::Error, "internal error: no object for the linked device code: " + error);
    return false;
  }
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  addImage(*module, fatBinary);
  passes.run(*module);
  return true;
}

} // namespace vx::driver
