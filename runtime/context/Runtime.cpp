// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/Runtime.h"
#include "runtime/core/EndOfProgram.h"
#include "runtime/core/Interrupt.h"
#include "runtime/core/LibraryFork.h"
#include "runtime/core/Messages.h"
#include "runtime/core/VariableNames.h"
#include "runtime/image/FatBinary.h"
#include "runtime/image/Registry.h"
#include "runtime/launch/LaunchServices.h"
#include "runtime/memory/CheckedMemory.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/HostMemory.h"
#include "runtime/memory/MemoryAdvice.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

namespace vx::rt {

/// The slot of the calling thread's current context; 0: it has chosen none.
static thread_local uint64_t chosenSlot = 0;

Runtime &Runtime::get() {
  static Runtime *runtime = new Runtime; // outlives every static object of the program
  return *runtime;
}

static std::atomic<bool> exiting = false;

bool Runtime::isExiting() {
  return exiting;
}

/// Work that was launched runs to its end, also when the program ends without waiting for it.
static void finishAtExit(int status, void *) {
  exiting = true;
  if (Scheduler::inHostFunction())
    return; // exit() from a host function: its own stream would be waited for
  Runtime::get().waitForReset();
  std::vector<ContextUse> contexts = Runtime::get().all();
  for (ContextUse &context : contexts) {
    context->scheduler().waitForAll();
    context->services().showPrinted();
  }
  for (ContextUse &context : contexts)
    context->scheduler().withDevice([&] {
      noteHostLeaks(context->device(), context->id());
      context->device().finish();
    });
  sayNoteForUser();
  if (isAnyReportLost() && status == 0)
    std::exit(1); // the C library runs what is left of its handlers
}

namespace {

/// The kinds of devices that the code of some fat binaries can run on.
struct CodeKinds {
  bool onlyHost = false;   ///< one has nothing but code of the host
  bool onlyDevice = false; ///< one has nothing but code of other devices, or cannot be read

  void add(const void *wrapper) {
    Result<std::vector<FatImage>> images = parseFatWrapper(wrapper);
    auto isHost = [](const FatImage &image) { return image.lowering == abi::Lowering::Host; };
    if (!images)
      onlyDevice = true;
    else if (!images->empty() && std::all_of(images->begin(), images->end(), isHost))
      onlyHost = true;
    else
      onlyDevice |= !images->empty() && std::none_of(images->begin(), images->end(), isHost);
  }
};

/// Returns true if ADDRESS is in the program itself, not in a library that is loaded with it.
bool isInProgram(const void *address) {
  auto look = [](dl_phdr_info *info, size_t, void *data) {
    uintptr_t offset = *static_cast<const uintptr_t *>(data) - info->dlpi_addr;
    bool isIn = std::any_of(info->dlpi_phdr, info->dlpi_phdr + info->dlpi_phnum,
                            [&](const ElfW(Phdr) & part) {
                              return part.p_type == PT_LOAD && offset - part.p_vaddr < part.p_memsz;
                            });
    return isIn ? 1 : 2; // the first one is the program
  };
  uintptr_t value = reinterpret_cast<uintptr_t>(address);
  return dl_iterate_phdr(look, &value) == 1;
}

} // namespace

/// The backend for programs whose user asks for none: "host" where the program's own kernels have
/// code for nothing else. Libraries count if it has none.
static std::string defaultBackend() {
  CodeKinds own, all;
  for (const void *wrapper : Registry::get().wrappers()) {
    all.add(wrapper);
    if (isInProgram(wrapper))
      own.add(wrapper);
  }
  const CodeKinds &deciding = own.onlyHost || own.onlyDevice ? own : all;
  return deciding.onlyHost && !deciding.onlyDevice ? "host" : "";
}

Runtime::Runtime() {
  opener = [](const DeviceIdentity &identity) {
    const char *name = std::getenv("VX_BACKEND");
    return openDevice(name && *name ? name : defaultBackend(), identity);
  };
  on_exit(finishAtExit, nullptr);
  // No other thread holds the mutex while the process forks.
  pthread_atfork([] { LibraryFork::isActive() ? void() : get().mutex.lock(); },
                 [] { LibraryFork::isActive() ? void() : get().mutex.unlock(); },
                 [] { LibraryFork::isActive() ? forgetRunningDevices() : get().afterFork(); });
}

/// In the child. Its copies of contexts lack the threads that work for them, and whatever those
/// held is held for ever: as with CUDA, the child cannot use them, nor make others.
void Runtime::afterFork() {
  isOrphan |= std::any_of(slots.begin(), slots.end(),
                          [](const auto &entry) { return entry.second->context != nullptr; });
  forgetRunningDevices();
  mutex.unlock();
}

/// The mapping of LOWERING that environment VARIABLE names; none: auto.
static Result<std::optional<abi::Mapping>> readMapping(const char *variable,
                                                       abi::Lowering lowering) {
  const char *value = std::getenv(variable);
  std::string_view name = value ? value : "";
  if (name.empty() || name == "auto")
    return std::optional<abi::Mapping>();
  std::string known;
  for (const abi::MappingInfo &info : abi::kMappings) {
    if (info.lowering != lowering)
      continue;
    if (name == info.name)
      return std::optional(info.mapping);
    known += std::string(info.name) + ", ";
  }
  return Failure{std::string(variable) + "=" + std::string(name) + ": it is " + known + "or auto"};
}

static Result<ContextOptions> readOptions() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (std::string unknown = describeUnknownVariables(environ); !unknown.empty())
      printMessage(unknown);
  });
  ContextOptions options;
  const char *lowering = std::getenv("VX_LOWERING");
  std::string_view name = lowering ? lowering : "";
  if (name == "sw")
    options.lowering = abi::Lowering::Sw;
  else if (name == "hw")
    options.lowering = abi::Lowering::Hw;
  else if (name == "prefer-hw")
    options.saysFallback = true;
  else if (!name.empty() && name != "auto")
    return Failure{"VX_LOWERING=" + std::string(name) + ": it is auto, hw, prefer-hw or sw"};
  const char *textures = std::getenv("VX_TEXTURES");
  std::string_view unit = textures ? textures : "";
  if (!unit.empty() && unit != "auto" && unit != "sw")
    return Failure{"VX_TEXTURES=" + std::string(unit) + ": it is auto or sw"};
  options.usesTextureUnit = unit != "sw";
  Result<std::optional<abi::Mapping>> hw = readMapping("VX_HW_MAPPING", abi::Lowering::Hw);
  Result<std::optional<abi::Mapping>> sw = readMapping("VX_SW_MAPPING", abi::Lowering::Sw);
  if (!hw || !sw)
    return hw ? sw.error() : hw.error();
  options.hwMapping = *hw;
  options.swMapping = *sw;
  return options;
}

