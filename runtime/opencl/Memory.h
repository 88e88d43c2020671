// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers and images. The bytes lie in the memory of the context's first device; a host copy is
// made when an object is mapped for the first time.

#ifndef VX_RUNTIME_OPENCL_MEMORY_H
#define VX_RUNTIME_OPENCL_MEMORY_H

#include "runtime/opencl/Context.h"

namespace vx::cl {
/// A part of an image, in elements; slices and layers in [2], layers of 1D arrays, too.
struct Box {
  size_t origin[3], region[3];
};

} // namespace vx::cl

struct _cl_mem : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Memory;
  _cl_mem(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size)
      : Object(kKind), context(context), type(type), flags(flags), size(size) {}
  ~_cl_mem();

  bool isImage() const { return type != CL_MEM_OBJECT_BUFFER; }
  /// Returns the pointer for a mapping of OFFSET; null if there is no memory for the host copy.
  char *hostCopy(size_t offset);

  /// A part of the object that the host has mapped.
  struct Mapping {
    void *pointer;
    cl_map_flags flags;
    vx::cl::Box box; ///< of a buffer: bytes in [0]
  };

  vx::cl::Ref<_cl_context> context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  size_t size;
  void *hostPointer = nullptr; ///< as given, with CL_MEM_USE_HOST_PTR
  bool usesSvm = false;        ///< the host pointer is of clSVMAlloc, and is the data
  CUdeviceptr data = 0;
  vx::cl::Ref<_cl_mem> parent; ///< of a sub-buffer, or of an image of a buffer or image
  size_t origin = 0;           ///< in the parent, bytes
  std::vector<cl_mem_properties> properties;
  std::vector<std::function<void()>> destructors;
  std::vector<Mapping> mappings;
  std::vector<char> host;
  std::mutex mutex;
  /// By which arguments of kernels find the object without keeping it.
  std::shared_ptr<vx::cl::Lifeline<_cl_mem>> life =
      std::make_shared<vx::cl::Lifeline<_cl_mem>>(this);

  // Of images.
  cl_image_format format = {};
  cl_image_desc desc = {};
  size_t elementSize = 0, rowPitch = 0, slicePitch = 0; ///< bytes, of the device's memory
  CUdeviceptr description = 0;                          ///< a VxImage
};

namespace vx::cl {

/// Gives a new object its memory on the device, with the content of HOST where the flags say so.
cl_int allocate(_cl_mem &object, void *host);

/// The error of FLAGS, or of HOST with them.
cl_int checkFlags(cl_mem_flags flags, const void *host);

/// Elements of an image in each dimension, slices or layers in [2]; 1 where there is none.
struct Extent {
  size_t n[3];
};
Extent extentOf(const _cl_mem &image);

/// The box that a call names, which has the layers of a 1D array in [1]; false if it is not inside
/// of the image (OpenCL 3.0, 5.3.3).
bool boxOf(const _cl_mem &image, const size_t *origin, const size_t *region, Box &box);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_MEMORY_H
