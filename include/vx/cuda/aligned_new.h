// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// new and delete in device code of types with more alignment than malloc gives. The word before
// such an object has the address that malloc returned.

#ifndef VX_CUDA_ALIGNED_NEW_H
#define VX_CUDA_ALIGNED_NEW_H

#ifdef __cpp_aligned_new
#include <new>

#define VX_NEW __device__ inline void *operator
#define VX_DELETE __device__ inline void operator

VX_NEW new (__SIZE_TYPE__ size, std::align_val_t alignment) {
  __SIZE_TYPE__ least = 16, multiple = static_cast<__SIZE_TYPE__>(alignment);
  if (multiple < least)
    multiple = least;
  if (size > -multiple - 1)
    return nullptr;
  char *memory = static_cast<char *>(::malloc(size + multiple));
  if (!memory)
    return nullptr;
  char *object = memory + multiple - reinterpret_cast<__SIZE_TYPE__>(memory) % multiple;
  reinterpret_cast<void **>(object)[-1] = memory;
  return object;
}
VX_NEW new[](__SIZE_TYPE__ size, std::align_val_t alignment) {
  return ::operator new(size, alignment);
}

VX_DELETE delete (void *object, std::align_val_t) noexcept {
  if (object)
    ::free(static_cast<void **>(object)[-1]);
}
VX_DELETE delete[] (void *object, std::align_val_t alignment) noexcept {
  ::operator delete(object, alignment);
}
VX_DELETE delete (void *object, __SIZE_TYPE__, std::align_val_t alignment) noexcept {
  ::operator delete(object, alignment);
}
VX_DELETE delete[] (void *object, __SIZE_TYPE__, std::align_val_t alignment) noexcept {
  ::operator delete(object, alignment);
}

#undef VX_NEW
#undef VX_DELETE
#endif // __cpp_aligned_new

#endif // VX_CUDA_ALIGNED_NEW_H
