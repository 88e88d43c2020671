// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <string.h> that the C++ library asks the compiler for
// (passes/import/LibraryCalls.cpp). Bytes one by one: strings in device code are short and lanes
// have one each.

#include "vxmath.h"
#include <stddef.h>

size_t __vxm_strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    ++n;
  return n;
}

int __vxm_memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}

void *__vxm_memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; ++i)
    if (x[i] == (unsigned char)c)
      return (void *)(x + i);
  return NULL;
}
