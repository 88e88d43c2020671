// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of device.cu as SPIR-V, from an OpenCL host: device DEVICE.spv

#include "module.h"

struct Polynomial {
  cl_float c[4];
};

struct Setting {
  cl_int shift;
  cl_float factor;
};

template <class T, class F> static std::vector<T> fill(int n, F value) {
  std::vector<T> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = value(i);
  return values;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  Harness h;
  cl_program program = buildModule(h, argv[1]);

  constexpr int n = 200;
  cl_mem x = h.buffer(fill<float>(n, [](int i) { return i * 0.25f; }));
  cl_mem y = h.buffer(std::vector<float>(n));
  cl_kernel scale = h.kernel(program, "scale");
  setArg(scale, 0, y);
  setArg(scale, 1, x);
  setArg(scale, 2, cl_int(n));
  setArg(scale, 3, Setting{1, 1.5f});
  h.run(scale, 3 * 64, 64);

  cl_mem in = h.buffer(fill<int>(n, [](int i) { return i * 7 % 31; }));
  cl_mem out = h.buffer(std::vector<int>(2));
  cl_kernel sums = h.kernel(program, "sums");
  setArg(sums, 0, out);
  setArg(sums, 1, in);
  setArg(sums, 2, cl_int(n));
  OK(clSetKernelArg(sums, 3, 128 * sizeof(int), nullptr)); // the dynamic shared memory
  h.run(sums, 2 * 128, 128);

  cl_mem bits = h.buffer(std::vector<unsigned>(64));
  cl_kernel votes = h.kernel(program, "votes");
  setArg(votes, 0, bits);
  setArg(votes, 1, in);
  h.run(votes, 64, 64);

  cl_mem sum = h.buffer(std::vector<float>(1)), most = h.buffer(std::vector<double>(2));
  cl_kernel floats = h.kernel(program, "floats");
  setArg(floats, 0, sum);
  setArg(floats, 1, most);
  setArg(floats, 2, cl_int(100));
  h.run(floats, 2 * 64, 64);

  cl_mem values = h.buffer(std::vector<float>(n));
  cl_kernel polynomials = h.kernel(program, "polynomials");
  setArg(polynomials, 0, values);
  setArg(polynomials, 1, Polynomial{{1, 2, 3, 4}});
  setArg(polynomials, 2, cl_int(n));
  h.run(polynomials, 64, 64);

  for (float value : h.read<float>(y, n))
    std::printf("%a\n", value);
  std::vector<int> total = h.read<int>(out, 2);
  std::printf("%d %d\n", total[0], total[1]);
  for (unsigned value : h.read<unsigned>(bits, 64))
    std::printf("%08x\n", value);
  std::vector<double> last = h.read<double>(most, 2);
  std::printf("%a %a %a\n", h.read<float>(sum, 1)[0], last[0], last[1]);
  for (float value : h.read<float>(values, n))
    std::printf("%a\n", value);
}
