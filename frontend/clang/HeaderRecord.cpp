// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/HeaderRecord.h"
#include "frontend/cuda/PreprocessorCallbacks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

// Each line of a record begins with one of these.
constexpr StringLiteral kFile = "file ", kAsked = "asked ", kFound = "found ", kNames = "names ";

class AskedHeaders : public clang::PPCallbacks {
public:
  AskedHeaders(StringSet<> &asked, StringSet<> &found) : asked(asked), found(found) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token &, StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, StringRef, StringRef,
                          const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    asked.insert(name);
  }
  void HasInclude(clang::SourceLocation, StringRef name, bool, clang::OptionalFileEntryRef file,
                  clang::SrcMgr::CharacteristicKind) override {
    asked.insert(name);
    if (file)
      found.insert(file->getName());
  }

private:
  StringSet<> &asked, &found;
};

/// Calls VISIT with the rest of each line that begins with PREFIX, until it returns false.
bool forEach(StringRef text, StringRef prefix, function_ref<bool(StringRef)> visit) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    if (line.consume_front(prefix) && !visit(line))
      return false;
    text = rest;
  }
  return true;
}

int64_t timeOf(const sys::fs::file_status &status) {
  return status.getLastModificationTime().time_since_epoch().count();
}

} // namespace

HeaderRecorder::HeaderRecorder(clang::CompilerInstance &instance) {
  addCallbacks(instance, [this](clang::Preprocessor &) {
    return std::make_unique<AskedHeaders>(asked, found);
  });
}

std::string HeaderRecorder::finish(clang::CompilerInstance &instance) const {
  std::string text;
  raw_string_ostream os(text);
  clang::SourceManager &sources = instance.getSourceManager();
  for (auto it = sources.fileinfo_begin(); it != sources.fileinfo_end(); ++it) {
    SmallString<256> path = it->first.getName();
    sys::fs::make_absolute(path);
    sys::fs::file_status status;
    if (!sys::fs::status(path, status)) // else it is of this compilation
      os << kFile << status.getSize() << ' ' << timeOf(status) << ' ' << path << '\n';
  }
  for (const auto &name : asked)
    os << kAsked << name.getKey() << '\n';
  for (const auto &file : found)
    os << kFound << file.getKey() << '\n';
  for (const auto &entry : instance.getPreprocessor().getIdentifierTable())
    os << kNames << entry.getKey() << '\n';
  return text;
}

bool HeaderRecord::isCurrent() const {
  for (StringRef file : filesLookedFor())
    if (!sys::fs::exists(file))
      return false;
  return forEach(text, kFile, [](StringRef line) {
    auto [size, rest] = line.split(' ');
    auto [time, path] = rest.split(' ');
    sys::fs::file_status status;
    return !sys::fs::status(path, status) && size == utostr(status.getSize()) &&
           time == itostr(timeOf(status));
  });
}

std::vector<StringRef> HeaderRecord::filesLookedFor() const {
  std::vector<StringRef> files;
  forEach(text, kFound, [&](StringRef file) {
    files.push_back(file);
    return true;
  });
  llvm::sort(files);
  return files;
}

bool HeaderRecord::names(StringRef identifier) const {
  return text.contains(("\n" + kNames + identifier + "\n").str());
}

bool HeaderRecord::mayAskFor(StringRef folder) const {
  // Most folders lack what the names begin with.
  StringMap<bool> present;
  return !forEach(text, kAsked, [&](StringRef name) {
    SmallString<256> path = folder;
    StringRef first = *sys::path::begin(name);
    sys::path::append(path, first);
    auto [entry, isNew] = present.try_emplace(first);
    if (isNew)
      entry->second = sys::fs::exists(path);
    if (!entry->second || first == name)
      return !entry->second;
    path = folder;
    sys::path::append(path, name);
    return !sys::fs::exists(path);
  });
}

bool HeaderRecord::isNameOf(StringRef path) const {
  return !forEach(text, kAsked, [&](StringRef name) {
    return path != name && !path.ends_with(("/" + name).str());
  });
}

} // namespace vx
