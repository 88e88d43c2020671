// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Translate.h"
#include "frontend/ToolProcess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace vx::spirv {
namespace {

/// The time limit of a translation: modules of a megabyte take about a second. VX_SPIRV_TIMEOUT
/// gives another number of seconds.
constexpr unsigned kSeconds = 60;
constexpr unsigned kMegabytes = 4096;

unsigned secondsAllowed() {
  const char *given = std::getenv("VX_SPIRV_TIMEOUT");
  unsigned seconds = 0;
  return given && !StringRef(given).getAsInteger(10, seconds) && seconds ? seconds : kSeconds;
}

std::optional<std::string> findTranslator() {
  if (const char *given = std::getenv("VX_SPIRV_TRANSLATOR"); given && *given)
    return given;
  if (sys::fs::can_execute(VX_LLVM_SPIRV))
    return VX_LLVM_SPIRV;
  for (const char *name : {"llvm-spirv-15", "llvm-spirv"})
    if (auto found = sys::findProgramByName(name))
      return *found;
  return std::nullopt;
}

/// Returns the first line of REST, what the translator has printed, without the stack that follows
/// a failed assertion.
std::string firstWords(StringRef rest) {
  rest = rest.take_front(std::min(rest.find("PLEASE submit"), rest.find("Stack dump")));
  auto [first, more] = rest.trim().split('\n');
  // "program: file:line: function: Assertion `what' failed."
  size_t assertion = first.find("Assertion `");
  return (assertion == StringRef::npos ? first : first.drop_front(assertion)).str();
}

template <typename... T> Error error(const T &...parts) {
  std::string text;
  raw_string_ostream os(text);
  (os << ... << parts);
  return createStringError(inconvertibleErrorCode(), text);
}

} // namespace

Expected<std::unique_ptr<MemoryBuffer>> translate(const Words &module) {
  std::optional<std::string> program = findTranslator();
  if (!program)
    return error("SPIR-V needs the program llvm-spirv (Debian's package llvm-spirv-15), which is "
                 "not installed; VX_SPIRV_TRANSLATOR can name it");
  if (!sys::fs::can_execute(*program))
    return error("cannot start ", *program, ": there is no such program");
  TempFile input("spv"), output("bc");
  StringRef bytes(reinterpret_cast<const char *>(module.data()), module.size() * 4);
  if (output.path.empty() || !input.write(bytes))
    return error("cannot write temporary files for the SPIR-V translator");
  unsigned seconds = secondsAllowed();
  ToolRun run = runTool(*program,
                        {"-r", "--spirv-target-env=CL2.0", "--spirv-gen-kernel-arg-name-md",
                         input.path, "-o", output.path},
                        {seconds, kMegabytes});
  if (!run.isStarted)
    return error("cannot start ", *program, ": ", run.problem);
  if (run.isTimedOut)
    return error("the SPIR-V translator takes more than ", seconds,
                 seconds == 1 ? " second" : " seconds");
  if (run.code) {
    std::string said = firstWords(run.output);
    return error("the SPIR-V translator cannot read this module: ",
                 said.empty() ? run.problem : said);
  }
  auto result = output.read();
  if (!result)
    return error("the SPIR-V translator has written nothing: ", result.getError().message());
  return std::move(*result);
}

} // namespace vx::spirv
