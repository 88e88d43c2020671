// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of kernels.cl from SPIR-V against the same from source, and what the platform says of
// programs in SPIR-V: kernels KERNELS.spv TWICE.spv, in the folder of kernels.cl's source.

#include "../../opencl/Inputs/harness.h"
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

static std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(!text.empty());
  return text;
}

static cl_program fromIL(Harness &h, const std::string &module) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(h.context, module.data(), module.size(), &error);
  OK(error);
  return program;
}

/// Returns two modules, compiled one by one and linked.
static cl_program linked(Harness &h, const std::string &a, const std::string &b) {
  cl_program parts[] = {fromIL(h, a), fromIL(h, b)};
  for (cl_program part : parts)
    OK(clCompileProgram(part, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  cl_int error;
  cl_program program =
      clLinkProgram(h.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &error);
  if (error)
    std::printf("%s\n", h.buildLog(program).c_str());
  OK(error);
  for (cl_program part : parts)
    OK(clReleaseProgram(part));
  return program;
}

struct Setting {
  char tag;
  cl_int scale;
  cl_float4 shift;
};

constexpr size_t kItems = 96, kGroup = 32;

static std::vector<int> runSpaces(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "spaces");
  cl_mem out = h.buffer(std::vector<int>(kItems + 5));
  setArg(k, 0, out);
  OK(clSetKernelArg(k, 1, kGroup * sizeof(int), nullptr));
  Setting setting = {};
  setting.tag = 'x';
  setting.scale = 7;
  setting.shift.s[3] = 40;
  setArg(k, 2, setting);
  setArg(k, 3, cl_int3{{1, 2, 3}});
  setArg(k, 4, cl_ulong(5) << 32);
  size_t global = kItems, local = kGroup, offset = 5;
  OK(clEnqueueNDRangeKernel(h.queue, k, 1, &offset, &global, &local, 0, nullptr, nullptr));
  return h.read<int>(out, kItems + 5);
}

static std::vector<int> runSubGroups(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "subgroups");
  cl_mem out = h.buffer(std::vector<int>(kItems));
  setArg(k, 0, out);
  h.run(k, kItems, kGroup);
  std::vector<int> result = h.read<int>(out, kItems);
  // The second sub-group: 32 + … + 63, no scan before it, work-item 37, both votes.
  CHECK(result[32] == 1520 + 37 + 2);
  return result;
}

static std::vector<int> runAtomics(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "atomics");
  cl_mem counter = h.buffer(std::vector<int>(2)), seen = h.buffer(std::vector<int>(3));
  cl_mem wide = h.buffer(std::vector<cl_ulong>(1));
  setArg(k, 0, counter);
  setArg(k, 1, wide);
  setArg(k, 2, seen);
  h.run(k, kItems, kGroup);
  std::vector<int> result = h.read<int>(counter, 2);
  CHECK(result[0] == 2 * kItems);
  CHECK(h.read<cl_ulong>(wide, 1)[0] == kItems << 33);
  CHECK(h.read<int>(seen, 3) == std::vector<int>(3, kGroup));
  return {}; // the greatest value that was seen depends on the order
}

static std::vector<float> runMath(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "math");
  std::vector<float> in(kItems);
  for (size_t i = 0; i < kItems; ++i)
    in[i] = static_cast<float>(i) * 0.37f;
  cl_mem from = h.buffer(in), to = h.buffer(std::vector<float>(kItems));
  setArg(k, 0, to);
  setArg(k, 1, from);
  h.run(k, kItems, kGroup);
  return h.read<float>(to, kItems);
}

static std::vector<float> runFlip(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "flip");
  cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 4;
  desc.image_height = 3;
  std::vector<float> pixels(4 * 3 * 4);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<float>(i);
  cl_int error;
  cl_mem from =
      clCreateImage(h.context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels.data(), &error);
  OK(error);
  cl_mem to = clCreateImage(h.context, 0, &format, &desc, nullptr, &error);
  OK(error);
  cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                  CL_FALSE,
                                  CL_SAMPLER_ADDRESSING_MODE,
                                  CL_ADDRESS_CLAMP_TO_EDGE,
                                  CL_SAMPLER_FILTER_MODE,
                                  CL_FILTER_NEAREST,
                                  0};
  cl_sampler s = clCreateSamplerWithProperties(h.context, list, &error);
  OK(error);
  setArg(k, 0, from);
  setArg(k, 1, to);
  setArg(k, 2, s);
  size_t range[2] = {4, 3}, origin[3] = {0, 0, 0}, region[3] = {4, 3, 1};
  OK(clEnqueueNDRangeKernel(h.queue, k, 2, nullptr, range, nullptr, 0, nullptr, nullptr));
  std::vector<float> result(pixels.size());
  OK(clEnqueueReadImage(h.queue, to, CL_TRUE, origin, region, 0, 0, result.data(), 0, nullptr,
                        nullptr));
  CHECK(result[0] == pixels[0] + pixels[12]); // the first pixel of a row and the last
  return result;
}

