// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/vortex/VortexDevice.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/VortexDriver.h"
#include "simulator/api/MachineReport.h"
#include "simulator/api/TrapText.h"
#include "simulator/api/VortexImage.h"
#include "simulator/vortex/StopOnInterrupt.h"
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>

namespace vx::sim {

namespace {

/// The address space of Vortex's drivers.
uint64_t memoryEnd(const SimConfig &config) {
  return uint64_t(1) << (config.xlen == 64 ? 33 : 32);
}

/// Returns the permissions of a buffer that programs may access as FLAGS says. Without a flag
/// everything is allowed, as in SimX.
uint8_t permissionOf(int flags) {
  if (!(flags & (abi::kVortexRead | abi::kVortexWrite)))
    return kRead | kWrite;
  return (flags & abi::kVortexRead ? kRead : 0) | (flags & abi::kVortexWrite ? kWrite : 0);
}

uint64_t isaFlags(const SimConfig &config) {
  uint64_t flags = uint64_t(std::countr_zero(config.xlen) - 4) << abi::kVortexIsaXlenShift;
  for (char letter : {'A', 'F', 'I', 'M'})
    flags |= abi::vortexIsaLetter(letter);
  if (config.xlen == 64)
    flags |= abi::vortexIsaLetter('D');
  auto add = [&](bool isThere, unsigned bit) { flags |= uint64_t(isThere) << bit; };
  add(config.icacheEnabled, abi::kVortexIsaIcache);
  add(config.dcacheEnabled, abi::kVortexIsaDcache);
  add(config.l2Enabled, abi::kVortexIsaL2);
  add(config.l3Enabled, abi::kVortexIsaL3);
  add(true, abi::kVortexIsaLocalMemory);
  add(config.zicond, abi::kVortexIsaZicond);
  add(config.warpIsa == WarpIsa::Warp, abi::kVortexIsaWarp);
  return flags;
}

bool isInside(const VortexBuffer &buffer, uint64_t offset, uint64_t size) {
  return offset <= buffer.size && size <= buffer.size - offset;
}

/// Returns true if ELF is what the bytes of a .vxbin were made of.
bool hasSameBytes(const ElfImage &elf, const ElfImage &vxbin) {
  const ImageSegment &flat = vxbin.segments().front();
  auto isPart = [&](const ImageSegment &s) {
    uint64_t offset = s.address - flat.address;
    return s.bytes.empty() ||
           (s.address >= flat.address && offset <= flat.bytes.size() &&
            s.bytes.size() <= flat.bytes.size() - offset &&
            std::equal(s.bytes.begin(), s.bytes.end(), flat.bytes.begin() + ptrdiff_t(offset)));
  };
  return elf.entry() == flat.address &&
         std::all_of(elf.segments().begin(), elf.segments().end(), isPart);
}

} // namespace

DriverKind simulatorKind() {
  SimConfig defaults;
  defaults.mode = SimMode::Timing;
  defaults.stackGuard = false; // Vortex's kernel library passes arguments on a stack
  return {"vortex-vx", defaults, Simulator::create};
}

Result<std::unique_ptr<VortexDevice>> VortexDevice::open(const DriverKind &kind) {
  Result<Environment> environment = readEnvironment(kind.defaults);
  if (!environment)
    return environment.error();
  if (Result<void> r = checkStatsRequest(environment->stats); !r)
    return r.error();
  std::string problems;
  for (const std::string &problem : environment->config.validate())
    problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty())
    return Failure{"configuration: " + problems};
  Result<std::unique_ptr<Simulator>> simulator = kind.create(environment->config);
  if (!simulator)
    return simulator.error();
  if (Result<void> r = mapVortexWords(**simulator); !r)
    return r.error();
  return std::unique_ptr<VortexDevice>(
      new VortexDevice(kind.name, std::move(*simulator), std::move(*environment)));
}

VortexDevice::VortexDevice(const char *name, std::unique_ptr<Simulator> simulator,
                           Environment environment)
    : driver(name), simulator(std::move(simulator)), environment(std::move(environment)),
      allocator(VX_USER_BASE_ADDR, memoryEnd(config())), total(this->simulator->stats()),
      last(total) {}

VortexDevice::~VortexDevice() {
  finishRun();
  finishReports();
}

