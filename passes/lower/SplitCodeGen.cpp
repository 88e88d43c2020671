// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation of large modules in parts, one after another or side by side: it is most of the
// time that kernels with many variants take. How a module is split depends on the module alone, so
// the image is the same whatever the number of threads.

#include "passes/lower/CodeGen.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/SplitModule.h"
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

/// One part, as bitcode: a module belongs to its context, and a context to one thread.
struct Part {
  SmallString<0> bitcode;
  SmallVector<char, 0> object;
  UsageMap usage;
};

class PartGenerator {
public:
  PartGenerator(const CodegenOptions &options, const StringSet<> &defined)
      : options(options), defined(defined) {}

  void run(Part &part) {
    std::atomic<bool> said = false;
    LLVMContext context;
    context.setDiagnosticHandler(std::make_unique<SilentHandler>(said));
    Error e = generate(part, context);
    if (e || said)
      failed = true;
    consumeError(std::move(e));
  }

  std::atomic<bool> failed = false;

private:
  Error generate(Part &part, LLVMContext &context) const {
    auto module = parseBitcodeFile(MemoryBufferRef(part.bitcode, "part"), context);
    if (!module)
      return module.takeError();
    auto tm = createTargetMachine(options);
    if (!tm)
      return tm.takeError();
    return generateCode(**module, **tm, /*object=*/true, part.object, part.usage, defined);
  }

  const CodegenOptions &options;
  const StringSet<> &defined;
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

  std::vector<Part> parts;
  parts.reserve(count); // threads hold references
  PartGenerator generator(options, defined);
  {
    DefaultThreadPool pool(hardware_concurrency(options.threads));
    auto granularity =
        timeTraceProfilerEnabled() ? std::optional(kTimeTraceGranularity) : std::nullopt;
    SplitModule(
        module, count,
        [&](std::unique_ptr<Module> split) {
          Part &part = parts.emplace_back();
          raw_svector_ostream os(part.bitcode);
          WriteBitcodeToFile(*split, os);
          pool.async([&generator, &part, granularity] {
            if (granularity)
              timeTraceProfilerInitialize(*granularity, "vxcc");
            generator.run(part);
            if (granularity)
              timeTraceProfilerFinishThread();
          });
        },
        /*PreserveLocals=*/false, /*RoundRobin=*/true);
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
