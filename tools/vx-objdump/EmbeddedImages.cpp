// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/EmbeddedImages.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "runtime/image/FatBinary.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace llvm;

namespace vx {

namespace {

constexpr StringLiteral kFatBinarySection = ".nv_fatbin";
/// Relocatable device code (-rdc=true): it becomes images when the program is linked.
constexpr StringLiteral kRelocatableSection = ".llvm.offloading";

/// Adds the images of the fat binary at the beginning of CONTENT, of FILE, and drops it.
Error takeFatBinary(StringRef &content, StringRef file, std::vector<EmbeddedImage> &images) {
  abi::FatBinaryHeader header;
  if (content.size() < sizeof header)
    return createStringError("damaged fat binary: it is shorter than its header");
  std::memcpy(&header, content.data(), sizeof header);
  auto parsed = rt::parseFatBinary({content.bytes_begin(), content.size()});
  if (!parsed)
    return createStringError(parsed.error().message);
  for (const rt::FatImage &image : *parsed) {
    std::string name = (sys::path::filename(file) + "." + Twine(images.size() + 1) + "." +
                        abi::toString(image.lowering))
                           .str();
    bool isCode = image.lowering != abi::Lowering::Ir && image.lowering != abi::Lowering::Host;
    if (isCode)
      name += "-" + std::string(abi::toString(image.profile)) + "-rv" + std::to_string(image.xlen) +
              (image.zicond ? "" : "-nozicond");
    images.push_back(
        {std::move(name), isCode,
         StringRef(reinterpret_cast<const char *>(image.elf.data()), image.elf.size())});
  }
  content = content.drop_front(header.totalBytes);
  return Error::success();
}

} // namespace

bool isHostFile(MemoryBufferRef file) {
  constexpr size_t kMachineAt = 18;
  StringRef bytes = file.getBuffer();
  return bytes.starts_with("\x7f"
                           "ELF") &&
         bytes.size() > kMachineAt + 1 &&
         uint8_t(bytes[kMachineAt]) + 256 * uint8_t(bytes[kMachineAt + 1]) == ELF::EM_X86_64;
}

Expected<std::vector<EmbeddedImage>> findImages(MemoryBufferRef file) {
  auto object = object::ObjectFile::createELFObjectFile(file);
  if (!object)
    return object.takeError();
  std::vector<EmbeddedImage> images;
  bool isRelocatable = false;
  for (const object::SectionRef &section : (*object)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    isRelocatable |= *name == kRelocatableSection;
    if (*name != kFatBinarySection)
      continue;
    Expected<StringRef> content = section.getContents();
    if (!content)
      return content.takeError();
    for (StringRef rest = *content; !(rest = rest.ltrim('\0')).empty();) // padding between them
      if (Error error = takeFatBinary(rest, file.getBufferIdentifier(), images))
        return std::move(error);
  }
  if (images.empty())
    return createStringError(isRelocatable
                                 ? "its device code is relocatable: images are made when the "
                                   "program is linked"
                                 : "there is no device code in it");
  return images;
}

} // namespace vx
