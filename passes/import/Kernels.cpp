// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports what the host can see of a device module: kernels and device variables. Both keep their
// names and external linkage; everything else becomes internal, and what nothing reaches is
// dropped, so that a device function that is never called cannot be an error.

#include "intrinsics/abi/Cluster.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/KernelParams.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace vx::import {
namespace {

constexpr StringLiteral kDataLayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128";

/// Metadata that only the NVPTX backend or the producer's version reads.
constexpr StringLiteral kDroppedMetadata[] = {"nvvm.annotations", "nvvmir.version", "llvm.ident",
                                              "nvvm.reflection"};

/// Keeps module flags only if they describe debug information, or the device.
void keepFlags(Module &m) {
  SmallVector<Module::ModuleFlagEntry> flags;
  m.getModuleFlagsMetadata(flags);
  if (NamedMDNode *node = m.getModuleFlagsMetadata())
    node->eraseFromParent();
  for (const Module::ModuleFlagEntry &flag : flags)
    if (flag.Key->getString() == "Debug Info Version" || flag.Key->getString() == "Dwarf Version" ||
        flag.Key->getString().starts_with("vx."))
      m.addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
}

/// Returns true for function attributes of the NVPTX target, and floating-point modes that RISC-V
/// does not have.
bool isForeignAttribute(StringRef name) {
  static constexpr StringLiteral kNames[] = {"target-cpu",
                                             "target-features",
                                             "tune-cpu",
                                             "denormal-fp-math",
                                             "denormal-fp-math-f32",
                                             "frame-pointer",
                                             "uniform-work-group-size",
                                             "stack-protector-buffer-size",
                                             "no-trapping-math"};
  return name.starts_with("nvvm.") || is_contained(kNames, name);
}

/// Returns the product for "x" or "x,y,z"; a launch bound is on the number of threads.
unsigned product(StringRef dims) {
  SmallVector<StringRef, 3> parts;
  dims.split(parts, ',');
  unsigned threads = 1;
  for (StringRef part : parts) {
    unsigned n = 1;
    if (!part.trim().getAsInteger(10, n))
      threads *= n;
  }
  return threads;
}

/// Reports what is wrong with the declaration of F, at its line.
void reportFunction(const Function &f, const Twine &message) {
  LLVMContext &ctx = f.getContext();
  if (const DISubprogram *place = f.getSubprogram())
    ctx.diagnose(DiagnosticInfoGenericWithLoc(message, f, DiagnosticLocation(place)));
  else
    ctx.diagnose(DiagnosticInfoGeneric(message + " (in '" + f.getName() + "')", DS_Error));
}

/// The argument block has room for as much as CUDA allows.
void checkArguments(const Function &f) {
  uint64_t bytes = 0;
  for (const abi::KernelParam &p : layoutParams(f))
    bytes = uint64_t(p.offset) + p.size;
  if (bytes > abi::kMaxArgumentBytes)
    reportFunction(f, "kernel '" + displayName(f) + "' takes " + Twine(bytes) +
                          " bytes of arguments, the limit is " + Twine(abi::kMaxArgumentBytes) +
                          ": pass a pointer to device memory, or use a __constant__ variable");
}

void importKernel(Function &f) {
  checkArguments(f);
  f.setCallingConv(CallingConv::C);
  f.addFnAttr(kKernelAttr);
  for (StringRef bound : {"nvvm.reqntid", "nvvm.maxntid"})
    if (f.hasFnAttribute(bound)) {
      f.addFnAttr(kMaxThreadsAttr, utostr(product(f.getFnAttribute(bound).getValueAsString())));
      break;
    }
  if (f.hasFnAttribute("nvvm.minctasm"))
    f.addFnAttr(kMinBlocksAttr, f.getFnAttribute("nvvm.minctasm").getValueAsString());
}

/// Other producers of NVVM IR mark device functions and their calls with a convention of their own.
void useCCallingConvention(Function &f) {
  f.setCallingConv(CallingConv::C);
  for (User *u : f.users())
    if (auto *call = dyn_cast<CallBase>(u); call && call->getCalledOperand() == &f)
      call->setCallingConv(CallingConv::C);
}

StringRef stringOf(const Constant *c) {
  const auto *global = c ? dyn_cast<GlobalVariable>(c->stripPointerCasts()) : nullptr;
  const auto *data = global && global->hasInitializer()
                         ? dyn_cast<ConstantDataSequential>(global->getInitializer())
                         : nullptr;
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

/// __cluster_dims__(x, y, z) is annotate("vx.cluster", x, y, z).
void importCluster(Function &f, const Constant *arguments) {
  const auto *args = dyn_cast_or_null<GlobalVariable>(arguments);
  if (!args || !args->hasInitializer())
    return;
  uint64_t packed = 0, blocks = 1;
  const Constant *values = args->getInitializer();
  for (unsigned axis = 0; axis < 3; ++axis) {
    Constant *c = axis < values->getNumOperands() ? values->getAggregateElement(axis) : nullptr;
    uint64_t size = c ? cast<ConstantInt>(c)->getLimitedValue(1 << 16) : 1;
    packed |= (size & 255) << 8 * axis;
    blocks *= size;
  }
  if (blocks == 0 || blocks > abi::kMaxClusterBlocksOptIn)
    reportFunction(f, "__cluster_dims__: a cluster has 1 to " + Twine(abi::kMaxClusterBlocksOptIn) +
                          " blocks");
  else
    f.addFnAttr(kClusterDimAttr, utostr(packed));
}

/// __vx_lower__("sw") is annotate("vx.lower=sw"); annotate("vx.lower:sw") and annotate("vx.lower",
/// "sw") say the same.
void importAnnotation(const ConstantStruct &entry) {
  auto *f = dyn_cast<Function>(entry.getOperand(0)->stripPointerCasts());
  StringRef text = stringOf(entry.getOperand(1));
  if (f && text == "vx.cluster" && entry.getNumOperands() > 4)
    return importCluster(*f, cast<Constant>(entry.getOperand(4)->stripPointerCasts()));
  if (!f || !text.consume_front("vx.lower"))
    return;
  if (!text.consume_front(":") && !text.consume_front("=")) {
    const auto *args = entry.getNumOperands() > 4
                           ? dyn_cast<GlobalVariable>(entry.getOperand(4)->stripPointerCasts())
                           : nullptr;
    if (!args || !args->hasInitializer() || args->getInitializer()->getNumOperands() == 0)
      return;
    text = stringOf(cast<Constant>(args->getInitializer()->getOperand(0)));
  }
  if (text != "hw" && text != "sw" && text != "auto")
    reportFunction(*f, "__vx_lower__(\"" + text + "\"): it is \"hw\", \"sw\" or \"auto\"");
  else if (!isKernel(*f))
    reportFunction(*f, "__vx_lower__ is for kernels; what they call is lowered with them");
  else if (!f->hasFnAttribute(
               kLowerAttr)) // else the command line had said it before (ModuleOptions.h)
    f->addFnAttr(kLowerAttr, text);
}

void importAnnotations(Module &m) {
  GlobalVariable *list = m.getGlobalVariable("llvm.global.annotations");
  if (!list)
    return;
  if (list->hasInitializer())
    for (const Use &u : list->getInitializer()->operands())
      if (const auto *entry = dyn_cast<ConstantStruct>(&u))
        importAnnotation(*entry);
  list->eraseFromParent();
}

/// Returns true for data that the host may address by name: __device__, __constant__ and
/// __managed__ variables.
bool isHostVisible(const GlobalVariable &g) {
  return g.isExternallyInitialized() || (g.hasExternalLinkage() && !g.isDeclaration());
}

void internalize(Module &m) {
  for (Function &f : m)
    if (!f.isDeclaration()) {
      f.setLinkage(isKernel(f) ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
      f.setVisibility(GlobalValue::DefaultVisibility);
      f.setComdat(nullptr);
      f.setDSOLocal(true);
    }
  for (GlobalVariable &g : m.globals()) {
    if (g.getName().starts_with("llvm.") || g.isDeclaration())
      continue;
    bool visible = isHostVisible(g) && g.getAddressSpace() != kSharedAS;
    g.setLinkage(visible ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    g.setVisibility(GlobalValue::DefaultVisibility);
    g.setComdat(nullptr);
    g.setDSOLocal(true);
  }
}

} // namespace

void dropForeignAttributes(Function &f) {
  AttributeMask mask;
  for (const Attribute &a : f.getAttributes().getFnAttrs())
    if (a.isStringAttribute() && isForeignAttribute(a.getKindAsString()))
      mask.addAttribute(a.getKindAsString());
  f.removeFnAttrs(mask);
  for (Argument &arg : f.args()) {
    AttributeMask argMask;
    for (const Attribute &a : f.getAttributes().getParamAttrs(arg.getArgNo()))
      if (a.isStringAttribute() && a.getKindAsString().starts_with("nvvm."))
        argMask.addAttribute(a.getKindAsString());
    arg.removeAttrs(argMask);
  }
}

void retarget(Module &m) {
  m.setTargetTriple(Triple("riscv64-unknown-elf"));
  m.setDataLayout(kDataLayout);
  keepFlags(m);
  for (StringRef name : kDroppedMetadata)
    if (NamedMDNode *node = m.getNamedMetadata(name))
      node->eraseFromParent();
}

void dropTypeBasedAliasing(Module &m) {
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      i.setMetadata(LLVMContext::MD_tbaa, nullptr);
      i.setMetadata(LLVMContext::MD_tbaa_struct, nullptr);
    }
}

void importKernels(Module &m) {
  for (Function &f : m)
    if (f.getCallingConv() == CallingConv::PTX_Kernel ||
        f.getCallingConv() == CallingConv::SPIR_KERNEL)
      importKernel(f);
    else if (!f.isIntrinsic())
      useCCallingConvention(f);
  importAnnotations(m);
  for (Function &f : m)
    dropForeignAttributes(f);
  internalize(m);
  // llvm.used keeps what the source marked `used`; clang's compiler.used only lists variables,
  // which are external now.
  if (GlobalVariable *used = m.getGlobalVariable("llvm.compiler.used"))
    used->eraseFromParent();
}

} // namespace vx::import
