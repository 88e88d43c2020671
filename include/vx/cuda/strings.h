// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <string.h> in device code, in addition to memcpy and memset, which the compiler
// knows. Bytes one by one: device strings are short and lanes have one each.

#ifndef VX_CUDA_STRINGS_H
#define VX_CUDA_STRINGS_H

// A loop that counts to the end of a string must not become a call of strlen.
#define VX_STRING static __device__ __inline__ __attribute__((__nodebug__, no_builtin, nothrow))

extern "C" {
VX_STRING __SIZE_TYPE__ strlen(const char *s) {
  __SIZE_TYPE__ n = 0;
  while (s[n])
    ++n;
  return n;
}
VX_STRING int strcmp(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
VX_STRING int strncmp(const char *a, const char *b, __SIZE_TYPE__ n) {
  for (; n; --n, ++a, ++b)
    if (*a != *b || !*a)
      return (unsigned char)*a - (unsigned char)*b;
  return 0;
}
VX_STRING void *memmove(void *to, const void *from, __SIZE_TYPE__ n) {
  return __builtin_memmove(to, from, n);
}
VX_STRING int memcmp(const void *a, const void *b, __SIZE_TYPE__ n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (__SIZE_TYPE__ i = 0; i < n; ++i)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}
VX_STRING char *strcpy(char *to, const char *from) {
  char *at = to;
  while ((*at++ = *from++))
    ;
  return to;
}
VX_STRING char *strncpy(char *to, const char *from, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  for (; i < n && from[i]; ++i)
    to[i] = from[i];
  for (; i < n; ++i)
    to[i] = 0;
  return to;
}
VX_STRING char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
} // extern "C"

#undef VX_STRING

#endif // VX_CUDA_STRINGS_H
