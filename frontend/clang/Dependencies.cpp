// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/Dependencies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace vx {

std::string quoteForMake(StringRef name) {
  std::string quoted;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (c == ' ' || c == '\t') {
      // Make halves backslashes before a blank.
      for (size_t j = i; j > 0 && name[j - 1] == '\\'; --j)
        quoted += '\\';
      quoted += '\\';
    } else if (c == '#') {
      quoted += '\\';
    } else if (c == '$') {
      quoted += '$';
    }
    quoted += c;
  }
  return quoted;
}

void addPrerequisites(StringRef rule, std::vector<std::string> &files) {
  StringSet<> known;
  for (const std::string &file : files)
    known.insert(file);
  rule.consume_front(kRuleTarget);
  rule.consume_front(":");
  while (!(rule = rule.ltrim()).empty()) {
    if (rule.consume_front("\\\n") || rule.consume_front("\\\r\n"))
      continue;
    size_t end = 0;
    while (end < rule.size() && !isSpace(rule[end]))
      end += rule[end] == '\\' && end + 1 < rule.size() ? 2 : 1;
    StringRef file = rule.take_front(end);
    rule = rule.drop_front(end);
    if (known.insert(file).second)
      files.push_back(file.str());
  }
}

std::string makeRule(ArrayRef<std::string> targets, ArrayRef<std::string> files, bool phony) {
  constexpr size_t lineEnd = 75;
  std::string text = join(targets, " ") + ":";
  size_t column = text.size();
  for (const std::string &file : files) {
    if (column + file.size() + 1 > lineEnd && column > 2) {
      text += " \\\n ";
      column = 1;
    }
    text += " " + file;
    column += file.size() + 1;
  }
  text += "\n";
  if (phony)
    for (const std::string &file : files.drop_front(std::min<size_t>(1, files.size())))
      text += "\n" + file + ":\n";
  return text;
}

} // namespace vx
