// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line to gdb: a TCP port of this machine, or a Unix socket. A process has one, which stays
// when a device is closed and another one opened. When the process ends, gdb is told.

#ifndef VX_SIMULATOR_DEBUG_CONNECTION_H
#define VX_SIMULATOR_DEBUG_CONNECTION_H

#include "simulator/api/Result.h"
#include "simulator/debug/Packets.h"
#include <memory>
#include <string>
#include <sys/types.h>

namespace vx::sim {

class Connection {
public:
  /// Listens at ADDRESS: a port of this machine (0: any free one), which may have "localhost:" or
  /// ":" before it, or the path of a socket, which has a slash in it. The Failure says why that is
  /// not possible.
  static Result<std::shared_ptr<Connection>> listen(const std::string &address);
  ~Connection();
  Connection(const Connection &) = delete;

  /// Returns what gdb's `target remote` takes.
  const std::string &address() const { return where; }
  /// Returns true if this is the process that listens, not one that it has forked.
  bool isOurs() const;
  bool isOpen() const { return client >= 0; }
  /// Returns true if no client has come yet.
  bool expectsClient() const { return !hadClient; }

  /// Takes a client that waits, if there is none yet. Waits up to MILLISECONDS; false: none came.
  bool accept(int milliseconds);
  /// The next thing that the client says. Waits up to MILLISECONDS. Closes when the client has
  /// gone.
  std::optional<ClientEvent> receive(int milliseconds);
  /// Sends a packet. Closes when the client has gone or does not read.
  void send(std::string_view text);
  /// The client no longer acknowledges packets, and wants no acknowledgements.
  void stopAcknowledging() { acknowledges = false; }
  void close();

private:
  Connection() = default;
  Result<void> listenAtPort(const std::string &address);
  Result<void> listenAtPath(const std::string &path);
  std::optional<ClientEvent> takeEvent();
  void sendRaw(std::string_view bytes);
  static void tellEnd(int status, void *);

  std::string where;
  std::string path; ///< of the socket that is removed at the end
  int listener = -1, client = -1;
  pid_t owner = 0;
  bool acknowledges = true, hadClient = false;
  PacketReader reader;
  std::string lastPacket;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_CONNECTION_H
