// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/Copy.h"
#include "intrinsics/text/Hex.h"
#include "runtime/core/Reasons.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/HostMemory.h"
#include "simulator/api/HostAddress.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace vx::rt {

namespace {

/// Returns how many bytes there are from the first to the last that a side touches; none when that
/// wraps around.
std::optional<uint64_t> footprint(const CopySide &side, const CopyExtent &extent) {
  uint64_t rows, slices, total;
  if (__builtin_mul_overflow(extent.height - 1, side.pitch, &rows) ||
      __builtin_mul_overflow(extent.depth - 1, side.slicePitch, &slices) ||
      __builtin_add_overflow(rows, slices, &total) ||
      __builtin_add_overflow(total, extent.width, &total))
    return std::nullopt;
  return total;
}

/// Returns true if the host has memory at ADDRESS (a device address may be a number that is also a
/// host address of the program).
bool isHostMapped(uint64_t address) {
  static const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return mincore(pointerTo(address & ~(page - 1)), page, &resident) == 0 || errno != ENOMEM;
}

bool isHostRegion(uint64_t address, uint64_t size) {
  std::optional<HostRegion> region = HostMemory::get().find(pointerTo(address));
  return region && AddressRange{region->base, region->size}.contains(address, size);
}

/// Returns that SIZE bytes at ADDRESS are more than memory of RANGE has.
cudaError_t refuseSize(uint64_t address, uint64_t size, const AddressRange &range) {
  uint64_t offset = address - range.base;
  return because(cudaErrorInvalidValue,
                 "the call is about " + std::to_string(size) + " bytes" +
                     (offset ? " at offset " + std::to_string(offset) : "") +
                     ", the allocation has " + std::to_string(range.size),
                 range.base, range.size);
}

/// Returns that the device has no memory at ADDRESS, where SIZE bytes of it should be.
cudaError_t refuseAddress(uint64_t address, uint64_t size) {
  std::string text = "a null pointer was passed where memory of the device is wanted";
  if (address) {
    std::string ofHost = sim::describeHostAddress(address);
    text = hexText(address) + " is not in memory of the device" +
           (ofHost.empty() ? "" : "; " + ofHost);
  }
  return because(cudaErrorInvalidValue, std::move(text), address, size);
}

/// The context that has device memory at ADDRESS: CONTEXT, another one (kept in USES), or none.
Context *ownerOf(Context &context, uint64_t address, ContextUses &uses) {
  if (context.findDeviceRange(address))
    return &context;
  if (HostMemory::get().find(pointerTo(address)))
    return nullptr;
  ContextUse owner = Runtime::get().findOwner(
      [&](Context &other) { return other.findDeviceRange(address).has_value(); });
  if (!owner)
    return nullptr;
  uses.push_back(std::make_shared<ContextUse>(std::move(owner)));
  return &**uses.back();
}

/// A side that is the host's by the kind of the copy. With one address space for all, CUDA goes by
/// the pointer: a device pointer is taken for what it is, unless the host has memory there, too.
cudaError_t resolveHostSide(Context &context, CopySide &side, const CopyExtent &extent,
                            ContextUses &uses) {
  std::optional<uint64_t> size = footprint(side, extent);
  // Arrays come with their device, and are the device's even where the host can read its memory.
  if (size && side.address == 0)
    return because(cudaErrorInvalidValue,
                   "a null pointer was passed where memory of the host is wanted");
  if (!size || side.context)
    return cudaErrorInvalidValue;
  side.space = PointerSpace::Host;
  if (std::optional<HostRegion> region = HostMemory::get().find(pointerTo(side.address)))
    return isHostRegion(side.address, *size)
               ? cudaSuccess
               : refuseSize(side.address, *size, {region->base, region->size});
  if (isHostMapped(side.address))
    return cudaSuccess;
  // Neither's: memory that has been freed.
  return ownerOf(context, side.address, uses) ? resolveDeviceSide(context, side, extent, uses)
                                              : cudaErrorInvalidValue;
}

cudaError_t resolveEitherSide(Context &context, CopySide &side, const CopyExtent &extent,
                              ContextUses &uses) {
  return ownerOf(context, side.address, uses) ? resolveDeviceSide(context, side, extent, uses)
                                              : resolveHostSide(context, side, extent, uses);
}

/// Calls ROW(destination address, source address, bytes) for every row, or once for all of them
/// when they are adjacent on both sides.
template <typename Row> cudaError_t forEachRow(const Copy &copy, Row &&row) {
  const CopySide &d = copy.destination, &s = copy.source;
  CopyExtent e = copy.extent;
  if (e.depth == 1 && d.pitch == e.width && s.pitch == e.width)
    e = {e.width * e.height, 1, 1};
  for (uint64_t z = 0; z < e.depth; ++z)
    for (uint64_t y = 0; y < e.height; ++y) {
      uint64_t to = d.address + z * d.slicePitch + y * d.pitch;
      uint64_t from = s.address + z * s.slicePitch + y * s.pitch;
      if (cudaError_t error = row(to, from, e.width); error != cudaSuccess)
        return error;
    }
  return cudaSuccess;
}

cudaError_t copyRow(const Copy &copy, uint64_t to, uint64_t from, uint64_t size,
                    std::vector<uint8_t> &buffer) {
  const CopySide &d = copy.destination, &s = copy.source;
  uint8_t *hostTo = static_cast<uint8_t *>(pointerTo(to));
  const uint8_t *hostFrom = static_cast<const uint8_t *>(pointerTo(from));
  if (d.space == PointerSpace::Host && s.space == PointerSpace::Host) {
    std::memmove(hostTo, hostFrom, size);
    return cudaSuccess;
  }
  if (d.space == PointerSpace::Host)
    return s.context->memory().readAlone(from, {hostTo, size});
  if (s.space == PointerSpace::Host)
    return d.context->memory().writeAlone(to, {hostFrom, size});
  buffer.resize(size);
  if (cudaError_t e = s.context->memory().readAlone(from, buffer); e != cudaSuccess)
    return e;
  return d.context->memory().writeAlone(to, buffer);
}

/// A row between devices goes through a buffer of at most this size, unless source and destination
/// may overlap.
constexpr uint64_t kPieceBytes = 4 << 20;

cudaError_t copyRowInPieces(const Copy &copy, uint64_t to, uint64_t from, uint64_t size,
                            std::vector<uint8_t> &buffer) {
  for (uint64_t done = 0; done < size; done += kPieceBytes) {
    uint64_t piece = std::min(kPieceBytes, size - done);
    if (cudaError_t e = copyRow(copy, to + done, from + done, piece, buffer); e != cudaSuccess)
      return e;
  }
  return cudaSuccess;
}

} // namespace

