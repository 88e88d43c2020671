// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options are those of compute-sanitizer as far as they mean something here, and a few more.

#include "tools/vxcc-check/Options.h"
#include "simulator/api/CheckerNames.h"
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace vx::check {

namespace {

struct Row {
  const char *name;   ///< with its dashes
  const char *letter; ///< a short form, or empty
  /// "NAME": any value; "a|b": one of these, the first one where the value is left out; empty:
  /// none.
  const char *form;
  const char *help; ///< empty: how it is here anyway, so that only that value is taken
  /// Keeps VALUE. Returns what is wrong with it; empty: nothing. Null: there is nothing to keep.
  std::string (*keep)(Options &options, const std::string &value);
};

bool isYes(const std::string &value) {
  return value != "no";
}

/// Reads VALUE, a number up to MOST, into NUMBER.
template <typename T>
std::string readNumber(const std::string &value, unsigned long most, T &number) {
  char *end;
  unsigned long read = std::strtoul(value.c_str(), &end, 10);
  if (value.empty() || value[0] < '0' || value[0] > '9' || *end || read > most)
    return "it is a number up to " + std::to_string(most);
  number = T(read);
  return {};
}

template <std::string Options::*Member>
std::string keepText(Options &options, const std::string &value) {
  options.*Member = value;
  // The settings of a simulator are separated by commas.
  return Member != &Options::tools && value.find(',') != std::string::npos
             ? "there is a comma in it"
             : "";
}
template <bool Options::*Member> std::string keepFlag(Options &options, const std::string &value) {
  options.*Member = isYes(value);
  return {};
}
std::string keepTools(Options &options, const std::string &value) {
  options.tools = value;
  return sim::complainOfCheckers(value);
}
std::string keepLimit(Options &options, const std::string &value) {
  return readNumber(value, 1000000000, options.printLimit);
}
std::string keepExitCode(Options &options, const std::string &value) {
  return readNumber(value, 255, options.errorExitCode);
}

const Row kRows[] = {
    {"--tool", "-t", "NAMES",
     "the checkers, joined by commas: memcheck, racecheck, initcheck, synccheck (default: "
     "memcheck)",
     keepTools},
    {"--leak-check", "", "full|no",
     "memcheck: report device memory that is not freed at the end (default: no)",
     keepFlag<&Options::leaks>},
    {"--report-api-errors", "", "all|explicit|no",
     "memcheck: report calls of the CUDA API that fail (default: explicit, which is the same as "
     "all)",
     keepFlag<&Options::apiErrors>},
    {"--error-exitcode", "", "N",
     "the exit code if the program ends with 0 and there are errors (default: 0)", keepExitCode},
    {"--print-limit", "", "N", "print the first N errors only; all are counted (default: 0, all)",
     keepLimit},
    {"--log-file", "", "FILE", "write the reports to FILE instead of stderr",
     keepText<&Options::log>},
    {"--save", "", "FILE",
     "write all findings to FILE, as XML if its name ends in .xml, else as JSON",
     keepText<&Options::save>},
    {"--xml", "", "yes|no", "the file of --save is XML, whatever its name",
     keepFlag<&Options::xml>},
    {"--mode", "", "functional|timing", "how to simulate", keepText<&Options::mode>},
    {"--help", "-h", "", "print this help", nullptr},
    {"--version", "-V", "", "print the version", nullptr},
    // How it is here anyway.
    {"--target-processes", "", "all", "", nullptr},
    {"--force-blocking-launches", "", "yes", "", nullptr},
    {"--show-backtrace", "", "yes|host|device", "", nullptr},
    {"--racecheck-report", "", "all|analysis", "", nullptr},
    {"--racecheck-detect-level", "", "info|warn|error", "", nullptr},
    {"--check-device-heap", "", "yes", "", nullptr},
    {"--check-exit-code", "", "yes", "", nullptr},
    {"--require-cuda-init", "", "yes", "", nullptr},
    {"--print-level", "", "info|warn|error", "", nullptr},
    {"--destroy-on-device-error", "", "kernel|context", "", nullptr},
};

bool isChoice(const Row &row) {
  return std::strchr(row.form, '|') || (*row.form >= 'a' && *row.form <= 'z');
}

/// Returns true if VALUE is one of the choices of FORM.
bool isOneOf(std::string_view form, std::string_view value) {
  while (!form.empty()) {
    size_t end = std::min(form.find('|'), form.size());
    if (form.substr(0, end) == value)
      return true;
    form.remove_prefix(std::min(form.size(), end + 1));
  }
  return false;
}

/// Finds the row of ARGUMENT. HASVALUE and VALUE: what follows in it after `=`.
const Row *find(std::string_view argument, bool &hasValue, std::string &value) {
  size_t end = std::min(argument.find('='), argument.size());
  hasValue = end < argument.size();
  if (hasValue)
    value = argument.substr(end + 1);
  argument = argument.substr(0, end);
  for (const Row &row : kRows)
    if (argument == row.name || (*row.letter && argument == row.letter))
      return &row;
  return nullptr;
}

/// Checks and keeps VALUE of ROW. Returns what is wrong; empty: nothing.
std::string keep(const Row &row, const std::string &value, Options &options) {
  std::string wrong;
  if (isChoice(row) && !isOneOf(row.form, value))
    wrong = std::string(*row.help ? "it is " : "here it is ") + row.form;
  else if (row.keep)
    wrong = row.keep(options, value);
  return wrong.empty() ? "" : std::string(row.name) + "=" + value + ": " + wrong;
}

/// Reads the option at ARGUMENT, and its value.
std::string readOption(char **&argument, Options &options) {
  bool hasValue;
  std::string value;
  const Row *row = find(*argument, hasValue, value);
  if (!row)
    return std::string("unknown option ") + *argument + "; see --help";
  if (!*row->form) {
    options.wantsHelp |= !std::strcmp(row->name, "--help");
    options.wantsVersion |= !std::strcmp(row->name, "--version");
    return {};
  }
  bool mayLackValue = isOneOf(row->form, "yes") || isOneOf(row->form, "no");
  if (!hasValue && mayLackValue &&
      !(argument[1] && isOneOf(row->form, argument[1]))) // the word after it is not its value
    value = std::string_view(row->form).substr(0, std::string_view(row->form).find('|'));
  else if (!hasValue && !argument[1])
    return std::string(row->name) + " needs a value, " + row->form;
  else if (!hasValue)
    value = *++argument;
  return keep(*row, value, options);
}

} // namespace

std::string readOptions(char **arguments, Options &options) {
  for (char **a = arguments; *a; ++a) {
    bool isLastOption = !std::strcmp(*a, "--");
    if (**a != '-' || (isLastOption && a[1])) {
      options.program = a + isLastOption;
      return options.xml && options.save.empty() ? "--xml: there is no --save=FILE" : "";
    }
    if (isLastOption)
      break;
    if (std::string wrong = readOption(a, options); !wrong.empty())
      return wrong;
    if (options.wantsHelp || options.wantsVersion)
      return {};
  }
  return "no program is given; see --help";
}

std::string helpText(const std::string &command) {
  std::string text = "usage: " + command +
                     " [options] program [arguments]\n\n"
                     "Runs a program that vxcc has built and reports wrong memory accesses of its "
                     "kernels.\n\n",
              others;
  constexpr size_t kColumn = 36;
  for (const Row &row : kRows) {
    std::string left = std::string("  ") + row.name + (*row.form ? "=" : "") + row.form;
    if (!*row.help) {
      others += left + "\n";
      continue;
    }
    left.resize(std::max(kColumn, left.size() + 1), ' ');
    text += left + row.help + "\n";
  }
  return text + "\nOptions of compute-sanitizer that change nothing, since it is so here:\n" +
         others;
}

} // namespace vx::check