void VortexDevice::finishReports() {
  if (std::exchange(reportsAreFinished, true))
    return;
  auto complain = [this](const Result<void> &r) {
    if (!r)
      std::fprintf(stderr, "%s: %s\n", driver, r.error().message.c_str());
  };
  complain(simulator->finishReports());
  if (const std::string &request = environment.stats; !request.empty())
    complain(writeStatsReport(
        request, addMachine(statsFormat(request),
                            formatReport(statsFormat(request), kernels, {}, total), config())));
}

std::optional<uint64_t> VortexDevice::capability(uint32_t id) const {
  const SimConfig &c = config();
  switch (id) {
  case abi::kVortexVersion:
    return 0;
  case abi::kVortexNumThreads:
    return c.numThreads;
  case abi::kVortexNumWarps:
    return c.numWarps;
  case abi::kVortexNumCores:
    return c.numCores;
  case abi::kVortexCacheLineSize:
    return BlockAllocator::kBlock;
  case abi::kVortexGlobalMemSize:
    return memoryEnd(c);
  case abi::kVortexLocalMemSize:
    return uint64_t(1) << c.lmemLog2Size;
  case abi::kVortexIsaFlags:
    return isaFlags(c);
  case abi::kVortexNumMemBanks:
    return c.dramChannels;
  case abi::kVortexMemBankSize:
    return memoryEnd(c) / c.dramChannels;
  case abi::kVortexNumClusters:
    return c.clusters;
  case abi::kVortexSocketSize:
    return c.coresPerSocket();
  case abi::kVortexIssueWidth:
    return c.issueSlots();
  }
  return std::nullopt;
}

Result<VortexBuffer *> VortexDevice::add(uint64_t address, uint64_t size, int flags,
                                         bool isReserved) {
  uint8_t permission = permissionOf(flags);
  bool isCode = isReserved && permission == kRead; // so images are loaded
  Result<void> mapped =
      simulator->map(address, size, permission | (isCode ? uint8_t(kExecute) : 0));
  auto buffer = std::make_unique<VortexBuffer>();
  buffer->device = this;
  buffer->address = address;
  buffer->size = size;
  buffer->isReserved = isReserved;
  buffer->isExecutable = isCode;
  if (mapped)
    mapped = mapSlack(*buffer);
  if (!mapped) {
    allocator.release(address);
    return mapped.error();
  }
  VortexBuffer *handle = buffer.get();
  buffers[address] = std::move(buffer);
  return handle;
}

/// Published kernels load beyond the edge of a buffer and drop what they got: memory.read_slack.
/// Not where another buffer is.
Result<void> VortexDevice::mapSlack(const VortexBuffer &buffer) {
  uint64_t slack = config().readSlack, end = buffer.address + buffer.size;
  auto next = buffers.upper_bound(buffer.address);
  uint64_t low = VX_USER_BASE_ADDR, high = memoryEnd(config());
  if (next != buffers.end())
    high = next->first;
  if (next != buffers.begin())
    if (const VortexBuffer &before = *std::prev(next)->second; true)
      low = std::max(low, before.address + before.size + before.threadStorage);
  uint64_t below = buffer.address > low ? std::min(slack, buffer.address - low) : 0;
  uint64_t above = high > end ? std::min(slack, high - end) : 0;
  if (buffer.address < VX_USER_BASE_ADDR || buffer.isReserved)
    return {};
  if (Result<void> r = simulator->map(buffer.address - below, below, kRead); !r)
    return r;
  return simulator->map(end, above, kRead);
}

Result<VortexBuffer *> VortexDevice::allocate(uint64_t size, int flags) {
  finishRun();
  std::optional<uint64_t> address = allocator.allocate(size);
  if (!address)
    return Failure{std::to_string(size) + " bytes of device memory do not fit"};
  return add(*address, size, flags, false);
}

Result<VortexBuffer *> VortexDevice::reserve(uint64_t address, uint64_t size, int flags) {
  finishRun();
  if (!allocator.reserve(address, size))
    return Failure{"a range of device memory is in use, or does not exist"};
  Result<VortexBuffer *> buffer = add(address, size, flags, true);
  // Programs reserve the first addresses for the words where images leave counters, and so that no
  // buffer gets them. The rest of them is where null pointers point to.
  if (buffer && address == 0) {
    Result<void> r = simulator->unmap(0, std::min<uint64_t>(size, VX_USER_BASE_ADDR));
    if (r)
      r = mapVortexWords(*simulator, false);
    if (!r)
      return r.error();
  }
  return buffer;
}

