// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 3-point blur: each work-item averages its element with its neighbours. A sub-group of 8 passes
// the neighbours on by shuffles; the first and the last look into memory.

__attribute__((intel_reqd_sub_group_size(8)))
__kernel void blur(__global const float *in, __global float *out, uint n) {
  uint i = get_global_id(0);
  float own = i < n ? in[i] : 0;
  uint lane = get_sub_group_local_id();
  float left = sub_group_shuffle_up(own, 1);
  float right = sub_group_shuffle_down(own, 1);
  if (lane == 0)
    left = i > 0 ? in[i - 1] : own;
  if (i + 1 >= n)
    right = own;
  else if (lane == get_sub_group_size() - 1)
    right = in[i + 1];
  if (i == 0)
    left = own;
  if (i < n)
    out[i] = (left + own + right) / 3;
}
