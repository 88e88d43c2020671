// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features of OpenCL C in SPIR-V, a kernel each; kernels.cpp knows the results.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

int twice(int x);

__constant int kTable[4] = {3, 1, 4, 1};

typedef struct {
  char tag;
  int scale;
  float4 shift;
} Setting;

// Pointers of all address spaces, arguments of all kinds.
__kernel void spaces(__global int *out, __local int *scratch, Setting s, int3 v, ulong wide) {
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  int here[4];
  for (int k = 0; k < 4; ++k)
    here[k] = kTable[(k + i) & 3];
  scratch[l] = i * s.scale;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *any = i & 1 ? (int *)&scratch[n - 1 - l] : (int *)&here[i & 3];
  out[i] = *any + twice(v.x + v.y * v.z) + (int)(wide >> 32) + (int)s.shift.w + s.tag +
           (int)get_global_offset(0);
}

// Control flow in which the work-items of a sub-group diverge, with sub-group functions inside.
__kernel void subgroups(__global int *out) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  int sum = sub_group_reduce_add(i);
  int scan = sub_group_scan_exclusive_add(lane);
  int other = sub_group_broadcast(i, 5);
  int all = sub_group_all(i >= 0), any = sub_group_any(lane == 3);
  int x = 0;
  for (int k = 0; k < lane; ++k) {
    if (k & 1)
      continue;
    x += k;
  }
  out[i] = sum + 1000 * scan + other + all + any + x;
}

__kernel void atomics(__global int *counter, __global ulong *wide, __global int *seen) {
  __local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  int at = atomic_add(counter, 2);
  atom_add(wide, 1ul << 33);
  atomic_fetch_max_explicit((volatile __global atomic_int *)counter + 1, at, memory_order_relaxed,
                            memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    seen[get_group_id(0)] = count;
}

__kernel void math(__global float *out, __global const float *in) {
  int i = get_global_id(0);
  float whole, cosine;
  float part = fract(in[i], &whole);
  float sine = sincos(in[i], &cosine);
  float4 v = vload4(0, in + (i & ~3));
  out[i] = part + whole + sine * sine + cosine * cosine + dot(v, (float4)(1, 0, 0, 0)) +
           fma(in[i], 2.0f, 1.0f) + convert_float(popcount(i)) + mad24(i, 2, 1);
}

__kernel void flip(__read_only image2d_t from, __write_only image2d_t to, sampler_t s) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(from);
  float4 a = read_imagef(from, s, (int2)(size.x - 1 - at.x, at.y));
  float4 b = read_imagef(from, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, at);
  write_imagef(to, at, a + b);
}

// The memory that generic pointers point to; copies by the whole work-group.
__kernel void pointers(__global int *out, __local int *scratch) {
  int own = get_global_id(0), l = get_local_id(0);
  int *any = own % 3 == 0 ? (int *)out : own % 3 == 1 ? (int *)&scratch[l] : &own;
  int result = to_global(any) ? 1 : 0;
  if (to_local(any))
    result += 20;
  if (to_private(any))
    result += 300 + *to_private(any);
  // A private variable's memory has no flag of its own.
  out[own] = result + (get_fence(any) == CLK_LOCAL_MEM_FENCE) * 4000;
}

__kernel void copies(__global const float4 *in, __global float4 *out, __local float4 *room) {
  size_t n = get_local_size(0), at = get_group_id(0) * n;
  event_t event = async_work_group_copy(room, in + at, n, 0);
  wait_group_events(1, &event);
  room[get_local_id(0)] *= 2.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t both[2];
  both[0] = async_work_group_strided_copy(out + 2 * at, room, n, 2, 0);
  both[1] = async_work_group_copy(out + 2 * at + 1, room + 1, 1, 0);
  wait_group_events(2, both);
}
