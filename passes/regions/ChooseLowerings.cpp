// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/ChooseLowerings.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Pipelines.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include <cstdlib>
#include <string>

using namespace llvm;

namespace vx {
namespace {

/// Takes over TEXT, which the demangler's C interface has allocated.
std::string take(char *text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

const char *toString(abi::Lowering lowering) {
  return lowering == abi::Lowering::Sw ? "sw" : lowering == abi::Lowering::Hw ? "hw" : "auto";
}

void choose(Function &kernel, StringRef how, const Twine &by) {
  kernel.addFnAttr(kLowerAttr, how);
  kernel.addFnAttr(kLowerByAttr, by.str());
}

} // namespace

bool isNamed(const Function &f, StringRef name) {
  if (f.getName() == name)
    return true;
  ItaniumPartialDemangler demangler; // refers to the text
  std::string mangled(abi::withoutFileHash(f.getName()));
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return false;
  if (take(demangler.getFunctionName(nullptr, nullptr)) == name)
    return true;
  std::string scope = take(demangler.getFunctionDeclContextName(nullptr, nullptr));
  std::string base = take(demangler.getFunctionBaseName(nullptr, nullptr));
  return (scope.empty() ? base : scope + "::" + base) == name;
}

void chooseLowerings(Module &m, const CodegenOptions &options) {
  for (Function &f : m) {
    if (!isKernel(f))
      continue;
    if (options.host) {
      choose(f, "sw", "--target=host");
      continue;
    }
    if (!f.hasFnAttribute(kLowerAttr))
      choose(f, toString(options.lowering), Twine("--lower=") + toString(options.lowering));
    else if (!f.hasFnAttribute(kLowerByAttr))
      f.addFnAttr(kLowerByAttr, "__vx_lower__ in its source");
  }
  if (!options.host)
    applyKernelLowerings(m, options);
}

void applyKernelLowerings(Module &m, const CodegenOptions &options) {
  for (const auto &[name, lowering] : options.kernelLowerings)
    for (Function &f : m)
      if ((isKernel(f) || f.getCallingConv() == CallingConv::PTX_Kernel) && isNamed(f, name))
        choose(f, toString(lowering), "--lower-kernel=" + name + "=" + toString(lowering));
}

void remarkMissing(const Function &kernel, StringRef variant, StringRef why) {
  if (!deviceOption::lowerRemarks(*kernel.getParent()))
    return;
  std::string what =
      "kernel '" + displayName(kernel) + "': no " + variant.str() + " variant: " + why.str();
  kernel.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
}

} // namespace vx
