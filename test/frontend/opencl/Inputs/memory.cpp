// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owners of memory objects, and shared virtual memory.

#include "harness.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>

/// The argument of a kernel does not keep a buffer; a command does.
static void argumentsKeepNothing(Harness &h) {
  cl_program program = h.build("kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }");
  cl_kernel k = h.kernel(program, "twice");
  cl_mem buffer = h.buffer(std::vector<int>(64, 21));
  static std::atomic<int> destroyed;
  auto notify = [](cl_mem, void *) { ++destroyed; };
  OK(clSetMemObjectDestructorCallback(buffer, notify, nullptr));
  setArg(k, 0, buffer);
  cl_kernel clone = clCloneKernel(k, nullptr);
  cl_uint references;
  OK(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK(references == 1);

  // Released while a command that needs it is waiting.
  cl_int error;
  cl_event gate = clCreateUserEvent(h.context, &error);
  OK(error);
  size_t n = 64;
  std::vector<int> out(n);
  OK(clEnqueueNDRangeKernel(h.queue, k, 1, nullptr, &n, nullptr, 1, &gate, nullptr));
  OK(clEnqueueReadBuffer(h.queue, buffer, CL_FALSE, 0, n * 4, out.data(), 0, nullptr, nullptr));
  OK(clReleaseMemObject(buffer));
  CHECK(destroyed == 0);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(h.queue));
  CHECK(out == std::vector<int>(n, 42));
  CHECK(destroyed == 1);

  // The argument has to be set again.
  for (cl_kernel which : {k, clone})
    CHECK(clEnqueueNDRangeKernel(h.queue, which, 1, nullptr, &n, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_KERNEL_ARGS);
  buffer = h.buffer(std::vector<int>(64, 4));
  setArg(k, 0, buffer);
  h.run(k, n, n);
  CHECK(h.read<int>(buffer, n)[63] == 8);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseEvent(gate));
  OK(clReleaseKernel(clone));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));
}

struct Node {
  int value;
  Node *next;
};

