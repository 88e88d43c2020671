// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/ReadSpirv.h"
#include "frontend/spirv/Normalize.h"
#include "frontend/spirv/Passes.h"
#include "frontend/spirv/Translate.h"
#include "frontend/spirv/Validate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::spirv {
namespace {

std::unique_ptr<Module> readBitcode(const MemoryBuffer &bytes, LLVMContext &context,
                                    std::string &problem) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(bytes.getMemBufferRef(), diagnostic, context);
  if (!module)
    problem = diagnostic.getMessage().str();
  return module;
}

/// Returns true if MODULE is valid; else PROBLEM says why not.
bool isValid(const Module &module, std::string &problem) {
  raw_string_ostream os(problem);
  return !verifyModule(module, &os);
}

std::unique_ptr<Module> read(const MemoryBuffer &bytes, const SpecConstants &constants,
                             LLVMContext &context, std::string &problem) {
  std::optional<Words> words = readWords(bytes.getBuffer());
  if (!words) {
    problem =
        beginsWithMagic(bytes.getBuffer())
            ? "the module is cut off: " + utostr(bytes.getBufferSize()) +
                  " bytes are not a header and whole words"
            : "this is not a SPIR-V module: it does not begin with the magic number 0x07230203";
    return nullptr;
  }
  if (auto found = findProblem(*words)) {
    // Instructions are counted in what the user has.
    legalize(*words);
    if (findProblem(*words)) {
      problem = *found;
      return nullptr;
    }
  }
  if (auto found = normalize(*words, constants)) {
    problem = *found;
    return nullptr;
  }
  Expected<std::unique_ptr<MemoryBuffer>> bitcode = translate(*words);
  if (!bitcode) {
    problem = toString(bitcode.takeError());
    return nullptr;
  }
  std::unique_ptr<Module> module = readBitcode(**bitcode, context, problem);
  if (!module || !isValid(*module, problem))
    return nullptr;
  runPasses(*module);
  return isValid(*module, problem) ? std::move(module) : nullptr;
}

} // namespace

std::unique_ptr<Module> parseSpirv(const CompileRequest &request, const FrontendPaths &,
                                   LLVMContext &context, DiagnosticLog &log) {
  auto report = [&](const Twine &problem) {
    log.addPlain(Severity::Error, "'" + request.input + "': " + problem);
    return nullptr;
  };
  SpecConstants constants;
  for (StringRef option : request.languageArgs)
    if (option.consume_front(kSpecConstantOption) && !addSpecConstant(constants, option))
      return report("'" + option + "' is not a value of a specialization constant: <id>=<number>");
  auto bytes = MemoryBuffer::getFile(request.input, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!bytes)
    return report(bytes.getError().message());
  std::string problem;
  bool isBitcode = identify_magic((*bytes)->getBuffer()) == file_magic::bitcode;
  std::unique_ptr<Module> module = isBitcode ? readBitcode(**bytes, context, problem)
                                             : read(**bytes, constants, context, problem);
  if (!module)
    return report(problem);
  module->setModuleIdentifier(request.input);
  module->setSourceFileName(request.input);
  return module;
}

} // namespace vx::spirv
