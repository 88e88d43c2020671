// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract for what checks a guest's memory accesses while instructions execute (Device::checker).
// A device without one pays nothing: with one, no address counts as public (Exec::isPublic), so all
// accesses take the way of private memory, which asks the checker.

#ifndef VX_SIMULATOR_FUNC_ACCESSCHECKER_H
#define VX_SIMULATOR_FUNC_ACCESSCHECKER_H

#include <cstdint>

namespace vx::sim {

class Exec;
struct Insn;
struct TrapReport;

class AccessChecker {
public:
  virtual ~AccessChecker() = default;

  /// LANE accesses SIZE bytes at ADDRESS as PERMISSION says (kRead, kWrite, both for an atomic),
  /// which the machine allows; BYTES is where they are. Returns BYTES, or where the access goes
  /// instead.
  virtual uint8_t *accessed(Exec &e, unsigned lane, uint64_t address, unsigned size,
                            uint8_t permission, uint8_t *bytes) = 0;
  /// The machine refuses LANE's access: Device::trap says which and why. Returns true to continue
  /// as if there were no trap: the access is left out, and a load yields 0.
  virtual bool refused(Exec &e, unsigned lane) = 0;
  /// Returns a place for an access of up to 8 bytes that is left out. It reads as 0.
  virtual uint8_t *nowhere() = 0;
  /// The active lanes execute the hint (AddressMap.h) that INSN is.
  virtual void hinted(Exec &e, Insn &insn) = 0;
  /// Until it is called with false, instructions are only tried, on copies: accesses go where they
  /// would go, none that the machine refuses is taken back, and nothing is reported or noted.
  virtual void setTrial(bool isTrial) = 0;

  virtual void runStarted() = 0;
  /// The run has ended; TRAP says how. If by itself, TRAP becomes the first access that the machine
  /// has refused and that was left out.
  virtual void runEnded(TrapReport &trap) = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_ACCESSCHECKER_H
