// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/Arrays.h"
#include "runtime/context/Context.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/ImageLimits.h"
#include <algorithm>

namespace vx::rt {

namespace {

/// Levels begin at multiples of this.
constexpr uint64_t kLevelAlignment = 512;

struct NormalizedRow {
  cudaChannelFormatKind kind;
  unsigned channels, channelBytes;
  ElementFormat::Kind sign;
};
constexpr NormalizedRow kNormalized[] = {
    {cudaChannelFormatKindUnsignedNormalized8X1, 1, 1, ElementFormat::Unsigned},
    {cudaChannelFormatKindUnsignedNormalized8X2, 2, 1, ElementFormat::Unsigned},
    {cudaChannelFormatKindUnsignedNormalized8X4, 4, 1, ElementFormat::Unsigned},
    {cudaChannelFormatKindUnsignedNormalized16X1, 1, 2, ElementFormat::Unsigned},
    {cudaChannelFormatKindUnsignedNormalized16X2, 2, 2, ElementFormat::Unsigned},
    {cudaChannelFormatKindUnsignedNormalized16X4, 4, 2, ElementFormat::Unsigned},
    {cudaChannelFormatKindSignedNormalized8X1, 1, 1, ElementFormat::Signed},
    {cudaChannelFormatKindSignedNormalized8X2, 2, 1, ElementFormat::Signed},
    {cudaChannelFormatKindSignedNormalized8X4, 4, 1, ElementFormat::Signed},
    {cudaChannelFormatKindSignedNormalized16X1, 1, 2, ElementFormat::Signed},
    {cudaChannelFormatKindSignedNormalized16X2, 2, 2, ElementFormat::Signed},
    {cudaChannelFormatKindSignedNormalized16X4, 4, 2, ElementFormat::Signed}};

/// The memory of an array of some extent, and how large it may be.
struct Shape {
  uint64_t width, height, depth; ///< in memory
  ImageExtent limit;
  bool halvesDepth; ///< from level to level
};

/// Nothing for extents and flags that do not go together (cudaMalloc3DArray).
std::optional<Shape> shapeOf(const cudaExtent &e, unsigned flags, bool mipmapped) {
  bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
  if (e.width == 0)
    return std::nullopt;
  Shape shape{e.width, std::max<uint64_t>(e.height, 1), std::max<uint64_t>(e.depth, 1), {0}, false};
  if (cube) {
    if (e.width != e.height || e.depth % 6 || e.depth == 0 || (!layered && e.depth != 6))
      return std::nullopt;
    shape.limit = layered ? kMaxCubemapLayered : kMaxCubemap;
  } else if (layered) {
    if (e.depth == 0)
      return std::nullopt;
    shape.limit = e.height ? kMax2DLayered : kMax1DLayered;
  } else if (e.depth) {
    if (e.height == 0)
      return std::nullopt;
    bool isDeep = e.depth > kMax3D.depth;
    shape.limit = isDeep ? kMax3DAlternate : kMax3D;
    shape.halvesDepth = true;
  } else if (e.height) {
    shape.limit = mipmapped                        ? kMax2DMipmapped
                  : flags & cudaArrayTextureGather ? kMax2DGather
                                                   : kMax2D;
  } else {
    shape.limit = mipmapped                           ? kMax1DMipmapped
                  : flags & cudaArraySurfaceLoadStore ? kMaxSurface1D
                                                      : kMax1D;
  }
  if (shape.width > shape.limit.width || shape.height > shape.limit.height ||
      shape.depth > shape.limit.depth)
    return std::nullopt;
  return shape;
}

cudaError_t checkFlags(unsigned flags) {
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                             cudaArrayTextureGather | cudaArrayColorAttachment;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return cudaErrorNotSupported;
  return flags & ~known ? cudaErrorInvalidValue : cudaSuccess;
}

uint64_t halved(uint64_t size, unsigned level) {
  return std::max<uint64_t>(size >> level, 1);
}

/// The records of COUNT levels, whose addresses are offsets, and the bytes of all.
std::vector<std::shared_ptr<ArrayRecord>> layOut(const Shape &shape, const ElementFormat &format,
                                                 const cudaChannelFormatDesc &desc,
                                                 const cudaExtent &extent, unsigned flags,
                                                 unsigned count, uint64_t &bytes) {
  std::vector<std::shared_ptr<ArrayRecord>> levels;
  bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    auto level = std::make_shared<ArrayRecord>();
    level->desc = desc;
    level->format = format;
    level->flags = flags;
    level->extent = {halved(extent.width, i), extent.height ? halved(extent.height, i) : 0,
                     extent.depth && shape.halvesDepth ? halved(extent.depth, i) : extent.depth};
    VxImageLevel &m = level->memory;
    m.width = uint32_t(halved(shape.width, i));
    m.height = uint32_t(halved(shape.height, i));
    m.depth = uint32_t(shape.halvesDepth ? halved(shape.depth, i) : shape.depth);
    m.rowPitch = uint64_t(m.width) * format.bytes();
    m.slicePitch = m.rowPitch * m.height;
    bytes = (bytes + kLevelAlignment - 1) / kLevelAlignment * kLevelAlignment;
    m.data = bytes;
    bytes += m.slicePitch * m.depth;
    levels.push_back(std::move(level));
  }
  return levels;
}

cudaError_t create(Context &context, const cudaChannelFormatDesc &desc, const cudaExtent &extent,
                   unsigned count, unsigned flags, bool mipmapped,
                   std::vector<std::shared_ptr<ArrayRecord>> &levels, uint64_t &memory) {
  if (cudaError_t e = checkFlags(flags); e != cudaSuccess)
    return e;
  std::optional<ElementFormat> format = elementFormat(desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  std::optional<Shape> shape = shapeOf(extent, flags, mipmapped);
  if (!shape || count == 0)
    return cudaErrorInvalidValue;
  uint64_t largest = std::max({shape->width, shape->height, shape->halvesDepth ? shape->depth : 1});
  unsigned most = 1;
  while (largest >> most)
    ++most;
  uint64_t bytes;
  levels = layOut(*shape, *format, desc, extent, flags, std::min(count, most), bytes);
  if (cudaError_t e = context.memory().allocate(bytes, memory); e != cudaSuccess)
    return e;
  for (std::shared_ptr<ArrayRecord> &level : levels)
    level->memory.data += memory;
  return cudaSuccess;
}

} // namespace

std::optional<ElementFormat> elementFormat(const cudaChannelFormatDesc &desc) {
  const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] == desc.x && desc.x)
    ++channels;
  for (unsigned c = channels; c < 4; ++c)
    if (bits[c])
      return std::nullopt;
  if (channels == 0 || channels == 3 || (desc.x != 8 && desc.x != 16 && desc.x != 32))
    return std::nullopt;
  ElementFormat format{channels, unsigned(desc.x) / 8};
  switch (desc.f) {
  case cudaChannelFormatKindSigned:
    format.kind = ElementFormat::Signed;
    return format;
  case cudaChannelFormatKindUnsigned:
    format.kind = ElementFormat::Unsigned;
    return format;
  case cudaChannelFormatKindFloat:
    format.kind = ElementFormat::Float;
    return desc.x == 8 ? std::nullopt : std::optional(format);
  default:
    break;
  }
  for (const NormalizedRow &row : kNormalized)
    if (row.kind == desc.f) {
      format.kind = row.sign;
      format.isNormalized = true;
      bool fits = row.channels == channels && row.channelBytes == format.channelBytes;
      return fits ? std::optional(format) : std::nullopt;
    }
  return std::nullopt;
}

