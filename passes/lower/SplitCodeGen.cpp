// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation of large modules in parts, one after another or side by side: it is most of the
// time that kernels with many variants take. How a module is split depends on the module alone, so
// the image is the same whatever the number of threads. The functions keep their order: each part
// has the next ones of the module, the first also the variables.
//
// The module is written once, as bitcode, and each part reads the bodies of its own functions only.

#include "passes/lower/CodeGen.h"
#include "passes/lower/CodegenSwitches.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include <atomic>

using namespace llvm;

namespace vx {
namespace {

constexpr unsigned kMaxParts = 16;

/// Notes that there is something to say, and says nothing.
struct SilentHandler : DiagnosticHandler {
  explicit SilentHandler(std::atomic<bool> &said) : said(said) {}
  bool handleDiagnostics(const DiagnosticInfo &) override {
    said = true;
    return true;
  }
  std::atomic<bool> &said;
};

/// The result of code generation for a part.
struct Part {
  SmallVector<char, 0> object;
  UsageMap usage;
};

/// Returns the part of each function with a body: all have about as many instructions.
StringMap<unsigned> assignParts(const Module &module, unsigned count) {
  StringMap<unsigned> parts;
  const uint64_t all = std::max(1u, module.getInstructionCount());
  uint64_t before = 0;
  for (const Function &f : module)
    if (!f.isDeclaration()) {
      uint64_t own = f.getInstructionCount();
      parts[f.getName()] = std::min<uint64_t>((before + own / 2) * count / all, count - 1);
      before += own;
    }
  for (const GlobalAlias &alias : module.aliases()) // is where its function is
    if (const GlobalObject *object = alias.getAliaseeObject(); isa_and_nonnull<Function>(object))
      parts[object->getName()] = 0;
  return parts;
}

/// Makes what is local visible to other parts.
void nameForAll(GlobalValue &g) {
  if (g.hasLocalLinkage()) {
    g.setLinkage(GlobalValue::ExternalLinkage);
    g.setVisibility(GlobalValue::HiddenVisibility);
  }
  if (!g.hasName())
    g.setName("__vx_unnamed");
}

/// Leaves declarations of what other parts define. No body has been read yet.
void keepPart(Module &module, const StringMap<unsigned> &parts, unsigned number) {
  for (Function &f : module)
    if (!f.isDeclaration() && parts.lookup(f.getName()) != number) {
      f.deleteBody();
      f.setComdat(nullptr);
    }
  if (number == 0)
    return;
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    std::string name = alias.getName().str();
    alias.setName("");
    GlobalValue *declaration;
    if (auto *type = dyn_cast<FunctionType>(alias.getValueType()))
      declaration = Function::Create(type, GlobalValue::ExternalLinkage, alias.getAddressSpace(),
                                     name, &module);
    else
      declaration = new GlobalVariable(module, alias.getValueType(), false,
                                       GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                       GlobalValue::NotThreadLocal, alias.getAddressSpace());
    alias.replaceAllUsesWith(declaration);
    alias.eraseFromParent();
  }
  for (GlobalVariable &g : make_early_inc_range(module.globals()))
    if (g.hasAppendingLinkage()) { // llvm.used and the like
      g.eraseFromParent();
    } else if (!g.isDeclaration()) {
      g.setInitializer(nullptr);
      g.setLinkage(GlobalValue::ExternalLinkage);
      g.setComdat(nullptr);
    }
  module.setModuleInlineAsm("");
}

/// A module belongs to its context, and a context to one thread: each part reads its own.
class PartGenerator {
public:
  PartGenerator(const CodegenOptions &options, const StringSet<> &defined, StringRef bitcode,
                const StringMap<unsigned> &parts)
      : options(options), defined(defined), bitcode(bitcode), parts(parts) {}

  void run(Part &part, unsigned number) {
    std::atomic<bool> said = false;
    LLVMContext context;
    context.setDiagnosticHandler(std::make_unique<SilentHandler>(said));
    Error e = generate(part, number, context);
    if (e || said)
      failed = true;
    consumeError(std::move(e));
  }

  std::atomic<bool> failed = false;

private:
  Error generate(Part &part, unsigned number, LLVMContext &context) const {
    auto module = read(number, context);
    if (!module)
      return module.takeError();
    auto tm = createTargetMachine(options);
    if (!tm)
      return tm.takeError();
    return generateCode(**module, **tm, /*object=*/true, part.object, part.usage, defined);
  }

  Expected<std::unique_ptr<Module>> read(unsigned number, LLVMContext &context) const {
    CodegenSwitches switches(CodegenSwitches::Mode::Device); // no debug information is upgraded
    auto module = getLazyBitcodeModule(MemoryBufferRef(bitcode, "part"), context);
    if (!module)
      return module.takeError();
    keepPart(**module, parts, number);
    if (Error e = (*module)->materializeAll())
      return std::move(e);
    return std::move(*module);
  }

  const CodegenOptions &options;
  const StringSet<> &defined;
  const StringRef bitcode;
  const StringMap<unsigned> &parts;
};

} // namespace

StringSet<> definedFunctions(const Module &module) {
  StringSet<> names;
  for (const Function &f : module)
    if (!f.isDeclaration())
      names.insert(f.getName());
  return names;
}

Error generateObjects(Module &module, TargetMachine &tm, const CodegenOptions &options,
                      std::vector<SmallVector<char, 0>> &objects, UsageMap &usage) {
  StringSet<> defined = definedFunctions(module);
  auto generateWhole = [&] {
    usage.clear();
    objects.assign(1, {});
    return generateCode(module, tm, /*object=*/true, objects.front(), usage, defined);
  };
  unsigned count = std::min(module.getInstructionCount() / options.partInstructions, kMaxParts);
  if (count < 2)
    return generateWhole();

  for (GlobalValue &g : module.global_values())
    nameForAll(g);
  SmallString<0> bitcode;
  {
    raw_svector_ostream os(bitcode);
    WriteBitcodeToFile(module, os);
  }
  const StringMap<unsigned> partOf = assignParts(module, count);
  std::vector<Part> parts(count);
  PartGenerator generator(options, defined, bitcode, partOf);
  const bool traces = timeTraceProfilerEnabled();
  {
    DefaultThreadPool pool(hardware_concurrency(options.threads)); // waits at the end of its scope
    for (unsigned number = 0; number < count; ++number)
      pool.async([&, number] {
        if (traces)
          timeTraceProfilerInitialize(kTimeTraceGranularity, "vxcc");
        generator.run(parts[number], number);
        if (traces)
          timeTraceProfilerFinishThread();
      });
  }
  // What is to be said about the module is said in order, and once.
  if (generator.failed)
    return generateWhole();
  for (Part &part : parts) {
    objects.push_back(std::move(part.object));
    for (auto &entry : part.usage)
      usage[entry.first()] = std::move(entry.second);
  }
  return Error::success();
}

} // namespace vx
