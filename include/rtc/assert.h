// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assert, for sources that are compiled at run time.

#ifndef VX_RTC_ASSERT_H
#define VX_RTC_ASSERT_H

extern "C" __attribute__((noreturn)) void __assert_fail(const char *message, const char *file,
                                                        unsigned line, const char *function);
#if defined(NDEBUG)
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#endif // VX_RTC_ASSERT_H
