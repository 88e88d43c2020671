// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/KernelTableDump.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "intrinsics/abi/SymbolNames.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

using abi::KernelRecord;

static void printField(raw_ostream &os, const char *name, uint64_t value, const char *text) {
  if (value)
    os << format("  %-18s %6llu  ", name, static_cast<unsigned long long>(value)) << text << "\n";
}

/// Prints the parts of an entry that have anything: instructions, cycles, accesses, far accesses,
/// instructions of the device.
static void printCost(raw_ostream &os, const char *name, const abi::EntryCost &cost,
                      const char *text) {
  printField(os, name, cost.code, (std::string("instructions ") + text).c_str());
  const std::pair<const char *, const abi::LevelCost *> levels[] = {{"start", &cost.start},
                                                                    {"once", &cost.once},
                                                                    {"a block", &cost.block},
                                                                    {"a warp", &cost.warp},
                                                                    {"a thread", &cost.thread}};
  for (auto [unit, level] : levels) {
    if (!level->cycles)
      continue;
    auto number = [](uint32_t v) { return format("%.1f", double(v) / abi::kCostUnit); };
    os << format("    %-16s %6.0f  cycles; ", unit, double(level->cycles) / abi::kCostUnit)
       << number(level->instructions) << " instructions, " << number(level->accesses)
       << " accesses, " << number(level->far) << " far, " << number(level->stack)
       << " on the stack, " << number(level->warp) << " of the device\n";
  }
}

static void printRecord(raw_ostream &os, const KernelRecord &record) {
  os << "  mappings          ";
  for (const abi::MappingInfo &mapping : abi::kMappings)
    if (abi::isFor(record, mapping.mapping))
      os << " " << mapping.name;
  os << "\n";
#define KERNEL_ENTRY(NAME, TEXT)                                                                   \
  os << format("  %-18s 0x%llx  ", #NAME, static_cast<unsigned long long>(record.NAME)) << TEXT    \
     << "\n";
#define KERNEL_FIELD(NAME, ATTRIBUTE, TEXT)                                                        \
  if (&record.NAME != &record.flags && &record.NAME != &record.mappings)                           \
    printField(os, #NAME, record.NAME, TEXT);
#define KERNEL_COST(NAME, TEXT) printCost(os, #NAME, record.NAME, TEXT);
#include "intrinsics/abi/KernelFields.def"
#define KERNEL_FLAG(NAME, BIT, WORD, TEXT)                                                         \
  if (record.flags & abi::kKernel##NAME)                                                           \
    os << format("  %-18s         ", WORD) << TEXT << "\n";
#include "intrinsics/abi/KernelFields.def"
}

Error printKernelTable(ArrayRef<uint8_t> bytes, bool demangle, raw_ostream &os) {
  std::vector<abi::TableKernel> kernels;
  std::string problem = abi::readKernelTable({bytes.data(), bytes.size()}, kernels);
  if (!problem.empty())
    return createStringError("damaged kernel table: " + problem);
  os << "Kernels:\n";
  for (const abi::TableKernel &kernel : kernels) {
    os << (demangle ? llvm::demangle(abi::withoutFileHash(kernel.name)) : kernel.name) << "\n";
    printRecord(os, kernel.record);
    for (const abi::KernelParam &param : kernel.params)
      os << "  parameter          " << param.size << " bytes at " << param.offset << "\n";
  }
  os << "\n";
  return Error::success();
}

} // namespace vx