static std::vector<int> runPointers(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "pointers");
  cl_mem out = h.buffer(std::vector<int>(kItems));
  setArg(k, 0, out);
  OK(clSetKernelArg(k, 1, kGroup * sizeof(int), nullptr));
  h.run(k, kItems, kGroup);
  std::vector<int> result = h.read<int>(out, kItems);
  for (int i = 0; i < int(kItems); ++i)
    CHECK(result[i] == (i % 3 == 0 ? 1 : i % 3 == 1 ? 4020 : 300 + i));
  return result;
}

static std::vector<float> runCopies(Harness &h, cl_program program) {
  cl_kernel k = h.kernel(program, "copies");
  std::vector<float> in(kItems * 4);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i);
  setArg(k, 0, h.buffer(in));
  cl_mem out = h.buffer(std::vector<float>(in.size() * 2));
  setArg(k, 1, out);
  OK(clSetKernelArg(k, 2, kGroup * sizeof(cl_float4), nullptr));
  h.run(k, kItems, kGroup);
  std::vector<float> result = h.read<float>(out, in.size() * 2);
  for (size_t i = 0; i < in.size(); ++i)
    CHECK(result[i / 4 * 8 + i % 4] == 2 * in[i]);
  for (size_t group = 0; group < kItems; group += kGroup)
    CHECK(result[group * 8 + 4] == 2 * in[group * 4 + 4]);
  return result;
}

/// Errors say what is wrong with a module or a call.
static void checkErrors(Harness &h, const std::string &module) {
  cl_int error;
  CHECK(!clCreateProgramWithIL(h.context, "no module at all", 16, &error) &&
        error == CL_INVALID_VALUE);
  cl_program program = fromIL(h, module);
  cl_uint value = 1;
  CHECK(clSetProgramSpecializationConstant(program, 99, sizeof value, &value) ==
        CL_INVALID_SPEC_ID);
  // A function that is nowhere.
  CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(h.buildLog(program).find("twice") != std::string::npos);
  OK(clReleaseProgram(program));
  // A broken module: the log names the instruction.
  std::string broken = module;
  std::memset(&broken[24], 0x7f, 4); // the operand of the first instruction, a capability
  program = fromIL(h, broken);
  CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(h.buildLog(program).find("instruction 1 (OpCapability): ") != std::string::npos);
  OK(clReleaseProgram(program));
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  Harness h;
  std::string kernels = readFile(argv[1]), twice = readFile(argv[2]);
  cl_program il = linked(h, kernels, twice);
  cl_program source = h.build((readFile(std::string(argv[3]) + "/twice.cl") +
                               readFile(std::string(argv[3]) + "/kernels.cl"))
                                  .c_str(),
                              "-cl-std=CL3.0 -w");
  CHECK(runSpaces(h, il) == runSpaces(h, source));
  CHECK(runSubGroups(h, il) == runSubGroups(h, source));
  CHECK(runAtomics(h, il) == runAtomics(h, source));
  CHECK(runMath(h, il) == runMath(h, source));
  CHECK(runFlip(h, il) == runFlip(h, source));
  CHECK(runPointers(h, il) == runPointers(h, source));
  CHECK(runCopies(h, il) == runCopies(h, source));

  // SPIR-V is also a binary, and bits of both languages link.
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(kernels.data());
  size_t size = kernels.size();
  cl_int error, status;
  cl_program binary =
      clCreateProgramWithBinary(h.context, 1, &h.device, &size, &bytes, &status, &error);
  OK(error);
  OK(clCompileProgram(binary, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  const char *text = "int twice(int x) { return x + x; }";
  cl_program inC = clCreateProgramWithSource(h.context, 1, &text, nullptr, &error);
  OK(error);
  OK(clCompileProgram(inC, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  cl_program parts[] = {binary, inC};
  cl_program mixed =
      clLinkProgram(h.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &error);
  OK(error);
  CHECK(runSpaces(h, mixed) == runSpaces(h, source));

  size_t needed = 0;
  OK(clGetProgramInfo(binary, CL_PROGRAM_IL, 0, nullptr, &needed));
  CHECK(needed == size);
  checkErrors(h, kernels);
  std::printf("PASS\n");
}
