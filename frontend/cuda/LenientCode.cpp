// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/cuda/LenientCode.h"
#include "frontend/cuda/ExecutionSpaces.h"
#include "frontend/cuda/LostErrors.h"
#include "frontend/cuda/OwnBuiltins.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace vx {

/// A place in the text of a file.
struct LenientCode::Place {
  File &file;
  size_t offset;

  StringRef rest() const { return StringRef(file.text).drop_front(offset); }
  void replace(size_t length, StringRef text) { file.changes[offset] = {length, text.str()}; }
};

namespace {

struct Word {
  clang::tok::TokenKind kind;
  size_t begin;
  StringRef text;
};

/// Returns the tokens of TEXT before END.
std::vector<Word> wordsBefore(StringRef text, size_t end) {
  std::vector<Word> words;
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = true; // has raw strings and constexpr
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token;
  while (true) {
    lexer.LexFromRawLexer(token);
    size_t begin = lexer.getBufferLocation() - text.begin() - token.getLength();
    if (token.is(clang::tok::eof) || begin >= end)
      return words;
    words.push_back({token.getKind(), begin, text.substr(begin, token.getLength())});
  }
}

/// Returns the place of the "constexpr" of the function that the end of WORDS is in.
std::optional<size_t> findConstexpr(ArrayRef<Word> words) {
  namespace tok = clang::tok;
  unsigned depth = 0;
  bool inHead = false; // between the end of a declaration and the brace of its body
  for (size_t i = words.size(); i-- > 0;) {
    switch (words[i].kind) {
    case tok::r_brace:
      ++depth;
      inHead = false;
      break;
    case tok::l_brace:
      inHead = depth == 0;
      depth -= depth != 0;
      break;
    case tok::semi:
      inHead = false;
      break;
    default:
      // This is not the one of "if constexpr".
      if (inHead && words[i].text == "constexpr" && (i == 0 || words[i - 1].text != "if"))
        return words[i].begin;
    }
  }
  return std::nullopt;
}

constexpr StringLiteral kThis = "this->", kTypeOfThis = "__vx_bare<decltype(*this)>::type::";

} // namespace

void LenientCode::note(const clang::Diagnostic &info) {
  namespace diag = clang::diag;
  if (info.getID() == lateExecutionSpace(*info.getDiags())) {
    const clang::FixItHint &hint = info.getFixItHint(0);
    return change(info, [&](Place place) { place.replace(0, hint.CodeToInsert); });
  }
  if (info.getID() == lostError(*info.getDiags())) {
    wantsAtOnce = true;
    return;
  }
  if (std::string builtin = ownBuiltinOf(info); !builtin.empty()) {
    wantedBuiltins.insert(builtin);
    return;
  }
  switch (info.getID()) {
  case diag::err_missing_dependent_template_keyword:
  case diag::err_template_kw_missing:
    return change(info, [](Place place) { place.replace(0, "template "); });
  case diag::err_typename_missing:
  case diag::err_typename_missing_template:
    return change(info, [](Place place) { place.replace(0, "typename "); });
  case diag::err_found_in_dependent_base:
    return change(info, [](Place place) { place.replace(0, "this->"); });
  case diag::err_no_member_suggest:
    // nvcc's device half does not look at templates that it does not need.
    if (info.getNumFixItHints() == 1 &&
        StringRef(info.getFixItHint(0).CodeToInsert).starts_with("std::"))
      return change(info, info.getFixItHint(0).RemoveRange.getEnd(), [](Place place) {
        if (StringRef before = StringRef(place.file.text).take_front(place.offset).rtrim();
            before.consume_back("::") ? before.rtrim().ends_with("using") : before.ends_with("("))
          place.replace(0, "std::");
      });
    return;
  case diag::err_bound_member_function:
    return change(info, [](Place place) {
      StringRef rest = place.rest().drop_while([](char c) { return isAlnum(c) || c == '_'; });
      rest.consume_front("()"); // of operator()
      if (rest.ltrim().starts_with("<"))
        place.replace(0, "template ");
    });
  case diag::err_constexpr_if_condition_expression_is_not_constant:
    return change(info, [](Place place) {
      if (place.rest().starts_with(kThis))
        place.replace(kThis.size(), kTypeOfThis);
    });
  case diag::err_typecheck_incomplete_tag:
  case diag::err_incomplete_member_access:
    wantsDelay = true;
    return;
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
    wantsDelay |= isDevice;
    return;
  case diag::err_param_default_argument_member_template_redecl:
    return removeDefaultArgument(info);
  case diag::err_constexpr_local_var_non_literal_type:
    return change(info, [](Place place) {
      if (auto at = findConstexpr(wordsBefore(place.file.text, place.offset)))
        Place{place.file, *at}.replace(StringRef("constexpr").size(), "inline   ");
    });
  default:
    return;
  }
}

