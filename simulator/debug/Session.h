// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers the packets of gdb while the program is stopped, and keeps what they ask for: stop
// points, the selected thread, how to resume.

#ifndef VX_SIMULATOR_DEBUG_SESSION_H
#define VX_SIMULATOR_DEBUG_SESSION_H

#include "simulator/debug/Images.h"
#include "simulator/debug/Lanes.h"
#include "simulator/debug/Packets.h"
#include "simulator/debug/StopPoints.h"
#include "simulator/debug/Tables.h"

namespace vx::sim {

/// How the threads are resumed: the first action that is for a thread counts.
struct Resumption {
  struct Action {
    uint64_t thread = 0; ///< 0: any
    bool steps = false;  ///< one instruction, and further ones while the pc is in [from, to)
    uint64_t from = 0, to = 0;
  };
  std::vector<Action> actions{Action{}};

  /// Threads without an action stay where they are.
  const Action *actionFor(uint64_t thread) const;
  /// Returns true if all threads are resumed.
  bool movesAll() const { return actionFor(0) != nullptr; }
};

class Session {
public:
  explicit Session(Device &device) : lanes(device), tables(lanes) {}

  enum class Next : uint8_t { Answer, Resume, Detach, Kill };
  struct Answer {
    Next next = Next::Answer;
    std::string text;                  ///< the packet to send; with Resume none
    bool endsAcknowledgements = false; ///< after this answer
  };
  /// Answers PACKET, which may be anything, with the program stopped.
  Answer answer(std::string_view packet);

  /// The program has stopped: SIGNAL in THREAD, with further fields ("swbreak:;"). Selects THREAD.
  /// Returns the packet that says so.
  std::string stopped(unsigned signal, uint64_t thread, std::string_view fields);
  /// gdb has gone, or is new.
  void reset();

  Lanes lanes;
  Tables tables;
  Images images;
  StopPoints points;
  Resumption resumption;
  uint64_t selected = 1; ///< gdb's general thread

private:
  Answer answerNamed(std::string_view name, FieldReader fields);
  Answer query(FieldReader fields);
  Answer readObject(FieldReader fields);
  Answer resume(FieldReader fields);
  Answer resumeOld(char how, FieldReader fields);
  Answer readMemory(FieldReader fields) const;
  Answer writeMemory(FieldReader fields, bool isBinary);
  Answer readRegisters() const;
  Answer writeRegisters(FieldReader fields);
  Answer readRegister(FieldReader fields) const;
  Answer writeRegister(FieldReader fields);
  Answer selectThread(FieldReader fields);
  Answer changePoint(bool inserts, FieldReader fields);
  std::vector<uint64_t> threads();
  std::string threadList();
  std::optional<LaneRef> current() const;

  std::string lastStop;
  uint64_t reported = 1;   ///< the thread that has stopped last
  std::string object;      ///< what a qXfer request of several parts reads
  uint64_t stepThread = 0; ///< of the old step packets; 0: the selected one
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_SESSION_H
