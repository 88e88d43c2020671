// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE under its former name.

#ifndef CUSPARSE_V2_H_
#define CUSPARSE_V2_H_

#include "cusparse.h"

#endif // CUSPARSE_V2_H_
