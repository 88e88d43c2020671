// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/Options.h"
#include "frontend/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace vx::nvrtc {
namespace {

enum class Kind { Flag, Value };
enum class Handler {
  Architecture,
  Relocatable,
  WholeProgram,
  LinkTime,
  OptixIr,
  Debug,
  DebugOptimized,
  Fmad,
  FastMath,
  Define,
  Undefine,
  IncludePath,
  PreInclude,
  NoSourceInclude,
  Standard,
  NoWarnings,
  DefaultDevice,
  Brief,
  TimeFile,
  Lower,
  Number,
  Ignored,
};

struct Row {
  StringLiteral longName, shortName;
  Kind kind;
  Handler handler;
};

constexpr Row kRows[] = {
#define VX_NVRTC_OPTION(LONG, SHORT, KIND, HANDLER) {LONG, SHORT, Kind::KIND, Handler::HANDLER},
#include "runtime/nvrtc/Options.def"
};

constexpr int kArchitectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
constexpr StringLiteral kStandards[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};

/// Returns true for an option of one letter whose value may be attached.
bool isAttached(StringRef option, const Row &row) {
  return row.kind == Kind::Value && row.shortName.size() == 2 && option.size() > 2 &&
         option.starts_with(row.shortName);
}

bool readArchitecture(StringRef name, Options &options) {
  bool isReal = name.consume_front("sm_");
  if (!isReal && !name.consume_front("compute_") && !name.consume_front("lto_"))
    return false;
  if (name == "90a")
    name = "90";
  int number = 0;
  options.wantsImage = isReal;
  return !name.getAsInteger(10, number) && is_contained(kArchitectures, number);
}

/// Applies ROW; false if VALUE is not one that it may have.
bool apply(const Row &row, StringRef value, bool flag, Options &options) {
  auto pass = [&](StringRef option) { options.clangArgs.push_back((option + value).str()); };
  switch (row.handler) {
  case Handler::Architecture:
    return readArchitecture(value, options);
  case Handler::Relocatable:
    options.relocatable = flag;
    return true;
  case Handler::WholeProgram:
    options.relocatable = !flag;
    return true;
  case Handler::LinkTime:
    options.linkTime = flag;
    return true;
  case Handler::OptixIr:
    return !flag;
  case Handler::Debug:
    options.debug = flag;
    return true;
  case Handler::DebugOptimized:
    options.optimizeDebug = value == "on";
    return value == "on" || value == "off";
  case Handler::Fmad:
    options.contractFp = flag;
    return true;
  case Handler::FastMath:
    options.fastMath = flag;
    return true;
  case Handler::Define:
    pass("-D");
    return !value.empty();
  case Handler::Undefine:
    pass("-U");
    return !value.empty();
  case Handler::IncludePath:
    if (!value.empty() && !hasToolkitHeaders(value))
      pass("-I");
    return true;
  case Handler::PreInclude:
    options.clangArgs.push_back("-include");
    options.clangArgs.push_back(value.str());
    return !value.empty();
  case Handler::NoSourceInclude:
    options.sourceInclude = !flag;
    return true;
  case Handler::Standard:
    pass("-std=");
    return is_contained(kStandards, value);
  case Handler::NoWarnings:
    if (flag)
      options.clangArgs.push_back("-w");
    return true;
  case Handler::DefaultDevice:
    options.defaultDevice = flag;
    return true;
  case Handler::Brief:
    options.brief = flag;
    return true;
  case Handler::TimeFile:
    options.timeFile = value.str();
    return !value.empty();
  case Handler::Lower:
    options.lowering = value == "hw"   ? abi::Lowering::Hw
                       : value == "sw" ? abi::Lowering::Sw
                                       : abi::Lowering::Auto;
    return value == "hw" || value == "sw" || value == "auto";
  case Handler::Number: {
    unsigned number;
    return !value.getAsInteger(10, number);
  }
  case Handler::Ignored:
    return true;
  }
  llvm_unreachable("covered switch");
}

} // namespace

ArrayRef<int> architectures() {
  return kArchitectures;
}

std::optional<Options> parseOptions(ArrayRef<const char *> given, std::string &message) {
  Options options;
  auto fail = [&](const Twine &text) {
    message = ("nvrtc: error: " + text + "\n").str();
    return std::nullopt;
  };
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i])
      return fail("option " + Twine(unsigned(i)) + " is a null pointer");
    StringRef text = StringRef(given[i]).trim();
    // The value may be in the same string, after `=` or white space.
    StringRef name = text.take_until([](char c) { return c == '=' || c == ' '; });
    std::optional<StringRef> value;
    if (name.size() < text.size())
      value = text.drop_front(name.size() + 1).trim();
    const Row *row =
        find_if(kRows, [&](const Row &r) { return name == r.longName || name == r.shortName; });
    if (row == std::end(kRows)) {
      const DeviceOption *option = findDeviceOption(name.ltrim('-'));
      if (option && name.starts_with("-")) {
        if (option->takesValue() && !value && i + 1 < given.size() && given[i + 1])
          value = StringRef(given[++i]).trim();
        if (!option->set(options.device, value))
          return fail("invalid value for " + name + ": expected " + option->expected());
        continue;
      }
      row = find_if(kRows, [&](const Row &r) { return isAttached(text, r); });
      if (row == std::end(kRows))
        return fail("unrecognized option " + text + " found");
      value = text.drop_front(row->shortName.size());
    }
    bool flag = true;
    if (row->kind == Kind::Flag && value) {
      if (*value != "true" && *value != "false")
        return fail(Twine(row->longName) + " (" + row->shortName + ") expects true or false");
      flag = *value == "true";
    }
    // -dopt stands alone, too.
    if (row->kind == Kind::Value && !value) {
      if (row->handler == Handler::DebugOptimized)
        value = "on";
      else if (i + 1 < given.size() && given[i + 1])
        value = StringRef(given[++i]).trim();
      else if (row->handler == Handler::IncludePath)
        value = "";
      else
        return fail("missing value for " + Twine(row->longName) + " (" + row->shortName + ")");
    }
    bool isValid = apply(*row, value.value_or(""), flag, options);
    if (!isValid && row->handler == Handler::Number)
      return fail(Twine(row->longName) + " (" + row->shortName + ") expects an integer value");
    if (!isValid)
      return fail("invalid value for " + Twine(row->longName) + " (" + row->shortName + ")");
  }
  if (options.device.forCheckers) // reports name local arrays; returns are marked
    for (const char *word : {"-fno-discard-value-names", "-D__VX_MARK_RETURNS__"})
      options.clangArgs.push_back(word);
  options.device.optLevel = options.optLevel();
  return options;
}

} // namespace vx::nvrtc
