// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intrinsics/opencl/ImageFormat.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Memory.h"
#include "runtime/opencl/Transfer.h"
#include <algorithm>

using namespace vx::cl;

namespace {

struct OrderRow {
  cl_channel_order order;
  unsigned channels;
};
constexpr OrderRow kOrders[] = {{CL_R, 1},         {CL_A, 1},         {CL_RG, 2},   {CL_RA, 2},
                                {CL_RGBA, 4},      {CL_BGRA, 4},      {CL_ARGB, 4}, {CL_ABGR, 4},
                                {CL_INTENSITY, 1}, {CL_LUMINANCE, 1}, {CL_RGB, 3},  {CL_Rx, 1},
                                {CL_RGx, 2},       {CL_sRGBA, 4},     {CL_DEPTH, 1}};

struct TypeRow {
  cl_channel_type type;
  unsigned bytes; ///< of a channel, or of all where they are packed
  bool isPacked, isNormalized, isInteger;
};
constexpr TypeRow kTypes[] = {
    {CL_SNORM_INT8, 1, false, true, false},      {CL_SNORM_INT16, 2, false, true, false},
    {CL_UNORM_INT8, 1, false, true, false},      {CL_UNORM_INT16, 2, false, true, false},
    {CL_UNORM_SHORT_565, 2, true, true, false},  {CL_UNORM_SHORT_555, 2, true, true, false},
    {CL_UNORM_INT_101010, 4, true, true, false}, {CL_SIGNED_INT8, 1, false, false, true},
    {CL_SIGNED_INT16, 2, false, false, true},    {CL_SIGNED_INT32, 4, false, false, true},
    {CL_UNSIGNED_INT8, 1, false, false, true},   {CL_UNSIGNED_INT16, 2, false, false, true},
    {CL_UNSIGNED_INT32, 4, false, false, true},  {CL_HALF_FLOAT, 2, false, false, false},
    {CL_FLOAT, 4, false, false, false}};

const OrderRow *find(cl_channel_order order) {
  auto row = std::find_if(std::begin(kOrders), std::end(kOrders),
                          [&](const OrderRow &r) { return r.order == order; });
  return row == std::end(kOrders) ? nullptr : row;
}
const TypeRow *findType(cl_channel_type type) {
  auto row = std::find_if(std::begin(kTypes), std::end(kTypes),
                          [&](const TypeRow &r) { return r.type == type; });
  return row == std::end(kTypes) ? nullptr : row;
}

/// Which channel types an order allows (OpenCL API, 5.3.1.1).
bool fit(const OrderRow &order, const TypeRow &type) {
  switch (order.order) {
  case CL_RGB:
    return type.isPacked;
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return !type.isPacked && !type.isInteger;
  case CL_BGRA:
  case CL_ARGB:
  case CL_ABGR:
    return type.bytes == 1;
  case CL_sRGBA:
    return type.type == CL_UNORM_INT8;
  case CL_DEPTH:
    return type.type == CL_UNORM_INT16 || type.type == CL_FLOAT;
  default:
    return !type.isPacked;
  }
}

/// Bytes of an element; 0 if the format is not supported.
size_t elementSize(const cl_image_format &format) {
  const OrderRow *order = find(format.image_channel_order);
  const TypeRow *type = findType(format.image_channel_data_type);
  if (!order || !type || !fit(*order, *type))
    return 0;
  return type->isPacked ? type->bytes : type->bytes * order->channels;
}

bool isArray(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
unsigned dimensionsOf(cl_mem_object_type type) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE3D:
    return 3;
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return 2;
  default:
    return 1;
  }
}

cl_int checkExtent(const cl_image_desc &d) {
  unsigned dimensions = dimensionsOf(d.image_type);
  size_t most = d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? kMaxImageBuffer
                : dimensions == 3                            ? kMaxImageDepth
                                                             : kMaxImageWidth;
  bool zero = !d.image_width || (dimensions > 1 && !d.image_height) ||
              (dimensions > 2 && !d.image_depth) || (isArray(d.image_type) && !d.image_array_size);
  if (zero)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (d.image_width > most || (dimensions > 1 && d.image_height > most) ||
      (dimensions > 2 && d.image_depth > most) ||
      (isArray(d.image_type) && d.image_array_size > kMaxImageArray))
    return CL_INVALID_IMAGE_SIZE;
  return CL_SUCCESS;
}

