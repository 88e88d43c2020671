// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVRTC compiles - headers by name, options, name expressions - runs through the driver API, as
// text, as an image and linked; and what it says about mistakes.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/../driver/Inputs && %run %t
// RUN: env VX_LOWERING=sw timeout 120 %t
// RUN: env VX_BACKEND=host timeout 120 %t

#include "driver.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <thread>

struct Program {
  nvrtcProgram handle = nullptr;
  nvrtcResult result = NVRTC_SUCCESS;
  explicit Program(const char *source, const char *name = nullptr,
                   std::vector<std::pair<const char *, const char *>> headers = {}) {
    std::vector<const char *> texts, names;
    for (auto &[headerName, text] : headers) {
      names.push_back(headerName);
      texts.push_back(text);
    }
    CHECK(nvrtcCreateProgram(&handle, source, name, int(headers.size()), texts.data(),
                             names.data()) == NVRTC_SUCCESS);
  }
  ~Program() { CHECK(nvrtcDestroyProgram(&handle) == NVRTC_SUCCESS); }
  nvrtcResult compile(std::vector<const char *> options = {}) {
    return nvrtcCompileProgram(handle, int(options.size()), options.data());
  }
  using SizeFunction = nvrtcResult (*)(nvrtcProgram, size_t *);
  using GetFunction = nvrtcResult (*)(nvrtcProgram, char *);
  std::string get(SizeFunction size, GetFunction get) {
    size_t bytes = 0;
    CHECK(size(handle, &bytes) == NVRTC_SUCCESS);
    std::string result(bytes, 0);
    if (bytes)
      CHECK(get(handle, &result[0]) == NVRTC_SUCCESS);
    return result;
  }
  std::string log() { return get(nvrtcGetProgramLogSize, nvrtcGetProgramLog).c_str(); }
  std::string ptx() { return get(nvrtcGetPTXSize, nvrtcGetPTX); }
  std::string cubin() { return get(nvrtcGetCUBINSize, nvrtcGetCUBIN); }
  std::string ltoir() { return get(nvrtcGetLTOIRSize, nvrtcGetLTOIR); }
  void mustCompile(std::vector<const char *> options = {}) {
    if (compile(options) != NVRTC_SUCCESS) {
      std::printf("%s\n", log().c_str());
      CHECK(!"compiled");
    }
  }
};

/// Returns what the kernel NAME of IMAGE makes of VALUE.
static int run(const std::string &image, const char *name, int value) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr address;
  OK(cuModuleLoadData(&module, image.data()));
  OK(cuModuleGetFunction(&function, module, name));
  OK(cuMemAlloc(&address, sizeof value));
  OK(cuMemcpyHtoD(address, &value, sizeof value));
  void *parameters[] = {&address};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(&value, address, sizeof value));
  OK(cuMemFree(address));
  OK(cuModuleUnload(module));
  return value;
}

static void options() {
  const char *source = R"(
#include "first.h"
#include <sub/second.h>
#if !defined(__CUDACC_RTC__) || defined(GONE) || __CUDA_ARCH__ != 800 || __cplusplus != 201402L
#error "wrong macros"
#endif
extern "C" __global__ void k(int *p) { *p = first(*p) + second<int>() + ADDED; }
)";
  Program p(source, "main.cu",
            {{"first.h", "#include \"sub/second.h\"\n__device__ int first(int x) { return x * 2; }"},
             {"sub/second.h", "#pragma once\ntemplate <class T> __device__ T second() { return T(3); }"}});
  p.mustCompile({"-DADDED=10", "-DA=1", "-DB=2", "-D", "GONE=1", "-UGONE",
                 "--gpu-architecture=sm_80", "--std", "c++14", "-lineinfo", "--use_fast_math", "-fmad=false"});
  CHECK(run(p.ptx(), "k", 5) == 23);
  CHECK(run(p.cubin(), "k", 5) == 23);
  CHECK(p.ltoir().empty());
  char byte;
  CHECK(nvrtcGetLTOIR(p.handle, &byte) == NVRTC_ERROR_INVALID_PROGRAM);

  Program debug("extern \"C\" __global__ void k(int *p) { assert(*p == 4); ++*p; }");
  debug.mustCompile({"-G", "-arch=compute_70"});
  CHECK(debug.cubin().empty());
  CHECK(run(debug.ptx(), "k", 4) == 5);
}

