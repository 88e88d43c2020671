// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups of 8, 16 and 32, in full and partial work-groups, against a model on the host.

#include "harness.h"
#include <algorithm>
#include <functional>

static const char *const kSource = R"(
#define ROWS 26
__attribute__((intel_reqd_sub_group_size(SIZE)))
kernel void all(global const int *in, global int *out) {
  size_t g = get_global_id(0);
  int v = in[g];
  uint lane = get_sub_group_local_id();
  global int *o = out + g * ROWS;
  o[0] = get_sub_group_size();
  o[1] = get_max_sub_group_size();
  o[2] = get_num_sub_groups();
  o[3] = get_sub_group_id();
  o[4] = lane;
  o[5] = sub_group_reduce_add(v);
  o[6] = sub_group_reduce_min(v);
  o[7] = sub_group_reduce_max(v);
  o[8] = sub_group_scan_inclusive_add(v);
  o[9] = sub_group_scan_exclusive_add(v);
  o[10] = sub_group_broadcast(v, 1);
  o[11] = sub_group_any(v > 90) != 0;
  o[12] = sub_group_all(v >= 0) != 0;
  o[13] = sub_group_shuffle(v, lane ^ 1);
  o[14] = sub_group_shuffle_xor(v, 2);
  int below = sub_group_shuffle_up(v, 1);
  o[15] = lane > 0 ? below : -1;
  o[16] = sub_group_ballot(v & 1).x;
  o[17] = sub_group_clustered_reduce_add(v, 4);
  o[18] = (int)sub_group_reduce_add((float)v);
  o[19] = (int)sub_group_reduce_max((long)v);
  o[20] = -1;
  o[21] = -1;
  o[22] = -1;
  o[23] = -1;
  // Only some work-items come here.
  if (v & 1) {
    o[20] = sub_group_non_uniform_reduce_add(v);
    o[21] = sub_group_non_uniform_scan_exclusive_add(v);
    o[22] = sub_group_non_uniform_reduce_mul(v % 3 + 1);
    o[23] = sub_group_broadcast_first(v);
  }
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  o[24] = sub_group_ballot_bit_count(sub_group_ballot(v > 50));
  o[25] = sub_group_scan_inclusive_max((char)v);
}
)";
constexpr size_t kRows = 26;

/// Returns what one work-item of a sub-group with these VALUES gets.
static std::vector<int> model(const std::vector<int> &values, size_t lane, size_t size,
                              size_t groups, size_t id) {
  size_t n = values.size();
  auto sum = [&](size_t first, size_t last, bool odd) {
    int total = 0;
    for (size_t i = first; i < std::min(last, n); ++i)
      total += !odd || (values[i] & 1) ? values[i] : 0;
    return total;
  };
  auto bits = [&](auto test) {
    unsigned mask = 0;
    for (size_t i = 0; i < n; ++i)
      mask |= unsigned(test(values[i])) << i;
    return int(mask);
  };
  int v = values[lane];
  int least = *std::min_element(values.begin(), values.end());
  int most = *std::max_element(values.begin(), values.end());
  // A value that no work-item has is not looked at.
  auto at = [&](size_t i) { return i < n ? values[i] : -2; };
  int product = 1, first = -1, most8 = -128;
  for (size_t i = 0; i < n; ++i)
    if (values[i] & 1) {
      product *= values[i] % 3 + 1;
      first = first < 0 ? values[i] : first;
    }
  for (size_t i = 0; i <= lane; ++i)
    most8 = std::max(most8, int(static_cast<signed char>(values[i])));
  bool odd = v & 1;
  size_t cluster = lane / 4 * 4;
  return {int(n),
          int(size),
          int(groups),
          int(id),
          int(lane),
          sum(0, n, false),
          least,
          most,
          sum(0, lane + 1, false),
          sum(0, lane, false),
          at(1),
          most > 90,
          least >= 0,
          at(lane ^ 1),
          at(lane ^ 2),
          lane ? values[lane - 1] : -1,
          bits([](int x) { return x & 1; }),
          sum(cluster, cluster + 4, false),
          sum(0, n, false),
          most,
          odd ? sum(0, n, true) : -1,
          odd ? sum(0, lane, true) : -1,
          odd ? product : -1,
          odd ? first : -1,
          __builtin_popcount(unsigned(bits([](int x) { return x > 50; }))),
          most8};
}

int main() {
  Harness h;
  for (size_t size : {8, 16, 32}) {
    std::string options = "-cl-std=CL3.0 -DSIZE=" + std::to_string(size);
    cl_program program = h.build(kSource, options.c_str());
    cl_kernel kernel = h.kernel(program, "all");
    for (size_t local : {64, 44, 8, 3}) {
      size_t global = local * 3;
      std::vector<int> in(global), out(global * kRows);
      for (size_t i = 0; i < global; ++i)
        in[i] = int(i * 37 % 101);
      cl_mem a = h.buffer(in), b = h.buffer(out);
      setArg(kernel, 0, a);
      setArg(kernel, 1, b);
      h.run(kernel, global, local);
      out = h.read<int>(b, out.size());
      for (size_t g = 0; g < global; ++g) {
        size_t item = g % local, first = g - item + item / size * size;
        size_t last = std::min(first + size, g - item + local);
        std::vector<int> values(in.begin() + long(first), in.begin() + long(last));
        std::vector<int> want =
            model(values, g - first, size, (local + size - 1) / size, item / size);
        for (size_t row = 0; row < kRows; ++row)
          if (want[row] != -2 && want[row] != out[g * kRows + row]) {
            std::printf("size %zu, local %zu, item %zu, row %zu: %d, not %d\n", size, local, g, row,
                        out[g * kRows + row], want[row]);
            return 1;
          }
      }
      OK(clReleaseMemObject(a));
      OK(clReleaseMemObject(b));
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
  }
  std::puts("sub-groups agree");
}
