// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of the C header is for device code.

#ifndef VX_RTC_CTYPE_H
#define VX_RTC_CTYPE_H

#endif // VX_RTC_CTYPE_H
