// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of arithmetic.spvasm against the host: arithmetic MODULE.spv

#include "module.h"
#include <cstdint>
#include <random>

using Wide = unsigned __int128;

/// Low and high results of A and B, in numbers of type U.
template <class U, class S> static std::vector<U> results(U a, U b) {
  constexpr int bits = 8 * sizeof(U);
  Wide unsignedProduct = Wide(a) * b;
  Wide signedProduct = Wide(__int128(S(a)) * S(b));
  return {U(a + b),         U(U(a + b) < a),         U(a - b),
          U(a < b),         U(unsignedProduct),      U(unsignedProduct >> bits),
          U(signedProduct), U(signedProduct >> bits)};
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  Harness h;
  cl_program program = buildModule(h, argv[1]);

  constexpr int n = 64;
  std::mt19937_64 random(1);
  std::vector<uint64_t> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = random() >> i % 3 * 20;
    b[i] = i % 5 ? random() : a[i]; // also equal ones
  }
  a[7] = b[7] = ~0ull;
  a[8] = 0;
  cl_mem x = h.buffer(a), y = h.buffer(b), out = h.buffer(std::vector<uint64_t>(8 * n));
  for (const char *name : {"wide", "narrow"}) {
    cl_kernel kernel = h.kernel(program, name);
    setArg(kernel, 0, out);
    setArg(kernel, 1, x);
    setArg(kernel, 2, y);
    h.run(kernel, n, n);
    if (name == std::string("wide")) {
      std::vector<uint64_t> got = h.read<uint64_t>(out, 8 * n);
      for (int i = 0; i < n; ++i)
        for (int r = 0; r < 8; ++r)
          CHECK((got[8 * i + r] == results<uint64_t, int64_t>(a[i], b[i])[r]));
    } else {
      std::vector<uint32_t> got = h.read<uint32_t>(out, 16 * n);
      for (int i = 0; i < n; ++i)
        for (int r = 0; r < 8; ++r)
          for (int half = 0; half < 2; ++half) { // a vector of two low results, then two high ones
            uint32_t first = uint32_t(a[i] >> 32 * half), second = uint32_t(b[i] >> 32 * half);
            CHECK((got[16 * i + r / 2 * 4 + r % 2 * 2 + half] ==
                   results<uint32_t, int32_t>(first, second)[r]));
          }
    }
  }
  std::printf("PASS\n");
}
