// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs: errors and logs, options, information on kernels, binaries, separate compilation.

#include "harness.h"
#include <cstring>

template <class T> static T argInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info what) {
  T value;
  OK(clGetKernelArgInfo(k, i, what, sizeof value, &value, nullptr));
  return value;
}
static std::string argText(cl_kernel k, cl_uint i, cl_kernel_arg_info what) {
  char text[64];
  OK(clGetKernelArgInfo(k, i, what, sizeof text, text, nullptr));
  return text;
}

static int runTwice(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "k");
  cl_mem x = h.buffer(std::vector<int>{20, 1});
  setArg(k, 0, x);
  h.run(k, 1, 1);
  int result = h.read<int>(x, 2)[0];
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(x));
  return result;
}

int main() {
  Harness h;
  cl_int error;

  // The log is the compiler's.
  const char *bad = "kernel void k(global int *x) {\n  x[0] = nothing;\n}\n";
  cl_program program = clCreateProgramWithSource(h.context, 1, &bad, nullptr, &error);
  OK(error);
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  std::string log = h.buildLog(program);
  CHECK(log.find("<program source>:2:10: error: use of undeclared identifier 'nothing'") == 0);
  CHECK(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr) ==
        CL_INVALID_BUILD_OPTIONS);
  CHECK(h.buildLog(program) == "unknown option '-no-such-option'\n");
  CHECK(clBuildProgram(program, 0, nullptr, "-w -D", nullptr, nullptr) == CL_INVALID_BUILD_OPTIONS);
  CHECK(h.buildLog(program) == "option '-D' wants a value\n");
  CHECK(!clCreateKernel(program, "k", &error) && error == CL_INVALID_PROGRAM_EXECUTABLE);
  OK(clReleaseProgram(program));

  // The information that a kernel has of itself.
  program =
      h.build("__attribute__((reqd_work_group_size(8, 2, 1)))\n"
              "kernel void info(global const float4 *restrict a, local int *b, constant char *c,"
              " read_only image2d_t d, sampler_t e, uint f) {}\n"
              "kernel void second(void) {}",
              nullptr);
  cl_kernel k = h.kernel(program, "info");
  cl_uint count;
  OK(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  CHECK(count == 6);
  CHECK(argText(k, 0, CL_KERNEL_ARG_TYPE_NAME) == "float4*");
  CHECK(argText(k, 5, CL_KERNEL_ARG_TYPE_NAME) == "uint");
  CHECK(argText(k, 3, CL_KERNEL_ARG_NAME) == "d");
  CHECK(argInfo<cl_kernel_arg_address_qualifier>(k, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_LOCAL);
  CHECK(argInfo<cl_kernel_arg_address_qualifier>(k, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_CONSTANT);
  CHECK(argInfo<cl_kernel_arg_access_qualifier>(k, 3, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
        CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(argInfo<cl_kernel_arg_type_qualifier>(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER) ==
        (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));
  size_t required[3];
  OK(clGetKernelWorkGroupInfo(k, h.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                              required, nullptr));
  CHECK(required[0] == 8 && required[1] == 2 && required[2] == 1);
  char names[64];
  OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr));
  CHECK(!std::strcmp(names, "info;second"));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));

  // Options; a binary is as good as its source.
  const char *source = "kernel void k(global int *x) { x[0] = x[0] * FACTOR + x[1]; }";
  program = h.build(source, "-D FACTOR=2 -cl-mad-enable -DTEXT=\"a b\"");
  CHECK(runTwice(h, program) == 41);
  size_t size;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> image(size);
  unsigned char *images[] = {image.data()};
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof images, images, nullptr));
  OK(clReleaseProgram(program));
  const unsigned char *binary = image.data();
  cl_int status;
  program = clCreateProgramWithBinary(h.context, 1, &h.device, &size, &binary, &status, &error);
  OK(error);
  OK(status);
  OK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  CHECK(runTwice(h, program) == 41);
  OK(clReleaseProgram(program));
  image[0] ^= 0xff;
  CHECK(!clCreateProgramWithBinary(h.context, 1, &h.device, &size, &binary, &status, &error));
  CHECK(error == CL_INVALID_BINARY);

  // Variables at program scope are counted.
  program = h.build("global int sums[5]; global double last; constant int seven = 7;"
                    "kernel void k(global int *x) { sums[x[0]] = seven; last = x[1]; }");
  size_t globals = 0;
  OK(clGetProgramBuildInfo(program, h.device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                           sizeof globals, &globals, nullptr));
  CHECK(globals == 28);
  OK(clReleaseProgram(program));

  // Separate compilation, with a header that is a program.
  const char *parts[] = {
      "int twice(int x) { return 2 * x; }",
      "#include \"lib/twice.h\"\nkernel void k(global int *x) { x[0] = twice(x[0]); }",
      "int twice(int x);"};
  cl_program units[3];
  for (int i = 0; i < 3; ++i)
    units[i] = clCreateProgramWithSource(h.context, 1, &parts[i], nullptr, &error);
  const char *header = "lib/twice.h";
  OK(clCompileProgram(units[0], 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  OK(clCompileProgram(units[1], 0, nullptr, nullptr, 1, &units[2], &header, nullptr, nullptr));
  cl_program library =
      clLinkProgram(h.context, 0, nullptr, "-create-library", 1, units, nullptr, nullptr, &error);
  OK(error);
  cl_program both[] = {library, units[1]};
  program = clLinkProgram(h.context, 0, nullptr, nullptr, 2, both, nullptr, nullptr, &error);
  OK(error);
  CHECK(runTwice(h, program) == 40);
  OK(clReleaseProgram(program));
  program = clLinkProgram(h.context, 0, nullptr, nullptr, 1, units + 1, nullptr, nullptr, &error);
  CHECK(error == CL_LINK_PROGRAM_FAILURE && h.buildLog(program).find("twice") != std::string::npos);
  OK(clReleaseProgram(program));
  OK(clReleaseProgram(library));
  for (cl_program unit : units)
    OK(clReleaseProgram(unit));
  std::puts("programs work");
}
