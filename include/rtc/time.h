// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, for sources that are compiled at run time.

#ifndef VX_RTC_TIME_H
#define VX_RTC_TIME_H

#include <stddef.h>

typedef long clock_t;
typedef long time_t;
extern "C" clock_t clock(void) noexcept;

#endif // VX_RTC_TIME_H