/// Pitches of the host's memory, or nothing if what DESC says cannot be.
bool hostPitches(const cl_image_desc &desc, size_t element, const Extent &extent, size_t &row,
                 size_t &slice) {
  size_t least = extent.n[0] * element;
  row = desc.image_row_pitch ? desc.image_row_pitch : least;
  if (row < least || row % element)
    return false;
  bool oneD = dimensionsOf(desc.image_type) == 1;
  size_t leastSlice = row * (oneD ? 1 : extent.n[1]);
  slice = desc.image_slice_pitch ? desc.image_slice_pitch : leastSlice;
  return slice >= leastSlice && slice % row == 0;
}

cl_int describe(_cl_mem &image) {
  Extent extent = extentOf(image);
  VxImage d = {};
  d.data = image.data;
  d.rowPitch = image.rowPitch;
  d.slicePitch = image.slicePitch;
  d.width = cl_uint(extent.n[0]);
  d.height = cl_uint(extent.n[1]);
  d.depth = cl_uint(isArray(image.type) ? 1 : extent.n[2]);
  d.layers = cl_uint(isArray(image.type) ? extent.n[2] : 1);
  d.order = image.format.image_channel_order;
  d.type = image.format.image_channel_data_type;
  if (CUresult error = cuMemAlloc(&image.description, sizeof d))
    return errorOf(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return errorOf(cuMemcpyHtoD(image.description, &d, sizeof d));
}

} // namespace

Extent vx::cl::extentOf(const _cl_mem &image) {
  const cl_image_desc &d = image.desc;
  unsigned dimensions = dimensionsOf(image.type);
  size_t last = isArray(image.type) ? d.image_array_size : dimensions > 2 ? d.image_depth : 1;
  return {{d.image_width, dimensions > 1 ? d.image_height : 1, last}};
}

bool vx::cl::boxOf(const _cl_mem &image, const size_t *origin, const size_t *region, Box &box) {
  if (!origin || !region)
    return false;
  std::copy(origin, origin + 3, box.origin);
  std::copy(region, region + 3, box.region);
  if (image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    if (box.origin[2] != 0 || box.region[2] != 1)
      return false;
    std::swap(box.origin[1], box.origin[2]);
    std::swap(box.region[1], box.region[2]);
  }
  Extent extent = extentOf(image);
  for (int d = 0; d < 3; ++d)
    if (!box.region[d] || box.origin[d] > extent.n[d] ||
        box.region[d] > extent.n[d] - box.origin[d])
      return false;
  return true;
}

/// The error of an image of these, whose FORMAT and DESC may be null.
static cl_int checkImage(const cl_mem_properties *properties, cl_mem_flags flags,
                         const cl_image_format *format, const cl_image_desc *desc,
                         const void *host) {
  if (properties && *properties)
    return CL_INVALID_PROPERTY;
  if (!format)
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (!desc || desc->num_mip_levels || desc->num_samples)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  switch (desc->image_type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
  case CL_MEM_OBJECT_IMAGE3D:
    break;
  default:
    return CL_INVALID_IMAGE_DESCRIPTOR;
  }
  cl_mem source = desc->mem_object;
  if (source ? !isValid(source) : desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (cl_int error = checkFlags(flags, host))
    return error;
  return elementSize(*format) ? checkExtent(*desc) : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

/// Gives IMAGE its memory: that of SOURCE, if there is one, or memory of its own with what HOST has
/// where FLAGS say so.
static cl_int placeImage(_cl_mem &image, cl_mem source, void *host) {
  if (!source)
    return allocate(image, host);
  if (image.size > source->size)
    return CL_INVALID_IMAGE_SIZE;
  image.parent = source;
  image.data = source->data;
  image.hostPointer = source->hostPointer;
  return CL_SUCCESS;
}

/// Copies the elements at HOST, whose pitches are ROW and SLICE, to IMAGE.
static cl_int copyFromHost(const _cl_mem &image, const void *host, size_t row, size_t slice) {
  Extent extent = extentOf(image);
  Plane from = Plane::ofHost(host, row, slice);
  Plane to = Plane::ofDevice(image.data, image.rowPitch, image.slicePitch);
  size_t bytes[3] = {extent.n[0] * image.elementSize, extent.n[1], extent.n[2]};
  cl_int error = copyPlane(to, from, bytes, nullptr);
  return error ? error : errorOf(cuStreamSynchronize(nullptr));
}

extern "C" cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host, cl_int *code) {
  if (!isValid(context))
    return result<_cl_mem>(code, CL_INVALID_CONTEXT);
  if (cl_int error = checkImage(properties, flags, format, desc, host))
    return result<_cl_mem>(code, error);
  auto image = Ref<_cl_mem>::adopt(
      new _cl_mem(context, desc->image_type, flags ? flags : cl_mem_flags(CL_MEM_READ_WRITE), 0));
  image->format = *format;
  image->desc = *desc;
  image->elementSize = elementSize(*format);
  if (properties)
    image->properties = {0};
  cl_mem source = desc->mem_object;
  Extent extent = extentOf(*image);
  size_t row, slice;
  if (!hostPitches(*desc, image->elementSize, extent, row, slice) ||
      (!host && !source && (desc->image_row_pitch || desc->image_slice_pitch)))
    return result<_cl_mem>(code, CL_INVALID_IMAGE_DESCRIPTOR);
  // The device has the host's pitches if it shares the memory's contents with it for good.
  bool keepsPitch = source || (flags & CL_MEM_USE_HOST_PTR);
  image->rowPitch = keepsPitch ? row : extent.n[0] * image->elementSize;
  image->slicePitch = keepsPitch ? slice : image->rowPitch * extent.n[1];
  image->size = image->slicePitch * extent.n[2];
  cl_int error = placeImage(*image, source, host);
  if (!error)
    error = context->home()->enter();
  if (!error)
    error = describe(*image);
  if (!error && host)
    error = copyFromHost(*image, host, row, slice);
  if (error)
    return result<_cl_mem>(code, error);
  retain(image.get());
  return result(code, CL_SUCCESS, image.get());
}

extern "C" cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                            const cl_image_format *format,
                                            const cl_image_desc *desc, void *host, cl_int *code) {
  return clCreateImageWithProperties(context, nullptr, flags, format, desc, host, code);
}

