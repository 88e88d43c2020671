// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/FatBinary.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include <cstring>
#include <string>

namespace vx::rt {

static Failure damaged(const std::string &what) {
  return {"damaged fat binary: " + what};
}

static Result<FatImage> readEntry(std::span<const uint8_t> bytes, uint64_t entriesEnd,
                                  uint32_t index) {
  abi::FatBinaryEntry entry;
  std::memcpy(&entry, bytes.data() + sizeof(abi::FatBinaryHeader) + index * sizeof entry,
              sizeof entry);
  std::string name = "image " + std::to_string(index);
  if (uint32_t(entry.lowering) > uint32_t(abi::Lowering::Ir))
    return damaged(name + " has an unknown lowering");
  if (uint32_t(entry.profile) > uint32_t(abi::IsaProfile::Paths))
    return damaged(name + " has an unknown instruction-set profile");
  if (entry.xlen != 32 && entry.xlen != 64)
    return damaged(name + " has a register width other than 32 and 64");
  if (entry.offset < entriesEnd || entry.offset > bytes.size() ||
      entry.size > bytes.size() - entry.offset)
    return damaged(name + " lies outside of it");
  FatImage image;
  image.lowering = entry.lowering;
  image.profile = entry.profile;
  image.xlen = entry.xlen;
  image.zicond = !(entry.omits & abi::kOmitsZicond);
  image.elf = bytes.subspan(entry.offset, entry.size);
  return image;
}

Result<std::vector<FatImage>> parseFatBinary(std::span<const uint8_t> bytes) {
  abi::FatBinaryHeader header;
  if (bytes.size() < sizeof header)
    return damaged("it is shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != abi::kFatBinaryMagic)
    return damaged("wrong magic number (was this object compiled by vxcc?)");
  if (header.version != abi::kAbiVersion)
    return Failure{"the fat binary has version " + std::to_string(header.version) +
                   ", this runtime reads version " + std::to_string(abi::kAbiVersion) +
                   ": compile the program again"};
  if (header.totalBytes > bytes.size() || header.totalBytes < sizeof header)
    return damaged("it is cut off");
  bytes = bytes.first(header.totalBytes);
  if (header.numImages > (bytes.size() - sizeof header) / sizeof(abi::FatBinaryEntry))
    return damaged("its table of images is cut off");
  uint64_t entriesEnd = sizeof header + header.numImages * sizeof(abi::FatBinaryEntry);
  if (header.compilerBytes &&
      (header.compilerOffset < entriesEnd || header.compilerOffset > bytes.size() ||
       header.compilerBytes > bytes.size() - header.compilerOffset))
    return damaged("the path of its compiler lies outside of it");
  std::vector<FatImage> images;
  for (uint32_t i = 0; i < header.numImages; ++i) {
    Result<FatImage> image = readEntry(bytes, entriesEnd, i);
    if (!image)
      return image.error();
    if (image->lowering == abi::Lowering::Ir && header.compilerBytes)
      image->compiler = {reinterpret_cast<const char *>(bytes.data()) + header.compilerOffset,
                         header.compilerBytes};
    images.push_back(*image);
  }
  return images;
}

Result<std::vector<FatImage>> parseFatWrapper(const void *wrapper) {
  struct Wrapper {
    uint32_t magic;
    uint32_t version;
    const void *data;
    void *unused;
  } outer;
  if (!wrapper)
    return damaged("no wrapper");
  std::memcpy(&outer, wrapper, sizeof outer);
  if (outer.magic != abi::kFatWrapperMagic || !outer.data)
    return damaged("its wrapper has a wrong magic number");
  abi::FatBinaryHeader header;
  std::memcpy(&header, outer.data, sizeof header);
  // The length may be read only once the magic number vouches for it.
  uint64_t size = header.magic == abi::kFatBinaryMagic ? header.totalBytes : sizeof header;
  if (size < sizeof header)
    return damaged("it is cut off");
  return parseFatBinary({static_cast<const uint8_t *>(outer.data), size});
}

const FatImage *findIr(std::span<const FatImage> images) {
  for (const FatImage &image : images)
    if (image.lowering == abi::Lowering::Ir)
      return &image;
  return nullptr;
}

std::vector<uint8_t> wrapImage(const FatImage &image) {
  abi::FatBinaryHeader header{abi::kFatBinaryMagic, abi::kAbiVersion, 1, 0, 0, 0};
  uint64_t offset = (sizeof header + sizeof(abi::FatBinaryEntry) + 15) & ~uint64_t(15);
  header.totalBytes = offset + image.elf.size();
  uint32_t omits = image.zicond ? 0 : uint32_t(abi::kOmitsZicond);
  abi::FatBinaryEntry entry{image.lowering, image.profile, image.xlen,
                            omits,          offset,        image.elf.size()};
  std::vector<uint8_t> bytes(header.totalBytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &entry, sizeof entry);
  std::memcpy(bytes.data() + offset, image.elf.data(), image.elf.size());
  return bytes;
}

/// How much IMAGE suits CHOICE; negative: it does not. Images that hold both variants come first,
/// then hw; among equals the one that uses most of what the device has. Of hw images with
/// instructions that the device lacks, those kernels run that do without them
/// (KernelRecord::isaProfile).
static int rank(const FatImage &image, const ImageChoice &choice) {
  if (image.lowering == abi::Lowering::Ir)
    return -1;
  bool forHost = choice.lowering == abi::Lowering::Host;
  if (image.xlen != choice.xlen || (image.lowering == abi::Lowering::Host) != forHost)
    return -1;
  if (forHost)
    return 1;
  if (image.zicond && !choice.zicond)
    return -1;
  if ((image.profile == abi::IsaProfile::Paths) != (choice.profile == abi::IsaProfile::Paths))
    return -1;
  bool runs = image.profile <= choice.profile;
  int profile = int(image.profile) + 1;
  switch (image.lowering) {
  case abi::Lowering::Auto: // its sw variants run everywhere
    return runs ? 30 + profile : 20 - profile;
  case abi::Lowering::Hw:
    if (choice.lowering == abi::Lowering::Sw)
      return -1;
    return runs ? 10 + profile : 3 - profile;
  default:
    return choice.lowering != abi::Lowering::Hw ? 3 + profile : -1;
  }
}

Result<FatImage> chooseImage(std::span<const FatImage> images, const ImageChoice &choice) {
  const FatImage *best = nullptr;
  int bestRank = -1;
  std::string offered;
  for (const FatImage &image : images) {
    offered += offered.empty() ? "" : ", ";
    offered += std::string(toString(image.lowering)) + "/" + toString(image.profile) + "/rv" +
               std::to_string(image.xlen) + (image.zicond ? "" : "/no-zicond");
    int suits = rank(image, choice);
    if (suits > bestRank || (best && suits == bestRank && image.zicond > best->zicond)) {
      best = &image;
      bestRank = suits;
    }
  }
  if (best)
    return *best;
  ImageChoice richer = choice;
  richer.zicond = true;
  std::string cure;
  if (!choice.zicond && chooseImage(images, richer))
    cure = "; compile it with --vx-zicond=false, or with --vx-zicond=true,false for both";
  if (choice.profile == abi::IsaProfile::Paths)
    cure += "; a device with core.divergence=paths runs what is compiled with --vx-isa=paths (or "
            "--vx-isa=warp,paths for others, too)";
  else if (richer.profile = abi::IsaProfile::Paths; chooseImage(images, richer))
    cure += "; it is for devices with core.divergence=paths";
  return Failure{std::string("no device code for lowering ") + toString(choice.lowering) +
                 ", instructions up to '" + toString(choice.profile) + "', rv" +
                 std::to_string(choice.xlen) + (choice.zicond ? "" : ", no Zicond (isa.zicond)") +
                 "; the program holds: " + (offered.empty() ? "none" : offered) + cure};
}

} // namespace vx::rt
