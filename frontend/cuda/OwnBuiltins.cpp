// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/cuda/OwnBuiltins.h"
#include "frontend/cuda/PreprocessorCallbacks.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"

namespace vx {
namespace {

class BuiltinRemover : public clang::PPCallbacks {
public:
  BuiltinRemover(clang::Preprocessor &pp, std::set<std::string> names)
      : pp(pp), names(std::move(names)) {}

  // The first file is entered after the identifiers of builtins were made.
  void FileChanged(clang::SourceLocation, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    clang::IdentifierTable &identifiers = pp.getIdentifierTable();
    for (const std::string &name : names)
      identifiers.get(name).clearBuiltinID();
    names.clear();
  }

private:
  clang::Preprocessor &pp;
  std::set<std::string> names;
};

} // namespace

std::string ownBuiltinOf(const clang::Diagnostic &info) {
  namespace diag = clang::diag;
  bool isConflict = info.getID() == diag::note_previous_builtin_declaration ||
                    info.getID() == diag::err_builtin_definition;
  if (!isConflict || info.getArgKind(0) != clang::DiagnosticsEngine::ak_nameddecl)
    return "";
  auto *builtin = reinterpret_cast<const clang::NamedDecl *>(info.getRawArg(0));
  return builtin->getName().starts_with("__builtin_") ? "" : builtin->getName().str();
}

void forgetBuiltins(clang::CompilerInstance &instance, const std::set<std::string> &names) {
  if (!names.empty())
    addCallbacks(instance, [names](clang::Preprocessor &pp) {
      return std::make_unique<BuiltinRemover>(pp, names);
    });
}

} // namespace vx
