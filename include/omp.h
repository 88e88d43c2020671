// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP's run-time functions. Where LLVM's OpenMP is installed (always so with -fopenmp) this is
// its header; else the functions behave as in a program with one thread, which is what a source
// without -fopenmp is.

#if __has_include_next(<omp.h>)
#include_next <omp.h>
#elif defined(_OPENMP)
// clang-format off
#error "-fopenmp needs LLVM's OpenMP library, which is not installed (on Debian: package libomp-22-dev)"
// clang-format on
#else
#ifndef VX_OMP_H
#define VX_OMP_H

#include <time.h>

typedef struct {
  int depth;
} omp_lock_t;

static __inline__ int omp_get_num_threads(void) { return 1; }
static __inline__ int omp_get_max_threads(void) { return 1; }
static __inline__ int omp_get_thread_num(void) { return 0; }
static __inline__ int omp_get_num_procs(void) { return 1; }
static __inline__ int omp_in_parallel(void) { return 0; }
static __inline__ void omp_set_num_threads(int n) { (void)n; }
static __inline__ void omp_set_dynamic(int n) { (void)n; }
static __inline__ void omp_set_nested(int n) { (void)n; }
static __inline__ void omp_init_lock(omp_lock_t *lock) { lock->depth = 0; }
static __inline__ void omp_destroy_lock(omp_lock_t *lock) { lock->depth = 0; }
static __inline__ void omp_set_lock(omp_lock_t *lock) { ++lock->depth; }
static __inline__ void omp_unset_lock(omp_lock_t *lock) { --lock->depth; }
static __inline__ double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static __inline__ double omp_get_wtick(void) { return 1e-9; }

#endif // VX_OMP_H
#endif