unsigned Runtime::countDevices() {
  if (isOrphan) {
    if (!std::exchange(countFailed, true))
      printMessage(
          "this process was forked from one that used the device before: it cannot use it");
    return 0;
  }
  if (devices || countFailed)
    return devices;
  const char *text = std::getenv("VX_DEVICES");
  char *end = nullptr;
  unsigned long count = text && *text ? std::strtoul(text, &end, 10) : 1;
  if ((end && *end) || count == 0 || count > kMaxDevices) {
    countFailed = true;
    printMessage("VX_DEVICES=" + std::string(text) + ": it is a number from 1 to " +
                 std::to_string(kMaxDevices));
    return 0;
  }
  devices = unsigned(count);
  makePrimarySlots();
  return devices;
}

void Runtime::makePrimarySlots() {
  for (uint32_t number = 0; number < devices; ++number) {
    std::string label = devices > 1 ? "device " + std::to_string(number) : "";
    uint64_t id = nextSlot++;
    slots.emplace(id, new ContextSlot{id, {number, devices, number, label}, true, nullptr});
  }
}

/// The first window that no slot has.
uint32_t Runtime::freeWindow() const {
  auto isTaken = [&](uint32_t window) {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const auto &entry) { return entry.second->identity.window == window; });
  };
  uint32_t window = 0;
  while (isTaken(window))
    ++window;
  return window;
}

unsigned Runtime::deviceCount() {
  Lock lock(mutex);
  return countDevices();
}

/// The primary slots are the first ones that were made. Null if VX_DEVICES is wrong.
ContextSlot *Runtime::primarySlot(unsigned number) {
  if (number >= countDevices())
    return nullptr;
  for (auto &[id, slot] : slots)
    if (slot->isPrimary && slot->identity.number == number)
      return slot.get();
  return nullptr;
}

/// The slot of the calling thread's context. Null if it has been destroyed.
ContextSlot *Runtime::current() {
  if (chosenSlot == 0 || isOrphan)
    return primarySlot(defaultDevice);
  auto it = slots.find(chosenSlot);
  return it == slots.end() ? nullptr : it->second.get();
}

ContextUse Runtime::use(ContextSlot *slot) {
  if (!slot || !slot->context || slot->isEnding || isOrphan)
    return {};
  ++slot->uses;
  return ContextUse(slot);
}

ContextUse Runtime::useOrMake(Lock &lock, ContextSlot *slot) {
  if (!slot)
    return {};
  if (slot->isEnding) {
    if (!slot->isPrimary)
      return {};
    changed.wait(lock, [&] { return !slot->isEnding; });
  }
  if (slot->context)
    return use(slot);
  if (slot->failed)
    return {};
  Result<ContextOptions> options = readOptions();
  Result<std::unique_ptr<Device>> device =
      options ? opener(slot->identity) : Result<std::unique_ptr<Device>>(options.error());
  if (!device) {
    slot->failed = true; // the reason is said once
    printMessage(device.error().message);
    return {};
  }
  slot->context =
      std::make_unique<Context>(std::move(*device), *options, slot->identity, nextContext++);
  return use(slot);
}

void Runtime::endUse(ContextSlot &slot) {
  std::lock_guard lock(mutex);
  if (--slot.uses == 0)
    changed.notify_all();
}

