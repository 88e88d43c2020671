// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/ToolProcess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

TempFile::TempFile(StringRef suffix) {
  SmallString<128> created;
  if (!sys::fs::createTemporaryFile("vxcc", suffix, created))
    path = created.str().str();
}

TempFile::~TempFile() {
  if (!path.empty())
    sys::fs::remove(path);
}

bool TempFile::write(StringRef content) const {
  if (path.empty())
    return false;
  std::error_code code;
  raw_fd_ostream os(path, code);
  os << content;
  os.close();
  bool good = !code && !os.has_error();
  os.clear_error();
  return good;
}

ErrorOr<std::unique_ptr<MemoryBuffer>> TempFile::read() const {
  return MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
}

ToolRun runTool(StringRef program, ArrayRef<StringRef> args, ToolLimits limits) {
  ToolRun run;
  TempFile output("txt");
  if (output.path.empty()) {
    run.problem = "cannot make a temporary file";
    return run;
  }
  SmallVector<StringRef, 16> line = {program};
  line.append(args.begin(), args.end());
  bool failed = false;
  run.code = sys::ExecuteAndWait(program, line, /*Env=*/std::nullopt,
                                 {StringRef(""), StringRef(output.path), StringRef(output.path)},
                                 limits.seconds, limits.megabytes, &run.problem, &failed);
  run.isStarted = !failed;
  run.isTimedOut = StringRef(run.problem).contains("timed out");
  if (auto text = output.read())
    run.output = (*text)->getBuffer().str();
  return run;
}

} // namespace vx
