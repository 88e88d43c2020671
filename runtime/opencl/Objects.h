// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every OpenCL object has: the table that the ICD loader calls through, a kind by which wrong
// handles are told from right ones, and a reference count.

#ifndef VX_RUNTIME_OPENCL_OBJECTS_H
#define VX_RUNTIME_OPENCL_OBJECTS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vx::cl {

/// The functions of this platform, for the ICD loader (Dispatch.cpp).
extern const cl_icd_dispatch kDispatch;

enum class Kind : cl_uint {
  Platform = 0x56584301, // not a small number, so that other memory is seldom taken for a handle
  Device,
  Context,
  Queue,
  Memory,
  Sampler,
  Program,
  Kernel,
  Event,
  Released
};

/// The base of handles. There are no virtual functions: the loader wants the table first.
struct Object {
  explicit Object(Kind kind) : kind(kind) {}
  const cl_icd_dispatch *dispatch = &kDispatch;
  Kind kind;
  std::atomic<cl_uint> references{1};
};

/// Returns true if HANDLE is one of its type.
template <class T> bool isValid(const T *handle) {
  return handle && handle->kind == T::kKind;
}

template <class T> void retain(T *object) {
  object->references.fetch_add(1, std::memory_order_relaxed);
}
template <class T> void release(T *object) {
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  object->kind = Kind::Released;
  delete object;
}

/// clRetain… and clRelease…
template <class T> cl_int retainHandle(T *handle, cl_int invalid) {
  if (!isValid(handle))
    return invalid;
  retain(handle);
  return CL_SUCCESS;
}
template <class T> cl_int releaseHandle(T *handle, cl_int invalid) {
  if (!isValid(handle))
    return invalid;
  release(handle);
  return CL_SUCCESS;
}

/// Keeps an object for as long as it lives.
template <class T> class Ref {
public:
  Ref() = default;
  Ref(T *object) : object(object) {
    if (object)
      retain(object);
  }
  Ref(const Ref &other) : Ref(other.object) {}
  Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() {
    if (object)
      release(object);
  }
  /// Takes over the reference that a new object comes with.
  static Ref adopt(T *object) {
    Ref ref;
    ref.object = object;
    return ref;
  }
  T *get() const { return object; }
  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object; }

private:
  T *object = nullptr;
};

/// The address of an object for as long as it lives. The object has one and calls end() first of
/// all when it is deleted.
template <class T> class Lifeline {
public:
  explicit Lifeline(T *object) : object(object) {}
  void end() {
    std::lock_guard lock(mutex);
    object = nullptr;
  }
  /// The object, unless its last reference has been released.
  Ref<T> lock() {
    std::lock_guard lock(mutex);
    if (!object)
      return {};
    for (cl_uint n = object->references.load(); n;)
      if (object->references.compare_exchange_weak(n, n + 1))
        return Ref<T>::adopt(object);
    return {};
  }

private:
  std::mutex mutex;
  T *object;
};

/// Returns the result of a creating call: ERROR through CODE if that is wanted, and the object.
template <class T> T *result(cl_int *code, cl_int error, T *object = nullptr) {
  if (code)
    *code = error;
  return object;
}

/// Answers clGet…Info: where the answer goes, and how long it is.
class InfoWriter {
public:
  InfoWriter(size_t size, void *value, size_t *sizeNeeded)
      : size(size), value(value), sizeNeeded(sizeNeeded) {}

  cl_int bytes(const void *data, size_t count) const {
    if (sizeNeeded)
      *sizeNeeded = count;
    if (!value)
      return CL_SUCCESS;
    if (size < count)
      return CL_INVALID_VALUE;
    if (count)
      std::memcpy(value, data, count);
    return CL_SUCCESS;
  }
  template <class T> cl_int number(T number) const { return bytes(&number, sizeof number); }
  cl_int text(const std::string &text) const { return bytes(text.c_str(), text.size() + 1); }
  template <class T> cl_int list(const std::vector<T> &values) const {
    return bytes(values.data(), values.size() * sizeof(T));
  }

private:
  size_t size;
  void *value;
  size_t *sizeNeeded;
};

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_OBJECTS_H
