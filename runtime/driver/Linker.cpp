// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking device code while the program runs. What is linked is NVVM IR: of nvrtc, of vxcc
// --emit=nvvm, or in fat binaries. One image alone passes as it is.

#include "runtime/core/Messages.h"
#include "runtime/driver/Images.h"
#include "runtime/image/RuntimeCompiler.h"
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

struct LinkInput {
  std::string name;
  std::vector<uint8_t> fatBinary;
};

struct LinkState {
  JitOptions jit;
  std::string log;
  double milliseconds = 0;
  std::vector<LinkInput> inputs;
  std::vector<uint8_t> result;
};

struct LinkStates {
  std::mutex mutex;
  std::map<CUlinkState, std::unique_ptr<LinkState>> all;
};

LinkStates &states() {
  static auto *instance = new LinkStates;
  return *instance;
}

LinkState *find(CUlinkState handle) {
  std::lock_guard lock(states().mutex);
  auto it = states().all.find(handle);
  return it == states().all.end() ? nullptr : it->second.get();
}

CUresult finish(LinkState &state, CUresult result) {
  state.jit.report(result, state.log, state.milliseconds);
  if (result != CUDA_SUCCESS && !state.jit.errorLog && !state.log.empty())
    printMessage(state.log);
  return result;
}

CUresult addInput(LinkState &state, const void *data, size_t size, const std::string &name) {
  LinkInput input;
  input.name = name;
  std::string why;
  CUresult result = readImage(data, size, input.fatBinary, why);
  if (result != CUDA_SUCCESS) {
    state.log += name + ": " + why + "\n";
    return finish(state,
                  result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ? result : CUDA_ERROR_INVALID_IMAGE);
  }
  state.inputs.push_back(std::move(input));
  return CUDA_SUCCESS;
}

CUresult link(LinkState &state) {
  std::vector<IrInput> ir;
  for (const LinkInput &input : state.inputs) {
    vx::Result<std::vector<FatImage>> images = parseFatBinary(input.fatBinary);
    if (!images)
      return CUDA_ERROR_INVALID_IMAGE;
    if (const FatImage *code = findIr(*images)) {
      ir.push_back({code->elf, input.name});
    } else if (state.inputs.size() == 1) {
      state.result = input.fatBinary;
      return CUDA_SUCCESS;
    } else {
      state.log += input.name +
                   ": an image is linked already: give the linker NVVM IR (vxcc --emit=nvvm, "
                   "nvrtcGetPTX, or nvrtcGetLTOIR)\n";
      return CUDA_ERROR_INVALID_IMAGE;
    }
  }
  if (ir.empty())
    return CUDA_ERROR_INVALID_IMAGE;
  return withContext([&](Context &context) {
    auto start = std::chrono::steady_clock::now();
    CompiledImage compiled = compileIr(ir, context.device(), {state.jit.optLevel});
    state.milliseconds +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    state.log += compiled.log;
    state.result = std::move(compiled.fatBinary);
    switch (compiled.outcome) {
    case CompileOutcome::Done:
      return CUDA_SUCCESS;
    case CompileOutcome::NoCompiler:
      return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    case CompileOutcome::InvalidInput:
      return CUDA_ERROR_INVALID_PTX;
    case CompileOutcome::Failed:
      return CUDA_ERROR_INVALID_IMAGE;
    }
    return CUDA_ERROR_UNKNOWN;
  });
}

} // namespace

extern "C" CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values,
                                 CUlinkState *handle) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  auto state = std::make_unique<LinkState>();
  if (CUresult e = state->jit.read(count, options, values); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(states().mutex);
  *handle = reinterpret_cast<CUlinkState>(state.get());
  states().all.emplace(*handle, std::move(state));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t size,
                                  const char *name, unsigned, CUjit_option *, void **) {
  LinkState *state = find(handle);
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!data || size == 0 || unsigned(type) >= unsigned(CU_JIT_NUM_INPUT_TYPES))
    return CUDA_ERROR_INVALID_VALUE;
  std::string shown = name ? name : "input " + std::to_string(state->inputs.size() + 1);
  return addInput(*state, data, size, shown);
}

/// The device runtime's own library holds no code here: what it has is in every image.
static bool isDeviceRuntime(const std::string &path) {
  size_t slash = path.rfind('/');
  return path.substr(slash == std::string::npos ? 0 : slash + 1) == "libcudadevrt.a";
}

extern "C" CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path,
                                  unsigned, CUjit_option *, void **) {
  LinkState *state = find(handle);
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!path || unsigned(type) >= unsigned(CU_JIT_NUM_INPUT_TYPES))
    return CUDA_ERROR_INVALID_VALUE;
  if (type == CU_JIT_INPUT_LIBRARY && isDeviceRuntime(path))
    return CUDA_SUCCESS;
  std::vector<uint8_t> bytes;
  if (CUresult e = readFile(path, bytes); e != CUDA_SUCCESS) {
    state->log += std::string(path) + ": cannot be read\n";
    return finish(*state, e);
  }
  return addInput(*state, bytes.data(), bytes.size(), path);
}

extern "C" CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *size) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  LinkState *state = find(handle);
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!image)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = finish(*state, link(*state));
  if (result != CUDA_SUCCESS)
    return result;
  *image = state->result.data();
  if (size)
    *size = state->result.size();
  return CUDA_SUCCESS;
}

extern "C" CUresult cuLinkDestroy(CUlinkState handle) {
  std::lock_guard lock(states().mutex);
  return states().all.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
