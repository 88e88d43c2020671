// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opencl-record-kernels: puts what a host may ask about a program's kernels into the image, as
// text (Convention.h), from the metadata that clang and the SPIR-V translator leave:
//
//   __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const float *x, int n)
//
//   kernel  k
//   group   64 1 1
//   argument  global  none  const  float*  x  8  pointer
//   argument  private none  none   int     n  4  value

#include "doors/opencl/Convention.h"
#include "doors/opencl/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::opencl {
namespace {

/// Operand I of F's metadata KIND, as a string; empty if there is none.
StringRef stringOf(const Function &f, StringRef kind, unsigned i) {
  const MDNode *node = f.getMetadata(kind);
  if (!node || i >= node->getNumOperands())
    return "";
  const auto *text = dyn_cast_or_null<MDString>(node->getOperand(i));
  return text ? text->getString() : "";
}

std::optional<uint64_t> numberOf(const Function &f, StringRef kind, unsigned i) {
  const MDNode *node = f.getMetadata(kind);
  if (!node || i >= node->getNumOperands())
    return std::nullopt;
  if (const auto *value = mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(i)))
    return value->getZExtValue();
  return std::nullopt;
}

/// The numbering of kernel_arg_addr_space is SPIR's, whatever the target.
StringRef nameOfAddressSpace(uint64_t number) {
  static constexpr StringLiteral kNames[] = {"private", "global", "constant", "local"};
  return number < std::size(kNames) ? kNames[number] : kNames[0];
}

struct ArgumentKind {
  StringRef name;
  uint64_t size;
};

ArgumentKind kindOf(const Argument &arg, StringRef baseType, StringRef addressSpace) {
  if (baseType.starts_with("image"))
    return {"image", 8};
  if (baseType == "sampler_t")
    return {"sampler", 8};
  if (addressSpace == "local")
    return {"local", 0};
  const DataLayout &layout = arg.getParent()->getDataLayout();
  if (Type *type = arg.getParamByValType())
    return {"value", layout.getTypeAllocSize(type)};
  return {arg.getType()->isPointerTy() ? "pointer" : "value",
          layout.getTypeAllocSize(arg.getType())};
}

void printList(raw_ostream &os, StringRef label, const Function &f, StringRef kind) {
  const MDNode *node = f.getMetadata(kind);
  if (!node)
    return;
  os << label;
  for (unsigned i = 0; i != node->getNumOperands(); ++i)
    os << "\t" << numberOf(f, kind, i).value_or(0);
  os << "\n";
}

/// A field is never empty, so that lines can be split at their tabs.
std::string orNone(StringRef text) {
  return text.empty() ? "none" : text.str();
}

void printKernel(raw_ostream &os, const Function &f) {
  os << "kernel\t" << f.getName() << "\n";
  printList(os, "group", f, "reqd_work_group_size");
  printList(os, "hint", f, "work_group_size_hint");
  printList(os, "subgroup", f, "intel_reqd_sub_group_size");
  if (const MDNode *hint = f.getMetadata("vec_type_hint"))
    if (const auto *type = dyn_cast_or_null<ValueAsMetadata>(hint->getOperand(0))) {
      os << "vectype\t";
      type->getType()->print(os);
      os << "\n";
    }
  for (const Argument &arg : f.args()) {
    unsigned i = arg.getArgNo();
    StringRef space = nameOfAddressSpace(numberOf(f, "kernel_arg_addr_space", i).value_or(0));
    ArgumentKind kind = kindOf(arg, stringOf(f, "kernel_arg_base_type", i), space);
    std::string qualifiers = orNone(stringOf(f, "kernel_arg_type_qual", i));
    std::replace(qualifiers.begin(), qualifiers.end(), ' ', ',');
    std::string name = stringOf(f, "kernel_arg_name", i).str();
    os << "argument\t" << space << "\t" << orNone(stringOf(f, "kernel_arg_access_qual", i)) << "\t"
       << qualifiers << "\t" << orNone(stringOf(f, "kernel_arg_type", i)) << "\t" << orNone(name)
       << "\t" << kind.size << "\t" << kind.name << "\n";
  }
}

} // namespace

PreservedAnalyses RecordKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  std::string text;
  raw_string_ostream os(text);
  for (const Function &f : m)
    if (!f.isDeclaration() && f.getCallingConv() == CallingConv::PTX_Kernel)
      printKernel(os, f);
  Constant *data = ConstantDataArray::getString(m.getContext(), text);
  auto *variable = new GlobalVariable(m, data->getType(), /*isConstant=*/true,
                                      GlobalValue::ExternalLinkage, data, kKernelInfoSymbol,
                                      nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  variable->setAlignment(Align(1));
  return PreservedAnalyses::none();
}

} // namespace vx::opencl
