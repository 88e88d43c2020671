// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and memory, for sources that are compiled at run time.

#ifndef VX_RTC_STDLIB_H
#define VX_RTC_STDLIB_H

#include <stddef.h>

extern "C" {
void *malloc(size_t size) noexcept;
void free(void *pointer) noexcept;
int abs(int value) noexcept;
long labs(long value) noexcept;
long long llabs(long long value) noexcept;
}

#endif // VX_RTC_STDLIB_H
