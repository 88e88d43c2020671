// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory functions, for sources that are compiled at run time.

#ifndef VX_RTC_STRING_H
#define VX_RTC_STRING_H

#include <stddef.h>

extern "C" {
void *memcpy(void *to, const void *from, size_t size) noexcept;
void *memmove(void *to, const void *from, size_t size) noexcept;
void *memset(void *to, int value, size_t size) noexcept;
int memcmp(const void *a, const void *b, size_t size) noexcept;
}

#endif // VX_RTC_STRING_H
