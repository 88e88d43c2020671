// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/api/Copy.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace vx::rt {

namespace {

/// Bytes from the first to behind the last that a side touches; none when that wraps around.
std::optional<uint64_t> footprint(const CopySide &side, const CopyExtent &extent) {
  uint64_t rows, slices, total;
  if (__builtin_mul_overflow(extent.height - 1, side.pitch, &rows) ||
      __builtin_mul_overflow(extent.depth - 1, side.slicePitch, &slices) ||
      __builtin_add_overflow(rows, slices, &total) ||
      __builtin_add_overflow(total, extent.width, &total))
    return std::nullopt;
  return total;
}

/// Whether the host has memory at ADDRESS (a device address may be a number that is also a host
/// address of the program).
bool isHostMapped(uint64_t address) {
  static const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return mincore(pointerTo(address & ~(page - 1)), page, &resident) == 0;
}

bool isHostRegion(Context &context, uint64_t address, uint64_t size) {
  std::optional<HostRegion> region = context.hostMemory().find(pointerTo(address));
  return region && AddressRange{region->base, region->size}.contains(address, size);
}

cudaError_t resolveHostSide(Context &context, CopySide &side, const CopyExtent &extent) {
  std::optional<uint64_t> size = footprint(side, extent);
  if (!size || side.address == 0)
    return cudaErrorInvalidValue;
  side.space = PointerSpace::Host;
  if (context.hostMemory().find(pointerTo(side.address)))
    return isHostRegion(context, side.address, *size) ? cudaSuccess : cudaErrorInvalidValue;
  if (context.findDeviceRange(side.address) && !isHostMapped(side.address))
    return cudaErrorInvalidValue; // a device pointer in the place of a host pointer
  return cudaSuccess;
}

cudaError_t resolveEitherSide(Context &context, CopySide &side, const CopyExtent &extent) {
  return context.findDeviceRange(side.address) ? resolveDeviceSide(context, side, extent)
                                               : resolveHostSide(context, side, extent);
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

cudaError_t copyRow(Context &context, PointerSpace toSpace, uint64_t to, PointerSpace fromSpace,
                    uint64_t from, uint64_t size, std::vector<uint8_t> &buffer) {
  uint8_t *hostTo = static_cast<uint8_t *>(pointerTo(to));
  const uint8_t *hostFrom = static_cast<const uint8_t *>(pointerTo(from));
  if (toSpace == PointerSpace::Host && fromSpace == PointerSpace::Host) {
    std::memmove(hostTo, hostFrom, size);
    return cudaSuccess;
  }
  if (toSpace == PointerSpace::Host)
    return context.read(from, {hostTo, size});
  if (fromSpace == PointerSpace::Host)
    return context.write(to, {hostFrom, size});
  buffer.resize(size);
  if (cudaError_t e = context.read(from, buffer); e != cudaSuccess)
    return e;
  return context.write(to, buffer);
}

bool isPinned(Context &context, const CopySide &side) {
  return context.hostMemory().find(pointerTo(side.address)).has_value();
}

/// The source's rows, packed; the copy then reads from there.
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

} // namespace

cudaError_t resolveDeviceSide(Context &context, CopySide &side, const CopyExtent &extent) {
  std::optional<uint64_t> size = footprint(side, extent);
  if (!size)
    return cudaErrorInvalidValue;
  if (context.isDeviceRange(side.address, *size)) {
    side.space = PointerSpace::Device;
    return cudaSuccess;
  }
  // Managed and page-locked memory has one address for both; its bytes are the host's.
  if (!isHostRegion(context, side.address, *size))
    return cudaErrorInvalidValue;
  side.space = PointerSpace::Host;
  return cudaSuccess;
}

cudaError_t resolveCopy(Context &context, Copy &copy, cudaMemcpyKind kind) {
  using Resolver = cudaError_t (*)(Context &, CopySide &, const CopyExtent &);
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
  if (copy.extent.empty())
    return cudaSuccess;
  if (cudaError_t e = destination(context, copy.destination, copy.extent); e != cudaSuccess)
    return e;
  return source(context, copy.source, copy.extent);
}

cudaError_t performCopy(Context &context, const Copy &copy) {
  std::vector<uint8_t> buffer; // for copies within the device
  return forEachRow(copy, [&](uint64_t to, uint64_t from, uint64_t size) {
    return copyRow(context, copy.destination.space, to, copy.source.space, from, size, buffer);
  });
}

cudaError_t performFill(Context &context, const CopySide &side, const CopyExtent &extent,
                        uint8_t value) {
  return forEachRow({side, side, extent}, [&](uint64_t to, uint64_t, uint64_t size) {
    if (side.space == PointerSpace::Device)
      return context.fill(to, value, size);
    std::memset(pointerTo(to), value, size);
    return cudaSuccess;
  });
}

cudaError_t submitCopy(Context &context, Copy copy, cudaMemcpyKind kind, cudaStream_t handle,
                       bool async, Module *module) {
  std::shared_ptr<Stream> stream = lookUpStream(context, handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t e = resolveCopy(context, copy, kind); e != cudaSuccess || copy.extent.empty())
    return e;
  bool toPageable =
      copy.destination.space == PointerSpace::Host && !isPinned(context, copy.destination);
  std::shared_ptr<std::vector<uint8_t>> staged;
  if (async && !toPageable && copy.source.space == PointerSpace::Host &&
      !isPinned(context, copy.source))
    staged = stageSource(copy);
  auto run = [&context, copy, module, staged] {
    if (module)
      if (cudaError_t e = context.useModule(*module); e != cudaSuccess)
        return e;
    return performCopy(context, copy);
  };
  if (async && !toPageable) {
    enqueueInStream(context, stream, run);
    return cudaSuccess;
  }
  return runInStream(context, stream, run);
}

cudaError_t submitFill(Context &context, CopySide side, const CopyExtent &extent, int value,
                       cudaStream_t handle) {
  std::shared_ptr<Stream> stream = lookUpStream(context, handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (extent.empty())
    return cudaSuccess;
  if (cudaError_t e = resolveDeviceSide(context, side, extent); e != cudaSuccess)
    return e;
  enqueueInStream(context, stream, [&context, side, extent, value] {
    return performFill(context, side, extent, uint8_t(value));
  });
  return cudaSuccess;
}

} // namespace vx::rt
