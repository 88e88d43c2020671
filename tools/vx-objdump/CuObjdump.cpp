// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/CuObjdump.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "intrinsics/abi/Mappings.h"
#include "tools/vx-objdump/Dumper.h"
#include "tools/vx-objdump/EmbeddedImages.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

namespace {

const char *const kUsage = R"(usage: cuobjdump [options] file...
  -lelf, --list-elf                    list the device images of a program, a library or an object file
  -xelf, --extract-elf NAME|all        write those with NAME in their names to files of their names
  -sass, --dump-sass                   show their code (instructions of RISC-V and Vortex)
  -elf, --dump-elf                     show their sections and symbols, too
  -res-usage, --dump-resource-usage    show what each kernel uses
  -fun, --function NAME                of -res-usage: only kernels with NAME in their names
  -h, --help                           this text
  -V, --version                        the version
Programs of vxcc hold no PTX. vx-objdump shows more of an image.
)";

struct Options {
  bool list = false, sass = false, elf = false, usage = false;
  std::string extract, function;
  std::vector<std::string> files;
};

int fail(const Twine &text) {
  outs().flush();
  errs() << "cuobjdump fatal   : " << text << '\n';
  return 1;
}

/// Reads the command line; a message in the error case.
Error parse(ArrayRef<const char *> arguments, Options &options) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    auto is = [&](StringRef letter, StringRef word) {
      return argument == letter || argument == word;
    };
    auto takeValue = [&](StringRef letter, StringRef word, std::string &value) -> bool {
      StringRef rest = argument;
      if (rest.consume_front(word) && rest.consume_front("=")) {
        value = rest.str();
        return true;
      }
      if (!is(letter, word) || i + 1 == arguments.size())
        return false;
      value = arguments[++i];
      return true;
    };
    if (is("-lelf", "--list-elf"))
      options.list = true;
    else if (is("-sass", "--dump-sass"))
      options.sass = true;
    else if (is("-elf", "--dump-elf"))
      options.elf = true;
    else if (is("-res-usage", "--dump-resource-usage"))
      options.usage = true;
    else if (is("-all", "--all-fatbin")) // all are shown
      continue;
    else if (is("-ptx", "--dump-ptx") || is("-lptx", "--list-ptx") || is("-xptx", "--extract-ptx"))
      return createStringError("programs of vxcc hold no PTX; -lelf lists what they hold");
    else if (takeValue("-xelf", "--extract-elf", options.extract) ||
             takeValue("-fun", "--function", options.function))
      continue;
    else if (argument.starts_with("-"))
      return createStringError("unknown option '" + argument + "', or its value is missing");
    else
      options.files.push_back(argument.str());
  }
  if (options.files.empty())
    return createStringError("no input files");
  if (!options.list && !options.sass && !options.elf && !options.usage && options.extract.empty())
    options.list = true;
  return Error::success();
}

/// Prints a line for each kernel of IMAGE as NVIDIA's tool does. Bytes of local memory are the
/// stack; there are no registers to be counted for textures.
Error printUsage(const ImageFile &image, StringRef function) {
  const Section *section = image.section(abi::kKernelTableSection);
  std::vector<abi::TableKernel> kernels;
  if (section)
    if (std::string problem =
            abi::readKernelTable({section->bytes.data(), section->bytes.size()}, kernels);
        !problem.empty())
      return createStringError("damaged kernel table: " + problem);
  outs() << "\nResource usage:\n Common:\n  GLOBAL:0\n";
  // A kernel has a record for each lowering; that of hw stands for it.
  MapVector<StringRef, const abi::TableKernel *> byName;
  for (const abi::TableKernel &kernel : kernels)
    if (StringRef(kernel.name).contains(function)) {
      const abi::TableKernel *&one = byName[kernel.name];
      if (!one || abi::infoOf(abi::firstMapping(kernel.record)).lowering == abi::Lowering::Hw)
        one = &kernel;
    }
  for (const auto &[name, found] : byName) {
    const abi::TableKernel &kernel = *found;
    const abi::KernelRecord &record = kernel.record;
    uint64_t parameters = 0;
    for (const abi::KernelParam &parameter : kernel.params)
      parameters = std::max(parameters, uint64_t(parameter.offset) + parameter.size);
    outs() << " Function " << kernel.name << ":\n  REG:" << record.numRegs
           << " STACK:" << record.localBytes
           << " SHARED:" << record.staticSharedBytes + record.tailSharedBytes
           << " LOCAL:0 CONSTANT[0]:" << parameters;
    if (record.constBytes)
      outs() << " CONSTANT[3]:" << record.constBytes;
    outs() << " TEXTURE:0 SURFACE:0 SAMPLER:0\n";
  }
  return Error::success();
}

Error writeImage(const EmbeddedImage &image) {
  std::string path = image.name + ".elf";
  std::error_code ec;
  raw_fd_ostream os(path, ec);
  if (ec)
    return createStringError("cannot write " + path + ": " + ec.message());
  os << image.bytes;
  os.close();
  if (os.has_error()) {
    os.clear_error();
    return createStringError("cannot write all of " + path);
  }
  outs() << "Extracting ELF file    " << path << '\n';
  return Error::success();
}

/// Shows what OPTIONS ask for of one image.
Error show(const EmbeddedImage &image, const Options &options) {
  bool isWanted = options.extract == "all" || StringRef(image.name).contains(options.extract);
  if (!options.extract.empty() && isWanted)
    if (Error error = writeImage(image))
      return error;
  if (!options.sass && !options.elf && !options.usage)
    return Error::success();
  auto file =
      ImageFile::read(MemoryBuffer::getMemBufferCopy(image.bytes, image.name), {.demangle = false});
  if (!file)
    return file.takeError();
  outs() << "\nFatbin elf code:\n================\narch = " << (*file)->format()
         << "\nidentifier = " << image.name << "\n";
  Dumper dumper(**file, /*lines=*/false, /*demangle=*/false);
  if (options.usage)
    if (Error error = printUsage(**file, options.function))
      return error;
  if (options.elf) {
    dumper.sections();
    dumper.symbols();
  }
  return options.sass ? dumper.disassemble() : Error::success();
}

/// Shows the images of the file PATH. Returns the exit code.
int show(const std::string &path, const Options &options) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  std::vector<EmbeddedImage> images;
  if (isHostFile(**buffer)) {
    auto found = findImages(**buffer);
    if (!found)
      return fail(path + ": " + toString(found.takeError()));
    images = std::move(*found);
  } else { // an image by itself, as a cubin is
    images.push_back({path, true, (*buffer)->getBuffer()});
  }
  unsigned number = 0;
  for (const EmbeddedImage &image : images) {
    if (!image.isCode)
      continue;
    ++number;
    if (options.list)
      outs() << "ELF file " << format_decimal(number, 4) << ": " << image.name << ".elf\n";
    if (Error error = show(image, options))
      return fail(path + ": " + toString(std::move(error)));
  }
  return number ? 0 : fail(path + ": there is no code of the device in it");
}

} // namespace

int runCuObjdump(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments) {
    if (argument == "-h" || argument == "--help") {
      outs() << kUsage;
      return 0;
    }
    if (argument == "-V" || argument == "--version") {
      outs() << "cuobjdump: object dumper of vxcc " VX_VERSION "\n";
      return 0;
    }
  }
  Options options;
  if (Error error = parse(arguments, options))
    return fail(toString(std::move(error)));
  int status = 0;
  for (const std::string &file : options.files)
    status = std::max(status, show(file, options));
  return status;
}

} // namespace vx