extern "C" cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *format, size_t width,
                                              size_t height, size_t rowPitch, void *host,
                                              cl_int *code) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = rowPitch;
  cl_int error = CL_SUCCESS;
  cl_mem image = clCreateImage(context, flags, format, &desc, host, &error);
  return result(code, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error, image);
}

extern "C" cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *format, size_t width,
                                              size_t height, size_t depth, size_t rowPitch,
                                              size_t slicePitch, void *host, cl_int *code) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_depth = depth;
  desc.image_row_pitch = rowPitch;
  desc.image_slice_pitch = slicePitch;
  cl_int error = CL_SUCCESS;
  cl_mem image = clCreateImage(context, flags, format, &desc, host, &error);
  return result(code, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error, image);
}

VX_CL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                 cl_uint entries, cl_image_format *formats, cl_uint *count) {
  if (!isValid(context))
    return CL_INVALID_CONTEXT;
  if ((formats && !entries) || type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return CL_INVALID_VALUE;
  std::vector<cl_image_format> all;
  bool writes = !(flags & CL_MEM_READ_ONLY);
  for (const OrderRow &order : kOrders)
    for (const TypeRow &t : kTypes)
      // sRGB is not written without an extension; depth images have two dimensions.
      if (fit(order, t) && !(writes && order.order == CL_sRGBA) &&
          (order.order != CL_DEPTH || type == CL_MEM_OBJECT_IMAGE2D ||
           type == CL_MEM_OBJECT_IMAGE2D_ARRAY))
        all.push_back({order.order, t.type});
  if (count)
    *count = cl_uint(all.size());
  for (size_t i = 0; formats && i < all.size() && i < entries; ++i)
    formats[i] = all[i];
  return CL_SUCCESS;
}

VX_CL clGetImageInfo(cl_mem image, cl_image_info name, size_t size, void *value, size_t *needed) {
  if (!isValid(image) || !image->isImage())
    return CL_INVALID_MEM_OBJECT;
  InfoWriter out(size, value, needed);
  unsigned dimensions = dimensionsOf(image->type);
  bool hasSlices = isArray(image->type) || dimensions == 3;
  switch (name) {
  case CL_IMAGE_FORMAT:
    return out.number(image->format);
  case CL_IMAGE_ELEMENT_SIZE:
    return out.number(image->elementSize);
  case CL_IMAGE_ROW_PITCH:
    return out.number(image->rowPitch);
  case CL_IMAGE_SLICE_PITCH:
    return out.number(hasSlices ? image->slicePitch : size_t(0));
  case CL_IMAGE_WIDTH:
    return out.number(image->desc.image_width);
  case CL_IMAGE_HEIGHT:
    return out.number(dimensions > 1 ? image->desc.image_height : size_t(0));
  case CL_IMAGE_DEPTH:
    return out.number(dimensions > 2 ? image->desc.image_depth : size_t(0));
  case CL_IMAGE_ARRAY_SIZE:
    return out.number(isArray(image->type) ? image->desc.image_array_size : size_t(0));
  case CL_IMAGE_BUFFER:
    return out.number(image->parent && !image->parent->isImage() ? image->parent.get() : nullptr);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES:
    return out.number(cl_uint(0));
  default:
    return CL_INVALID_VALUE;
  }
}