Result<void> VortexDevice::release(VortexBuffer *buffer) {
  finishRun();
  uint64_t address = buffer->address, size = buffer->size + buffer->threadStorage;
  auto found = buffers.find(address);
  if (found == buffers.end() || found->second.get() != buffer)
    return Failure{"no such buffer"};
  buffers.erase(found);
  allocator.release(address);
  // The words for counters stay, as they are in a new device.
  uint64_t kept = address == 0 ? std::min<uint64_t>(size, VX_USER_BASE_ADDR) : 0;
  return size == kept ? Result<void>() : simulator->unmap(address + kept, size - kept);
}

Result<void> VortexDevice::setAccess(VortexBuffer &buffer, uint64_t offset, uint64_t size,
                                     int flags) {
  finishRun();
  if (!isInside(buffer, offset, size))
    return Failure{"the range is not in the buffer"};
  uint8_t permission = permissionOf(flags);
  bool isCode = buffer.isReserved && permission == kRead; // so images are loaded
  if (offset == 0)
    buffer.isExecutable = isCode;
  return simulator->map(buffer.address + offset, size,
                        permission | (isCode ? uint8_t(kExecute) : 0));
}

Result<void> VortexDevice::write(VortexBuffer &buffer, uint64_t offset,
                                 std::span<const uint8_t> bytes) {
  finishRun();
  if (!isInside(buffer, offset, bytes.size()))
    return Failure{"the range is not in the buffer"};
  return simulator->write(buffer.address + offset, bytes);
}

Result<void> VortexDevice::read(VortexBuffer &buffer, uint64_t offset, std::span<uint8_t> bytes) {
  finishRun();
  if (!isInside(buffer, offset, bytes.size()))
    return Failure{"the range is not in the buffer"};
  return simulator->read(buffer.address + offset, bytes);
}

Result<VortexBuffer *> VortexDevice::upload(std::span<const uint8_t> file, std::string name,
                                            std::span<const uint8_t> symbols) {
  bool isElf = ElfImage::isElf(file);
  Result<ElfImage> image = isElf ? ElfImage::parse(file) : ElfImage::parseVxbin(file);
  if (!image)
    return image.error();
  if (isElf && image->xlen() != config().xlen)
    return Failure{"the image is for " + std::to_string(image->xlen()) +
                   "-bit registers; VX_SET=isa.xlen=" + std::to_string(image->xlen())};
  uint64_t first = ~uint64_t(0), end = 0;
  for (const ImageSegment &s : image->segments()) {
    first = std::min(first, s.address);
    end = std::max(end, s.address + s.memorySize);
  }
  // Vortex starts an image at its lowest address.
  if (end <= first || image->entry() != first)
    return Failure{"the image does not begin with its entry"};
  Result<VortexBuffer *> buffer = reserve(first, end - first, 0);
  if (!buffer)
    return buffer;
  for (const ImageSegment &s : image->segments()) {
    // The bytes of the file are read-only and the rest is not, as Vortex's own loader has it.
    uint64_t offset = s.address - first, bytes = s.bytes.size();
    Result<void> done = setAccess(
        **buffer, offset, bytes,
        isElf && (s.permission & kWrite) ? abi::kVortexRead | abi::kVortexWrite : abi::kVortexRead);
    if (done)
      done = write(**buffer, offset, s.bytes);
    if (done && isElf)
      done = simulator->fill(s.address + bytes, 0, s.memorySize - bytes);
    if (!done) {
      (void)release(*buffer);
      return done.error();
    }
  }
  (*buffer)->name = std::move(name);
  if (isElf)
    (*buffer)->image = std::make_shared<ElfImage>(std::move(*image));
  else if (Result<ElfImage> elf = ElfImage::parse(symbols); elf && hasSameBytes(*elf, *image))
    (*buffer)->image = std::make_shared<ElfImage>(std::move(*elf));
  return buffer;
}

