// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/spirv/Translate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace vx::spirv {
namespace {

/// What a translation may take: modules of a megabyte take about a second. VX_SPIRV_TIMEOUT gives
/// another number of seconds.
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

/// A temporary file that is removed with the object.
class TempFile {
public:
  explicit TempFile(StringRef suffix) {
    SmallString<128> created;
    if (!sys::fs::createTemporaryFile("vx-spirv", suffix, created))
      path = created.str().str();
  }
  TempFile(const TempFile &) = delete;
  TempFile &operator=(const TempFile &) = delete;
  ~TempFile() {
    if (!path.empty())
      sys::fs::remove(path);
  }
  std::string path;
};

bool write(const TempFile &file, const Words &module) {
  std::error_code code;
  raw_fd_ostream os(file.path, code);
  os.write(reinterpret_cast<const char *>(module.data()), module.size() * 4);
  os.close();
  bool good = !code && !os.has_error();
  os.clear_error();
  return good;
}

/// What the translator has printed, without the stack that follows a failed assertion.
std::string firstWords(const TempFile &log) {
  auto text = MemoryBuffer::getFile(log.path);
  if (!text)
    return "";
  StringRef rest = (*text)->getBuffer();
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
  TempFile input("spv"), output("bc"), log("txt");
  if (input.path.empty() || output.path.empty() || log.path.empty() || !write(input, module))
    return error("cannot write temporary files for the SPIR-V translator");
  std::string message;
  bool notStarted = false;
  unsigned seconds = secondsAllowed();
  int code = sys::ExecuteAndWait(*program,
                                 {*program, "-r", "--spirv-target-env=CL2.0",
                                  "--spirv-gen-kernel-arg-name-md", input.path, "-o", output.path},
                                 /*Env=*/std::nullopt,
                                 {StringRef(""), StringRef(log.path), StringRef(log.path)}, seconds,
                                 kMegabytes, &message, &notStarted);
  if (notStarted)
    return error("cannot start ", *program, ": ", message);
  std::string said = firstWords(log);
  if (StringRef(message).contains("timed out"))
    return error("the SPIR-V translator takes more than ", seconds,
                 seconds == 1 ? " second" : " seconds");
  if (code)
    return error("the SPIR-V translator cannot read this module: ", said.empty() ? message : said);
  auto result = MemoryBuffer::getFile(output.path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!result)
    return error("the SPIR-V translator has written nothing: ", result.getError().message());
  return std::move(*result);
}

} // namespace vx::spirv
