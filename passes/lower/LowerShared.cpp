// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-shared: shared variables become offsets from the block's shared base.
//
// Variables that device functions use (they may be called from any kernel) come first, at the same
// offsets for the whole module; each kernel's own variables follow. Dynamic shared memory (extern
// arrays of no size) starts where a kernel's static variables end: a constant in the kernel, a
// field of the launch descriptor elsewhere. Runs after vx-map-kernels; fills in KernelInfo.

#include "intrinsics/abi/SymbolNames.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace vx {
namespace {

/// Dynamic shared memory starts at a multiple of this. (A block's shared memory as a whole starts
/// at a multiple of 128, which the runtime sees to.)
constexpr uint64_t kBaseAlign = 16;

/// Bytes after each variable, so that memcheck sees an access from one to the next.
constexpr uint64_t kGapForCheckers = 16;

bool isDynamic(const GlobalVariable &g) {
  return g.getDataLayout().getTypeAllocSize(g.getValueType()).isZero();
}

class SharedLowering {
public:
  explicit SharedLowering(Module &m)
      : m(m), dl(m.getDataLayout()), gap(deviceOption::forCheckers(m) ? kGapForCheckers : 0) {}

  bool run() {
    SmallVector<Constant *, 8> variables;
    for (GlobalVariable &g : m.globals())
      if (g.getAddressSpace() == kSharedAS)
        variables.push_back(&g);
    if (variables.empty())
      return false;
    convertUsersOfConstantsToInstructions(variables);
    for (Constant *c : variables)
      collect(*cast<GlobalVariable>(c));
    commonEnd = place(common, commonOffsets, 0);
    SmallVector<KernelInfo, 8> infos = readKernelInfos(m);
    for (KernelInfo &info : infos) {
      SetVector<GlobalVariable *> own;
      for (Function *f : {info.direct, info.chunked})
        for (GlobalVariable *g : byFunction[f])
          if (!commonOffsets.contains(g) && !isDynamic(*g))
            own.insert(g);
      Offsets offsets = commonOffsets;
      uint64_t end = place(own, offsets, commonEnd);
      info.record.staticSharedBytes = alignTo(end, kBaseAlign);
      for (Function *f : {info.direct, info.chunked})
        if (f && lowered.insert(f).second) {
          nameOffsets(*f, offsets);
          lowerFunction(
              *f, offsets,
              ConstantInt::get(Type::getInt64Ty(m.getContext()), info.record.staticSharedBytes));
        }
    }
    for (auto &[f, used] : byFunction)
      if (lowered.insert(f).second)
        lowerFunction(*f, commonOffsets, nullptr);
    writeKernelInfos(m, infos);
    for (Constant *c : variables) {
      auto *g = cast<GlobalVariable>(c);
      g->removeDeadConstantUsers();
      if (g->use_empty())
        g->eraseFromParent();
    }
    forgetDeclared();
    return true;
  }

private:
  using Offsets = DenseMap<GlobalVariable *, uint64_t>;

  void collect(GlobalVariable &g) {
    for (User *user : g.users())
      if (auto *i = dyn_cast<Instruction>(user)) {
        byFunction[i->getFunction()].insert(&g);
        if (!i->getFunction()->hasFnAttribute(kEntryAttr) && !isDynamic(g))
          common.insert(&g);
      }
  }

  uint64_t place(const SetVector<GlobalVariable *> &variables, Offsets &offsets, uint64_t at) {
    for (GlobalVariable *g : variables) {
      at = alignTo(at, dl.getValueOrABITypeAlignment(g->getAlign(), g->getValueType()));
      offsets[g] = at;
      at += dl.getTypeAllocSize(g->getValueType()).getFixedValue() + gap;
    }
    return at;
  }

  /// Leaves symbols in the image that say where the variables of entry F are, for reports.
  void nameOffsets(const Function &f, const Offsets &offsets) {
    if (isForHost(m))
      return;
    std::string text;
    for (auto [g, offset] : sorted(offsets)) {
      std::string name =
          ("\"" + Twine(abi::kSharedSymbolPrefix) + f.getName() + "." + g->getName() + "\"").str();
      uint64_t size = dl.getTypeAllocSize(g->getValueType()).getFixedValue();
      text += ".type " + name + ", @object\n.set " + name + ", " + std::to_string(offset) +
              "\n.size " + name + ", " + std::to_string(size) + "\n";
    }
    if (!text.empty())
      m.appendModuleInlineAsm(text);
  }

  static SmallVector<std::pair<GlobalVariable *, uint64_t>, 8> sorted(const Offsets &offsets) {
    SmallVector<std::pair<GlobalVariable *, uint64_t>, 8> list(offsets.begin(), offsets.end());
    llvm::sort(list, [](const auto &a, const auto &b) {
      return std::pair(a.second, a.first->getName()) < std::pair(b.second, b.first->getName());
    });
    return list;
  }