/// Makes KERNEL executable, however it got there, and gives its threads the storage after it.
Result<void> VortexDevice::prepareCode(VortexBuffer &kernel) {
  if (!kernel.isExecutable)
    if (Result<void> r = simulator->map(kernel.address, kernel.size, kRead | kWrite | kExecute); !r)
      return r;
  kernel.isExecutable = true;
  if (kernel.threadStorage)
    return {};
  uint64_t end = kernel.address + kernel.size;
  auto next = buffers.upper_bound(kernel.address);
  uint64_t room = (next == buffers.end() ? memoryEnd(config()) : next->first) - end;
  uint64_t size = std::min(room, threadStorageBytes(kernel.image.get(), config()));
  if (Result<void> r = simulator->map(end, size, kRead | kWrite); !r)
    return r;
  kernel.threadStorage = size;
  return {};
}

Result<void> VortexDevice::start(VortexBuffer &kernel, VortexBuffer &arguments) {
  finishRun();
  if (Result<void> r = prepareCode(kernel); !r)
    return r;
  writeRegister(VX_DCR_STARTUP_ADDR0, uint32_t(kernel.address));
  writeRegister(VX_DCR_STARTUP_ADDR1, uint32_t(kernel.address >> 32));
  writeRegister(VX_DCR_STARTUP_ARG0, uint32_t(arguments.address));
  writeRegister(VX_DCR_STARTUP_ARG1, uint32_t(arguments.address >> 32));
  // The words must not keep what an earlier program has left there, but they may be a buffer of the
  // host's.
  bool isBuffer = !buffers.empty() && buffers.begin()->first < VX_USER_BASE_ADDR;
  if (Result<void> r = mapVortexWords(*simulator, !isBuffer); !r)
    return r;
  std::string name = kernel.name.empty() ? "kernel" : kernel.name;
  running = std::async(std::launch::async, [this, name, image = kernel.image] {
              return run(name, image);
            }).share();
  return {};
}

/// The run itself, in a thread of its own. Counters are those of one run, as in SimX.
bool VortexDevice::run(std::string name, std::shared_ptr<const ElfImage> image) {
  simulator->resetStats();
  simulator->describeRuns({name, image.get(), 0, ""});
  RunResult result;
  bool isInterrupted;
  {
    StopOnInterrupt guard(*simulator);
    result = simulator->run();
    isInterrupted = guard.wasInterrupted();
  }
  last = simulator->stats();
  total += last;
  auto kernel = std::find_if(kernels.begin(), kernels.end(),
                             [&](const KernelStats &k) { return k.name == name; });
  if (kernel == kernels.end())
    kernel = kernels.insert(kernel, {name, "", 0, {}});
  ++kernel->launches;
  kernel->stats += last;
  if (isInterrupted) {
    std::fprintf(stderr, "%s: interrupted in %s\n", driver, name.c_str());
    finishReports();
    endByInterrupt();
  }
  if (result.trap.cause == TrapCause::None)
    return true;
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s: %s", driver, name.c_str(),
               formatTrap(result.trap, image.get(), config().xlen).c_str());
  return false;
}

void VortexDevice::finishRun() const {
  if (running.valid())
    running.wait();
}

VortexDevice::Wait VortexDevice::wait(uint64_t milliseconds) {
  if (!running.valid())
    return Wait::Ended;
  constexpr uint64_t kLongest = uint64_t(1) << 40; // what a clock can count
  if (running.wait_for(std::chrono::milliseconds(std::min(milliseconds, kLongest))) !=
      std::future_status::ready)
    return Wait::TimedOut;
  return running.get() ? Wait::Ended : Wait::Stopped;
}

void VortexDevice::writeRegister(uint32_t address, uint32_t value) {
  finishRun();
  registers[address] = value;
  simulator->writeDcr(address, value);
}

std::optional<uint32_t> VortexDevice::readRegister(uint32_t address) const {
  auto found = registers.find(address);
  if (found == registers.end())
    return std::nullopt;
  return found->second;
}

std::optional<uint64_t> VortexDevice::counter(uint32_t csr, uint32_t core) {
  finishRun();
  uint32_t index = csr - VX_CSR_MPM_BASE;
  if (index >= VX_MPM_WORDS || core >= config().numCores)
    return std::nullopt;
  // A program that leaves counters leaves its cycles, too.
  if (readVortexWord(*simulator, core, VX_CSR_MCYCLE - VX_CSR_MPM_BASE) != 0 ||
      core >= last.cores.size())
    return readVortexWord(*simulator, core, index);
  if (csr == VX_CSR_MCYCLE)
    return last.cores[core].cycles;
  if (csr == VX_CSR_MINSTRET)
    return last.cores[core].threadInstructions;
  return 0;
}

} // namespace vx::sim
