// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/opencl/CompileOpenCL.h"
#include "frontend/opencl/Passes.h"
#include "lib/VortexIR/Analyses.h"
#include "lib/VortexIR/LinkBitcode.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace vx::opencl {
namespace {

/// The extensions and features that a program may ask for by their macros, in clang's order.
/// `cl_khr_*` are extensions, the others features of OpenCL C 3.0.
constexpr StringLiteral kExtensions[] = {
#define OPENCL_EXTENSION(NAME, REPORTED) #NAME,
#include "intrinsics/opencl/Extensions.def"
};

bool given(ArrayRef<std::string> args, StringRef prefix) {
  return any_of(args, [&](const std::string &a) { return StringRef(a).starts_with(prefix); });
}

bool linkLibrary(Module &module, StringRef resources, DiagnosticLog &log) {
  auto linked = linkBitcode(module, (resources + "/opencl.bc").str());
  if (!linked) {
    log.addPlain(Severity::Error, toString(linked.takeError()));
    return false;
  }
  for (GlobalValue *g : *linked)
    if (auto *f = dyn_cast<Function>(g)) {
      // They are small and called with constants; steps in them are of no use to a reader.
      f->removeFnAttr(Attribute::NoInline);
      f->removeFnAttr(Attribute::OptimizeNone);
      f->setSubprogram(nullptr);
    }
  return true;
}

} // namespace

std::optional<Cc1Args> planOpenCL(const CompileRequest &request, const FrontendPaths &paths,
                                  DiagnosticLog &log) {
  std::vector<std::string> args = {"-resource-dir",
                                   paths.clangResource,
                                   "-x",
                                   "cl",
                                   "--target=nvptx64-nvidia-cuda",
                                   "-march=sm_80",
                                   "-nogpulib",
                                   "-nogpuinc",
                                   "-D__OPENCL_VERSION__=300",
                                   "-D__VXCC__=1",
                                   "-D__IMAGE_SUPPORT__=1",
                                   "-DFP_FAST_FMAF",
                                   "-DFP_FAST_FMA"};
  // The names of arguments are part of what a program may ask for.
  if (!given(request.languageArgs, "-cl-kernel-arg-info"))
    args.push_back("-cl-kernel-arg-info");
  std::string extensions = "-cl-ext=-all";
  for (StringRef name : kExtensions)
    extensions += (",+" + name).str();
  args.insert(args.end(), {"-Xclang", extensions});
  for (const std::string &a : request.args)
    if (!StringRef(a).starts_with("-std="))
      args.push_back(a);
  args.insert(args.end(), request.languageArgs.begin(), request.languageArgs.end());
  args.insert(args.end(), {request.action == "-E" || request.action == "-M" ? "-E" : "-c"});
  if (!request.output.empty() && request.action == "-E")
    args.insert(args.end(), {"-o", request.output});
  args.push_back(request.input);
  auto cc1 = planCc1(args, paths, log);
  if (!cc1 || cc1->empty())
    return cc1;
  for (std::string &a : *cc1)
    if (a == "-E" && request.action == "-M")
      a = "-Eonly";
  const std::string &rule =
      request.action == "-M" || request.action == "-E" ? request.hostRule : request.deviceRule;
  for (std::string &a : ruleArguments(request, rule))
    cc1->push_back(std::move(a));
  return cc1;
}

bool finishOpenCL(Module &module, StringRef resources, DiagnosticLog &log) {
  if (!linkLibrary(module, resources, log))
    return false;
  PassBuilder pb;
  Analyses analyses(pb);
  ModulePassManager mpm;
  for (const LanguagePass &pass : passes())
    pass.add(mpm);
  mpm.run(module, analyses.module);
  return !log.hasErrors();
}

std::unique_ptr<Module> parseOpenCL(const CompileRequest &request, const FrontendPaths &paths,
                                    LLVMContext &context, DiagnosticLog &log) {
  file_magic magic;
  if (!identify_magic(request.input, magic) && magic == file_magic::bitcode) {
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> module = parseIRFile(request.input, diagnostic, context);
    if (!module)
      log.addPlain(Severity::Error, "'" + request.input + "': " + diagnostic.getMessage().str());
    return module;
  }
  auto cc1 = planOpenCL(request, paths, log);
  if (!cc1 || cc1->empty())
    return nullptr;
  CompileRequest adapted = request;
  // OpenCL C contracts within an expression; -cl-mad-enable and its kin say more.
  adapted.contractFp.reset();
  if (given(request.languageArgs, "-cl-opt-disable"))
    adapted.deviceOptLevel = 0;
  return compileDevice(*cc1, adapted, context, log);
}

} // namespace vx::opencl
