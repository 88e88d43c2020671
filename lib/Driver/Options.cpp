// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Options.h"
#include "frontend/DeviceLanguage.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/OptionParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// Joins the words of `-Werror all-warnings`, as nvcc writes it, where C++ compilers know no
/// separate argument.
void joinWerror(SmallVectorImpl<const char *> &argv, StringSaver &saver) {
  static constexpr StringLiteral kinds[] = {
      "all-warnings",           "cross-execution-space-call", "reorder",
      "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
      "deprecated-declarations"};
  for (size_t i = 0; i + 1 < argv.size(); ++i) {
    StringRef arg = argv[i];
    SmallVector<StringRef> values;
    StringRef(argv[i + 1]).split(values, ',');
    bool allKinds = all_of(values, [](StringRef value) { return is_contained(kinds, value); });
    if ((arg == "-Werror" || arg == "--Werror") && allKinds) {
      argv[i] = saver.save(arg + "=" + argv[i + 1]).data();
      argv.erase(argv.begin() + i + 1);
    }
  }
}

/// Rewrites `-optf file` and its spellings as @file.
void rewriteOptionFiles(SmallVectorImpl<const char *> &argv, StringSaver &saver) {
  for (size_t i = 0; i < argv.size(); ++i) {
    StringRef arg = argv[i];
    size_t dashes = arg.find_first_not_of('-');
    if (dashes == 0 || dashes > 2)
      continue;
    arg = arg.drop_front(dashes);
    if (!arg.consume_front("optf") && !arg.consume_front("options-file"))
      continue;
    if (arg.consume_front("="))
      argv[i] = saver.save("@" + arg).data();
    else if (arg.empty() && i + 1 < argv.size()) {
      argv[i] = saver.save(Twine("@") + argv[i + 1]).data();
      argv.erase(argv.begin() + i + 1);
    }
  }
}

} // namespace

std::string Options::deviceFileSuffix() const {
  if (!deviceSuffix.empty())
    return deviceSuffix;
  switch (deviceOutput) {
  case DeviceOutput::Nvvm:
    return "nvvm.ll";
  case DeviceOutput::Ir:
    return "ll";
  case DeviceOutput::Asm:
    return "s";
  case DeviceOutput::Obj:
    return "o";
  case DeviceOutput::Elf:
    return "elf";
  case DeviceOutput::VxBin:
    return "vxbin";
  case DeviceOutput::FatBinary:
    return "fatbin";
  case DeviceOutput::Language:
    return deviceLanguage->suffix.drop_front().str();
  }
  return "";
}

std::optional<Options> parseDeviceOptions(ArrayRef<std::string> given) {
  std::vector<const char *> argv;
  for (const std::string &arg : given)
    argv.push_back(arg.c_str());
  return OptionParser(argv).runForDevice();
}

/// Appends the options in the environment variable NAME, as nvcc's users put them around every
/// command line.
static void appendVariable(const char *name, SmallVectorImpl<const char *> &argv,
                           StringSaver &saver) {
  if (std::optional<std::string> value = sys::Process::GetEnv(name))
    cl::TokenizeGNUCommandLine(*value, saver, argv);
}

ParseResult parseOptions(ArrayRef<const char *> given, const ParseActions &actions) {
  SmallVector<const char *, 32> argv;
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  appendVariable("NVCC_PREPEND_FLAGS", argv, saver);
  argv.append(given.begin(), given.end());
  appendVariable("NVCC_APPEND_FLAGS", argv, saver);
  rewriteOptionFiles(argv, saver);
  for (StringRef arg : argv)
    if (arg.starts_with("@") && !sys::fs::exists(arg.drop_front())) {
      printError("no such file: '" + arg.drop_front() + "'");
      return {std::nullopt, 1};
    }
  cl::ExpansionContext expansion(allocator, cl::TokenizeGNUCommandLine);
  if (Error e = expansion.expandResponseFiles(argv)) {
    printError(toString(std::move(e)));
    return {std::nullopt, 1};
  }
  joinWerror(argv, saver);
  return OptionParser(argv).run(actions);
}

} // namespace vx::driver
