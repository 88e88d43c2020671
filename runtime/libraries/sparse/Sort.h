// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts by one thread, of whatever can be compared and exchanged by number.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_SORT_H
#define VX_RUNTIME_LIBRARIES_SPARSE_SORT_H

namespace vx::sparse {

/// Sorts COUNT elements: LESS(i, j) compares two of them, SWAP(i, j) exchanges them.
template <class Less, class Swap>
__device__ void sortSmall(long long count, const Less &less, const Swap &swap) {
  for (long long i = 1; i < count; ++i)
    for (long long j = i; j > 0 && less(j, j - 1); --j)
      swap(j, j - 1);
}

template <class Less, class Swap>
__device__ void siftDown(long long at, long long count, const Less &less, const Swap &swap) {
  for (long long child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && less(child, child + 1))
      ++child;
    if (!less(at, child))
      return;
    swap(at, child);
    at = child;
  }
}

/// Of elements that are all different the result is the same as a stable sort's.
template <class Less, class Swap>
__device__ void sortByThread(long long count, const Less &less, const Swap &swap) {
  constexpr long long small = 12;
  if (count <= small) {
    sortSmall(count, less, swap);
    return;
  }
  for (long long at = count / 2; at-- > 0;)
    siftDown(at, count, less, swap);
  for (long long end = count - 1; end > 0; --end) {
    swap(0, end);
    siftDown(0, end, less, swap);
  }
}

template <class T> __device__ __forceinline__ void exchange(T &a, T &b) {
  const T old = a;
  a = b;
  b = old;
}

} // namespace vx::sparse

#endif // VX_RUNTIME_LIBRARIES_SPARSE_SORT_H
