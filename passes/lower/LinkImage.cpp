// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link: lld in process, the start-up object and the linker script from the resource folder.

#include "lld/Common/Driver.h"
#include "passes/lower/CodeGen.h"
#include "passes/lower/CodegenSwitches.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace vx {
namespace {

/// A temporary file with an object.
class ObjectFile {
public:
  ~ObjectFile() {
    if (!path.empty())
      sys::fs::remove(path);
  }

  Error write(ArrayRef<char> object) {
    int fd = -1;
    if (std::error_code ec = sys::fs::createTemporaryFile("vxcc", "o", fd, path))
      return createStringError(ec, "cannot create a temporary file: " + ec.message());
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os.write(object.data(), object.size());
    if (os.has_error())
      return createStringError(os.error(), "cannot write " + Twine(path));
    return Error::success();
  }

  SmallString<128> path;
};

} // namespace

Error linkImage(ArrayRef<SmallVector<char, 0>> objects, const CodegenOptions &options,
                SmallVectorImpl<char> &output) {
  SmallString<128> imagePath;
  std::vector<ObjectFile> files(objects.size());
  for (auto [file, object] : zip(files, objects))
    if (Error e = file.write(object))
      return e;
  if (std::error_code ec = sys::fs::createTemporaryFile("vxcc", "elf", imagePath))
    return createStringError(ec, "cannot create a temporary file: " + ec.message());
  FileRemover removeImage(imagePath);

  bool wide = options.xlen == 64;
  const char *emulation = options.host ? "elf_x86_64" : wide ? "elf64lriscv" : "elf32lriscv";
  std::string script = options.resourceDir + "/link.ld";
  std::string startup = options.resourceDir + (wide ? "/crt0-rv64.o" : "/crt0-rv32.o");
  std::vector<const char *> args = {"ld.lld", "-T", script.c_str(), "-m", emulation,
                                    // The runtime gives images of one program different addresses.
                                    "--no-relax", "--emit-relocs", "-z", "norelro",
                                    "--build-id=none", "-o", imagePath.c_str()};
  if (options.host) // workers call the entries of kernels
    args.push_back("--entry=0");
  else
    args.push_back(startup.c_str());
  for (ObjectFile &file : files)
    args.push_back(file.path.c_str());
  for (const std::string &extra : options.linkArgs)
    args.push_back(extra.c_str());
  std::string messages;
  raw_string_ostream os(messages);
  lld::Result result;
  {
    // lld keeps its state in global variables, and resets LLVM's.
    static std::mutex oneAtATime;
    std::lock_guard lock(oneAtATime);
    CodegenSwitches switches(CodegenSwitches::Mode::Default);
    result = lld::lldMain(args, os, os, {{lld::Gnu, &lld::elf::link}});
  }
  if (result.retCode != 0)
    return createStringError("device link failed:\n" + messages);
  auto image = MemoryBuffer::getFile(imagePath, false, false);
  if (!image)
    return createStringError(image.getError(), "cannot read the linked image");
  output.assign((*image)->getBufferStart(), (*image)->getBufferEnd());
  return Error::success();
}

} // namespace vx
