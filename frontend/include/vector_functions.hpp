// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors of the vector types, which vector_functions.h has.

#ifndef __VECTOR_FUNCTIONS_HPP__
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_functions.h"

#endif // __VECTOR_FUNCTIONS_HPP__
