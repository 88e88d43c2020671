// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's device functions: states of generators, and the values that are made of them.

#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand_mrg32k3a.h"
#include "curand_philox4x32_x.h"
#include "vx/rand/sobol.h"
#include "vx/rand/xorwow.h"

#include "curand_uniform.h"

#include "curand_normal.h"

#include "curand_discrete.h"
#include "curand_lognormal.h"
#include "curand_poisson.h"

#endif // CURAND_KERNEL_H_
