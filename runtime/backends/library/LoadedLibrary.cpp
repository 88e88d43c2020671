// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library in this process. Only what every version of its interface agrees on is used.

#include "intrinsics/abi/VortexDriver.h"
#include "runtime/backends/library/VortexLibrary.h"
#include <dlfcn.h>
#include <map>

namespace vx::rt {

namespace {

class LoadedLibrary final : public VortexLibrary {
public:
  LoadedLibrary(const abi::VortexCallbacks &api, abi::VortexDeviceHandle device, bool driver)
      : api(api), device(device), driver(driver) {}
  ~LoadedLibrary() override {
    for (auto &[address, buffer] : buffers)
      api.memFree(buffer);
    api.devClose(device);
  }

  int caps(uint32_t id, uint64_t &value) override { return api.devCaps(device, id, &value); }
  int allocate(uint64_t size, int flags, uint64_t &address) override {
    abi::VortexBufferHandle buffer = nullptr;
    if (int status = api.memAlloc(device, size, flags, &buffer))
      return status;
    if (int status = api.memAddress(buffer, &address)) {
      api.memFree(buffer);
      return status;
    }
    buffers[address] = buffer;
    return 0;
  }
  int reserve(uint64_t address, uint64_t size, int flags) override {
    abi::VortexBufferHandle buffer = nullptr;
    if (int status = api.memReserve(device, address, size, flags, &buffer))
      return status;
    buffers[address] = buffer;
    return 0;
  }
  int free(uint64_t address) override {
    auto found = buffers.find(address);
    if (found == buffers.end())
      return kNoBuffer;
    abi::VortexBufferHandle buffer = found->second;
    buffers.erase(found);
    return api.memFree(buffer);
  }
  int info(uint64_t &free, uint64_t &used) override { return api.memInfo(device, &free, &used); }
  int copyTo(uint64_t base, uint64_t offset, std::span<const uint8_t> source) override {
    abi::VortexBufferHandle buffer = find(base);
    return buffer ? api.copyToDev(buffer, source.data(), offset, source.size()) : kNoBuffer;
  }
  int copyFrom(std::span<uint8_t> destination, uint64_t base, uint64_t offset) override {
    abi::VortexBufferHandle buffer = find(base);
    return buffer ? api.copyFromDev(destination.data(), buffer, offset, destination.size())
                  : kNoBuffer;
  }
  int start(uint64_t kernel, uint64_t arguments) override {
    abi::VortexBufferHandle code = find(kernel), data = find(arguments);
    return code && data ? api.start(device, code, data) : kNoBuffer;
  }
  int wait(uint64_t milliseconds) override { return api.readyWait(device, milliseconds); }
  int readRegister(uint32_t address, uint32_t &value) override {
    return api.dcrRead(device, address, &value);
  }
  int writeRegister(uint32_t address, uint32_t value) override {
    return api.dcrWrite(device, address, value);
  }
  int counter(uint32_t csr, uint32_t core, uint64_t &value) override {
    return api.mpmQuery ? api.mpmQuery(device, csr, core, &value) : -1;
  }
  bool isDriver() const override { return driver; }

private:
  static constexpr int kNoBuffer = -2;

  abi::VortexBufferHandle find(uint64_t address) const {
    auto found = buffers.find(address);
    return found == buffers.end() ? nullptr : found->second;
  }

  const abi::VortexCallbacks api;
  abi::VortexDeviceHandle device;
  const bool driver;
  std::map<uint64_t, abi::VortexBufferHandle> buffers; // by address
};

/// Calls VISIT(function, its name in vortex.h) for each function of API that the runtime needs.
template <typename Visitor> void forEachNeeded(abi::VortexCallbacks &api, Visitor visit) {
  visit(api.devOpen, "vx_dev_open");
  visit(api.devClose, "vx_dev_close");
  visit(api.devCaps, "vx_dev_caps");
  visit(api.memAlloc, "vx_mem_alloc");
  visit(api.memReserve, "vx_mem_reserve");
  visit(api.memFree, "vx_mem_free");
  visit(api.memAddress, "vx_mem_address");
  visit(api.memInfo, "vx_mem_info");
  visit(api.copyToDev, "vx_copy_to_dev");
  visit(api.copyFromDev, "vx_copy_from_dev");
  visit(api.start, "vx_start");
  visit(api.readyWait, "vx_ready_wait");
  visit(api.dcrRead, "vx_dcr_read");
  visit(api.dcrWrite, "vx_dcr_write");
}

/// Takes the functions of vortex.h from LIBRARY; the name of the first that is not there, or empty.
std::string findFunctions(void *library, abi::VortexCallbacks &api) {
  auto find = [library]<typename F>(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library, name));
  };
  std::string missing;
  forEachNeeded(api, [&](auto &function, const char *name) {
    find(function, name);
    if (!function && missing.empty())
      missing = name;
  });
  find(api.mpmQuery, "vx_mpm_query");
  return missing;
}

/// Returns what is wrong with the library, or an empty text. A library that has both is a driver:
/// closing a device by the functions of vortex.h prints what was not asked for here.
std::string findInterface(void *library, abi::VortexCallbacks &api, bool &driver) {
  std::string missing = findFunctions(library, api);
  driver = !missing.empty();
  auto init = reinterpret_cast<abi::VortexInit>(dlsym(library, abi::kVortexInitName));
  if (!init)
    return driver ? "it has no function " + missing + ", nor " + abi::kVortexInitName : "";
  api = {};
  if (int status = init(&api); status != 0)
    return std::string(abi::kVortexInitName) + " failed (" + std::to_string(status) + ")";
  bool isWhole = true;
  forEachNeeded(api, [&](auto &function, const char *) { isWhole &= function != nullptr; });
  return isWhole ? "" : std::string(abi::kVortexInitName) + " has left functions out";
}

} // namespace

Result<std::unique_ptr<VortexLibrary>> loadVortexLibrary(const std::string &file) {
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Failure{std::string("neither a backend of the runtime nor a library: ") + dlerror()};
  abi::VortexCallbacks api{};
  bool driver = false;
  std::string problem = findInterface(library, api, driver);
  abi::VortexDeviceHandle device = nullptr;
  if (problem.empty())
    if (int status = api.devOpen(&device); status != 0)
      problem = "vx_dev_open failed (" + std::to_string(status) + ")";
  if (!problem.empty()) {
    dlclose(library);
    return Failure{problem};
  }
  // The library stays loaded: it may have threads and exit handlers of its own.
  return std::unique_ptr<VortexLibrary>(new LoadedLibrary(api, device, driver));
}

} // namespace vx::rt
