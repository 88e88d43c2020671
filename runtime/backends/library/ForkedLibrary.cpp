// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library in a child process: a call is a request over a socket and its reply. The child
// ends when the parent's end of the socket is closed.

#include "runtime/backends/library/VortexLibrary.h"
#include "runtime/core/LibraryFork.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace vx::rt {

namespace {

enum class Call : uint32_t {
  Open,
  Caps,
  Allocate,
  Reserve,
  Free,
  Info,
  CopyTo,
  CopyFrom,
  Start,
  Wait,
  ReadRegister,
  WriteRegister,
  Counter,
};

/// Followed by `bytes` bytes. What a, b and c are depends on the call.
struct Request {
  Call call = Call::Open;
  int32_t flags = 0;
  uint64_t a = 0, b = 0, c = 0, bytes = 0;
};
/// Followed by `bytes` bytes.
struct Reply {
  int32_t status = 0;
  uint64_t a = 0, b = 0, bytes = 0;
};

/// False: the other side has ended.
bool sendAll(int socket, const void *data, size_t size) {
  for (auto *place = static_cast<const char *>(data); size;) {
    ssize_t sent = send(socket, place, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    place += sent;
    size -= size_t(sent);
  }
  return true;
}
bool receiveAll(int socket, void *data, size_t size) {
  for (auto *place = static_cast<char *>(data); size;) {
    ssize_t got = recv(socket, place, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    place += got;
    size -= size_t(got);
  }
  return true;
}

/// Does what a request asks of the child; BYTES come with it and become what goes back.
Reply serve(VortexLibrary &library, const Request &request, std::vector<uint8_t> &bytes) {
  Reply reply;
  std::vector<uint8_t> answer;
  uint32_t value = 0;
  switch (request.call) {
  case Call::Open:
    reply.a = library.isDriver();
    break;
  case Call::Caps:
    reply.status = library.caps(uint32_t(request.a), reply.a);
    break;
  case Call::Allocate:
    reply.status = library.allocate(request.a, request.flags, reply.a);
    break;
  case Call::Reserve:
    reply.status = library.reserve(request.a, request.b, request.flags);
    break;
  case Call::Free:
    reply.status = library.free(request.a);
    break;
  case Call::Info:
    reply.status = library.info(reply.a, reply.b);
    break;
  case Call::CopyTo:
    reply.status = library.copyTo(request.a, request.b, bytes);
    break;
  case Call::CopyFrom:
    answer.resize(request.c);
    reply.status = library.copyFrom(answer, request.a, request.b);
    break;
  case Call::Start:
    reply.status = library.start(request.a, request.b);
    break;
  case Call::Wait:
    reply.status = library.wait(request.a);
    std::fflush(stdout); // what the guest has printed
    break;
  case Call::ReadRegister:
    reply.status = library.readRegister(uint32_t(request.a), value);
    reply.a = value;
    break;
  case Call::WriteRegister:
    reply.status = library.writeRegister(uint32_t(request.a), uint32_t(request.b));
    break;
  case Call::Counter:
    reply.status = library.counter(uint32_t(request.a), uint32_t(request.b), reply.a);
    break;
  }
  bytes = std::move(answer);
  reply.bytes = bytes.size();
  return reply;
}

/// The child. It leaves by _exit: what the parent would do at its end is not the child's to do.
[[noreturn]] void runChild(int socket, const std::string &file) {
  {
    Result<std::unique_ptr<VortexLibrary>> library = loadVortexLibrary(file);
    std::string problem = library ? "" : library.error().message;
    Request request;
    std::vector<uint8_t> bytes;
    while (receiveAll(socket, &request, sizeof request)) {
      bytes.resize(request.bytes);
      if (!receiveAll(socket, bytes.data(), bytes.size()))
        break;
      Reply reply;
      if (library) {
        reply = serve(**library, request, bytes);
      } else {
        bytes.assign(problem.begin(), problem.end());
        reply.status = -1;
        reply.bytes = bytes.size();
      }
      if (!sendAll(socket, &reply, sizeof reply) || !sendAll(socket, bytes.data(), bytes.size()))
        break;
    }
  }
  std::fflush(nullptr);
  _exit(0);
}

class ForkedLibrary final : public VortexLibrary {
public:
  ForkedLibrary(int socket, pid_t child) : socket(socket), child(child) {}
  ~ForkedLibrary() override {
    close(socket);
    if (child > 0)
      waitpid(child, nullptr, 0);
  }

  /// The first call: what went wrong when the child loaded the library.
  Result<void> open() {
    std::vector<uint8_t> answer;
    Reply reply = call({Call::Open}, nullptr, &answer);
    if (reply.status == 0)
      driver = reply.a != 0;
    else if (ended.empty())
      return Failure{std::string(answer.begin(), answer.end())};
    else
      return Failure{ended};
    return {};
  }

  /// Constant, and asked for by all threads, also while another one waits for the end of a kernel.
  int caps(uint32_t id, uint64_t &value) override {
    std::lock_guard lock(capsMutex);
    auto [known, isNew] = knownCaps.try_emplace(id);
    if (isNew)
      known->second.status = get({Call::Caps, 0, id}, known->second.value);
    value = known->second.value;
    return known->second.status;
  }
  int allocate(uint64_t size, int flags, uint64_t &address) override {
    return get({Call::Allocate, flags, size}, address);
  }
  int reserve(uint64_t address, uint64_t size, int flags) override {
    return call({Call::Reserve, flags, address, size}).status;
  }
  int free(uint64_t address) override { return call({Call::Free, 0, address}).status; }
  int info(uint64_t &free, uint64_t &used) override {
    Reply reply = call({Call::Info});
    free = reply.a;
    used = reply.b;
    return reply.status;
  }
  int copyTo(uint64_t base, uint64_t offset, std::span<const uint8_t> source) override {
    return call({Call::CopyTo, 0, base, offset, 0, source.size()}, source.data()).status;
  }
  int copyFrom(std::span<uint8_t> destination, uint64_t base, uint64_t offset) override {
    std::vector<uint8_t> answer;
    Reply reply = call({Call::CopyFrom, 0, base, offset, destination.size()}, nullptr, &answer);
    if (reply.status == 0 && answer.size() == destination.size())
      std::memcpy(destination.data(), answer.data(), answer.size());
    return reply.status;
  }
  int start(uint64_t kernel, uint64_t arguments) override {
    return call({Call::Start, 0, kernel, arguments}).status;
  }
  int wait(uint64_t milliseconds) override { return call({Call::Wait, 0, milliseconds}).status; }
  int readRegister(uint32_t address, uint32_t &value) override {
    uint64_t wide = 0;
    int status = get({Call::ReadRegister, 0, address}, wide);
    value = uint32_t(wide);
    return status;
  }
  int writeRegister(uint32_t address, uint32_t value) override {
    return call({Call::WriteRegister, 0, address, value}).status;
  }
  int counter(uint32_t csr, uint32_t core, uint64_t &value) override {
    return get({Call::Counter, 0, csr, core}, value);
  }
  bool isDriver() const override { return driver; }
  std::string endedBy() const override { return ended; }

private:
  int get(const Request &request, uint64_t &value) {
    Reply reply = call(request);
    value = reply.a;
    return reply.status;
  }

  /// The reply to REQUEST, which BYTES go with; the bytes of the reply are in ANSWER.
  Reply call(const Request &request, const void *bytes = nullptr,
             std::vector<uint8_t> *answer = nullptr) {
    std::lock_guard lock(callMutex);
    std::vector<uint8_t> dropped;
    if (!answer)
      answer = &dropped;
    Reply reply;
    reply.status = -1;
    if (!ended.empty())
      return reply;
    if (sendAll(socket, &request, sizeof request) && sendAll(socket, bytes, request.bytes) &&
        receiveAll(socket, &reply, sizeof reply)) {
      answer->resize(reply.bytes);
      if (receiveAll(socket, answer->data(), answer->size()))
        return reply;
    }
    noteEnd();
    reply = {};
    reply.status = -1;
    return reply;
  }

  void noteEnd() {
    int status = 0;
    if (waitpid(child, &status, 0) == child && WIFSIGNALED(status))
      ended = std::string("its process was ended by ") + strsignal(WTERMSIG(status));
    else
      ended = "its process has ended";
    child = 0;
  }

  struct KnownCaps {
    int status = 0;
    uint64_t value = 0;
  };

  int socket;
  pid_t child;
  std::mutex callMutex, capsMutex;
  std::map<uint32_t, KnownCaps> knownCaps;
  bool driver = false;
  std::string ended;
};

} // namespace

Result<std::unique_ptr<VortexLibrary>> forkVortexLibrary(const std::string &file) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Failure{std::string("no socket for its process: ") + std::strerror(errno)};
  std::fflush(nullptr); // the child must not write it, too
  pid_t child;
  {
    LibraryFork guard;
    child = fork();
  }
  if (child == 0) {
    close(ends[0]);
    runChild(ends[1], file);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return Failure{std::string("no process for it: ") + std::strerror(errno)};
  }
  auto library = std::make_unique<ForkedLibrary>(ends[0], child);
  if (Result<void> r = library->open(); !r)
    return r.error();
  return std::unique_ptr<VortexLibrary>(std::move(library));
}

} // namespace vx::rt
