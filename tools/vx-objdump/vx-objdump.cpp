// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-objdump shows what is in a device image, like objdump, but knows the Vortex instructions, and
// proves that every conditional branch is guarded (--check-divergence).

#include "intrinsics/abi/KernelTableReader.h"
#include "tools/vx-objdump/Disassembly.h"
#include "tools/vx-objdump/DivergenceCheck.h"
#include "tools/vx-objdump/KernelTableDump.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
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
      --check-divergence  prove that every conditional branch is guarded; exit code 2 if not
      --raw[=ADDRESS]     the file is plain code for ADDRESS (0x80000000)
      --xlen=32|64        register width of raw and vxbin files (64)
      --mangled           show C++ names as the linker sees them
      --help              this text
Without an option that selects something, -d is meant. Files: ELF, vxbin, raw.
)";

namespace {

struct Options {
  bool disassemble = false, sections = false, symbols = false, lines = false, check = false;
  bool kernels = false;
  vx::ImageOptions image;
  std::vector<std::string> files;
};

/// Prints one file's parts.
class Dumper {
public:
  Dumper(vx::ImageFile &image, const Options &options) : image(image), options(options) {}
  void sections() const;
  void symbols() const;
  Error disassemble() const;
  Error kernels() const;
  Expected<bool> checkDivergence() const;

private:
  void disassemble(const vx::Section &section, vx::Disassembler &disassembler) const;
  vx::ImageFile &image;
  const Options &options;
};

void Dumper::sections() const {
  outs() << "Sections:\n    address          size             name\n";
  for (const vx::Section &section : image.sections())
    outs() << format("    %016llx %016llx ", section.address, section.size) << section.name
           << (section.isCode ? "  code" : "") << (section.isLoaded ? "" : "  not loaded") << '\n';
  outs() << '\n';
}

void Dumper::symbols() const {
  outs() << "SYMBOL TABLE:\n";
  for (const vx::Symbol &symbol : image.symbols())
    outs() << format("%016llx ", symbol.address) << symbol.binding << ' ' << symbol.kind << ' '
           << symbol.section << '\t' << format("%016llx ", symbol.size) << symbol.name << '\n';
  outs() << '\n';
}

Error Dumper::kernels() const {
  const vx::Section *section = image.section(vx::abi::kKernelTableSection);
  return section ? vx::printKernelTable(section->bytes, options.image.demangle, outs())
                 : createStringError("it has no kernel table");
}

void Dumper::disassemble(const vx::Section &section, vx::Disassembler &disassembler) const {
  outs() << "Disassembly of section " << section.name << ":\n";
  std::string shownLine;
  for (uint64_t offset = 0; offset < section.bytes.size();) {
    uint64_t address = section.address + offset;
    std::string name = image.describe(address);
    if (!name.empty() && !StringRef(name).contains("+0x"))
      outs() << format("\n%016llx <", address) << name << ">:\n";
    if (options.lines)
      if (std::string line = image.sourceLine(address); !line.empty() && line != shownLine)
        outs() << "; " << (shownLine = line) << '\n';
    vx::DecodedText decoded = disassembler.decode(section.bytes.drop_front(offset), address);
    uint32_t word = 0;
    for (unsigned i = 0; i < decoded.size; ++i)
      word |= uint32_t(section.bytes[offset + i]) << 8 * i;
    outs() << format("%8llx: ", address) << format(decoded.size == 4 ? "%08x" : "%04x    ", word)
           << "\t" << decoded.text;
    if (decoded.target)
      if (std::string where = image.describe(*decoded.target); !where.empty())
        outs() << " <" << where << '>';
    outs() << '\n';
    offset += decoded.size;
  }
  outs() << '\n';
}

Error Dumper::disassemble() const {
  auto disassembler = vx::Disassembler::create(image.xlen());
  if (!disassembler)
    return disassembler.takeError();
  for (const vx::Section &section : image.sections())
    if (section.isCode && !section.bytes.empty())
      disassemble(section, **disassembler);
  return Error::success();
}

const char *describe(vx::Violation::Kind kind) {
  switch (kind) {
  case vx::Violation::Unguarded:
    return "conditional branch without vx_split, vx_pred or a uniform marker";
  case vx::Violation::Mismatched:
    return "conditional branch on something else than the predicate of its vx_split or vx_pred";
  case vx::Violation::IndirectJump:
    return "indirect jump that is neither a return nor a call";
  case vx::Violation::Undecodable:
    return "code that cannot be judged";
  }
  return "";
}

/// Returns true when the image is free of violations.
Expected<bool> Dumper::checkDivergence() const {
  const vx::Section *table = image.section(vx::abi::kKernelTableSection);
  if (table && vx::abi::isForPaths({table->bytes.data(), table->bytes.size()})) {
    outs() << "the image is for warps that keep paths, where branches need no guard\n";
    return true;
  }
  auto report = vx::checkDivergence(image);
  if (!report)
    return report.takeError();
  auto disassembler = vx::Disassembler::create(image.xlen());
  if (!disassembler)
    return disassembler.takeError();
  for (const vx::Violation &violation : report->violations) {
    outs() << format("0x%llx", violation.address);
    if (std::string name = image.describe(violation.address); !name.empty())
      outs() << " <" << name << '>';
    if (std::string line = image.sourceLine(violation.address); !line.empty())
      outs() << ' ' << line;
    outs() << ": " << describe(violation.kind) << ":";
    for (const vx::Section &section : image.sections())
      if (section.isCode && violation.address - section.address < section.bytes.size())
        outs() << ' '
               << (*disassembler)
                      ->decode(section.bytes.drop_front(violation.address - section.address),
                               violation.address)
                      .text;
    outs() << '\n';
  }
  unsigned unguarded =
      report->count(vx::Violation::Unguarded) + report->count(vx::Violation::Mismatched);
  unsigned branches = report->bySplit + report->byPred + report->byUniform + unguarded;
  outs() << branches << " conditional branches: " << report->bySplit << " split, " << report->byPred
         << " pred, " << report->byUniform << " uniform, " << unguarded << " unguarded; "
         << report->count(vx::Violation::IndirectJump) << " indirect jumps\n";
  return report->violations.empty();
}

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
  if (!options.check && !options.sections && !options.symbols && !options.kernels)
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

/// Returns the exit code for one file: 0 good, 1 it cannot be read, 2 it has unguarded branches.
int dump(const std::string &path, const Options &options) {
  ScopedFatalErrorHandler handler(giveUp, const_cast<char *>(path.c_str()));
  auto fail = [&](Error error) {
    errs() << "vx-objdump: " << path << ": " << toString(std::move(error)) << '\n';
    return 1;
  };
  auto image = vx::ImageFile::open(path, options.image);
  if (!image)
    return fail(image.takeError());
  Dumper dumper(**image, options);
  if (options.disassemble || options.sections || options.symbols || options.kernels)
    outs() << '\n' << path << ":\tfile format " << (*image)->format() << "\n\n";
  if (options.sections)
    dumper.sections();
  if (options.symbols)
    dumper.symbols();
  if (options.kernels)
    if (Error error = dumper.kernels())
      return fail(std::move(error));
  if (options.disassemble)
    if (Error error = dumper.disassemble())
      return fail(std::move(error));
  if (!options.check)
    return 0;
  Expected<bool> clean = dumper.checkDivergence();
  return !clean ? fail(clean.takeError()) : *clean ? 0 : 2;
}

} // namespace

int main(int argc, char **argv) {
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
