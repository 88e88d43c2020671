// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-objdump shows what is in a device image, like objdump, but knows the Vortex instructions, and
// proves that every conditional branch is guarded (--check-divergence). Of a program, a library or
// an object file of the host it shows the images inside. Called cuobjdump, it takes that one's
// options.

#include "tools/vx-objdump/CuObjdump.h"
#include "tools/vx-objdump/Dumper.h"
#include "tools/vx-objdump/EmbeddedImages.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

static const char *const usageText =
    R"(usage: vx-objdump [options] file...
  -d, --disassemble       show the code of all executable sections
  -h, --section-headers   list the sections
  -t, --syms              list the symbols
  -l, --line-numbers      with -d: show source lines where they change
  -k, --kernels           show the kernel table: mappings, entries and facts of each kernel
  -i, --images            list the images in a program, a library or an object file of the host
      --image=PART        of the images inside, only those with PART in their names
      --check-divergence  prove that every conditional branch is guarded; exit code 2 if not
      --raw[=ADDRESS]     the file is plain code for ADDRESS (0x80000000)
      --xlen=32|64        register width of raw and vxbin files (64)
      --mangled           show C++ names as the linker sees them
      --help              this text
Without an option that selects something, -d is meant. Files: ELF, vxbin, raw; what vxcc has made for
the host, with images inside.
)";

namespace {

struct Options {
  bool disassemble = false, sections = false, symbols = false, lines = false, check = false;
  bool kernels = false, images = false;
  std::string part; ///< of the names of images inside
  vx::ImageOptions image;

  bool showsContent() const { return disassemble || sections || symbols || kernels; }
  std::vector<std::string> files;
};

/// Reads the command line; a message in the error case.
Error parse(ArrayRef<const char *> arguments, Options &options) {
  for (StringRef argument : arguments) {
    StringRef value = argument;
    if (argument == "-d" || argument == "--disassemble")
      options.disassemble = true;
    else if (argument == "-h" || argument == "--section-headers")
      options.sections = true;
    else if (argument == "-t" || argument == "--syms")
      options.symbols = true;
    else if (argument == "-l" || argument == "--line-numbers")
      options.lines = true;
    else if (argument == "-k" || argument == "--kernels")
      options.kernels = true;
    else if (argument == "-i" || argument == "--images")
      options.images = true;
    else if (value.consume_front("--image="))
      options.part = value.str();
    else if (argument == "--check-divergence")
      options.check = true;
    else if (argument == "--mangled")
      options.image.demangle = false;
    else if (argument == "--xlen=32" || argument == "--xlen=64")
      options.image.xlen = argument.ends_with("32") ? 32 : 64;
    else if (argument == "--raw")
      options.image.raw = true;
    else if (value.consume_front("--raw=") && !value.getAsInteger(0, options.image.rawAddress))
      options.image.raw = true;
    else if (argument.starts_with("-"))
      return createStringError("unknown option '" + argument + "'");
    else
      options.files.push_back(argument.str());
  }
  if (options.files.empty())
    return createStringError("no input files");
  if (!options.check && !options.images && !options.showsContent())
    options.disassemble = true;
  return Error::success();
}

/// Ends the tool: LLVM's object and debug-information readers give up on some broken files without
/// returning an error. PATH, a C string, is the file.
void giveUp(void *path, const char *reason, bool) {
  outs().flush();
  errs() << "vx-objdump: " << static_cast<const char *>(path) << ": " << reason << '\n';
  errs().flush();
  _exit(1);
}

int fail(const std::string &path, Error error) {
  errs() << "vx-objdump: " << path << ": " << toString(std::move(error)) << '\n';
  return 1;
}

/// Returns the exit code for the image in BUFFER, which is called NAME: 0 good, 1 it cannot be
/// read, 2 it has unguarded branches.
int dump(std::unique_ptr<MemoryBuffer> buffer, const std::string &name, const Options &options) {
  auto image = vx::ImageFile::read(std::move(buffer), options.image);
  if (!image)
    return fail(name, image.takeError());
  vx::Dumper dumper(**image, options.lines, options.image.demangle);
  if (options.showsContent())
    outs() << '\n' << name << ":\tfile format " << (*image)->format() << "\n\n";
  if (options.sections)
    dumper.sections();
  if (options.symbols)
    dumper.symbols();
  if (options.kernels)
    if (Error error = dumper.kernels())
      return fail(name, std::move(error));
  if (options.disassemble)
    if (Error error = dumper.disassemble())
      return fail(name, std::move(error));
  if (!options.check)
    return 0;
  Expected<bool> clean = dumper.checkDivergence();
  return !clean ? fail(name, clean.takeError()) : *clean ? 0 : 2;
}

/// Does the same for the images in FILE, which is called PATH.
int dumpInside(MemoryBufferRef file, const std::string &path, const Options &options) {
  auto images = vx::findImages(file);
  if (!images)
    return fail(path, images.takeError());
  int status = 0;
  bool isAny = false;
  for (const vx::EmbeddedImage &image : *images) {
    if (!StringRef(image.name).contains(options.part))
      continue;
    isAny = true;
    if (options.images)
      outs() << image.name << ", " << image.bytes.size() << " bytes\n";
    if (image.isCode && (options.check || options.showsContent()))
      status = std::max(status, dump(MemoryBuffer::getMemBufferCopy(image.bytes, image.name),
                                     path + "(" + image.name + ")", options));
  }
  return isAny ? status
               : fail(path, createStringError("it has no image with `" + options.part +
                                              "` in its name; -i lists them"));
}

/// Returns the exit code for the file PATH.
int dump(const std::string &path, const Options &options) {
  ScopedFatalErrorHandler handler(giveUp, const_cast<char *>(path.c_str()));
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(path, createStringError("cannot read the file: " + buffer.getError().message()));
  if (!options.image.raw && vx::isHostFile(**buffer))
    return dumpInside(**buffer, path, options);
  if (options.images)
    return fail(path, createStringError("it is not a file of the host, with images inside"));
  return dump(std::move(*buffer), path, options);
}

} // namespace

int main(int argc, char **argv) {
  if (argc && sys::path::filename(argv[0]) == "cuobjdump")
    return vx::runCuObjdump(ArrayRef<const char *>(argv + 1, argc - 1));
  for (int i = 1; i < argc; ++i)
    if (StringRef(argv[i]) == "--help") {
      outs() << usageText;
      return 0;
    }
  Options options;
  if (Error error = parse(ArrayRef<const char *>(argv + 1, argc - 1), options)) {
    errs() << "vx-objdump: " << toString(std::move(error)) << '\n' << usageText;
    return 1;
  }
  int status = 0;
  for (const std::string &file : options.files)
    status = std::max(status, dump(file, options));
  return status;
}
