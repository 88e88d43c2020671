// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/Dumper.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "tools/vx-objdump/DivergenceCheck.h"
#include "tools/vx-objdump/KernelTableDump.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

void Dumper::sections() const {
  outs() << "Sections:\n    address          size             name\n";
  for (const Section &section : image.sections())
    outs() << format("    %016llx %016llx ", section.address, section.size) << section.name
           << (section.isCode ? "  code" : "") << (section.isLoaded ? "" : "  not loaded") << '\n';
  outs() << '\n';
}

void Dumper::symbols() const {
  outs() << "SYMBOL TABLE:\n";
  for (const Symbol &symbol : image.symbols())
    outs() << format("%016llx ", symbol.address) << symbol.binding << ' ' << symbol.kind << ' '
           << symbol.section << '\t' << format("%016llx ", symbol.size) << symbol.name << '\n';
  outs() << '\n';
}

Error Dumper::kernels() const {
  const Section *section = image.section(abi::kKernelTableSection);
  return section ? printKernelTable(section->bytes, demangle, outs())
                 : createStringError("it has no kernel table");
}

void Dumper::disassemble(const Section &section, Disassembler &disassembler) const {
  outs() << "Disassembly of section " << section.name << ":\n";
  std::string shownLine;
  for (uint64_t offset = 0; offset < section.bytes.size();) {
    uint64_t address = section.address + offset;
    std::string name = image.describe(address);
    if (!name.empty() && !StringRef(name).contains("+0x"))
      outs() << format("\n%016llx <", address) << name << ">:\n";
    if (lines)
      if (std::string line = image.sourceLine(address); !line.empty() && line != shownLine)
        outs() << "; " << (shownLine = line) << '\n';
    DecodedText decoded = disassembler.decode(section.bytes.drop_front(offset), address);
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
  auto disassembler = Disassembler::create(image.xlen());
  if (!disassembler)
    return disassembler.takeError();
  for (const Section &section : image.sections())
    if (section.isCode && !section.bytes.empty())
      disassemble(section, **disassembler);
  return Error::success();
}

static const char *describe(Violation::Kind kind) {
  switch (kind) {
  case Violation::Unguarded:
    return "conditional branch without vx_split, vx_pred or a uniform marker";
  case Violation::Mismatched:
    return "conditional branch on something else than the predicate of its vx_split or vx_pred";
  case Violation::IndirectJump:
    return "indirect jump that is neither a return nor a call";
  case Violation::Undecodable:
    return "code that cannot be judged";
  }
  return "";
}

Expected<bool> Dumper::checkDivergence() const {
  const Section *table = image.section(abi::kKernelTableSection);
  if (table && abi::isForPaths({table->bytes.data(), table->bytes.size()})) {
    outs() << "the image is for warps that keep paths, where branches need no guard\n";
    return true;
  }
  auto report = vx::checkDivergence(image);
  if (!report)
    return report.takeError();
  auto disassembler = Disassembler::create(image.xlen());
  if (!disassembler)
    return disassembler.takeError();
  for (const Violation &violation : report->violations) {
    outs() << format("0x%llx", violation.address);
    if (std::string name = image.describe(violation.address); !name.empty())
      outs() << " <" << name << '>';
    if (std::string line = image.sourceLine(violation.address); !line.empty())
      outs() << ' ' << line;
    outs() << ": " << describe(violation.kind) << ":";
    for (const Section &section : image.sections())
      if (section.isCode && violation.address - section.address < section.bytes.size())
        outs() << ' '
               << (*disassembler)
                      ->decode(section.bytes.drop_front(violation.address - section.address),
                               violation.address)
                      .text;
    outs() << '\n';
  }
  unsigned unguarded = report->count(Violation::Unguarded) + report->count(Violation::Mismatched);
  unsigned branches = report->bySplit + report->byPred + report->byUniform + unguarded;
  outs() << branches << " conditional branches: " << report->bySplit << " split, " << report->byPred
         << " pred, " << report->byUniform << " uniform, " << unguarded << " unguarded; "
         << report->count(Violation::IndirectJump) << " indirect jumps\n";
  return report->violations.empty();
}

} // namespace vx
