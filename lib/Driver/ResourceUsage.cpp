// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/ResourceUsage.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "intrinsics/abi/Mappings.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// Returns the bytes of the kernel table of IMAGE; none if it has none.
StringRef kernelTableOf(StringRef image) {
  auto file = object::ObjectFile::createELFObjectFile(MemoryBufferRef(image, ""));
  if (!file) {
    consumeError(file.takeError());
    return {};
  }
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName(), contents = section.getContents();
    if (name && contents && *name == abi::kKernelTableSection)
      return *contents;
    consumeError(name.takeError());
    consumeError(contents.takeError());
  }
  return {};
}

void describe(const abi::TableKernel &kernel, StringRef device, raw_ostream &os) {
  constexpr StringLiteral info = "ptxas info    : ";
  const abi::KernelRecord &record = kernel.record;
  const abi::MappingInfo &mapping = abi::infoOf(firstMapping(record));
  os << info << "Compiling entry function '" << kernel.name << "' for '" << device << " "
     << mapping.name << "'\n";
  os << info << "Function properties for " << kernel.name << "\n    " << record.localBytes
     << " bytes stack frame\n";
  os << info << "Used " << record.numRegs << " registers, used "
     << ((record.flags & abi::kKernelUsesBarrier) != 0) << " barriers";
  if (uint32_t shared = record.staticSharedBytes + record.tailSharedBytes)
    os << ", " << shared << " bytes smem";
  if (record.constBytes)
    os << ", " << record.constBytes << " bytes cmem[3]";
  os << "\n";
}

} // namespace

std::string describeUsage(StringRef image, StringRef device) {
  StringRef table = kernelTableOf(image);
  std::string text;
  raw_string_ostream os(text);
  std::vector<abi::TableKernel> kernels;
  if (!table.empty() && abi::readKernelTable({table.bytes_begin(), table.size()}, kernels).empty())
    for (const abi::TableKernel &kernel : kernels)
      describe(kernel, device, os);
  return text;
}

} // namespace vx::driver
