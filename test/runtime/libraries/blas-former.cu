// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's interface without handles, and its copies of vectors and matrices.
// REQUIRES: blas
// RUN: %vxcc -I%inputs %s -o %t -lcublas
// RUN: %run %t | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <cublas.h>

int main() {
  EXPECT(cublasInit() == CUBLAS_STATUS_SUCCESS);
  // Columns of a 2 x 3 and a 3 x 2 matrix with leading dimensions 2 and 4.
  const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 9, -1, 3, 1, 9};
  float c[4] = {}, *da, *db, *dc;
  EXPECT(cublasAlloc(6, sizeof(float), (void **)&da) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasAlloc(6, sizeof(float), (void **)&db) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasAlloc(4, sizeof(float), (void **)&dc) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMatrix(2, 3, sizeof(float), a, 2, da, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMatrix(3, 2, sizeof(float), b, 4, db, 3) == CUBLAS_STATUS_SUCCESS);
  cublasSgemm('n', 'N', 2, 2, 3, 2.0f, da, 2, db, 3, 0.0f, dc, 2);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGetVector(4, sizeof(float), dc, 1, c, 1) == CUBLAS_STATUS_SUCCESS);
  const float want[] = {22, 28, 26, 32};
  for (int i = 0; i < 4; ++i)
    expectEqual(c[i], want[i], "gemm", i);
  expectEqual(cublasSasum(6, da, 1), 21.0f, "asum");
  expectEqual(cublasSdot(3, da, 2, db, 1), 11.0f, "dot");
  expectEqual(cublasIsamax(6, da, 1), 6, "amax");
  // The first error stays until it is asked for.
  cublasSgemm('x', 'N', 2, 2, 3, 2.0f, da, 2, db, 3, 0.0f, dc, 2);
  cublasSscal(3, 1.0f, da, 1);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasFree(da) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  return finish();
}
