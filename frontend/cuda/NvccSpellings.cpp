// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/cuda/NvccSpellings.h"
#include "frontend/cuda/PreprocessorCallbacks.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace vx {
namespace {

namespace tok = clang::tok;

struct Piece {
  tok::TokenKind kind;
  size_t begin, end; ///< in the text
  bool startsLine;
  bool inDirective;
};

bool isOpening(tok::TokenKind kind) {
  return kind == tok::l_paren || kind == tok::l_square || kind == tok::l_brace;
}
bool isClosing(tok::TokenKind kind) {
  return kind == tok::r_paren || kind == tok::r_square || kind == tok::r_brace;
}

/// Returns true if C stands in TEXT with only blanks between it and an occurrence of BEFORE.
bool followsBlank(StringRef text, StringRef before, StringRef any, bool needsBlank) {
  for (size_t at = text.find(before); at != StringRef::npos; at = text.find(before, at + 1)) {
    StringRef rest = text.drop_front(at + before.size());
    StringRef next = rest.ltrim(" \t\r\n\\");
    if (!next.empty() && any.contains(next.front()) && (!needsBlank || next.size() < rest.size()))
      return true;
  }
  return false;
}

class Rewriter {
public:
  Rewriter(StringRef text, const clang::LangOptions &language) : text(text), result(text) {
    read(language);
  }

  std::optional<std::string> run() {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (opensLaunch(i))
        closeLaunch(i);
      else if (isAsm(i))
        correctAsm(i);
      else if (callsMemberTemplate(i))
        insert(pieces[i + 1].begin, "template ");
      else if (isPragmaOfMacro(i))
        makeOperator(i);
    }
    if (!changed)
      return std::nullopt;
    for (auto [at, what] : reverse(insertions))
      if (what == "," && (text[at] == ' ' || text[at] == '\t'))
        result[at] = what.front();
      else
        result.insert(at, what);
    return std::move(result);
  }

private:
  void read(const clang::LangOptions &language) {
    clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
    clang::Token token;
    bool directive = false;
    do {
      lexer.LexFromRawLexer(token);
      // The lexer stands after the token.
      size_t end = lexer.getBufferLocation() - text.begin();
      size_t begin = end - token.getLength();
      if (token.isAtStartOfLine())
        directive = token.is(tok::hash);
      pieces.push_back({token.getKind(), begin, end, token.isAtStartOfLine(), directive});
    } while (token.isNot(tok::eof));
  }

  StringRef spelling(size_t i) const { return text.slice(pieces[i].begin, pieces[i].end); }

  tok::TokenKind kind(size_t i) const { return i < pieces.size() ? pieces[i].kind : tok::eof; }

  /// Returns true if piece I is not of the directive, or the text, that piece START is of.
  bool leaves(size_t start, size_t i) const {
    return kind(i) == tok::eof ||
           (pieces[i].startsLine && (pieces[start].inDirective || pieces[i].inDirective));
  }

  /// Returns true if pieces I and I + 1 are of these kinds with only blanks between them.
  bool isSpaced(size_t i, tok::TokenKind first, tok::TokenKind second) const {
    if (kind(i) != first || kind(i + 1) != second || leaves(i, i + 1))
      return false;
    StringRef gap = text.slice(pieces[i].end, pieces[i + 1].begin);
    return !gap.empty() && gap.ltrim(" \t\r\n\\").empty();
  }

  /// Moves piece I + 1 to piece I, and the blanks between them after both.
  void join(size_t i) {
    size_t from = pieces[i].end, to = pieces[i + 1].begin;
    result[from] = text[to];
    for (size_t at = from; at < to; ++at)
      result[at + 1] = text[at];
    changed = true;
  }

  void insert(size_t at, StringLiteral what) {
    insertions.emplace_back(at, what);
    changed = true;
  }

  // --- macros that are pragmas ---