ContextUse::~ContextUse() {
  if (slot)
    Runtime::get().endUse(*slot);
}

ContextUse Runtime::context() {
  Lock lock(mutex);
  return useOrMake(lock, current());
}

ContextUse Runtime::existing() {
  Lock lock(mutex);
  return !isOrphan && (devices || chosenSlot) ? use(current()) : ContextUse();
}

ContextUse Runtime::primary(unsigned number) {
  Lock lock(mutex);
  return useOrMake(lock, primarySlot(number));
}

ContextUse Runtime::existingPrimary(unsigned number) {
  Lock lock(mutex);
  return isOrphan ? ContextUse() : use(primarySlot(number));
}

ContextUse Runtime::find(uint64_t id) {
  Lock lock(mutex);
  auto it = slots.find(id);
  return it == slots.end() ? ContextUse() : use(it->second.get());
}

ContextUse Runtime::find(const Context &context) {
  Lock lock(mutex);
  for (auto &[id, slot] : slots)
    if (slot->context.get() == &context) {
      ++slot->uses;
      return ContextUse(slot.get());
    }
  return {};
}

std::vector<ContextUse> Runtime::all() {
  Lock lock(mutex);
  std::vector<ContextUse> result;
  for (auto &[id, slot] : slots)
    if (ContextUse one = use(slot.get()))
      result.push_back(std::move(one));
  return result;
}

unsigned Runtime::currentDevice() {
  Lock lock(mutex);
  if (chosenSlot == 0)
    return defaultDevice;
  ContextSlot *slot = current();
  return slot ? slot->identity.number : 0;
}

void Runtime::setCurrentDevice(unsigned number) {
  Lock lock(mutex);
  if (ContextSlot *slot = primarySlot(number))
    chosenSlot = slot->id;
}

void Runtime::setDefaultDevice(unsigned number) {
  Lock lock(mutex);
  defaultDevice = number;
}

uint64_t Runtime::currentSlot() {
  return chosenSlot;
}

void Runtime::setCurrentSlot(uint64_t id) {
  chosenSlot = id;
}

uint64_t Runtime::create(unsigned number) {
  Lock lock(mutex);
  if (number >= countDevices())
    return 0;
  uint32_t window = freeWindow();
  if (window >= kMostWindows) {
    printMessage("there are " + std::to_string(kMostWindows) + " contexts, and no room for more");
    return 0;
  }
  uint64_t id = nextSlot++;
  std::string label = "device " + std::to_string(number) + ", context " + std::to_string(id);
  auto slot = std::unique_ptr<ContextSlot>(
      new ContextSlot{id, {number, devices, window, label}, false, nullptr});
  ContextSlot *made = slots.emplace(id, std::move(slot)).first->second.get();
  ContextUse first = useOrMake(lock, made);
  if (!first) {
    slots.erase(id);
    return 0;
  }
  lock.unlock(); // the end of a use takes it
  return id;
}

bool Runtime::destroy(uint64_t id) {
  Lock lock(mutex);
  auto it = slots.find(id);
  if (it == slots.end() || it->second->isPrimary || it->second->isEnding)
    return false;
  end(lock, *it->second);
  slots.erase(id);
  return true;
}

/// Ends SLOT's context once it is not used any more.
void Runtime::end(Lock &lock, ContextSlot &slot) {
  slot.isEnding = true;
  changed.wait(lock, [&] { return slot.uses == 0; });
  std::unique_ptr<Context> ending = std::move(slot.context);
  lock.unlock();
  uint64_t id = ending->id();
  ending.reset(); // waits for its work, on threads that may ask for the context
  // Host memory that was allocated in the context goes with it.
  std::vector<ContextUse> others = all();
  for (const HostRegion &region : HostMemory::get().takeOwnedBy(id)) {
    for (ContextUse &other : others)
      other->memory().forgetHostRegion(region);
    MemoryAdvice::get().forget(region.base, region.size);
    HostMemory::get().release(region);
  }
  others.clear();
  lock.lock();
  slot.isEnding = false;
  changed.notify_all();
}

void Runtime::reset(unsigned number) {
  Lock lock(mutex);
  ContextSlot *slot = primarySlot(number);
  if (!slot)
    return;
  slot->failed = false;
  if (slot->isEnding || !slot->context) {
    changed.wait(lock, [&] { return !slot->isEnding; });
    return;
  }
  end(lock, *slot);
}

void Runtime::waitForReset() {
  Lock lock(mutex);
  changed.wait(lock, [&] {
    for (auto &[id, slot] : slots)
      if (slot->isEnding && !isOrphan)
        return false;
    return true;
  });
}

void Runtime::setOpener(Opener newOpener, unsigned count) {
  Lock lock(mutex);
  for (auto &[id, slot] : slots)
    if (slot->context && !slot->isEnding)
      end(lock, *slot);
  slots.clear();
  chosenSlot = 0;
  defaultDevice = 0;
  countFailed = false;
  devices = count;
  if (count)
    makePrimarySlots();
  opener = std::move(newOpener);
}

} // namespace vx::rt
