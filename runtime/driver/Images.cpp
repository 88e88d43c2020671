// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Images.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "simulator/api/ElfImage.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <string_view>

namespace vx::rt::driver {

namespace {

template <typename T> T readAt(const uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

constexpr uint32_t kBitcodeMagic = 0xdec04342, kBitcodeWrapperMagic = 0x0b17c0de;

/// An ELF file's end by its headers; it has its section headers at the end.
template <typename Header, typename Section> uint64_t elfEnd(const uint8_t *bytes) {
  auto header = readAt<Header>(bytes);
  uint64_t end = header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    auto section = readAt<Section>(bytes + header.e_shoff + uint64_t(i) * header.e_shentsize);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

/// The profile of the image ELF for Vortex, of which each kernel says what instructions it needs.
/// Returns the profile of ELF. Errors in it are reported when it is loaded.
abi::IsaProfile profileOf(std::span<const uint8_t> elf) {
  Result<sim::ElfImage> image = sim::ElfImage::parse(elf);
  bool paths = image && abi::isForPaths(image->section(abi::kKernelTableSection));
  return paths ? abi::IsaProfile::Paths : abi::IsaProfile::Base;
}

/// An image: a program for RISC-V or the host's CPU.
CUresult readElf(const uint8_t *bytes, std::optional<size_t> size, std::vector<uint8_t> &fatBinary,
                 std::string &log) {
  if (size && *size < sizeof(Elf64_Ehdr)) {
    log = "the image is cut off";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  uint16_t type = readAt<uint16_t>(bytes + EI_NIDENT);
  uint16_t machine = readAt<uint16_t>(bytes + EI_NIDENT + 2);
  bool wide = bytes[EI_CLASS] == ELFCLASS64;
  if (machine == EM_CUDA) {
    log = "the image is for a GPU of NVIDIA: compile its source with vxcc";
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (type != ET_EXEC && type != ET_DYN) {
    log = "the image is an object that has not been linked";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (machine != EM_RISCV && machine != EM_X86_64) {
    log = "the image is for another machine";
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  uint64_t end = size   ? *size
                 : wide ? elfEnd<Elf64_Ehdr, Elf64_Shdr>(bytes)
                        : elfEnd<Elf32_Ehdr, Elf32_Shdr>(bytes);
  FatImage image;
  image.lowering = machine == EM_X86_64 ? abi::Lowering::Host : abi::Lowering::Auto;
  image.xlen = wide ? 64 : 32;
  image.zicond = false; // the file does not say
  image.elf = {bytes, size_t(end)};
  if (machine == EM_RISCV)
    image.profile = profileOf(image.elf);
  fatBinary = wrapImage(image);
  return CUDA_SUCCESS;
}

CUresult wrapIr(std::span<const uint8_t> code, std::vector<uint8_t> &fatBinary) {
  FatImage image;
  image.lowering = abi::Lowering::Ir;
  image.elf = code;
  fatBinary = wrapImage(image);
  return CUDA_SUCCESS;
}

CUresult readFatBinary(const uint8_t *bytes, std::optional<size_t> size,
                       std::vector<uint8_t> &fatBinary, std::string &log) {
  uint64_t total = sizeof(abi::FatBinaryHeader);
  if (!size || *size >= total)
    total = readAt<abi::FatBinaryHeader>(bytes).totalBytes;
  if (size && total > *size) {
    log = "the fat binary is cut off";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  fatBinary.assign(bytes, bytes + total);
  if (Result<std::vector<FatImage>> images = parseFatBinary(fatBinary); !images) {
    log = images.error().message;
    return CUDA_ERROR_INVALID_IMAGE;
  }
  return CUDA_SUCCESS;
}

/// Text: NVVM IR, or PTX, which is none of ours.
CUresult readText(const char *text, size_t size, std::vector<uint8_t> &fatBinary,
                  std::string &log) {
  std::string_view view(text, size);
  if (view.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    log = "the image is empty";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  bool isText = std::all_of(view.begin(), view.end(), [](char c) {
    return c == '\t' || c == '\n' || c == '\r' || c == '\f' || uint8_t(c) >= 0x20;
  });
  if (!isText) {
    log = "the image is neither a fat binary nor an image of vxcc's, nor NVVM IR";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (view.find(".version") != std::string_view::npos &&
      view.find("target triple") == std::string_view::npos) {
    log = "the image is PTX, which cannot be compiled for this device: vxcc's compilers (vxcc "
          "--emit=nvvm, "
          "nvrtcGetPTX) give NVVM IR in its place";
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  // What no module of NVVM IR is without: one of them, at least.
  auto has = [&](const char *word) { return view.find(word) != std::string_view::npos; };
  if (!has("target ") && !has("define ") && !has("source_filename") && !has("ModuleID")) {
    log = "the image is text, but no NVVM IR";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  return wrapIr({reinterpret_cast<const uint8_t *>(text), size}, fatBinary);
}

} // namespace

CUresult readImage(const void *data, std::optional<size_t> size, std::vector<uint8_t> &fatBinary,
                   std::string &log) {
  auto *bytes = static_cast<const uint8_t *>(data);
  auto startsWith = [&](const void *magic, size_t length) {
    return (!size || *size >= length) && std::memcmp(bytes, magic, length) == 0;
  };
  // A short string ends within these magic numbers, which have no 0 in front.
  const uint32_t wrapper = abi::kFatWrapperMagic, bitcode = kBitcodeMagic,
                 bitcodeWrapper = kBitcodeWrapperMagic;
  const uint64_t fat = abi::kFatBinaryMagic;
  if (startsWith(&wrapper, sizeof wrapper))
    return readFatBinary(static_cast<const uint8_t *>(readAt<FatWrapper>(bytes).data), std::nullopt,
                         fatBinary, log);
  if (size ? startsWith(&fat, sizeof fat)
           : std::strncmp(reinterpret_cast<const char *>(bytes),
                          reinterpret_cast<const char *>(&fat), sizeof fat) == 0)
    return readFatBinary(bytes, size, fatBinary, log);
  if (startsWith(ELFMAG, SELFMAG))
    return readElf(bytes, size, fatBinary, log);
  if (startsWith(&bitcodeWrapper, sizeof bitcodeWrapper)) {
    uint64_t total = readAt<uint32_t>(bytes + 8) + uint64_t(readAt<uint32_t>(bytes + 12));
    return wrapIr({bytes, size_t(size ? *size : total)}, fatBinary);
  }
  if (startsWith(&bitcode, sizeof bitcode)) {
    if (size)
      return wrapIr({bytes, *size}, fatBinary);
    log = "the size of bitcode must be known: cuModuleLoad and cuLinkAddData know it";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  auto *text = reinterpret_cast<const char *>(bytes);
  return readText(text, size ? strnlen(text, *size) : std::strlen(text), fatBinary, log);
}

CUresult readFile(const char *path, std::vector<uint8_t> &bytes) {
  if (!path)
    return CUDA_ERROR_INVALID_VALUE;
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    return CUDA_ERROR_FILE_NOT_FOUND;
  uint8_t chunk[65536];
  size_t count;
  while ((count = std::fread(chunk, 1, sizeof chunk, file)) > 0)
    bytes.insert(bytes.end(), chunk, chunk + count);
  bool good = !std::ferror(file);
  std::fclose(file);
  return good ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult JitOptions::read(unsigned count, CUjit_option *options, void **values) {
  if (count && (!options || !values))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    uintptr_t number = reinterpret_cast<uintptr_t>(values[i]);
    switch (options[i]) {
    case CU_JIT_OPTIMIZATION_LEVEL: // 4, the most and the default, is our 3
      optLevel = int(std::min<uintptr_t>(uint32_t(number), 3));
      break;
    case CU_JIT_INFO_LOG_BUFFER:
      infoLog = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      infoLogSize = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      errorLog = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      errorLogSize = &values[i];
      break;
    case CU_JIT_WALL_TIME:
      wallTime = &values[i];
      break;
    default: // what tunes NVIDIA's compiler
      if (unsigned(options[i]) >= unsigned(CU_JIT_NUM_OPTIONS))
        return CUDA_ERROR_INVALID_VALUE;
      break;
    }
  }
  return CUDA_SUCCESS;
}

/// The size comes in as an unsigned number in the place of a pointer, and what was written goes
/// out.
static void writeLog(char *buffer, void **size, const std::string &log) {
  if (!size)
    return;
  size_t room = uint32_t(reinterpret_cast<uintptr_t>(*size));
  size_t length = 0;
  if (buffer && room) {
    length = std::min(log.size(), room - 1);
    std::memcpy(buffer, log.data(), length);
    buffer[length] = 0;
  }
  *size = reinterpret_cast<void *>(uintptr_t(length));
}

void JitOptions::report(CUresult result, const std::string &log, double milliseconds) {
  bool failed = result != CUDA_SUCCESS;
  writeLog(errorLog, errorLogSize, failed ? log : "");
  writeLog(infoLog, infoLogSize, failed ? "" : log);
  if (wallTime) {
    float time = float(milliseconds);
    std::memcpy(wallTime, &time, sizeof time);
  }
}

} // namespace vx::rt::driver
