// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/mlir/CompileMlir.h"
#include "frontend/ToolProcess.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::mlir {
namespace {

constexpr StringLiteral kTranslator = "vx-mlir-translate";

/// Returns the translator of $VXCC_HOME, or the one next to this program; empty if there is none.
std::string findTranslator() {
  SmallVector<std::string> folders;
  if (auto home = sys::Process::GetEnv("VXCC_HOME"))
    folders.push_back(*home + "/bin");
  std::string program =
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findTranslator));
  folders.push_back(sys::path::parent_path(program).str());
  for (const std::string &folder : folders)
    if (std::string path = folder + "/" + kTranslator.str(); sys::fs::can_execute(path))
      return path;
  return "";
}

bool writeRule(const CompileRequest &request, DiagnosticLog &log) {
  if (request.deviceRule.empty())
    return true;
  std::error_code code;
  raw_fd_ostream os(request.deviceRule, code);
  if (!code)
    os << request.output << ": " << request.input << "\n";
  os.close();
  if (!os.has_error())
    return true;
  os.clear_error();
  log.addPlain(Severity::Fatal, "cannot write " + request.deviceRule);
  return false;
}

std::unique_ptr<Module> readIr(const std::string &path, LLVMContext &context, StringRef input,
                               DiagnosticLog &log) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(path, diagnostic, context);
  if (!module)
    log.addPlain(Severity::Error, "'" + input + "': " + diagnostic.getMessage().str());
  return module;
}

} // namespace

std::unique_ptr<Module> parseMlir(const CompileRequest &request, const FrontendPaths &,
                                  LLVMContext &context, DiagnosticLog &log) {
  file_magic magic;
  if (!identify_magic(request.input, magic) && magic == file_magic::bitcode)
    return readIr(request.input, context, request.input, log);
  std::string translator = findTranslator();
  if (translator.empty()) {
    log.addPlain(Severity::Fatal, "cannot find " + kTranslator + ", which reads MLIR");
    return nullptr;
  }
  TempFile bitcode("bc");
  if (bitcode.path.empty()) {
    log.addPlain(Severity::Fatal, "cannot make a temporary file");
    return nullptr;
  }
  ToolRun run = runTool(translator, {"-o", bitcode.path, request.input});
  if (!run.output.empty())
    log.add(run.code == 0   ? Severity::Warning
            : run.code == 1 ? Severity::Fatal
                            : Severity::Error,
            run.output, run.output);
  else if (run.code != 0)
    log.addPlain(Severity::Error, "'" + request.input + "': " + kTranslator + " failed" +
                                      (run.problem.empty() ? "" : ": " + run.problem));
  if (run.code != 0 || !writeRule(request, log))
    return nullptr;
  return readIr(bitcode.path, context, request.input, log);
}

} // namespace vx::mlir