  /// Returns true if piece I is the # of "# pragma name" that a macro without parameters stands
  /// for.
  bool isPragmaOfMacro(size_t i) const {
    return i > 2 && kind(i) == tok::hash && pieces[i - 3].startsLine && pieces[i].inDirective &&
           !pieces[i].startsLine && spelling(i - 2) == "define" && spelling(i + 1) == "pragma" &&
           !leaves(i, i + 1) && !leaves(i, i + 2);
  }

  void makeOperator(size_t i) {
    result[pieces[i].begin] = ' ';
    result.replace(pieces[i + 1].begin - 1, 2, "_P");
    size_t last = i + 2;
    insert(pieces[last].begin, "(\"");
    for (; !leaves(i, last); ++last)
      for (size_t at = pieces[last].begin; at < pieces[last].end; ++at)
        if (text[at] == '"' || text[at] == '\\')
          insert(at, "\\");
    insert(pieces[last - 1].end, "\")");
  }

  // --- calls of member templates ---

  /// Returns true if piece I is the second "::" of X<T>::name<3>(…), with constants for arguments;
  /// as a comparison of what a comparison yields it would make little sense.
  bool callsMemberTemplate(size_t i) const {
    if (i == 0 || kind(i) != tok::coloncolon || kind(i - 1) != tok::greater ||
        kind(i + 1) != tok::raw_identifier || spelling(i + 1) == "template" ||
        kind(i + 2) != tok::less || specializes(i))
      return false;
    size_t end = i + 3;
    while (is_contained({tok::numeric_constant, tok::raw_identifier, tok::coloncolon, tok::comma},
                        kind(end)) &&
           !leaves(i, end))
      ++end;
    return end > i + 3 && kind(end) == tok::greater && kind(end + 1) == tok::l_paren &&
           !leaves(i, end + 1);
  }

  /// Returns true if the statement of piece I begins with "template <>" or "friend": it declares a
  /// member.
  bool specializes(size_t i) const {
    while (i > 0 && !is_contained({tok::semi, tok::l_brace, tok::r_brace}, kind(i - 1)) &&
           pieces[i - 1].inDirective == pieces[i].inDirective)
      --i;
    return spelling(i) == "friend" || (spelling(i) == "template" && kind(i + 2) == tok::greater);
  }

  // --- launches ---

  /// Returns true if piece I begins a launch: "<< <" can begin nothing else, except in operator<<
  /// <char>(…).
  bool opensLaunch(size_t i) const {
    if (kind(i) == tok::lesslessless)
      return true;
    return isSpaced(i, tok::lessless, tok::less) && (i == 0 || spelling(i - 1) != "operator");
  }

  /// Puts the launch right that piece OPEN begins, if it has an end. ">> >" is the end only where
  /// there is no ">>>".
  void closeLaunch(size_t open) {
    bool spacedOpen = kind(open) == tok::lessless;
    size_t spacedClose = 0;
    unsigned depth = 0, commas = 0;
    llvm::SmallVector<size_t, 2> braced; // what is to be of type dim3
    for (size_t i = open + (spacedOpen ? 2 : 1); !leaves(open, i); ++i) {
      if (depth == 0 && (kind(i) == tok::semi || isClosing(kind(i)) || opensLaunch(i)))
        break;
      commas += depth == 0 && kind(i) == tok::comma;
      bool begins = i == open + (spacedOpen ? 2 : 1) || kind(i - 1) == tok::comma;
      if (depth == 0 && begins && commas < 2 && kind(i) == tok::l_brace)
        braced.push_back(pieces[i].begin);
      depth += isOpening(kind(i));
      depth -= isClosing(kind(i));
      if (depth)
        continue;
      if (kind(i) == tok::greatergreatergreater) {
        if (spacedOpen)
          join(open);
        for (size_t at : braced)
          insert(at, "dim3");
        return;
      }
      bool ends = kind(i + 2) == tok::l_paren || leaves(open, i + 2);
      if (!spacedClose && isSpaced(i, tok::greatergreater, tok::greater) && ends)
        spacedClose = i;
    }
    if (!spacedClose)
      return;
    if (spacedOpen)
      join(open);
    join(spacedClose);
    for (size_t at : braced)
      insert(at, "dim3");
  }