/// Memory with one address on both sides.
static void sharedMemory(Harness &h) {
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(h.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, nullptr));
  CHECK(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  CHECK(!clSVMAlloc(h.context, CL_MEM_READ_WRITE, 0, 0));
  CHECK(!clSVMAlloc(h.context, CL_MEM_READ_WRITE, 64, 48));
  CHECK(!clSVMAlloc(h.context, CL_MEM_SVM_ATOMICS, 64, 0)); // not without the fine grain

  cl_program program =
      h.build("typedef struct Node { int value; global struct Node *next; } Node;\n"
              "kernel void sum(global Node *list, global int *to) {\n"
              "  for (; list; list = list->next) { to[1] += list->value; list->value = 0; }\n"
              "}");
  cl_kernel k = h.kernel(program, "sum");
  constexpr size_t kCount = 100;
  auto *nodes =
      static_cast<Node *>(clSVMAlloc(h.context, CL_MEM_READ_WRITE, kCount * sizeof(Node), 0));
  auto *last = static_cast<Node *>(clSVMAlloc(h.context, 0, sizeof(Node), 16));
  auto *sum = static_cast<int *>(clSVMAlloc(h.context, 0, 64, 64));
  CHECK(nodes && last && sum && reinterpret_cast<uintptr_t>(sum) % 64 == 0);

  // A list that the host makes and the device follows, into an allocation that no argument names.
  OK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, nodes, kCount * sizeof(Node),
                     0, nullptr, nullptr));
  for (size_t i = 0; i < kCount; ++i)
    nodes[i] = {int(i), i + 1 < kCount ? nodes + i + 1 : last};
  *last = {1000, nullptr};
  OK(clEnqueueSVMUnmap(h.queue, nodes, 0, nullptr, nullptr));
  int pattern = 7;
  OK(clEnqueueSVMMemFill(h.queue, sum, &pattern, sizeof pattern, 64, 0, nullptr, nullptr));
  void *indirect[] = {last};
  OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof indirect, indirect));
  OK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr)); // takes it back
  OK(clSetKernelArgSVMPointer(k, 0, nodes));
  OK(clSetKernelArgSVMPointer(k, 1, sum + 1)); // inside of it
  h.run(k, 1, 1);
  OK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_READ, sum, 64, 0, nullptr, nullptr));
  CHECK(sum[0] == 7 && sum[1] == 7 && sum[2] == 7 + 4950 + 1000 && sum[15] == 7);
  OK(clEnqueueSVMUnmap(h.queue, sum, 0, nullptr, nullptr));

  // To and from other memory of the host; overlapping is an error.
  std::vector<int> host(16);
  OK(clEnqueueSVMMemcpy(h.queue, CL_TRUE, host.data(), sum, 64, 0, nullptr, nullptr));
  CHECK(host[2] == 5957);
  CHECK(clEnqueueSVMMemcpy(h.queue, CL_TRUE, sum, sum + 2, 16, 0, nullptr, nullptr) ==
        CL_MEM_COPY_OVERLAP);

  // A buffer over it is the same memory, and may not be larger.
  cl_int error;
  CHECK(!clCreateBuffer(h.context, CL_MEM_USE_HOST_PTR, 128, sum, &error) &&
        error == CL_INVALID_BUFFER_SIZE);
  cl_mem buffer = clCreateBuffer(h.context, CL_MEM_USE_HOST_PTR, 64, sum, &error);
  OK(error);
  cl_bool uses = CL_FALSE;
  OK(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr));
  CHECK(uses);
  host[3] = -1;
  OK(clEnqueueWriteBuffer(h.queue, buffer, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr));
  CHECK(sum[3] == -1);
  void *mapped =
      clEnqueueMapBuffer(h.queue, buffer, CL_TRUE, CL_MAP_READ, 8, 8, 0, nullptr, nullptr, &error);
  OK(error);
  CHECK(mapped == sum + 2);
  OK(clEnqueueUnmapMemObject(h.queue, buffer, mapped, 0, nullptr, nullptr));
  OK(clFinish(h.queue));
  OK(clReleaseMemObject(buffer));

  // What is not of clSVMAlloc is not an argument.
  CHECK(clSetKernelArgSVMPointer(k, 0, host.data()) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArgSVMPointer(k, 2, nodes) == CL_INVALID_ARG_INDEX);

  // Freed in order with other commands, by the platform or by the program.
  void *two[] = {nodes, last};
  OK(clEnqueueSVMFree(h.queue, 2, two, nullptr, nullptr, 0, nullptr, nullptr));
  static cl_uint freed = 0;
  auto release = [](cl_command_queue queue, cl_uint count, void *pointers[], void *context) {
    CHECK(queue && count == 1);
    clSVMFree(static_cast<cl_context>(context), pointers[0]);
    freed = count;
  };
  void *one[] = {sum};
  OK(clEnqueueSVMFree(h.queue, 1, one, release, h.context, 0, nullptr, nullptr));
  OK(clFinish(h.queue));
  CHECK(freed == 1 && clSetKernelArgSVMPointer(k, 0, nodes) == CL_INVALID_ARG_VALUE);
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));
}

/// Host and device increment one number at the same time.
static void fineGrain(Harness &h) {
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(h.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, nullptr));
  if (!(can & CL_DEVICE_SVM_ATOMICS))
    return;
  cl_program program = h.build("kernel void count(global atomic_int *n, int times) {\n"
                               "  for (int i = 0; i < times; ++i)\n"
                               "    atomic_fetch_add_explicit(n, 1, memory_order_relaxed,\n"
                               "                              memory_scope_all_svm_devices);\n"
                               "}");
  cl_kernel k = h.kernel(program, "count");
  auto *n = static_cast<int *>(clSVMAlloc(
      h.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(int), sizeof(int)));
  CHECK(n);
  *n = 0; // without mapping
  OK(clSetKernelArgSVMPointer(k, 0, n));
  setArg(k, 1, 100);
  h.run(k, 64, 64);
  for (int i = 0; i < 10000; ++i)
    std::atomic_ref(*n).fetch_add(1, std::memory_order_relaxed);
  OK(clFinish(h.queue));
  CHECK(*n == 16400);
  clSVMFree(h.context, n);
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));
}

int main() {
  Harness h;
  argumentsKeepNothing(h);
  sharedMemory(h);
  fineGrain(h);
  std::puts("memory works");
}
