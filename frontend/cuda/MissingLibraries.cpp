// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/cuda/MissingLibraries.h"
#include "frontend/cuda/PreprocessorCallbacks.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace vx {
namespace {

namespace tok = clang::tok;

/// PREFIX: what the names of the library's headers and functions begin with.
struct Library {
  StringLiteral prefix, name;
};

// The first row that fits is taken.
constexpr Library kLibraries[] = {
    {"cublasLt", "cuBLASLt"}, {"cusolver", "cuSOLVER"}, {"cudnn", "cuDNN"},
    {"cutensor", "cuTENSOR"}, {"nccl", "NCCL"},         {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},     {"nvgraph", "nvGRAPH"},   {"nvml", "NVML"},
};

const Library *libraryOf(StringRef header) {
  StringRef name = sys::path::filename(header);
  const auto *row =
      find_if(kLibraries, [&](const Library &l) { return name.starts_with(l.prefix); });
  return row == std::end(kLibraries) ? nullptr : row;
}

/// The names of a library that a source uses.
struct Uses {
  bool any = false;
  std::set<std::string> calls;
};

Uses findUses(StringRef text, StringRef prefix, const clang::LangOptions &language) {
  Uses uses;
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token, next;
  bool directive = false; // its includes name the library, too
  lexer.LexFromRawLexer(token);
  while (token.isNot(tok::eof)) {
    if (token.isAtStartOfLine())
      directive = token.is(tok::hash);
    lexer.LexFromRawLexer(next);
    if (!directive && token.is(tok::raw_identifier) &&
        token.getRawIdentifier().starts_with_insensitive(prefix)) {
      uses.any = true;
      if (next.is(tok::l_paren) && token.getRawIdentifier().starts_with(prefix))
        uses.calls.insert(token.getRawIdentifier().str());
    }
    token = next;
  }
  return uses;
}

class NotFound : public clang::PPCallbacks {
public:
  explicit NotFound(clang::Preprocessor &pp) : pp(pp) {}

  /// Returns true to keep clang silent; the directive is reported next.
  bool FileNotFound(StringRef header) override { return libraryOf(header); }

  void InclusionDirective(clang::SourceLocation, const clang::Token &, StringRef header, bool,
                          clang::CharSourceRange place, clang::OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (!file)
      if (const Library *library = libraryOf(header))
        report(place.getBegin(), header, *library);
  }

private:
  void report(clang::SourceLocation place, StringRef header, const Library &library) {
    clang::SourceManager &sources = pp.getSourceManager();
    std::string text = sources.getBufferData(sources.getFileID(place)).str(); // read up to a zero
    Uses uses = findUses(text, library.prefix, pp.getLangOpts());
    std::string what =
        "'" + header.str() + "' is of " + library.name.str() + ", which vxcc does not have";
    if (!uses.calls.empty())
      what += "; this file calls " + join(uses.calls, ", ");
    auto level = uses.any ? clang::DiagnosticsEngine::Fatal : clang::DiagnosticsEngine::Warning;
    clang::DiagnosticsEngine &diagnostics = pp.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(level, "%0")) << what;
  }

  clang::Preprocessor &pp;
};

} // namespace

void explainMissingLibraries(clang::CompilerInstance &instance) {
  if (instance.getInvocation().getLangOpts().CUDA)
    addCallbacks(instance, [](clang::Preprocessor &pp) { return std::make_unique<NotFound>(pp); });
}

} // namespace vx
