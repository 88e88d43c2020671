// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The convention between the OpenCL compiler and the OpenCL platform: how a kernel takes its
// arguments, and the text in an image that describes its kernels. No LLVM here: the platform reads
// it, too.
//
// Arguments. A kernel of an image takes CUDA's kind of argument block:
//   - a pointer to __local memory is the offset of its memory from the start of the dynamic shared
//     memory, 64 bits;
//   - an image is the device address of an ImageDescriptor, a sampler the bits of SamplerBits;
//   - everything else is as it was;
//   - after them come the implicit arguments: the global offset (three times 64 bits) and the
//     number of dimensions (32 bits).
//
// Description. The variable kKernelInfoSymbol holds lines of fields that tabs separate:
//   globals BYTES         of variables at program scope, before the kernels; not if there are none
//   kernel NAME
//   group X Y Z           reqd_work_group_size
//   hint X Y Z            work_group_size_hint
//   vectype TYPE          vec_type_hint
//   subgroup N            intel_reqd_sub_group_size
//   argument ADDRESS_SPACE ACCESS QUALIFIERS TYPE NAME SIZE KIND
// where ADDRESS_SPACE is global, local, constant or private; ACCESS read_only, write_only,
// read_write or none; QUALIFIERS a list of const, restrict, volatile with commas, or none; SIZE
// what clSetKernelArg takes, in bytes, 0 for local memory; KIND value, pointer, local, image or
// sampler.

#ifndef VX_INTRINSICS_OPENCL_CONVENTION_H
#define VX_INTRINSICS_OPENCL_CONVENTION_H

namespace vx::opencl {

inline constexpr const char *kKernelInfoSymbol = "__vx_opencl_kernels";

/// Work-items of a sub-group, where a kernel does not say otherwise.
inline constexpr unsigned kSubGroupSize = 32;

/// The function by which the library asks for the memory of a generic pointer, and its answer for
/// private memory; other memory has the number of its address space in NVVM IR.
inline constexpr const char *kMemoryOf = "__vx_opencl_memory_of";
inline constexpr unsigned kPrivateMemory = 5;

} // namespace vx::opencl

#endif // VX_INTRINSICS_OPENCL_CONVENTION_H