/// A call that needs the default argument is an error then: the class does not have it.
void LenientCode::removeDefaultArgument(const clang::Diagnostic &info) {
  if (!info.getNumRanges() || info.getRange(0).getBegin().isMacroID())
    return;
  const clang::SourceManager &sources = info.getSourceManager();
  clang::SourceLocation last = info.getRange(0).getEnd();
  clang::SourceLocation end =
      clang::Lexer::getLocForEndOfToken(last, 0, sources, clang::LangOptions());
  if (end.isInvalid())
    return;
  change(info, info.getRange(0).getBegin(), [&](Place place) {
    size_t equals = StringRef(place.file.text).take_front(place.offset).rfind('=');
    size_t length = sources.getFileOffset(end) - equals;
    if (equals == StringRef::npos ||
        !StringRef(place.file.text).slice(equals + 1, place.offset).trim().empty())
      return;
    std::string lines(StringRef(place.file.text).substr(equals, length).count('\n'), '\n');
    Place{place.file, equals}.replace(length, lines);
  });
}

void LenientCode::change(const clang::Diagnostic &info, function_ref<void(Place)> make) {
  if (info.getLocation().isFileID())
    change(info, info.getLocation(), make);
}

void LenientCode::change(const clang::Diagnostic &info, clang::SourceLocation at,
                         function_ref<void(Place)> make) {
  if (!info.hasSourceManager() || !at.isValid())
    return;
  const clang::SourceManager &sources = info.getSourceManager();
  auto [id, offset] = sources.getDecomposedSpellingLoc(at);
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(id);
  if (!entry)
    return;
  File &file = files[entry->getName().str()];
  if (file.text.empty())
    file.text = sources.getBufferData(id).str();
  make(Place{file, offset});
}

bool LenientCode::apply() {
  bool any = (wantsDelay && !delays) || (wantsAtOnce && !atOnce);
  delays |= wantsDelay;
  atOnce |= wantsAtOnce;
  any |= wantedBuiltins != builtins;
  builtins = wantedBuiltins;
  for (auto &[name, file] : files) {
    if (file.changes.empty())
      continue;
    any = true;
    for (const auto &[at, change] : reverse(file.changes))
      file.text.replace(at, change.length, change.text);
    changed[name] = std::move(file.text);
  }
  files.clear();
  return any;
}

IntrusiveRefCntPtr<vfs::FileSystem>
LenientCode::over(IntrusiveRefCntPtr<vfs::FileSystem> files) const {
  if (changed.empty())
    return files;
  auto inMemory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  if (auto folder = files->getCurrentWorkingDirectory())
    inMemory->setCurrentWorkingDirectory(*folder);
  for (const auto &[name, text] : changed)
    inMemory->addFile(name, 0, MemoryBuffer::getMemBufferCopy(text, name));
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(files));
  both->pushOverlay(std::move(inMemory));
  return both;
}

} // namespace vx
