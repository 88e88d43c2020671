// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a result is rounded.

#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include "host_defines.h"

enum cudaRoundMode {
  cudaRoundNearest,
  cudaRoundZero,
  cudaRoundPosInf,
  cudaRoundMinInf,
};

#endif /* __DEVICE_TYPES_H__ */
