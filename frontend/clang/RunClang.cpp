// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes -cc1 command lines in this process.

#include "frontend/clang/ClangInstance.h"
#include "frontend/clang/PrecompiledHeaders.h"
#include "frontend/cuda/HostCalls.h"
#include "frontend/cuda/RegistrationOrder.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns the file system, with the request's own files over it.
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

/// Replaces old names by complete ones. Internal variables and kernels that the host uses get a
/// name with a hash of the unit appended, once clang sees the use: what came before refers to the
/// old name, which nothing defines.
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
  if (auto reader = instance.getASTReader())
    for (clang::serialization::ModuleFile &precompiled : reader->getModuleManager())
      reader->visitInputFileInfos(precompiled, /*IncludeSystem=*/true,
                                  [&](const clang::serialization::InputFileInfo &file, bool) {
                                    log.addSystemHeader(file.UnresolvedImportedFilename);
                                  });
}

/// Lets ATTEMPT compile a source, into a log of its own, until it succeeds or fails for something
/// that nvcc would not accept either.
bool compileLeniently(DiagnosticLog &log, bool isDevice,
                      function_ref<bool(LenientCode &lenient, DiagnosticLog &log)> attempt) {
  constexpr unsigned most = 20;
  LenientCode lenient(isDevice);
  for (unsigned round = 1;; ++round) {
    DiagnosticLog found = log;
    bool good = attempt(lenient, found);
    if (!good && round < most && lenient.apply())
      continue;
    log = std::move(found);
    return good;
  }
}

/// Returns what adjustDeviceInvocation() makes of REQUEST besides the command line.
std::string settingsOf(const CompileRequest &request) {
  std::string text = "device";
  raw_string_ostream os(text);
  os << " O" << request.deviceOptLevel << " g" << request.deviceDebug;
  if (request.contractFp)
    os << " contract" << *request.contractFp;
  return text;
}

/// Makes INVOCATION load HEADERS, if there are any, out of the file system that it returns, which
/// else is FILES. Code that is read again, changed, may have changes in the headers.
IntrusiveRefCntPtr<vfs::FileSystem> load(const PrecompiledHeaders &headers,
                                         const LenientCode &lenient,
                                         clang::CompilerInvocation &invocation,
                                         IntrusiveRefCntPtr<vfs::FileSystem> files) {
  if (!headers || lenient.hasChanges())
    return files;
  headers.use(invocation);
  return headers.over(std::move(files));
}

} // namespace

std::unique_ptr<Module> compileDevice(const Cc1Args &args, const CompileRequest &request,
                                      LLVMContext &context, DiagnosticLog &log) {
  auto adjust = [&](clang::CompilerInvocation &invocation) {
    adjustDeviceInvocation(invocation, request);
  };
  auto headers = PrecompiledHeaders::find(args, settingsOf(request), adjust, request.files);
  std::unique_ptr<Module> module;
  compileLeniently(log, /*isDevice=*/true, [&](LenientCode &lenient, DiagnosticLog &log) {
    auto invocation = parseCc1(args, log);
    if (!invocation)
      return false;
    adjust(*invocation);
    auto files = load(headers, lenient, *invocation, fileSystem(request));
    auto instance = makeInstance(std::move(invocation), log, lenient, std::move(files));
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
  auto headers = PrecompiledHeaders::find(args, "host", [](clang::CompilerInvocation &) {});
  return compileLeniently(log, /*isDevice=*/false, [&](LenientCode &lenient, DiagnosticLog &log) {
    auto invocation = parseCc1(args, log);
    if (!invocation)
      return false;
    registerKernelsFirst(invocation->getCodeGenOpts());
    auto files = load(headers, lenient, *invocation, vfs::getRealFileSystem());
    auto instance = makeInstance(std::move(invocation), log, lenient, std::move(files));
    return clang::ExecuteCompilerInvocation(instance.get());
  });
}

} // namespace vx