bool isForeign(const Context &context, const CopySide &side) {
  return side.space == PointerSpace::Device && side.context != &context;
}

std::shared_ptr<std::vector<uint8_t>> stageSource(Copy &copy) {
  const CopyExtent &e = copy.extent;
  auto staged = std::make_shared<std::vector<uint8_t>>(e.width * e.height * e.depth);
  Copy toStage = copy;
  toStage.destination = {addressOf(staged->data()), e.width, e.width * e.height,
                         PointerSpace::Host};
  (void)forEachRow(toStage, [](uint64_t to, uint64_t from, uint64_t size) {
    std::memcpy(pointerTo(to), pointerTo(from), size);
    return cudaSuccess;
  });
  copy.source = toStage.destination;
  return staged;
}

cudaError_t resolveDeviceSide(Context &context, CopySide &side, const CopyExtent &extent,
                              ContextUses &uses) {
  std::optional<uint64_t> size = footprint(side, extent);
  if (!size)
    return cudaErrorInvalidValue;
  Context *owner = side.context ? side.context : ownerOf(context, side.address, uses);
  if (owner && owner->isDeviceRange(side.address, *size)) {
    side.space = PointerSpace::Device;
    side.context = owner;
    return cudaSuccess;
  }
  if (std::optional<AddressRange> range =
          owner ? owner->findDeviceRange(side.address) : std::nullopt)
    return refuseSize(side.address, *size, *range);
  // Managed and page-locked memory has one address for both; its bytes are the host's.
  std::optional<HostRegion> region = HostMemory::get().find(pointerTo(side.address));
  if (!region)
    return refuseAddress(side.address, *size);
  if (!isHostRegion(side.address, *size))
    return refuseSize(side.address, *size, {region->base, region->size});
  side.space = PointerSpace::Host;
  return cudaSuccess;
}

