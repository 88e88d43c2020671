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

#include "frontend/opencl/KernelMetadata.h"
#include "frontend/opencl/Passes.h"
#include "intrinsics/opencl/Convention.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::opencl {
namespace {

/// Returns operand I of F's metadata KIND, as a string; empty if there is none.
StringRef stringOf(const Function &f, StringRef kind, unsigned i) {
  const MDNode *node = f.getMetadata(kind);
  if (!node || i >= node->getNumOperands())
    return "";
  const auto *text = dyn_cast_or_null<MDString>(node->getOperand(i));
  return text ? text->getString() : "";
}

/// Returns the name of address space NUMBER of kernel_arg_addr_space, whose numbering is SPIR's,
/// whatever the target.
StringRef nameOfAddressSpace(uint64_t number) {
  static constexpr StringLiteral kNames[] = {"private", "global", "constant", "local"};
  return number < std::size(kNames) ? kNames[number] : kNames[0];
}

/// Returns OpenCL's name of a number or a vector of numbers.
std::string nameOfType(const Type *type, bool isSigned) {
  const Type *element = type->getScalarType();
  std::string name = element->isDoubleTy() ? "double" : element->isHalfTy() ? "half" : "float";
  if (element->isIntegerTy()) {
    unsigned bits = element->getIntegerBitWidth();
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
    name = (isSigned ? "" : "u") + name;
  }
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    name += utostr(vector->getNumElements());
  return name;
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

void printNumbers(raw_ostream &os, StringRef label, ArrayRef<uint64_t> numbers) {
  if (numbers.empty())
    return;
  os << label;
  for (uint64_t number : numbers)
    os << "\t" << number;
  os << "\n";
}

/// Returns the bytes of the variables that the program has at program scope in global memory.
uint64_t sizeOfGlobals(const Module &m) {
  uint64_t size = 0;
  for (const GlobalVariable &g : m.globals())
    if (g.getAddressSpace() == 1 && !g.isConstant() && g.hasInitializer())
      size += m.getDataLayout().getTypeAllocSize(g.getValueType());
  return size;
}

/// Returns TEXT as a field, which is never empty, so that lines can be split at their tabs.
std::string orNone(StringRef text) {
  return text.empty() ? "none" : text.str();
}

void printKernel(raw_ostream &os, const Function &f) {
  os << "kernel\t" << f.getName() << "\n";
  printNumbers(os, "group", numbersOf(f, kRequiredGroupSize));
  printNumbers(os, "hint", numbersOf(f, kGroupSizeHint));
  printNumbers(os, "subgroup", numbersOf(f, kRequiredSubGroupSize));
  if (const MDNode *hint = f.getMetadata(kVectorTypeHint))
    if (const auto *type = dyn_cast_or_null<ValueAsMetadata>(hint->getOperand(0))) {
      SmallVector<uint64_t, 3> numbers = numbersOf(f, kVectorTypeHint);
      os << "vectype\t" << nameOfType(type->getType(), numbers.size() < 2 || numbers[1]) << "\n";
    }
  SmallVector<uint64_t, 3> spaces = numbersOf(f, kArgumentAddressSpaces);
  for (const Argument &arg : f.args()) {
    unsigned i = arg.getArgNo();
    StringRef space = nameOfAddressSpace(i < spaces.size() ? spaces[i] : 0);
    ArgumentKind kind = kindOf(arg, stringOf(f, kArgumentBaseTypes, i), space);
    std::string qualifiers = orNone(stringOf(f, kArgumentQualifiers, i));
    std::replace(qualifiers.begin(), qualifiers.end(), ' ', ',');
    std::string name = stringOf(f, kArgumentNames, i).str();
    os << "argument\t" << space << "\t" << orNone(stringOf(f, kArgumentAccess, i)) << "\t"
       << qualifiers << "\t" << orNone(stringOf(f, kArgumentTypes, i)) << "\t" << orNone(name)
       << "\t" << kind.size << "\t" << kind.name << "\n";
  }
}

} // namespace

PreservedAnalyses RecordKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  std::string text;
  raw_string_ostream os(text);
  if (uint64_t size = sizeOfGlobals(m))
    printNumbers(os, "globals", size);
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
