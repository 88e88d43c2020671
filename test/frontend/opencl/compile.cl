// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kind of output, both lowerings and each profile, and preprocessing with its rules.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %vxcc -cl-std=CL3.0 --emit=nvvm %s -o - | FileCheck --check-prefix=NVVM %s
// RUN: %vxcc -cl-std=CL3.0 --emit=elf %s -o k.elf && %vx_objdump --check-divergence k.elf
// RUN: %vxcc -cl-std=CL3.0 --emit=elf --lower=sw --vx-isa=base %s -o sw.elf && %vx_objdump --check-divergence sw.elf
// RUN: %vxcc -cl-std=CL3.0 --emit=elf --vx-xlen=32 %s -o rv32.elf && %vx_objdump --check-divergence rv32.elf
// RUN: %vxcc -cl-std=CL3.0 --target=vortex,host %s -o k.fatbin -MD
// RUN: grep 'k.fatbin: .*compile.cl' k.d
// RUN: %vxcc -E -DN=5 %s | grep 'five = 5'
// RUN: %vxcc --dryrun %s 2>&1 | grep -- '"\?-cc1"\? .*"\?-x"\? "\?cl'

// NVVM: define {{.*}}ptx_kernel void @scale(ptr addrspace(1) {{.*}}, float {{.*}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i32 %{{[0-9]+}})
// NVVM: "nvvm.reqntid"="64,1,1"

#ifdef N
constant int five = N;
#endif

__kernel void scale(__global float *x, float f, __local float *l) {
  size_t i = get_global_id(0);
  l[get_local_id(0)] = x[i] * f;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = l[get_local_size(0) - 1 - get_local_id(0)];
}

__attribute__((reqd_work_group_size(64, 1, 1))) __kernel void sums(__global int *x) {
  size_t i = get_global_id(0);
  x[i] = sub_group_reduce_add(x[i]) + sub_group_any(x[i] > 3);
}

__kernel void calls_a_kernel(__global float *x, __local float *l) { scale(x, 2, l); }