  void lowerFunction(Function &f, const Offsets &offsets, ConstantInt *dynamicOffset) {
    IRBuilder<> b(m.getContext());
    if (f.hasFnAttribute(kEntryAttr) && f.getSubprogram() && keepsVariables(m))
      for (GlobalVariable *g : byFunction[&f])
        declare(f, *g, isDynamic(*g) ? dynamicOffset->getZExtValue() : offsets.lookup(g));
    SmallVector<Use *, 32> uses;
    for (Instruction &i : instructions(f))
      for (Use &operand : i.operands())
        if (auto *g = dyn_cast<GlobalVariable>(operand); g && g->getAddressSpace() == kSharedAS)
          uses.push_back(&operand);
    for (Use *use : uses) {
      auto *g = cast<GlobalVariable>(use->get());
      auto *user = cast<Instruction>(use->getUser());
      Instruction *at = user;
      if (auto *phi = dyn_cast<PHINode>(user))
        at = phi->getIncomingBlock(*use)->getTerminator();
      b.SetInsertPoint(at);
      Value *offset;
      if (!isDynamic(*g))
        offset = b.getInt64(offsets.lookup(g));
      else if (dynamicOffset)
        offset = dynamicOffset;
      else
        offset = b.CreateZExt(loadField(b, emitCall(b, VxFn::Descriptor),
                                        offsetof(abi::LaunchDescriptor, dynSharedOffset),
                                        b.getInt32Ty()),
                              b.getInt64Ty());
      Value *address = b.CreateInBoundsPtrAdd(sharedBase(b, f), offset, g->getName());
      // The cast back to shared costs nothing on this machine.
      use->set(b.CreateAddrSpaceCast(address, g->getType()));
    }
  }

  /// Returns the shared base of entry F, which vx-map-kernels named; null: it has none.
  static Instruction *baseOf(Function &f) {
    for (Instruction &i : instructions(f))
      if (i.getMetadata(kSharedBaseMetadata))
        return &i;
    return nullptr;
  }

  /// Returns the shared base: an entry has its base as a value; other functions ask for it.
  Value *sharedBase(IRBuilderBase &b, Function &f) {
    if (f.hasFnAttribute(kEntryAttr))
      if (Instruction *base = baseOf(f))
        return base;
    return emitCall(b, VxFn::SharedBase);
  }

  // --- for a debugger ---

  /// Entry F keeps its shared base in a variable, from where G is OFFSET bytes: a local variable,
  /// as far as a debugger is concerned.
  void declare(Function &f, const GlobalVariable &g, uint64_t offset) {
    SmallVector<DIGlobalVariableExpression *, 1> known;
    g.getDebugInfo(known);
    Instruction *base = baseOf(f);
    if (known.empty() || !base)
      return;
    AllocaInst *&variable = baseVariables[&f];
    if (!variable) {
      IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
      variable = b.CreateAlloca(b.getInt64Ty(), nullptr, "shared.base.kept");
      b.SetInsertPoint(base->getParent(), *base->getInsertionPointAfterDef());
      b.CreateStore(b.CreatePtrToInt(base, b.getInt64Ty()), variable, /*isVolatile=*/true);
    }
    DIGlobalVariable *source = known.front()->getVariable();
    DISubprogram *subprogram = f.getSubprogram();
    DIBuilder builder(m, /*AllowUnresolved=*/false, subprogram->getUnit());
    DILocalVariable *local =
        builder.createAutoVariable(subprogram, source->getName(), source->getFile(),
                                   source->getLine(), source->getType(), /*AlwaysPreserve=*/true);
    uint64_t operations[] = {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offset};
    builder.insertDeclare(variable, local, builder.createExpression(operations),
                          DILocation::get(m.getContext(), source->getLine(), 0, subprogram),
                          f.getEntryBlock().getTerminator()->getIterator());
    declared.insert(source);
  }

  /// Removes what has been declared from the global variables of the debug information.
  void forgetDeclared() {
    for (DICompileUnit *unit : m.debug_compile_units()) {
      SmallVector<Metadata *, 16> rest;
      for (DIGlobalVariableExpression *g : unit->getGlobalVariables())
        if (!declared.contains(g->getVariable()))
          rest.push_back(g);
      unit->replaceGlobalVariables(MDTuple::get(m.getContext(), rest));
    }
  }

  Module &m;
  const DataLayout &dl;
  uint64_t gap;
  MapVector<Function *, SetVector<GlobalVariable *>> byFunction;
  SetVector<GlobalVariable *> common;
  Offsets commonOffsets;
  uint64_t commonEnd = 0;
  SmallPtrSet<Function *, 8> lowered;
  DenseMap<Function *, AllocaInst *> baseVariables;
  SmallPtrSet<DIGlobalVariable *, 8> declared;
};

} // namespace

PreservedAnalyses LowerSharedPass::run(Module &m, ModuleAnalysisManager &) {
  return SharedLowering(m).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
