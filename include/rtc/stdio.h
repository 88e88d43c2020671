// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf, for sources that are compiled at run time.

#ifndef VX_RTC_STDIO_H
#define VX_RTC_STDIO_H

#include <stddef.h>

extern "C" int printf(const char *format, ...);

#endif // VX_RTC_STDIO_H
