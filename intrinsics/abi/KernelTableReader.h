// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the kernel table of an image, which may be cut or damaged.

#ifndef VX_ABI_KERNEL_TABLE_READER_H
#define VX_ABI_KERNEL_TABLE_READER_H

#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/WarpSize.h"
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace vx::abi {

struct TableKernel {
  std::string name; ///< mangled
  KernelRecord record{};
  std::vector<KernelParam> params;
};

/// Reads the record at byte AT of the table BYTES into KERNEL; says what is wrong with it, if
/// anything.
inline std::string readKernel(std::span<const uint8_t> bytes, size_t at, TableKernel &kernel) {
  KernelRecord &record = kernel.record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  if (record.nameOffset >= bytes.size())
    return "a name lies outside of it";
  const char *name = reinterpret_cast<const char *>(bytes.data()) + record.nameOffset;
  size_t longest = bytes.size() - record.nameOffset;
  size_t length = strnlen(name, longest);
  if (length == longest || length == 0)
    return "a name is cut off";
  kernel.name.assign(name, length);
  if (record.paramsOffset > bytes.size() ||
      record.numParams > (bytes.size() - record.paramsOffset) / sizeof(KernelParam))
    return "the parameters of " + kernel.name + " lie outside of it";
  if (record.argBytes > kMaxArgumentBytes)
    return kernel.name + " takes more than " + std::to_string(kMaxArgumentBytes) +
           " bytes of arguments";
  if (!record.directEntry && !record.chunkedEntry)
    return kernel.name + " has no entry";
  if (!(record.mappings & (bitOf(Mapping(kNumMappings)) - 1)))
    return kernel.name + " has no mapping that is known";
  if (record.staticSharedBytes > kMaxOwnSharedBytes || record.tailSharedBytes > kMaxOwnSharedBytes)
    return kernel.name + " has more than " + std::to_string(kMaxOwnSharedBytes) +
           " bytes of shared memory";
  uint32_t group = record.groupThreads;
  if (group > kWarpSize || (group & (group - 1)) || (!group && record.flags & kKernelExactGroups))
    return kernel.name + " needs groups of " + std::to_string(group) + " threads";
  for (uint32_t i = 0; i < record.numParams; ++i) {
    KernelParam param;
    std::memcpy(&param, bytes.data() + record.paramsOffset + i * sizeof param, sizeof param);
    if (param.offset > record.argBytes || param.size > record.argBytes - param.offset)
      return "a parameter of " + kernel.name + " lies outside of its arguments";
    kernel.params.push_back(param);
  }
  return {};
}

/// Reads the table BYTES into KERNELS, one for each record; says what is wrong with it, if
/// anything.
inline std::string readKernelTable(std::span<const uint8_t> bytes,
                                   std::vector<TableKernel> &kernels) {
  KernelTableHeader header;
  if (bytes.size() < sizeof header)
    return "it is shorter than its header";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kKernelTableMagic || header.version != kKernelTableVersion)
    return "wrong magic number or version";
  if (header.recordSize < sizeof(KernelRecord) ||
      header.numKernels > (bytes.size() - sizeof header) / header.recordSize)
    return "its records are cut off";
  for (uint32_t i = 0; i < header.numKernels; ++i) {
    TableKernel kernel;
    std::string problem = readKernel(bytes, sizeof header + size_t(i) * header.recordSize, kernel);
    if (!problem.empty())
      return problem;
    kernels.push_back(std::move(kernel));
  }
  return {};
}

/// Returns true if the image with the kernel table BYTES, which may be damaged, is for warps that
/// keep paths.
inline bool isForPaths(std::span<const uint8_t> bytes) {
  std::vector<TableKernel> kernels;
  if (!readKernelTable(bytes, kernels).empty())
    return false;
  for (const TableKernel &kernel : kernels)
    if (kernel.record.flags & kKernelPaths)
      return true;
  return false;
}

} // namespace vx::abi

#endif // VX_ABI_KERNEL_TABLE_READER_H
