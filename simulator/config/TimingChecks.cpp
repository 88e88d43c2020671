// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules between the knobs of the timing model. Ranges of single knobs are checked when they are
// set. A knob that is 0 stands for a value that follows from others; what is wrong with those is
// said once.

#include "simulator/config/TimingChecks.h"
#include <bit>

namespace vx::sim {

namespace {

/// "1 to 64", from the row of the knob; at least 1.
std::string rangeOf(std::string_view key) {
#define VX_KNOB(field, name, type, def, min, max, help)                                            \
  if (key == name)                                                                                 \
    return std::to_string(uint64_t(min) ? uint64_t(min) : 1) + " to " +                            \
           std::to_string(uint64_t(max));
#include "simulator/api/SimConfig.def"
  return {};
}

class KnobChecker {
public:
  explicit KnobChecker(std::vector<std::string> &errors) : errors(errors) {}

  void fail(const std::string &key, uint64_t value, const std::string &rule) {
    errors.push_back("configuration: " + key + " = " + std::to_string(value) + "; " + rule);
  }
  void powerOfTwo(const std::string &key, uint64_t value) {
    if (!std::has_single_bit(value))
      fail(key, value, "it must be a power of two from " + rangeOf(key));
  }
  /// Checks a knob that may be 0, else has to be a power of two.
  void powerOfTwoOrZero(const std::string &key, uint64_t value) {
    if (value)
      powerOfTwo(key, value);
  }
  /// A unit has a power of two of lanes, at most those of a warp, or as many.
  void lanes(const std::string &key, uint32_t value, uint32_t warpLanes) {
    if (value && (!std::has_single_bit(value) || value > warpLanes))
      fail(key, value,
           "it must be a power of two from 1 to core.num_threads = " + std::to_string(warpLanes));
  }
  /// BANKS: those that there are; BANKKNOB: the knob, which may be 0.
  void cache(const std::string &name, uint64_t size, uint32_t ways, uint32_t line, uint32_t banks,
             uint32_t bankKnob) {
    powerOfTwo(name + ".size", size);
    powerOfTwo(name + ".ways", ways);
    powerOfTwo(name + ".line_size", line);
    powerOfTwoOrZero(name + ".banks", bankKnob);
    uint64_t least = uint64_t(ways) * line * banks;
    if (size < least)
      fail(name + ".size", size,
           "it must hold one set per bank: ways * line_size * banks = " + std::to_string(least) +
               " bytes or more");
  }

private:
  std::vector<std::string> &errors;
};

} // namespace

void checkTiming(const SimConfig &c, std::vector<std::string> &errors) {
  KnobChecker check(errors);
  check.powerOfTwo("core.num_threads", c.numThreads);
  if (c.issueSlots() > c.numWarps || c.numWarps % c.issueSlots())
    check.fail("core.issue_width", c.issueSlots(),
               "it must divide core.num_warps = " + std::to_string(c.numWarps));
  check.powerOfTwo("core.register_banks", c.registerBanks);
  check.lanes("alu.lanes", c.aluLanes, c.numThreads);
  check.lanes("fpu.lanes", c.fpuLanes, c.numThreads);
  check.lanes("lsu.lanes", c.lsuLanes, c.numThreads);
  check.lanes("sfu.lanes", c.sfuLanes, c.numThreads);
  if (c.sockets() % c.clusters)
    check.fail("system.clusters", c.clusters,
               "it must divide the " + std::to_string(c.sockets()) + " sockets");
  check.powerOfTwoOrZero("coalescer.line_size", c.coalescerLine);
  check.cache("icache", c.icacheSize, c.icacheWays, c.icacheLine, 1, 0);
  check.cache("dcache", c.dcacheSize, c.dcacheWays, c.dcacheLine, c.dcacheBankCount(),
              c.dcacheBanks);
  if (c.coalescerLineBytes() > c.dcacheLine)
    check.fail("coalescer.line_size", c.coalescerLineBytes(),
               "it must not exceed dcache.line_size = " + std::to_string(c.dcacheLine));
  if (c.dcacheBankCount() > c.lanesOf(c.lsuLanes))
    check.fail("dcache.banks", c.dcacheBankCount(),
               "it must not exceed the lanes of the LSU, " + std::to_string(c.lanesOf(c.lsuLanes)));
  if (c.dcacheMemoryPortCount() > c.dcacheBankCount())
    check.fail("dcache.memory_ports", c.dcacheMemoryPortCount(),
               "it must not exceed dcache.banks = " + std::to_string(c.dcacheBankCount()));
  check.cache("l2", c.l2Size, c.l2Ways, c.l2Line, c.l2BankCount(), c.l2Banks);
  check.cache("l3", c.l3Size, c.l3Ways, c.l3Line, c.l3BankCount(), c.l3Banks);
  uint32_t l1Line = std::max(c.icacheLine, c.dcacheLine);
  if (c.l2Enabled && c.l2Line < l1Line)
    check.fail("l2.line_size", c.l2Line,
               "it must be as long as the lines of I$ and D$, " + std::to_string(l1Line));
  uint32_t upperLine = c.l2Enabled ? c.l2Line : l1Line;
  if (c.l3Enabled && c.l3Line < upperLine)
    check.fail("l3.line_size", c.l3Line,
               "it must be as long as the lines above it, " + std::to_string(upperLine));
  check.powerOfTwoOrZero("lmem.banks", c.lmemBanks);
  check.powerOfTwo("lmem.word_size", c.lmemWord);
  check.powerOfTwo("dcache.ports", c.dcachePorts);
  check.powerOfTwo("dram.channels", c.dramChannels);
  check.powerOfTwo("dram.access_size", c.dramAccess);
  check.powerOfTwo("dram.columns", c.dramColumns);
  check.powerOfTwo("dram.pseudo_channels", c.dramPseudoChannels);
  check.powerOfTwo("dram.bank_groups", c.dramBankGroups);
  check.powerOfTwo("dram.banks", c.dramBanks);
}

} // namespace vx::sim
