// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory of the blocks of a launch: where that of each resident block lies, which block
// has it now, and which variables are in it. Blocks of a cluster access each other's.

#ifndef VX_SIMULATOR_CHECK_BLOCKMEMORY_H
#define VX_SIMULATOR_CHECK_BLOCKMEMORY_H

#include "intrinsics/abi/Cluster.h"
#include "simulator/check/Shadow.h"
#include <optional>
#include <string>
#include <vector>

namespace vx::sim {

class ElfImage;

inline constexpr const char *kNoDynamicMemory =
    "the launch gave 0 bytes of dynamic shared memory, the third argument of <<<…>>>";

class BlockMemory {
public:
  static constexpr uint64_t kNobody = ~uint64_t(0);

  /// A run of LAUNCH begins on CORES cores; of each block's shared memory, TAILBYTES at its end are
  /// the compiler's. IMAGE, SLIDE bytes above its addresses, names the variables. CLUSTERS: those
  /// that LAUNCH names.
  void start(const abi::LaunchDescriptor &launch, uint32_t tailBytes, uint64_t cores,
             const ElfImage *image, uint64_t slide, const abi::ClusterState &clusters = {});
  /// There is no launch.
  void clear() { *this = BlockMemory(); }

  bool empty() const { return owners.empty(); }
  /// Returns true if it is in global memory, which all cores see.
  bool isGlobal() const { return coreStride != 0; }
  /// Returns the number of resident blocks. Those of a core follow each other.
  uint64_t places() const { return owners.size(); }
  uint32_t coreOf(uint64_t place) const { return uint32_t(place / slots); }
  uint64_t addressOf(uint64_t place) const {
    return base + place / slots * coreStride + place % slots * stride;
  }
  /// A lane works on BLOCK from here on: the place that has just become its; none: it had it
  /// already.
  std::optional<uint64_t> enter(uint64_t block);
  /// The block that has ADDRESS, as CORE sees it, or kNobody; none: it is not shared memory.
  std::optional<uint64_t> ownerOf(uint32_t core, uint64_t address) const;

  /// Returns true if BLOCK may access the shared memory of OWNER.
  bool reaches(uint64_t block, uint64_t owner) const {
    return block == owner ||
           (clusters.blocks > 1 && (owner == kNobody || clusterOf(block) == clusterOf(owner)));
  }

  /// Returns true if ADDRESS, as CORE sees it, is of some block's shared memory, and the program's
  /// there.
  bool isOfProgram(uint32_t core, uint64_t address) const;

  /// Gives the shared memory at ADDRESS, of one block, its states: FRESH where the program's
  /// variables are, BEYOND for the rest.
  void setStates(Shadow &shadow, uint64_t address, ByteState fresh, ByteState beyond) const;
  /// Returns "4 bytes past the end of `tile`, 64 bytes" for ADDRESS, which is shared memory.
  std::string describe(uint64_t address) const;

private:
  struct Variable {
    uint64_t offset, size;
    std::string name;
  };

  uint64_t clusterOf(uint64_t block) const;
  uint64_t placeOf(uint64_t block) const;
  void findVariables(const ElfImage &image, uint64_t entry, uint64_t slide);

  uint64_t base = 0, stride = 0, coreStride = 0;
  uint64_t slots = 1; ///< resident blocks of a core
  uint64_t dynamicStart = 0, dynamicBytes = 0, tailBytes = 0;
  uint64_t firstBlock = 0, blocksAtOnce = 0;
  uint32_t gridDim[3] = {};
  abi::ClusterState clusters{};
  std::vector<uint64_t> owners;    ///< by place
  std::vector<Variable> variables; ///< by offset; empty: the image does not name them
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_BLOCKMEMORY_H