static void defaults() {
  // Types, functions and headers without a host's C++ library.
  Program p(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <math_constants.h>
#include <cstdint>
#include <type_traits>
namespace cg = cooperative_groups;
typedef unsigned int uint32_t;
extern "C" __global__ void k(int *p) {
  size_t size = sizeof(uint64_t) + sizeof(float4);
  float4 v = make_float4(1, 2, 3, 4);
  dim3 d(1, 2, 3);
  cg::thread_block block = cg::this_thread_block();
  __half h = __float2half(1.5f);
  struct alignas(64) Line { int a[16]; };
  Line *line = new Line();
  size += reinterpret_cast<size_t>(line) % 64 + line->a[15];
  delete line;
  if (block.thread_rank() == 0 && std::is_same<decltype(v.x), float>::value)
    *p += int(size) + int(v.w) + int(d.z) + int(__half2float(h) * 2) + int(CUDART_PI_F) +
          int(std::sqrt(16.0f)) + max(min(*p, 1), 0) + int(fabsf(-2.0f)) + __popc(7u);
}
)");
  p.mustCompile();
  CHECK(run(p.ptx(), "k", 100) == 100 + 24 + 4 + 3 + 3 + 3 + 4 + 1 + 2 + 3);

  Program d(R"(
int offset = 4;
constexpr int kOne = 1;
struct Point { int x; int twice() const { return 2 * x; } };
int helper(int v) { static int calls; return v + offset + kOne + calls++; }
extern "C" __global__ void k(int *p) { __shared__ int s[2]; s[0] = Point{*p}.twice(); *p = helper(s[0]); }
)");
  CHECK(d.compile() == NVRTC_ERROR_COMPILATION);
  Program same(R"(
int offset = 4;
constexpr int kOne = 1;
struct Point { int x; int twice() const { return 2 * x; } };
int helper(int v) { static int calls; return v + offset + kOne + calls++; }
extern "C" __global__ void k(int *p) { __shared__ int s[2]; s[0] = Point{*p}.twice(); *p = helper(s[0]); }
)");
  same.mustCompile({"--device-as-default-execution-space"});
  CHECK(run(same.ptx(), "k", 10) == 25);
}

