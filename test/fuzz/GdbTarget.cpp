// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as what a debugger sends: cut into packets, each answered by a session on a small
// stopped machine; and as the bytecode of a condition.

#include "simulator/FunctionalSimulator.h"
#include "simulator/debug/Condition.h"
#include "simulator/debug/Session.h"
#include "test/fuzz/Fuzz.h"

using namespace vx;
using namespace vx::sim;

namespace {

struct NoScope final : ConditionScope {
  std::optional<uint64_t> readRegister(unsigned number) const override { return number; }
  bool readMemory(uint64_t address, std::span<uint8_t> bytes) const override {
    return address % 3 && !bytes.empty();
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  (void)evaluateCondition(bytes, NoScope());
  static SimConfig config = fuzz::smallMachine();
  FunctionalSimulator simulator(config);
  fuzz::require(bool(simulator.initialize()), "a machine can be made");
  (void)simulator.map(0x80000000, 4096, kRead | kWrite | kExecute);
  Session session(simulator.machine());
  session.stopped(5, 1, "");
  // Packets are lines here: checksums would hide what follows them. The raw bytes are read, too.
  PacketReader reader;
  reader.add(bytes);
  while (reader.next())
    ;
  while (!bytes.empty()) {
    size_t end = std::min(bytes.find('\n'), bytes.size());
    Session::Answer answer = session.answer(bytes.substr(0, end));
    (void)framePacket(answer.text);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return 0;
}
