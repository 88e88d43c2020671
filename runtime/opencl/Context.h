// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_CONTEXT_H
#define VX_RUNTIME_OPENCL_CONTEXT_H

#include "runtime/opencl/Device.h"
#include <functional>
#include <map>

struct _cl_context : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Context;
  _cl_context() : Object(kKind) {}
  ~_cl_context();

  bool has(cl_device_id device) const;
  /// The device whose memory holds this context's buffers.
  cl_device_id home() const { return devices.front(); }
  /// Tells the program's callback, if it has given one, what went wrong while the context was used.
  void report(const std::string &problem) const {
    if (notify)
      notify(problem.c_str(), nullptr, 0, userData);
  }

  std::vector<cl_device_id> devices;
  std::vector<cl_context_properties> properties; ///< as given, with the 0 at the end
  void(CL_CALLBACK *notify)(const char *problem, const void *, size_t, void *userData) = nullptr;
  void *userData = nullptr;
  std::vector<std::function<void()>> destructors;
  std::map<uintptr_t, size_t> svm; ///< allocations of clSVMAlloc: address, size
  std::mutex mutex;
};

#endif // VX_RUNTIME_OPENCL_CONTEXT_H
