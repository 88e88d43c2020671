// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's functions on indices. A part of cusparse.h.

#ifndef VX_SPARSE_CONVERSIONS_H
#define VX_SPARSE_CONVERSIONS_H

// Compressed rows and coordinates.
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void *values, const int *offsets,
                                               const int *columns, void *cscValues, int *cscOffsets,
                                               int *cscRows, cudaDataType valueType,
                                               cusparseAction_t action, cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t alg, size_t *bufferSize);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *columns,
                                    void *cscValues, int *cscOffsets, int *cscRows,
                                    cudaDataType valueType, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg,
                                    void *buffer);

// Sorting, in place; the permutation goes with the indices.
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int *permutation);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *columns,
                                                size_t *bufferSize);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t a, const int *offsets, int *columns,
                                  int *permutation, void *buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *rows,
                                                size_t *bufferSize);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t a, const int *offsets, int *rows,
                                  int *permutation, void *buffer);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *rows, const int *columns,
                                                size_t *bufferSize);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                       int *columns, int *permutation, void *buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                          int *columns, int *permutation, void *buffer);

// Patterns of sums and of blocks.
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t a, int nnzA, const int *offsetsA,
                                      const int *columnsA, const cusparseMatDescr_t b, int nnzB,
                                      const int *offsetsB, const int *columnsB,
                                      const cusparseMatDescr_t c, int *offsetsC, int *nnzTotal,
                                      void *buffer);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t direction, int m,
                                     int n, const cusparseMatDescr_t a, const int *offsetsA,
                                     const int *columnsA, int blockSize, const cusparseMatDescr_t c,
                                     int *offsetsC, int *nnzTotal);

// Incomplete factorizations and what they know of their matrices.
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int *position);

#endif // VX_SPARSE_CONVERSIONS_H
