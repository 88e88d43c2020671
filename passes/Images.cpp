// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of images: vxbin and the fat binary.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "passes/Pipelines.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace vx {

namespace {

template <typename ELFT>
Error flatten(const object::ELFObjectFile<ELFT> &file, SmallVectorImpl<char> &output) {
  auto headers = file.getELFFile().program_headers();
  if (!headers)
    return headers.takeError();
  uint64_t low = ~0ull, high = 0;
  for (const auto &ph : *headers)
    if (ph.p_type == ELF::PT_LOAD && ph.p_memsz) {
      low = std::min<uint64_t>(low, ph.p_vaddr);
      high = std::max<uint64_t>(high, ph.p_vaddr + ph.p_memsz);
    }
  if (low >= high)
    return createStringError("the image has nothing to load");
  size_t base = output.size() + 16;
  output.resize(base + (high - low));
  support::endian::write64le(output.data() + base - 16, low);
  support::endian::write64le(output.data() + base - 8, high);
  for (const auto &ph : *headers) {
    if (ph.p_type != ELF::PT_LOAD)
      continue;
    auto bytes = file.getELFFile().getSegmentContents(ph);
    if (!bytes)
      return bytes.takeError();
    llvm::copy(*bytes, output.begin() + base + (ph.p_vaddr - low));
  }
  return Error::success();
}

} // namespace

Error makeVxBin(ArrayRef<char> elf, SmallVectorImpl<char> &output) {
  MemoryBufferRef buffer(StringRef(elf.data(), elf.size()), "image");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return file.takeError();
  if (auto *elf64 = dyn_cast<object::ELF64LEObjectFile>(file->get()))
    return flatten(*elf64, output);
  if (auto *elf32 = dyn_cast<object::ELF32LEObjectFile>(file->get()))
    return flatten(*elf32, output);
  return createStringError("not a little-endian ELF image");
}

void makeFatBinary(ArrayRef<FatImage> images, SmallVectorImpl<char> &output, StringRef compiler) {
  using namespace abi;
  auto align16 = [](uint64_t v) { return alignTo(v, 16); };
  uint64_t at = align16(sizeof(FatBinaryHeader) + images.size() * sizeof(FatBinaryEntry));
  std::vector<FatBinaryEntry> entries;
  for (const FatImage &image : images) {
    uint32_t omits = image.zicond ? 0 : kOmitsZicond;
    entries.push_back({image.lowering, image.profile, image.xlen, omits, at, image.elf.size()});
    at = align16(at + image.elf.size());
  }
  FatBinaryHeader header{kFatBinaryMagic,
                         kAbiVersion,
                         static_cast<uint32_t>(images.size()),
                         align16(at + compiler.size()),
                         at,
                         compiler.size()};
  output.assign(header.totalBytes, 0);
  llvm::copy(compiler, output.begin() + at);
  std::memcpy(output.data(), &header, sizeof header);
  if (!entries.empty())
    std::memcpy(output.data() + sizeof header, entries.data(),
                entries.size() * sizeof(FatBinaryEntry));
  for (const auto &[entry, image] : zip(entries, images))
    llvm::copy(image.elf, output.begin() + entry.offset);
}

} // namespace vx