  // --- asm statements ---

  bool isAsm(size_t i) const {
    return kind(i) == tok::raw_identifier && is_contained({"asm", "__asm", "__asm__"}, spelling(i));
  }

  void correctAsm(size_t start) {
    size_t i = start + 1;
    while (kind(i) == tok::raw_identifier && !leaves(start, i)) // volatile, goto, inline
      ++i;
    if (kind(i) != tok::l_paren)
      return;
    escapeRegisters(start, i + 1);
    separateOperands(start, i);
  }

  /// Doubles the % of "%laneid" and "%p;" in the text of a statement with operands, which starts at
  /// piece I: clang would read a modifier and the number of an operand.
  void escapeRegisters(size_t start, size_t i) {
    size_t first = i;
    while (kind(i) == tok::string_literal && !leaves(start, i))
      ++i;
    if (kind(i) != tok::colon && kind(i) != tok::coloncolon)
      return;
    for (; first < i; ++first) {
      StringRef literal = spelling(first);
      for (size_t at = literal.find('%'); at != StringRef::npos; at = literal.find('%', at + 2)) {
        StringRef rest = literal.drop_front(at + 1);
        if (rest.size() < 2 || !isAlpha(rest[0]) || isDigit(rest[1]) || rest[1] == '[')
          continue;
        insert(pieces[first].begin + at, "%");
      }
    }
  }

  /// Notes a comma between an operand, "r"(x), and the next one, "r"(y) or [y] "r"(y), of the
  /// statement whose parenthesis is piece I.
  void separateOperands(size_t start, size_t i) {
    unsigned depth = 0;
    bool operands = false, operand = false;
    for (; !leaves(start, i); ++i) {
      if (depth == 1 && isOpening(kind(i)))
        operand = operands && kind(i) == tok::l_paren && kind(i - 1) == tok::string_literal;
      depth += isOpening(kind(i));
      depth -= isClosing(kind(i));
      if (depth == 0)
        return;
      if (depth > 1)
        continue;
      operands |= kind(i) == tok::colon || kind(i) == tok::coloncolon;
      bool another = kind(i + 1) == tok::string_literal || kind(i + 1) == tok::l_square;
      if (kind(i) == tok::r_paren && operand && another && !leaves(start, i + 1))
        insert(pieces[i].end, ",");
    }
  }

  StringRef text;
  std::string result;
  std::vector<Piece> pieces;
  std::vector<std::pair<size_t, StringRef>> insertions; ///< insertions by place, ascending
  bool changed = false;
};

/// Returns true if TEXT has "%name" that is not "%%name".
bool namesRegister(StringRef text) {
  for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 2))
    if (at + 1 < text.size() && isAlpha(text[at + 1]))
      return true;
  return false;
}

/// Returns true if TEXT has ">::name<".
bool hasMemberTemplate(StringRef text) {
  for (size_t at = text.find(">::"); at != StringRef::npos; at = text.find(">::", at + 3)) {
    StringRef rest = text.drop_front(at + 3).ltrim();
    StringRef name = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (!name.empty() && name != "template" && rest.drop_front(name.size()).starts_with("<"))
      return true;
  }
  return false;
}

/// Returns true if TEXT has "# pragma" inside a line.
bool hasPragmaInLine(StringRef text) {
  for (size_t at = text.find("pragma"); at != StringRef::npos; at = text.find("pragma", at + 6)) {
    StringRef before = text.take_front(at).rtrim(" \t");
    if (!before.consume_back("#"))
      continue;
    StringRef line = before.drop_front(before.rfind('\n') + 1).ltrim(" \t");
    if (!line.empty() || before.rtrim(" \t\r\n").ends_with("\\"))
      return true;
  }
  return false;
}