static void names() {
  Program p(R"(
template <typename T, int n> __global__ void add(T *p) { *p += T(n); }
namespace space { __constant__ int limit = 3; __device__ int table[2]; static __global__ void own(int *p) { *p = 9; } }
__global__ void over(int *p) { *p = 1; }
__global__ void over(float *p) { *p = 2; }
)");
  for (const char *name : {"add<int, 5>", "add<float,2+1>", "&space::limit", "space::table",
                           "space::own", "(void (*)(float *))over"})
    CHECK(nvrtcAddNameExpression(p.handle, name) == NVRTC_SUCCESS);
  const char *lowered;
  CHECK(nvrtcGetLoweredName(p.handle, "add<int, 5>", &lowered) ==
        NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  p.mustCompile({"-arch=sm_90"});
  CHECK(nvrtcAddNameExpression(p.handle, "space::own") ==
        NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK(nvrtcGetLoweredName(p.handle, "add<int,5>", &lowered) ==
        NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK(nvrtcGetLoweredName(p.handle, "(void (*)(float *))over", &lowered) == NVRTC_SUCCESS);
  CHECK(!std::strcmp(lowered, "_Z4overPf"));
  CHECK(nvrtcGetLoweredName(p.handle, "add<int, 5>", &lowered) == NVRTC_SUCCESS);
  CHECK(!std::strcmp(lowered, "_Z3addIiLi5EEvPT_"));
  CHECK(run(p.cubin(), lowered, 1) == 6);
  CHECK(nvrtcGetLoweredName(p.handle, "space::own", &lowered) == NVRTC_SUCCESS);
  CHECK(run(p.cubin(), lowered, 1) == 9);
  CHECK(nvrtcGetLoweredName(p.handle, "&space::limit", &lowered) == NVRTC_SUCCESS);
  CUmodule module;
  CUdeviceptr address;
  size_t size;
  std::string image = p.ptx();
  OK(cuModuleLoadData(&module, image.c_str()));
  OK(cuModuleGetGlobal(&address, &size, module, lowered));
  CHECK(size == sizeof(int));
  OK(cuModuleUnload(module));
  // Static variables of a whole program, too.
  Program statics("static __constant__ int limit[2]; static __device__ int calls = 3;\n"
                  "extern \"C\" __global__ void k(int *p) { *p = limit[1] + calls++; }");
  statics.mustCompile({"-arch=sm_80"});
  image = statics.cubin();
  OK(cuModuleLoadData(&module, image.c_str()));
  OK(cuModuleGetGlobal(&address, &size, module, "limit"));
  int limits[] = {1, 20}, value = 0;
  CHECK(size == sizeof limits);
  OK(cuMemcpyHtoD(address, limits, sizeof limits));
  OK(cuModuleGetGlobal(&address, &size, module, "calls"));
  CUfunction function;
  CUdeviceptr result;
  OK(cuModuleGetFunction(&function, module, "k"));
  OK(cuMemAlloc(&result, sizeof value));
  void *parameters[] = {&result};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(&value, result, sizeof value));
  CHECK(value == 23);
  OK(cuMemcpyDtoH(&value, address, sizeof value));
  CHECK(value == 4);
  OK(cuMemFree(result));
  OK(cuModuleUnload(module));
  Program wrong("__global__ void k() {}");
  CHECK(nvrtcAddNameExpression(wrong.handle, "missing<int>") == NVRTC_SUCCESS);
  CHECK(wrong.compile() == NVRTC_ERROR_COMPILATION);
  CHECK(wrong.log().find("name expression") != std::string::npos);
  // The result that the compiler makes of an expression is not shown.
  for (const char *expression : {"missing<int>", "over", "host", "1 +", "space::S"}) {
    Program bad("__global__ void over(int) {}\n__global__ void over(float) {}\n"
                "__device__ int host(int x) { return x; }\nnamespace space { struct S {}; }\n");
    CHECK(nvrtcAddNameExpression(bad.handle, expression) == NVRTC_SUCCESS);
    CHECK(bad.compile({"-default-device"}) == NVRTC_ERROR_COMPILATION);
    CHECK(bad.log().find("name expression") != std::string::npos);
    CHECK(bad.log().find("__vx") == std::string::npos);
    CHECK(bad.log().find("vx-nvrtc") == std::string::npos);
  }
  Program quiet("extern \"C\" __global__ void k() {}");
  quiet.mustCompile({"-default-device"});
  CHECK(quiet.log().empty());
}

static void links() {
  Program a("extern __device__ int other(int);\n"
            "extern \"C\" __global__ void k(int *p) { *p = other(*p); }",
            "a.cu");
  Program b("__device__ int base = 7;\n__device__ int other(int x) { return x * x + base; }", "b.cu");
  a.mustCompile({"-rdc=true", "-arch=sm_80"});
  b.mustCompile({"-dlto", "-dc", "-arch=sm_80"});
  std::string first = a.ptx(), second = b.ltoir();
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CUlinkState state;
  void *image;
  size_t size;
  OK(cuLinkCreate(2, options, values, &state));
  OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, &first[0], first.size(), "a", 0, nullptr, nullptr));
  OK(cuLinkAddData(state, CU_JIT_INPUT_NVVM, &second[0], second.size(), "b", 0, nullptr, nullptr));
  OK(cuLinkComplete(state, &image, &size));
  CHECK(run(std::string(static_cast<char *>(image), size), "k", 3) == 16);
  OK(cuLinkDestroy(state));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));

  values[1] = reinterpret_cast<void *>(sizeof log);
  OK(cuLinkCreate(2, options, values, &state));
  OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, &first[0], first.size(), "a", 0, nullptr, nullptr));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, cuLinkComplete(state, &image, &size));
  CHECK(std::strstr(log, "other"));
  OK(cuLinkDestroy(state));
}

