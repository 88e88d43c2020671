// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/KernelInfo.h"
#include <cstdlib>

namespace vx::cl {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

size_t numberOf(const std::string &text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

ArgumentInfo parseArgument(const std::vector<std::string> &f) {
  ArgumentInfo a;
  a.addressSpace = f[1] == "global"     ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                   : f[1] == "constant" ? CL_KERNEL_ARG_ADDRESS_CONSTANT
                   : f[1] == "local"    ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                        : CL_KERNEL_ARG_ADDRESS_PRIVATE;
  a.access = f[2] == "read_only"    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
             : f[2] == "write_only" ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
             : f[2] == "read_write" ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                    : CL_KERNEL_ARG_ACCESS_NONE;
  for (const std::string &word : split(f[3], ','))
    a.qualifiers |= word == "const"      ? CL_KERNEL_ARG_TYPE_CONST
                    : word == "restrict" ? CL_KERNEL_ARG_TYPE_RESTRICT
                    : word == "volatile" ? CL_KERNEL_ARG_TYPE_VOLATILE
                                         : CL_KERNEL_ARG_TYPE_NONE;
  a.type = f[4];
  a.name = f[5];
  a.size = numberOf(f[6]);
  using Kind = ArgumentInfo::Kind;
  a.kind = f[7] == "pointer"   ? Kind::Pointer
           : f[7] == "local"   ? Kind::Local
           : f[7] == "image"   ? Kind::Image
           : f[7] == "sampler" ? Kind::Sampler
                               : Kind::Value;
  return a;
}

void addAttribute(KernelInfo &kernel, const std::string &text) {
  kernel.attributes += (kernel.attributes.empty() ? "" : " ") + text;
}

void readSizes(KernelInfo &kernel, const std::vector<std::string> &f, size_t (&sizes)[3],
               const char *attribute) {
  for (int d = 0; d < 3; ++d)
    sizes[d] = numberOf(f[d + 1]);
  addAttribute(kernel, std::string(attribute) + "(" + f[1] + "," + f[2] + "," + f[3] + ")");
}

} // namespace

ProgramInfo parseProgramInfo(std::string_view text) {
  ProgramInfo program;
  std::vector<KernelInfo> &kernels = program.kernels;
  for (const std::string &line : split(text, '\n')) {
    std::vector<std::string> f = split(line, '\t');
    if (f[0] == "kernel" && f.size() == 2) {
      kernels.emplace_back().name = f[1];
      continue;
    }
    if (f[0] == "globals" && f.size() == 2)
      program.globalBytes = numberOf(f[1]);
    if (kernels.empty())
      continue;
    KernelInfo &kernel = kernels.back();
    if (f[0] == "argument" && f.size() == 8)
      kernel.arguments.push_back(parseArgument(f));
    else if (f[0] == "group" && f.size() == 4)
      readSizes(kernel, f, kernel.requiredGroup, "reqd_work_group_size");
    else if (f[0] == "hint" && f.size() == 4)
      readSizes(kernel, f, kernel.groupHint, "work_group_size_hint");
    else if (f[0] == "subgroup" && f.size() == 2) {
      kernel.subGroupSize = numberOf(f[1]);
      addAttribute(kernel, "intel_reqd_sub_group_size(" + f[1] + ")");
    } else if (f[0] == "vectype" && f.size() == 2) {
      kernel.vectorHint = f[1];
      addAttribute(kernel, "vec_type_hint(" + f[1] + ")");
    }
  }
  return program;
}

} // namespace vx::cl