/// Returns true if TEXT has a launch with a brace between "<<<" and ">>>".
bool hasBracedLaunch(StringRef text) {
  for (size_t at = text.find("<<<"); at != StringRef::npos; at = text.find("<<<", at + 3))
    if (text.slice(at, text.find(">>>", at))
            .take_until([](char c) { return c == ';'; })
            .contains('{'))
      return true;
  return false;
}

/// Returns true if TEXT may have something to put right. The text of most files has nothing and is
/// not split into tokens.
bool isCandidate(StringRef text) {
  return hasMemberTemplate(text) || hasPragmaInLine(text) || hasBracedLaunch(text) ||
         followsBlank(text, ">>", ">", true) || followsBlank(text, "<<", "<", true) ||
         (text.contains("asm") && (followsBlank(text, ")", "\"[", false) || namesRegister(text)));
}

/// Headers with templates that name members that do not exist, which nvcc finds out only when they
/// are instantiated: optional<T &>::emplace of Thrust 1.17 calls `this->construct`.
constexpr StringLiteral kUncheckedTemplates[] = {"thrust/optional.h"};

/// Replaces the text of each file when it is included, and has templates of those headers parsed
/// when they are instantiated.
class Includes : public clang::PPCallbacks {
public:
  Includes(clang::Preprocessor &pp, clang::LangOptions &language)
      : pp(pp), language(language), delaysAll(language.DelayedTemplateParsing) {}

  void FileChanged(clang::SourceLocation at, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason != EnterFile && reason != ExitFile)
      return;
    clang::SourceManager &sources = pp.getSourceManager();
    auto file = sources.getFileEntryRefForID(sources.getFileID(at));
    language.DelayedTemplateParsing =
        delaysAll || (file && any_of(kUncheckedTemplates, [&](StringRef name) {
                        return file->getName().ends_with(name);
                      }));
  }

  void InclusionDirective(clang::SourceLocation, const clang::Token &, StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (!file || !seen.insert(&file->getFileEntry()).second)
      return;
    clang::SourceManager &sources = pp.getSourceManager();
    auto buffer = sources.getMemoryBufferForFileOrNone(*file);
    if (!buffer)
      return;
    if (auto text = acceptNvccSpellings(buffer->getBuffer(), pp.getLangOpts()))
      sources.overrideFileContents(*file, MemoryBuffer::getMemBufferCopy(*text, file->getName()));
  }

private:
  clang::Preprocessor &pp;
  clang::LangOptions &language;
  bool delaysAll; ///< of all files
  DenseSet<const clang::FileEntry *> seen;
};

} // namespace

std::optional<std::string> acceptNvccSpellings(StringRef text, const clang::LangOptions &language) {
  if (!isCandidate(text))
    return std::nullopt;
  // The lexer reads up to a zero.
  std::string terminated = text.str();
  return Rewriter(terminated, language).run();
}

void acceptNvccSpellings(clang::CompilerInstance &instance) {
  clang::CompilerInvocation &invocation = instance.getInvocation();
  if (!invocation.getLangOpts().CUDA)
    return;
  for (const clang::FrontendInputFile &input : invocation.getFrontendOpts().Inputs) {
    if (!input.isFile())
      continue;
    auto buffer = instance.getVirtualFileSystem().getBufferForFile(input.getFile());
    if (!buffer)
      continue; // clang says so
    if (auto text = acceptNvccSpellings((*buffer)->getBuffer(), invocation.getLangOpts()))
      invocation.getPreprocessorOpts().addRemappedFile(
          input.getFile(), MemoryBuffer::getMemBufferCopy(*text, input.getFile()).release());
  }
  addCallbacks(instance, [&language = invocation.getLangOpts()](clang::Preprocessor &pp) {
    return std::make_unique<Includes>(pp, language);
  });
}

} // namespace vx
