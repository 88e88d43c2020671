// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes -cc1 command lines in this process.

#include "frontend/ClangDiagnostics.h"
#include "frontend/DetectionIdiom.h"
#include "frontend/DeviceLaunches.h"
#include "frontend/Frontend.h"
#include "frontend/HostCalls.h"
#include "frontend/LenientCode.h"
#include "frontend/ManagedVariables.h"
#include "frontend/MissingLibraries.h"
#include "frontend/NvccSpellings.h"
#include "frontend/PointerCasts.h"
#include "frontend/RegistrationOrder.h"
#include "frontend/SharedObjects.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace vx {
namespace {

/// Parses ARGS; problems with them are reported like those of the source.
std::shared_ptr<clang::CompilerInvocation> parse(const Cc1Args &args, DiagnosticLog &log) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  std::vector<const char *> argv;
  for (const std::string &a : args)
    argv.push_back(a.c_str());
  clang::DiagnosticOptions options;
  ClangDiagnosticRecorder recorder(options, log);
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, &recorder,
                                       /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, argv, diagnostics, "vxcc"))
    return nullptr;
  return invocation;
}

/// The file system, with the request's own files over it.
IntrusiveRefCntPtr<vfs::FileSystem> fileSystem(const CompileRequest &request) {
  if (request.files.empty())
    return vfs::getRealFileSystem();
  auto inMemory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const auto &[path, text] : request.files)
    inMemory->addFile(path, 0, MemoryBuffer::getMemBufferCopy(text, path));
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  both->pushOverlay(std::move(inMemory));
  return both;
}

/// A compiler whose diagnostics go to LOG. The log prints the count, so clang's goes nowhere.
std::unique_ptr<clang::CompilerInstance>
makeInstance(std::shared_ptr<clang::CompilerInvocation> invocation, DiagnosticLog &log,
             LenientCode &lenient,
             IntrusiveRefCntPtr<vfs::FileSystem> files = vfs::getRealFileSystem()) {
  bool isCuda = invocation->getLangOpts().CUDA;
  auto instance = std::make_unique<clang::CompilerInstance>(std::move(invocation));
  instance->createVirtualFileSystem(lenient.over(std::move(files)));
  instance->createDiagnostics(new ClangDiagnosticRecorder(instance->getDiagnosticOpts(), log, "",
                                                          isCuda ? &lenient : nullptr),
                              /*ShouldOwnClient=*/true);
  // With -v (-Xcompiler -v), where headers are searched for; build tools read that.
  if (instance->getHeaderSearchOpts().Verbose)
    instance->setVerboseOutputStream(errs());
  else
    instance->setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  acceptNvccSpellings(*instance);
  explainMissingLibraries(*instance);
  acceptDeviceLaunches();
  acceptManagedVariables();
  acceptSharedObjects();
  acceptHostCalls();
  alignPointerCasts();
  detectOnBothSides();
  return instance;
}

/// Changes what the driver set up for ptxas into what passes/ wants to see.
void adjustDeviceInvocation(clang::CompilerInvocation &invocation, const CompileRequest &request) {
  // Global LLVM options are the host half's business.
  auto &frontend = invocation.getFrontendOpts();
  frontend.LLVMArgs.clear();
  frontend.OutputFile.clear();
  frontend.ProgramAction = clang::frontend::EmitLLVMOnly;
  letHostCallsWait(invocation);

  auto &target = invocation.getTargetOpts();
  auto replacePtx = [](std::vector<std::string> &features) {
    llvm::erase_if(features, [](const std::string &f) { return StringRef(f).starts_with("+ptx"); });
    features.push_back("+ptx80");
  };
  replacePtx(target.FeaturesAsWritten);
  replacePtx(target.Features);

  auto &codegen = invocation.getCodeGenOpts();
  codegen.DisableLLVMPasses = true;
  codegen.DisableO0ImplyOptNone = true;
  // `int v; if (lane == 0) v = f(); v = __shfl_sync(~0u, v, 0);` is how CUDA programs are written;
  // a `noundef` argument would be taken to say that all lanes are lane 0.
  codegen.EnableNoundefAttrs = false;
  // A function that ends without a return returns, with any value.
  codegen.StrictReturn = false;
  codegen.OptimizationLevel = request.deviceOptLevel;
  codegen.UnrollLoops = request.deviceOptLevel > 1; // else every loop is marked not to be
  codegen.setInlining(request.deviceOptLevel > 1 ? clang::CodeGenOptions::NormalInlining
                                                 : clang::CodeGenOptions::OnlyAlwaysInlining);
  // Line tables are always there: pass diagnostics and fault reports name source lines.
  codegen.DwarfVersion = 5;
  codegen.setDebugInfo(request.deviceDebug ? llvm::codegenoptions::DebugInfoConstructor
                                           : llvm::codegenoptions::DebugLineTablesOnly);
  if (request.contractFp)
    invocation.getLangOpts().setDefaultFPContractMode(*request.contractFp
                                                          ? clang::LangOptions::FPM_FastHonorPragmas
                                                          : clang::LangOptions::FPM_Off);
}

