// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-sim/ArgumentBlock.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/Files.h"
#include <cstring>

namespace vx::sim {

Result<uint64_t> ArgumentBlock::placeBuffer(Simulator &simulator,
                                            const std::vector<uint8_t> &bytes) {
  constexpr uint64_t alignment = 4096;
  uint64_t address = nextAddress;
  if (Result<void> r = simulator.map(address, bytes.size(), kRead | kWrite); !r)
    return r.error();
  if (Result<void> r = simulator.write(address, bytes); !r)
    return r.error();
  nextAddress = (address + bytes.size() + alignment - 1) / alignment * alignment;
  return address;
}

Result<void> ArgumentBlock::place(Simulator &simulator) {
  nextAddress = VX_USER_BASE_ADDR;
  for (const Argument &argument : arguments) {
    if (argument.kind == Argument::Kind::Number) {
      words.push_back(argument.number);
      continue;
    }
    std::vector<uint8_t> bytes;
    if (argument.kind == Argument::Kind::Input) {
      Result<std::vector<uint8_t>> file = readFile(argument.file);
      if (!file)
        return file.error();
      bytes = std::move(*file);
    } else {
      if (argument.number > uint64_t(1) << 30)
        return Failure{"--out: at most 1 GiB"};
      bytes.resize(argument.number);
    }
    Result<uint64_t> address = placeBuffer(simulator, bytes);
    if (!address)
      return address.error();
    words.push_back(*address);
  }
  std::vector<uint8_t> block(words.size() * sizeof(uint64_t));
  if (!words.empty())
    std::memcpy(block.data(), words.data(), block.size());
  Result<uint64_t> address = placeBuffer(simulator, block);
  if (!address)
    return address.error();
  simulator.writeDcr(VX_DCR_STARTUP_ARG0, uint32_t(*address));
  simulator.writeDcr(VX_DCR_STARTUP_ARG1, uint32_t(*address >> 32));
  return {};
}

Result<void> ArgumentBlock::writeOutputs(const Simulator &simulator) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (argument.kind != Argument::Kind::Output || argument.file.empty())
      continue;
    std::vector<uint8_t> bytes(argument.number);
    if (Result<void> r = simulator.read(words[i], bytes); !r)
      return r;
    if (Result<void> r = writeFile(argument.file, bytes); !r)
      return r;
  }
  return {};
}

} // namespace vx::sim
