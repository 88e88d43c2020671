// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Connection.h"
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace vx::sim {

namespace {

/// A client that reads nothing for so long has gone.
constexpr timeval kPatience = {10, 0};

/// Devices share it, and none closes it: gdb is told when the process ends.
std::shared_ptr<Connection> &theConnection() {
  static auto *connection = new std::shared_ptr<Connection>;
  return *connection;
}

/// Returns true if there is something to read at FILE within MILLISECONDS.
bool isReadable(int file, int milliseconds) {
  pollfd what{file, POLLIN, 0};
  return poll(&what, 1, milliseconds) > 0;
}

Failure problem(const std::string &address) {
  return Failure{"cannot listen for gdb at " + address + ": " + std::strerror(errno)};
}

} // namespace

Result<std::shared_ptr<Connection>> Connection::listen(const std::string &address) {
  std::shared_ptr<Connection> &present = theConnection();
  if (present && present->isOurs())
    return present;
  std::shared_ptr<Connection> connection(new Connection);
  connection->owner = getpid();
  bool isPath = address.find('/') != std::string::npos;
  Result<void> r = isPath ? connection->listenAtPath(address) : connection->listenAtPort(address);
  if (!r)
    return r.error();
  if (!present)
    on_exit(tellEnd, nullptr);
  present = connection;
  return connection;
}

Result<void> Connection::listenAtPort(const std::string &address) {
  std::string_view digits = address;
  if (size_t colon = digits.rfind(':'); colon != std::string_view::npos) {
    std::string_view host = digits.substr(0, colon);
    if (!host.empty() && host != "localhost" && host != "127.0.0.1")
      return Failure{"gdb can be waited for at a port of this machine only, not at " + address};
    digits.remove_prefix(colon + 1);
  }
  uint16_t port = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size())
    return Failure{address + " is neither a port (0 to 65535) nor the path of a socket"};
  listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int on = 1;
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(listener, reinterpret_cast<sockaddr *>(&name), sizeof name) != 0 ||
      ::listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&name), &size) != 0)
    return problem("port " + std::string(digits));
  where = "localhost:" + std::to_string(ntohs(name.sin_port));
  return {};
}

Result<void> Connection::listenAtPath(const std::string &wanted) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (wanted.size() >= sizeof name.sun_path)
    return Failure{"the path of a socket has at most " + std::to_string(sizeof name.sun_path - 1) +
                   " characters: " + wanted};
  std::memcpy(name.sun_path, wanted.c_str(), wanted.size());
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto *address = reinterpret_cast<sockaddr *>(&name);
  if (listener >= 0 && connect(listener, address, sizeof name) == 0)
    return Failure{"another process listens at " + wanted};
  if (errno == ECONNREFUSED)
    unlink(wanted.c_str()); // of a process that has ended
  if (listener < 0 || bind(listener, address, sizeof name) != 0 || ::listen(listener, 1) != 0)
    return problem(wanted);
  where = path = wanted;
  return {};
}

Connection::~Connection() {
  close();
  if (listener >= 0)
    ::close(listener);
}

bool Connection::isOurs() const {
  return owner == getpid();
}

bool Connection::accept(int milliseconds) {
  if (isOpen() || !isReadable(listener, milliseconds))
    return false;
  client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (!isOpen())
    return false;
  int on = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // fails for Unix sockets
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  acknowledges = hadClient = true;
  reader.clear();
  return true;
}

/// The next event that needs an answer.
std::optional<ClientEvent> Connection::takeEvent() {
  using Kind = ClientEvent::Kind;
  while (std::optional<ClientEvent> event = reader.next()) {
    if (event->kind == Kind::Rejected) {
      if (acknowledges)
        sendRaw(lastPacket);
      continue;
    }
    if (event->kind == Kind::Damaged) {
      if (acknowledges)
        sendRaw("-");
      continue;
    }
    if (event->kind == Kind::Packet && acknowledges)
      sendRaw("+");
    return event;
  }
  return std::nullopt;
}

std::optional<ClientEvent> Connection::receive(int milliseconds) {
  if (std::optional<ClientEvent> event = takeEvent())
    return event;
  if (!isOpen() || !isReadable(client, milliseconds))
    return std::nullopt;
  char bytes[4096];
  ssize_t count = recv(client, bytes, sizeof bytes, 0);
  if (count > 0)
    reader.add({bytes, size_t(count)});
  else if (count == 0 || errno != EINTR)
    close();
  return takeEvent();
}

void Connection::send(std::string_view text) {
  lastPacket = framePacket(text);
  sendRaw(lastPacket);
}

void Connection::sendRaw(std::string_view bytes) {
  while (isOpen() && !bytes.empty()) {
    ssize_t count = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0)
      bytes.remove_prefix(size_t(count));
    else if (errno != EINTR)
      close();
  }
}

void Connection::close() {
  if (isOpen())
    ::close(client);
  client = -1;
  reader.clear();
}

/// The process ends with exit code STATUS.
void Connection::tellEnd(int status, void *) {
  std::shared_ptr<Connection> connection = theConnection();
  if (!connection || !connection->isOurs())
    return;
  if (connection->isOpen())
    connection->send("W" + hexOfBytes(std::initializer_list<uint8_t>{uint8_t(status)}));
  if (!connection->path.empty())
    unlink(connection->path.c_str());
}

} // namespace vx::sim
