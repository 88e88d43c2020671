// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/mlir/dialect/VxccProcess.h"
#include "frontend/ToolProcess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx::dialect {
namespace {

/// Returns the folder of the library or program that has this function.
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
  TempFile input("bc"), output("out");
  if (output.path.empty() || !input.write(bitcode))
    return createStringError("cannot write a temporary file");
  SmallVector<StringRef> line(args.begin(), args.end());
  line.append({"-o", output.path, input.path});
  ToolRun run = runTool(*compiler, line);
  std::string messages = StringRef(run.output).rtrim().str();
  if (run.code != 0)
    return createStringError(!messages.empty() ? messages
                             : !run.problem.empty()
                                 ? *compiler + ": " + run.problem
                                 : *compiler + " failed with " + Twine(run.code).str());
  auto result = output.read();
  if (!result)
    return createStringError("cannot read what vxcc has made: " + result.getError().message());
  StringRef bytes = (*result)->getBuffer();
  return CompilerOutput{SmallVector<char, 0>(bytes.begin(), bytes.end()), messages};
}

} // namespace vx::dialect