static void mistakes() {
  Program p("__global__ void k(int *p) { *p = missing; }\n#warning \"note this\"\n", "named.cu");
  CHECK(p.compile() == NVRTC_ERROR_COMPILATION);
  CHECK(p.log().find("named.cu:1:34: error: use of undeclared identifier 'missing'") !=
        std::string::npos);
  CHECK(p.log().find("1 error") != std::string::npos);
  size_t size;
  CHECK(nvrtcGetPTXSize(p.handle, &size) == NVRTC_SUCCESS && size == 1);
  Program warned("#warning \"note this\"\nextern \"C\" __global__ void k(int *p) { *p = 1; }");
  warned.mustCompile();
  CHECK(warned.log().find("default_program:1:2: warning: \"note this\"") != std::string::npos);
  Program header("#include <vector>\n");
  CHECK(header.compile() == NVRTC_ERROR_COMPILATION);
  Program late("extern \"C\" __global__ void k(int *p) { asm(\"nonsense.u32 %0;\" : \"=r\"(*p)); }");
  CHECK(late.compile({"-arch=sm_80"}) == NVRTC_ERROR_COMPILATION);
  CHECK(late.log().find("default_program:1") != std::string::npos);
  Program option("");
  CHECK(option.compile({"--unknown"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.log().find("--unknown") != std::string::npos);
  CHECK(option.compile({"-arch=sm_1"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.log().find("invalid value for --gpu-architecture (-arch)\n") != std::string::npos);
  CHECK(option.compile({"--maxrregcount=many"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.compile({""}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.compile({"-I"}) == NVRTC_SUCCESS);
  CHECK(option.compile({"-fmad=maybe"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.compile({"--vx-coarsen=maybe"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.log().find("--vx-coarsen: expected true, false\n") != std::string::npos);
  CHECK(option.compile({"--vx-mapping-budget"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK(option.compile({"--vx-coarsen=false", "--vx-mapping-budget", "0", "-fvx-check",
                        "--vx-tiles=exact"}) == NVRTC_SUCCESS);
  CHECK(option.compile() == NVRTC_SUCCESS);
  nvrtcProgram none = nullptr;
  CHECK(nvrtcCreateProgram(nullptr, "", nullptr, 0, nullptr, nullptr) ==
        NVRTC_ERROR_INVALID_PROGRAM);
  CHECK(nvrtcCreateProgram(&none, nullptr, nullptr, 0, nullptr, nullptr) ==
        NVRTC_ERROR_INVALID_INPUT);
  CHECK(nvrtcDestroyProgram(&none) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK(!std::strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"));
  int major, minor, count, numbers[64];
  CHECK(nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && major == 12 && minor == 3);
  CHECK(nvrtcGetNumSupportedArchs(&count) == NVRTC_SUCCESS && count > 5 && count < 64);
  CHECK(nvrtcGetSupportedArchs(numbers) == NVRTC_SUCCESS);
  for (int i = 1; i < count; ++i)
    CHECK(numbers[i - 1] < numbers[i]);
}

/// The headers of a toolkit of NVIDIA's do not take the place of ours.
static void toolkitFolder() {
  char folder[] = "/tmp/vx-toolkit-XXXXXX";
  CHECK(mkdtemp(folder));
  std::string top = folder;
  auto write = [&](const std::string &name) {
    std::FILE *file = std::fopen((top + name).c_str(), "w");
    CHECK(file);
    std::fputs("#error theirs\n", file);
    std::fclose(file);
  };
  CHECK(mkdir((top + "/crt").c_str(), 0700) == 0);
  write("/crt/host_runtime.h");
  write("/cuda_fp16.h");
  Program p("#include <cuda_fp16.h>\nextern \"C\" __global__ void k(__half *p) { *p = 1; }");
  std::string option = "-I" + top;
  p.mustCompile({option.c_str()});
  for (const char *name : {"/crt/host_runtime.h", "/crt", "/cuda_fp16.h", ""})
    std::remove((top + name).c_str());
}

static void threads() {
  std::vector<std::thread> all;
  std::string images[3];
  for (int i = 0; i < 3; ++i)
    all.emplace_back([i, &images] {
      std::string source =
          "extern \"C\" __global__ void k(int *p) { *p += " + std::to_string(i) + "; }";
      for (int round = 0; round < 3; ++round) { // some link while others generate code
        Program p(source.c_str());
        p.mustCompile({"-arch=sm_80"});
        images[i] = p.cubin();
      }
    });
  for (std::thread &t : all)
    t.join();
  for (int i = 0; i < 3; ++i)
    CHECK(run(images[i], "k", 10) == 10 + i);
}

int main() {
  CUcontext context;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  options();
  defaults();
  names();
  links();
  mistakes();
  toolkitFolder();
  threads();
  OK(cuCtxDestroy(context));
  std::printf("PASS\n");
}
