// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/ClangInstance.h"
#include "frontend/clang/ClangDiagnostics.h"
#include "frontend/cuda/DeviceConstants.h"
#include "frontend/cuda/DeviceLaunches.h"
#include "frontend/cuda/DeviceThrows.h"
#include "frontend/cuda/ExecutionSpaces.h"
#include "frontend/cuda/HostCalls.h"
#include "frontend/cuda/LambdaNumbers.h"
#include "frontend/cuda/LostErrors.h"
#include "frontend/cuda/ManagedVariables.h"
#include "frontend/cuda/MarkedReturns.h"
#include "frontend/cuda/MissingLibraries.h"
#include "frontend/cuda/NvccSpellings.h"
#include "frontend/cuda/OwnBuiltins.h"
#include "frontend/cuda/PointerCasts.h"
#include "frontend/cuda/SharedObjects.h"
#include "frontend/cuda/UnevaluatedCalls.h"
#include "frontend/cuda/VariadicObjects.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

std::shared_ptr<clang::CompilerInvocation> parseCc1(const Cc1Args &args, DiagnosticLog &log) {
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

std::unique_ptr<clang::CompilerInstance>
makeInstance(std::shared_ptr<clang::CompilerInvocation> invocation, DiagnosticLog &log,
             LenientCode &lenient, IntrusiveRefCntPtr<vfs::FileSystem> files) {
  bool isCuda = invocation->getLangOpts().CUDA;
  if (lenient.delaysTemplates())
    invocation->getLangOpts().DelayedTemplateParsing = true;
  if (lenient.givesErrorsAtOnce())
    invocation->getLangOpts().GPUDeferDiag = false;
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
  forgetBuiltins(*instance, lenient.forgottenBuiltins());
  explainMissingLibraries(*instance);
  acceptDeviceLaunches();
  keepDeviceConstants();
  acceptManagedVariables();
  acceptSharedObjects();
  acceptHostCalls();
  stopAtThrows();
  markReturns();
  alignPointerCasts();
  numberLambdas();
  shareExecutionSpaces();
  acceptUnevaluatedCalls();
  passVariadicObjects();
  findLostErrors();
  return instance;
}

} // namespace vx
