// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/mlir/dialect/VxccProcess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx::dialect {
namespace {

/// A file that goes with the object.
struct TemporaryFile {
  SmallString<128> path;
  FileRemover remover;

  Error create(StringRef suffix) {
    if (std::error_code code = sys::fs::createTemporaryFile("vx-mlir", suffix, path))
      return createStringError(code, "cannot make a temporary file: " + code.message());
    remover.setFile(path);
    return Error::success();
  }
};

std::string textOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().rtrim().str() : std::string();
}

/// The folder of the library or program that has this function.
std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &info) || !info.dli_fname)
    return "";
  SmallString<256> real;
  if (sys::fs::real_path(info.dli_fname, real))
    return "";
  return sys::path::parent_path(real).str();
}

} // namespace

Expected<std::string> findCompiler(StringRef toolkit) {
  SmallVector<std::string> places;
  if (!toolkit.empty()) {
    places.push_back((toolkit + "/bin/vxcc").str());
  } else {
    if (auto home = sys::Process::GetEnv("VXCC_HOME"))
      places.push_back(*home + "/bin/vxcc");
    if (std::string own = ownFolder(); !own.empty()) {
      places.push_back(own + "/vxcc");
      places.push_back(own + "/../bin/vxcc");
    }
  }
  for (const std::string &place : places)
    if (sys::fs::can_execute(place))
      return place;
  if (toolkit.empty())
    if (auto found = sys::findProgramByName("vxcc"))
      return *found;
  return createStringError("cannot find vxcc: it is not at " + join(places, ", ") +
                           (toolkit.empty() ? ", nor on the PATH" : ""));
}

Expected<CompilerOutput> compileBitcode(StringRef bitcode, ArrayRef<std::string> args,
                                        StringRef toolkit) {
  auto compiler = findCompiler(toolkit);
  if (!compiler)
    return compiler.takeError();
  TemporaryFile input, output, messages;
  for (auto [file, suffix] :
       {std::pair(&input, "bc"), std::pair(&output, "out"), std::pair(&messages, "txt")})
    if (Error error = file->create(suffix))
      return std::move(error);
  {
    std::error_code code;
    raw_fd_ostream os(input.path, code);
    os << bitcode;
    os.close();
    if (os.has_error()) {
      os.clear_error();
      return createStringError("cannot write " + input.path.str());
    }
  }
  SmallVector<StringRef> line = {*compiler};
  line.append(args.begin(), args.end());
  line.append({"-o", output.path, input.path});
  std::string problem;
  int status = sys::ExecuteAndWait(*compiler, line, std::nullopt,
                                   {StringRef(), StringRef(), messages.path.str()}, 0, 0, &problem);
  std::string text = textOf(messages.path);
  if (status != 0)
    return createStringError(!text.empty() ? text
                             : !problem.empty()
                                 ? *compiler + ": " + problem
                                 : *compiler + " failed with " + Twine(status).str());
  auto result = MemoryBuffer::getFile(output.path, false, false);
  if (!result)
    return createStringError("cannot read what vxcc has made: " + result.getError().message());
  StringRef bytes = (*result)->getBuffer();
  return CompilerOutput{SmallVector<char, 0>(bytes.begin(), bytes.end()), text};
}

} // namespace vx::dialect
