// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues, events, mapping, rectangles, sub-buffers, fills and copies.

#include "harness.h"
#include <atomic>
#include <cstring>
#include <thread>

static const char *const kSource = R"(
kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }
kernel void ids(global int *x) {
  size_t i = (get_global_id(2) - get_global_offset(2)) * 100 +
             (get_global_id(1) - get_global_offset(1)) * 10 + get_global_id(0) - get_global_offset(0);
  x[i] = get_global_id(0) + get_global_id(1) * 1000 + get_global_id(2) * 1000000 + get_work_dim();
}
kernel void locals(global int *x, local int *a, local double *b, int n) {
  int l = get_local_id(0);
  a[l] = x[get_global_id(0)];
  b[l] = a[l] * 0.5;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = a[n - 1 - l] + (int)(b[l] * 4) + (((ulong)b & 7) != 0) * 1000;
}
)";

static std::vector<int> iota(int n) {
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i)
    v[i] = i;
  return v;
}

static void inOrder(Harness &h, cl_program program) {
  cl_kernel add = h.kernel(program, "add");
  cl_mem x = h.buffer(iota(256));
  setArg(add, 0, x);
  cl_event events[2];
  size_t global = 256;
  for (int i = 0; i < 2; ++i) {
    setArg(add, 1, 10 * (i + 1)); // the first launch keeps its value
    OK(clEnqueueNDRangeKernel(h.queue, add, 1, nullptr, &global, nullptr, 0, nullptr, &events[i]));
  }
  OK(clWaitForEvents(2, events));
  CHECK(h.read<int>(x, 256)[7] == 37);
  OK(clEnqueueNDRangeKernel(h.queue, add, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  CHECK(h.read<int>(x, 256)[0] == 30); // a launch without a range does nothing
  cl_ulong times[2][4];
  for (int i = 0; i < 2; ++i)
    for (int t = 0; t < 4; ++t)
      OK(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_QUEUED + t, sizeof(cl_ulong),
                                 &times[i][t], nullptr));
  for (int i = 0; i < 2; ++i)
    CHECK(times[i][0] <= times[i][1] && times[i][1] <= times[i][2] && times[i][2] < times[i][3]);
  CHECK(times[0][3] <= times[1][2]);

  // A range with an offset, in three dimensions.
  cl_kernel ids = h.kernel(program, "ids");
  cl_mem y = h.buffer(std::vector<int>(1000));
  setArg(ids, 0, y);
  size_t offset[3] = {5, 6, 7}, range[3] = {10, 10, 10}, local[3] = {5, 2, 5};
  OK(clEnqueueNDRangeKernel(h.queue, ids, 3, offset, range, local, 0, nullptr, nullptr));
  CHECK(h.read<int>(y, 1000)[321] == 6 + 8 * 1000 + 10 * 1000000 + 3);

  // Local memory as arguments, aligned.
  cl_kernel locals = h.kernel(program, "locals");
  cl_mem z = h.buffer(iota(64));
  setArg(locals, 0, z);
  OK(clSetKernelArg(locals, 1, 33 * sizeof(int), nullptr));
  OK(clSetKernelArg(locals, 2, 32 * sizeof(double), nullptr));
  setArg(locals, 3, 32);
  h.run(locals, 64, 32);
  CHECK(h.read<int>(z, 64)[40] == (32 + 31 - 8) + 80);

  // Wrong calls.
  size_t wrong = 48;
  CHECK(clEnqueueNDRangeKernel(h.queue, add, 1, nullptr, &global, &wrong, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_GROUP_SIZE);
  cl_kernel fresh = h.kernel(program, "add");
  CHECK(clEnqueueNDRangeKernel(h.queue, fresh, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL_ARGS);
  CHECK(clSetKernelArg(fresh, 1, 8, times) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(fresh, 2, 4, times) == CL_INVALID_ARG_INDEX);
  CHECK(clReleaseKernel(reinterpret_cast<cl_kernel>(h.queue)) == CL_INVALID_KERNEL);
  for (cl_kernel k : {add, ids, locals, fresh})
    OK(clReleaseKernel(k));
  for (cl_mem m : {x, y, z})
    OK(clReleaseMemObject(m));
  for (cl_event e : events)
    OK(clReleaseEvent(e));
}

static void userEvents(Harness &h, cl_program program) {
  cl_int error;
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(h.context, h.device, list, &error);
  OK(error);
  cl_mem x = h.buffer(iota(64));
  cl_kernel add = h.kernel(program, "add");
  setArg(add, 0, x);
  setArg(add, 1, 1);
  cl_event gate = clCreateUserEvent(h.context, &error), late, soon;
  OK(error);
  size_t global = 64;
  OK(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &global, nullptr, 1, &gate, &late));
  // A later command that waits for nothing is not held up.
  OK(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &global, nullptr, 0, nullptr, &soon));
  OK(clWaitForEvents(1, &soon));
  cl_int status;
  OK(clGetEventInfo(late, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  CHECK(status == CL_QUEUED);
  static std::atomic<int> called{0};
  OK(clSetEventCallback(
      late, CL_COMPLETE, [](cl_event, cl_int s, void *) { called += s == CL_COMPLETE ? 1 : 100; },
      nullptr));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
  OK(clFinish(queue));
  while (!called)
    std::this_thread::yield();
  CHECK(called == 1);
  CHECK(h.read<int>(x, 64)[3] == 5);

  // A failed event ends what waits for it.
  cl_event bad = clCreateUserEvent(h.context, &error), after;
  OK(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &global, nullptr, 1, &bad, &after));
  OK(clSetUserEventStatus(bad, -7));
  CHECK(clWaitForEvents(1, &after) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  OK(clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  CHECK(status < 0);
  CHECK(h.read<int>(x, 64)[3] == 5);
  for (cl_event e : {gate, late, soon, bad, after})
    OK(clReleaseEvent(e));
  OK(clReleaseKernel(add));
  OK(clReleaseMemObject(x));
  OK(clReleaseCommandQueue(queue));
}

static void memory(Harness &h) {
  cl_int error;
  cl_mem x = h.buffer(iota(256));
  // Map a part, change it, unmap it.
  auto *p = static_cast<int *>(clEnqueueMapBuffer(h.queue, x, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                  64, 128, 0, nullptr, nullptr, &error));
  OK(error);
  CHECK(p[0] == 16 && p[31] == 47);
  p[1] = -17;
  OK(clEnqueueUnmapMemObject(h.queue, x, p, 0, nullptr, nullptr));
  CHECK(h.read<int>(x, 256)[17] == -17);
  // Fill, also with a pattern that no memset has.
  int pattern[4] = {1, 2, 3, 4};
  OK(clEnqueueFillBuffer(h.queue, x, pattern, sizeof pattern, 512, 128, 0, nullptr, nullptr));
  CHECK(h.read<int>(x, 256)[128 + 6] == 3);
  // A rectangle of 3 x 2 from a plane of 16 wide into one of 8 wide.
  size_t from[3] = {2 * sizeof(int), 1, 0}, to[3] = {0, 0, 0}, region[3] = {3 * sizeof(int), 2, 1};
  std::vector<int> host(16, -1);
  OK(clEnqueueReadBufferRect(h.queue, x, CL_TRUE, from, to, region, 16 * sizeof(int), 0,
                             8 * sizeof(int), 0, host.data(), 0, nullptr, nullptr));
  CHECK(host[0] == 18 && host[2] == 20 && host[3] == -1 && host[8] == 34);
  // A part of a buffer is the same memory.
  cl_buffer_region part = {128, 64};
  cl_mem sub = clCreateSubBuffer(x, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  OK(error);
  CHECK(h.read<int>(sub, 16)[0] == 32);
  part.origin = 4;
  CHECK(!clCreateSubBuffer(x, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  CHECK(error == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  OK(clEnqueueCopyBuffer(h.queue, x, sub, 256, 0, 64, 0, nullptr, nullptr));
  CHECK(h.read<int>(x, 256)[33] == 65);
  CHECK(clEnqueueCopyBuffer(h.queue, x, x, 0, 4, 8, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  // The program's own memory as the host copy.
  std::vector<int> own = iota(32);
  cl_mem used = clCreateBuffer(h.context, CL_MEM_USE_HOST_PTR, 128, own.data(), &error);
  OK(error);
  CHECK(clEnqueueMapBuffer(h.queue, used, CL_TRUE, CL_MAP_READ, 4, 4, 0, nullptr, nullptr,
                           &error) == own.data() + 1);
  for (cl_mem m : {x, sub, used})
    OK(clReleaseMemObject(m));
}

struct Doubling {
  int *values;
  int count;
};

/// A function of the host in the queue sees buffers, and what it writes there stays.
static void nativeKernel(Harness &h) {
  cl_mem x = h.buffer(iota(8));
  Doubling arguments = {nullptr, 8};
  const void *place = &arguments.values;
  auto run = [](void *p) {
    auto *a = static_cast<Doubling *>(p);
    for (int i = 0; i < a->count; ++i)
      a->values[i] *= 2;
  };
  OK(clEnqueueNativeKernel(h.queue, run, &arguments, sizeof arguments, 1, &x, &place, 0, nullptr,
                           nullptr));
  CHECK(h.read<int>(x, 8)[7] == 14 && !arguments.values);
  place = &arguments + 1;
  CHECK(clEnqueueNativeKernel(h.queue, run, &arguments, sizeof arguments, 1, &x, &place, 0, nullptr,
                              nullptr) == CL_INVALID_VALUE);
  OK(clReleaseMemObject(x));
}

static void contextProperties(Harness &h) {
  cl_int error;
  for (auto [value, expected] : {std::pair(CL_TRUE, CL_SUCCESS), {2, CL_INVALID_PROPERTY}}) {
    cl_context_properties list[] = {CL_CONTEXT_INTEROP_USER_SYNC, value, 0};
    cl_context context = clCreateContext(list, 1, &h.device, nullptr, nullptr, &error);
    CHECK(error == expected);
    if (context)
      OK(clReleaseContext(context));
  }
}

/// A failure in a context is told to its callback before the command has ended.
static void contextCallback(Harness &h) {
  auto notify = [](const char *problem, const void *, size_t, void *said) {
    *static_cast<std::string *>(said) += problem;
  };
  std::string said;
  cl_int error;
  cl_context context = clCreateContext(nullptr, 1, &h.device, notify, &said, &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, h.device, nullptr, &error);
  OK(error);
  const char *source = "kernel void wild(global int *p, ulong far) { p[far] = 1; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  OK(error);
  OK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  cl_kernel k = h.kernel(program, "wild");
  cl_mem x = clCreateBuffer(context, 0, 64, nullptr, &error);
  OK(error);
  setArg(k, 0, x);
  size_t one = 1;
  cl_event event;
  for (cl_ulong far : {cl_ulong(3), cl_ulong(1) << 60}) {
    setArg(k, 1, far);
    OK(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, &event));
    CHECK((clWaitForEvents(1, &event) == CL_SUCCESS) == (far == 3));
    CHECK(said.empty() == (far == 3));
    OK(clReleaseEvent(event));
  }
  CHECK(said == "kernel 'wild' has failed: an illegal memory access was encountered");
  OK(clReleaseMemObject(x));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
}

int main() {
  Harness h;
  cl_program program = h.build(kSource, nullptr);
  inOrder(h, program);
  userEvents(h, program);
  memory(h);
  nativeKernel(h);
  contextProperties(h);
  OK(clReleaseProgram(program));
  contextCallback(h); // last, as the device is of no use after a fault
  std::puts("queues work");
}
