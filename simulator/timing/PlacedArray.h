// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that cannot be moved, made one after the other, side by side in memory: what a machine
// has several of, and looks at in every cycle.

#ifndef VX_SIMULATOR_TIMING_PLACEDARRAY_H
#define VX_SIMULATOR_TIMING_PLACEDARRAY_H

#include <cstddef>
#include <memory>
#include <utility>

namespace vx::sim {

template <typename T> class PlacedArray {
public:
  /// There is room for CAPACITY elements.
  explicit PlacedArray(size_t capacity)
      : capacity(capacity), first(std::allocator<T>().allocate(capacity)), last(first) {}
  ~PlacedArray() {
    std::destroy(first, last);
    std::allocator<T>().deallocate(first, capacity);
  }
  PlacedArray(const PlacedArray &) = delete;
  PlacedArray &operator=(const PlacedArray &) = delete;

  /// Makes one more; fewer than the capacity have been made.
  template <typename... Arguments> T &emplace_back(Arguments &&...arguments) {
    T *made = std::construct_at(last, std::forward<Arguments>(arguments)...);
    ++last;
    return *made;
  }

  size_t size() const { return size_t(last - first); }
  T &operator[](size_t i) { return first[i]; }
  const T &operator[](size_t i) const { return first[i]; }
  T &back() { return last[-1]; }
  T *begin() { return first; }
  T *end() { return last; }
  const T *begin() const { return first; }
  const T *end() const { return last; }

private:
  const size_t capacity;
  T *const first;
  T *last;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_PLACEDARRAY_H