std::optional<ElementFormat> elementFormat(cudaResourceViewFormat view) {
  if (view < cudaResViewFormatUnsignedChar1 || view > cudaResViewFormatFloat4)
    return std::nullopt;
  // Types with 1, 2 and 4 channels each.
  constexpr ElementFormat types[] = {{0, 1, ElementFormat::Unsigned}, {0, 1, ElementFormat::Signed},
                                     {0, 2, ElementFormat::Unsigned}, {0, 2, ElementFormat::Signed},
                                     {0, 4, ElementFormat::Unsigned}, {0, 4, ElementFormat::Signed},
                                     {0, 2, ElementFormat::Float},    {0, 4, ElementFormat::Float}};
  unsigned index = unsigned(view) - cudaResViewFormatUnsignedChar1;
  ElementFormat format = types[index / 3];
  format.channels = 1u << index % 3;
  return format;
}

cudaError_t createArray(Context &context, const cudaChannelFormatDesc &desc,
                        const cudaExtent &extent, unsigned flags, cudaArray_t &handle) {
  std::vector<std::shared_ptr<ArrayRecord>> levels;
  uint64_t memory = 0;
  cudaError_t e = create(context, desc, extent, 1, flags, false, levels, memory);
  if (e == cudaSuccess)
    handle = context.handles().arrays.add(std::move(levels[0]));
  return e;
}

cudaError_t createMipmappedArray(Context &context, const cudaChannelFormatDesc &desc,
                                 const cudaExtent &extent, unsigned levels, unsigned flags,
                                 cudaMipmappedArray_t &handle) {
  auto record = std::make_shared<MipmappedRecord>();
  record->desc = desc;
  record->extent = extent;
  record->flags = flags;
  cudaError_t e =
      create(context, desc, extent, levels, flags, true, record->levels, record->memory);
  if (e != cudaSuccess)
    return e;
  for (std::shared_ptr<ArrayRecord> &level : record->levels) {
    level->isLevel = true;
    record->handles.push_back(context.handles().arrays.add(level));
  }
  handle = context.handles().mipmappedArrays.add(std::move(record));
  return cudaSuccess;
}

bool destroyArray(Context &context, cudaArray_t handle) {
  std::shared_ptr<ArrayRecord> array = context.handles().arrays.find(handle);
  if (!array || array->isLevel || !context.handles().arrays.remove(handle))
    return false;
  (void)context.memory().release(array->memory.data);
  return true;
}

bool destroyMipmappedArray(Context &context, cudaMipmappedArray_t handle) {
  std::shared_ptr<MipmappedRecord> array = context.handles().mipmappedArrays.find(handle);
  if (!array || !context.handles().mipmappedArrays.remove(handle))
    return false;
  for (cudaArray_t level : array->handles)
    context.handles().arrays.remove(level);
  (void)context.memory().release(array->memory);
  return true;
}

} // namespace vx::rt