cudaError_t resolveCopy(Context &context, Copy &copy, cudaMemcpyKind kind) {
  if (copy.extent.empty())
    return cudaSuccess;
  using Resolver = cudaError_t (*)(Context &, CopySide &, const CopyExtent &, ContextUses &);
  Resolver destination, source;
  switch (kind) {
  case cudaMemcpyHostToHost:
    destination = source = resolveHostSide;
    break;
  case cudaMemcpyHostToDevice:
    destination = resolveDeviceSide;
    source = resolveHostSide;
    break;
  case cudaMemcpyDeviceToHost:
    destination = resolveHostSide;
    source = resolveDeviceSide;
    break;
  case cudaMemcpyDeviceToDevice:
    destination = source = resolveDeviceSide;
    break;
  case cudaMemcpyDefault:
    destination = source = resolveEitherSide;
    break;
  default:
    return cudaErrorInvalidMemcpyDirection;
  }
  cudaError_t e = destination(context, copy.destination, copy.extent, copy.uses);
  return e == cudaSuccess ? source(context, copy.source, copy.extent, copy.uses) : e;
}

cudaError_t performCopy(Context &context, const Copy &copy) {
  if (copy.extent.empty())
    return cudaSuccess;
  std::vector<uint8_t> buffer; // for copies between devices and within one
  bool isCross = isForeign(context, copy.destination) || isForeign(context, copy.source);
  auto run = [&] {
    return forEachRow(copy, [&](uint64_t to, uint64_t from, uint64_t size) {
      return isCross ? copyRowInPieces(copy, to, from, size, buffer)
                     : copyRow(copy, to, from, size, buffer);
    });
  };
  if (!isCross)
    return run();
  cudaError_t result = cudaSuccess;
  context.scheduler().withoutDevice([&] { result = run(); });
  return result;
}

/// Returns true if all bytes of an element are the same.
static bool isOneByte(uint32_t value, unsigned elementBytes) {
  for (unsigned i = 1; i < elementBytes; ++i)
    if (uint8_t(value >> (8 * i)) != uint8_t(value))
      return false;
  return true;
}

cudaError_t performFill(Context &context, const CopySide &side, const CopyExtent &extent,
                        uint32_t value, unsigned elementBytes) {
  if (extent.empty())
    return cudaSuccess;
  bool oneByte = isOneByte(value, elementBytes);
  std::vector<uint8_t> pattern;
  auto fillRow = [&](uint64_t to, uint64_t size) {
    if (oneByte && side.space == PointerSpace::Device)
      return side.context->memory().fillAlone(to, uint8_t(value), size);
    if (oneByte) {
      std::memset(pointerTo(to), uint8_t(value), size);
      return cudaSuccess;
    }
    constexpr uint64_t kChunk = 1 << 16;
    if (pattern.empty())
      for (uint64_t i = 0; i < std::min(size, kChunk); ++i)
        pattern.push_back(uint8_t(value >> (8 * (i % elementBytes))));
    for (uint64_t done = 0; done < size; done += kChunk) {
      std::span part(pattern.data(), std::min(kChunk, size - done));
      if (side.space == PointerSpace::Host)
        std::memcpy(pointerTo(to + done), part.data(), part.size());
      else if (cudaError_t e = side.context->memory().writeAlone(to + done, part); e != cudaSuccess)
        return e;
    }
    return cudaSuccess;
  };
  auto run = [&] {
    return forEachRow({side, side, extent, {}},
                      [&](uint64_t to, uint64_t, uint64_t size) { return fillRow(to, size); });
  };
  if (!isForeign(context, side))
    return run();
  cudaError_t result = cudaSuccess;
  context.scheduler().withoutDevice([&] { result = run(); });
  return result;
}

} // namespace vx::rt
