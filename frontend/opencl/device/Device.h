// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations that the files of the OpenCL library share. They are OpenCL C for nvptx64, linked in
// front of libclc, and are always inlined.

#ifndef VX_FRONTEND_OPENCL_DEVICE_DEVICE_H
#define VX_FRONTEND_OPENCL_DEVICE_DEVICE_H

#define VX_INLINE __attribute__((always_inline, overloadable, nodebug))

// Answered by vx-opencl-lower-arguments.
ulong __vx_opencl_global_offset(uint dimension);
uint __vx_opencl_work_dim(void);
uint __vx_opencl_sub_group_size(void);

// Threads of a work-group in x, y, z order.
static inline __attribute__((always_inline)) uint vxLocalLinearId(void) {
  return (__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() +
          __nvvm_read_ptx_sreg_tid_y()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

static inline __attribute__((always_inline)) uint vxLocalLinearSize(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
         __nvvm_read_ptx_sreg_ntid_z();
}

#endif // VX_FRONTEND_OPENCL_DEVICE_DEVICE_H
