// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device image of the program: its kernels, its variables and its presence on the device.
//
// Images are linked to the same addresses and every object of a program has one. A module whose
// addresses are taken is moved to others (Relocation.h). One that cannot be moved takes turns with
// those in its way: loading it moves them out (their data is kept here) until they are needed
// again.

#ifndef VX_RUNTIME_IMAGE_MODULE_H
#define VX_RUNTIME_IMAGE_MODULE_H

#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/KernelTable.h"
#include "runtime/core/Allocator.h"
#include "runtime/core/Device.h"
#include "runtime/plan/LaunchPlan.h"
#include "simulator/api/ElfImage.h"
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vx::rt {

class Module;

struct Kernel {
  const Module *module = nullptr;
  std::string name;                      ///< mangled
  std::string title;                     ///< demangled, once it has run
  abi::KernelRecord record{};            ///< the hw variant, or the first one there is
  std::vector<abi::KernelRecord> others; ///< its other variants
  std::vector<abi::KernelParam> params;
  /// The dynamic shared memory that a launch may ask for, as cudaFuncSetAttribute set it.
  uint32_t maxDynamicShared = 0;
  /// __cluster_dims__, or what cudaFuncSetAttribute set; and whether it allowed large ones.
  Dim cluster;
  bool allowsLargeClusters = false;
  /// The address of its KernelHandle (DeviceLaunch.h), and the maxDynamicShared in it; 0, none:
  /// device code does not name the kernel.
  uint64_t handle = 0;
  std::optional<uint32_t> published;

  /// Makes BLOCK the argument block: what each of POINTERS shows at its place, padding zero.
  /// Returns false if a pointer is missing.
  bool packArguments(void *const *pointers, std::vector<uint8_t> &block) const;

  /// The variant whose entries are for MAPPING; null if there is none.
  const abi::KernelRecord *variantFor(abi::Mapping mapping) const;
  /// The variants of the two lowerings; null if there is none.
  const abi::KernelRecord *hardwareVariant() const;
  const abi::KernelRecord *softwareVariant() const;
  /// The variant for LOWERING on a device of SHAPE; null if there is none. Auto takes hw where the
  /// device has what the kernel needs and its lanes do not wait for each other, else sw.
  const abi::KernelRecord *variant(abi::Lowering lowering, const DeviceShape &shape) const;
};

/// Kernels of the table in section `.vx.kernels`, one for each record; BYTES may be cut or damaged.
Result<std::vector<Kernel>> parseKernelTable(std::span<const uint8_t> bytes);

class Module {
public:
  /// ELF is an untrusted image for registers of XLEN bits.
  /// HOSTCODE: an image of Lowering::Host.
  static Result<std::unique_ptr<Module>> parse(std::span<const uint8_t> elf, uint32_t xlen,
                                               bool hostCode = false);

  Kernel *kernel(std::string_view name);
  unsigned kernelCount() const { return unsigned(kernels.size()); }
  /// Returns true if a device of SHAPE lacks something for mapping hw of a kernel whose sw lowering
  /// has been left for later: its other mappings do not have all launches.
  bool lacksSoftware(const DeviceShape &shape) const;
  /// The kernel whose handle is at ADDRESS.
  Kernel *kernelAt(uint64_t address);
  /// Brings the handles of kernels up to date; the module is resident.
  Result<void> publishKernels(Device &device);
  /// Address and size of a device variable.
  std::optional<AddressRange> variable(std::string_view name) const;
  /// Returns the segments where the module is or would be loaded.
  const std::vector<sim::ImageSegment> &segments() const { return placed; }
  uint64_t entry() const { return elfImage.entry() + slide; }
  /// "kernel+0x12, file.cu:7" for an address of the module, as far as it is known.
  std::string describe(uint64_t pc) const;
  /// The part of a CUDA warp (mapping coarsened) that the code at PC is for; none: not known, or of
  /// no part.
  std::optional<uint32_t> partOf(uint64_t pc) const;
  const sim::ElfImage &image() const { return elfImage; }
  /// The bytes that parse() was given.
  std::span<const uint8_t> file() const { return imageFile; }
  /// Returns what is added to the image's addresses.
  uint64_t imageSlide() const { return slide; }
  /// The address that the linker gave to what is at ADDRESS.
  uint64_t linkedAddress(uint64_t address) const { return address - slide; }

  /// Keeps the bytes that parse() was given as long as the module.
  void own(std::vector<uint8_t> bytes) { ownedBytes = std::move(bytes); }

  bool isMovable() const { return storedAddresses.has_value(); }
  /// Puts the module SLIDE bytes above its linked addresses, before it is first loaded.
  void moveBy(uint64_t slide);

  bool isResident() const { return resident; }
  bool collidesWith(const Module &other) const;
  Result<void> load(Device &device);
  /// Makes kernels start with stacks of 1 << LOG2 bytes; the module is resident.
  Result<void> setStackLog2Size(Device &device, uint32_t log2);
  Result<void> evict(Device &device);

private:
  Module() = default;
  void add(Kernel kernel);
  std::vector<uint8_t> ownedBytes;
  std::span<const uint8_t> imageFile;
  sim::ElfImage elfImage;
  std::vector<sim::ImageSegment> placed;
  std::optional<std::vector<uint64_t>> storedAddresses;
  uint64_t slide = 0;
  std::map<std::string, Kernel, std::less<>> kernels;
  // The data of each segment while the module is not resident; empty: as in the image.
  std::vector<std::vector<uint8_t>> kept;
  bool resident = false;
  uint32_t stackLog2Size = 0; // while it is resident
};

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_MODULE_H
