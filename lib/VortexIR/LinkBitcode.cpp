// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/LinkBitcode.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace vx {

Expected<SmallVector<GlobalValue *>> linkBitcode(Module &module, StringRef path,
                                                 function_ref<void(Module &)> prepare) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library = getLazyIRFileModule(path, diagnostic, module.getContext());
  if (!library)
    return createStringError("cannot read " + path + ": " + diagnostic.getMessage());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (prepare)
    prepare(*library);
  SmallVector<std::string> names;
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded,
                          [&](Module &, const StringSet<> &linked) {
                            for (const auto &name : linked)
                              names.push_back(name.first().str());
                          }))
    return createStringError("cannot link " + path);
  SmallVector<GlobalValue *> result;
  for (const std::string &name : names)
    if (GlobalValue *g = module.getNamedValue(name); g && !g->isDeclaration()) {
      g->setLinkage(GlobalValue::InternalLinkage);
      result.push_back(g);
    }
  return result;
}

} // namespace vx
