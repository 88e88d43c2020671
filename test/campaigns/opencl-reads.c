// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into OpenCL programs that do not check their results: writes everything that they read
// from the device, or map for reading, to the file that OPENCL_READS names, so that two platforms
// can be compared. A record is eight bytes of size, and the data. The clock stands still, as
// programs take their random numbers from it.
//
//   cc -shared -fPIC -w opencl-reads.c -o libopencl-reads.so -ldl

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NEXT(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

static void record(cl_command_queue queue, const void *data, size_t size) {
  const char *path = getenv("OPENCL_READS");
  FILE *file = path ? fopen(path, "ab") : NULL;
  if (!file)
    return;
  clFinish(queue);
  fwrite(&size, sizeof size, 1, file);
  fwrite(data, 1, size, file);
  fclose(file);
}

// Some programs read what nothing has written: buffers begin with zeros, on each platform.
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error) {
  void *zeros = NULL;
  if (!host && (zeros = calloc(size, 1)))
    flags |= CL_MEM_COPY_HOST_PTR;
  cl_mem buffer = NEXT(clCreateBuffer)(context, flags, size, host ? host : zeros, error);
  free(zeros);
  return buffer;
}

time_t time(time_t *where) {
  if (where)
    *where = 1;
  return 1;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *data, cl_uint count, const cl_event *waits,
                           cl_event *event) {
  cl_int error =
      NEXT(clEnqueueReadBuffer)(queue, buffer, blocking, offset, size, data, count, waits, event);
  if (!error)
    record(queue, data, size);
  return error;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                         const cl_event *waits, cl_event *event, cl_int *error) {
  void *data = NEXT(clEnqueueMapBuffer)(queue, buffer, blocking, flags, offset, size, count, waits,
                                        event, error);
  if (data && flags & CL_MAP_READ)
    record(queue, data, size);
  return data;
}