/// Internal variables and kernels that the host uses get a name with a hash of the unit behind it,
/// once clang sees the use: what came before refers to the old name, which nothing defines.
void completeNames(Module &module) {
  for (GlobalValue &g : module.global_values())
    for (const char *infix : {"__static__", "__intern__"}) {
      auto [name, hash] = g.getName().rsplit(infix);
      if (hash.empty() || !all_of(hash, isHexDigit))
        continue;
      GlobalValue *early = module.getNamedValue(name);
      if (early && early->isDeclaration() && early->getType() == g.getType())
        early->replaceAllUsesWith(&g);
    }
}

/// Tells LOG which files are system headers, for what passes report about them.
void noteSystemHeaders(clang::CompilerInstance &instance, DiagnosticLog &log) {
  if (!instance.hasSourceManager())
    return;
  clang::SourceManager &sources = instance.getSourceManager();
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (entry.isFile() && clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic()))
      log.addSystemHeader(entry.getFile().getName());
  }
}

/// Has ATTEMPT compile a source, into a log of its own, until it succeeds or fails for something
/// that nvcc would not accept either.
bool compileLeniently(DiagnosticLog &log,
                      function_ref<bool(LenientCode &lenient, DiagnosticLog &log)> attempt) {
  constexpr unsigned most = 20;
  LenientCode lenient;
  for (unsigned round = 1;; ++round) {
    DiagnosticLog found = log;
    bool good = attempt(lenient, found);
    if (!good && round < most && lenient.apply())
      continue;
    log = std::move(found);
    return good;
  }
}

} // namespace

std::unique_ptr<Module> compileDevice(const Cc1Args &args, const CompileRequest &request,
                                      LLVMContext &context, DiagnosticLog &log) {
  std::unique_ptr<Module> module;
  compileLeniently(log, [&](LenientCode &lenient, DiagnosticLog &log) {
    auto invocation = parse(args, log);
    if (!invocation)
      return false;
    adjustDeviceInvocation(*invocation, request);
    auto instance = makeInstance(std::move(invocation), log, lenient, fileSystem(request));
    clang::EmitLLVMOnlyAction action(&context);
    if (!instance->ExecuteAction(action) || log.hasErrors())
      return false;
    noteSystemHeaders(*instance, log);
    module = action.takeModule();
    return true;
  });
  if (module)
    defineHostCalls(*module);
  if (module && request.relocatable)
    completeNames(*module);
  return module;
}

bool runFrontend(const Cc1Args &args, DiagnosticLog &log) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  return compileLeniently(log, [&](LenientCode &lenient, DiagnosticLog &log) {
    auto invocation = parse(args, log);
    if (!invocation)
      return false;
    registerKernelsFirst(invocation->getCodeGenOpts());
    auto instance = makeInstance(std::move(invocation), log, lenient);
    return clang::ExecuteCompilerInvocation(instance.get());
  });
}

} // namespace vx
