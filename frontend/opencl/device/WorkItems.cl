// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that tell where a work-item is (OpenCL C 3.0, 6.15.1). Work-groups are of one size;
// libclc has the other functions of this section, without offsets.

#include "frontend/opencl/device/Device.h"

VX_INLINE size_t get_local_size(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_ntid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_ntid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_ntid_z()
                  : 1;
}
VX_INLINE size_t get_local_id(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_tid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_tid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_tid_z()
                  : 0;
}
VX_INLINE size_t get_group_id(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_ctaid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_ctaid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_ctaid_z()
                  : 0;
}
VX_INLINE size_t get_num_groups(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_nctaid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_nctaid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_nctaid_z()
                  : 1;
}
VX_INLINE size_t get_enqueued_local_size(uint d) {
  return get_local_size(d);
}
VX_INLINE uint get_work_dim(void) {
  return __vx_opencl_work_dim();
}
VX_INLINE size_t get_global_offset(uint d) {
  return d < 3 ? __vx_opencl_global_offset(d) : 0;
}
VX_INLINE size_t get_global_size(uint d) {
  return get_num_groups(d) * get_local_size(d);
}
VX_INLINE size_t get_global_id(uint d) {
  return d < 3
             ? get_group_id(d) * get_local_size(d) + get_local_id(d) + __vx_opencl_global_offset(d)
             : 0;
}
VX_INLINE size_t get_local_linear_id(void) {
  return vxLocalLinearId();
}
VX_INLINE size_t get_global_linear_id(void) {
  return ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -
          get_global_offset(1)) *
             get_global_size(0) +
         get_global_id(0) - get_global_offset(0);
}
