// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debugger's protocol: framing, conditions, answers to packets, whatever a client sends.

#include "simulator/debug/Session.h"
#include "test/unit/simulator/Program.h"
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

using Kind = ClientEvent::Kind;

// --- packets -------------------------------------------------------------------------------------

TEST(Packets, AreCutOutOfTheStream) {
  PacketReader reader;
  std::string packet = framePacket("m80000000,4");
  reader.add("noise$g#67\x03" + packet.substr(0, 4));
  std::optional<ClientEvent> event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Packet);
  EXPECT_EQ(event->text, "g");
  event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Interrupt);
  EXPECT_FALSE(reader.next());
  reader.add(packet.substr(4, packet.size() - 6)); // without the checksum
  EXPECT_FALSE(reader.next());
  reader.add(packet.substr(packet.size() - 2) + "-");
  event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Packet);
  EXPECT_EQ(event->text, "m80000000,4");
  event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Rejected);
}

TEST(Packets, WithWrongChecksumsAreDamaged) {
  for (const char *text : {"$g#66", "$g#zz", "$#01"}) {
    PacketReader reader;
    reader.add(text);
    std::optional<ClientEvent> event = reader.next();
    ASSERT_TRUE(event) << text;
    EXPECT_EQ(event->kind, Kind::Damaged) << text;
    EXPECT_FALSE(reader.next());
  }
}

TEST(Packets, EscapesGoBothWays) {
  std::string text = "X80,5:#$}*\x03";
  PacketReader reader;
  reader.add(framePacket(text));
  std::optional<ClientEvent> event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Packet);
  EXPECT_EQ(event->text, text);
}

TEST(Packets, EndlessOnesAreDropped) {
  PacketReader reader;
  reader.add("$" + std::string(2 * kMaxPacketBytes, 'a'));
  std::optional<ClientEvent> event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, Kind::Damaged);
  reader.add("#00$g#67");
  event = reader.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->text, "g");
}

TEST(Packets, FieldsThatAreMissingAreNoticed) {
  FieldReader good("80,4:rest");
  EXPECT_EQ(good.number(), 0x80u);
  good.expect(',');
  EXPECT_EQ(good.number(), 4u);
  good.expect(':');
  EXPECT_EQ(good.remaining(), "rest");
  EXPECT_FALSE(good.failed());
  for (const char *text : {"", ",", "x", "80", "80;4", "11112222333344445,1"}) {
    FieldReader fields(text);
    fields.number();
    fields.expect(',');
    fields.number();
    EXPECT_TRUE(fields.failed()) << text;
  }
  EXPECT_FALSE(bytesOfHex("123"));
  EXPECT_FALSE(bytesOfHex("1g"));
  EXPECT_EQ(bytesOfHex("4a4B"), "JK");
}

// --- conditions ----------------------------------------------------------------------------------

class Scope final : public ConditionScope {
public:
  std::optional<uint64_t> readRegister(unsigned number) const override {
    return number == 2 ? std::optional<uint64_t>(0x1000) : std::nullopt;
  }
  bool readMemory(uint64_t address, std::span<uint8_t> bytes) const override {
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = uint8_t(0xf0 + i);
    return address == 0x1008;
  }
};

std::optional<uint64_t> evaluate(std::string_view hex) {
  return evaluateCondition(*bytesOfHex(hex), Scope());
}

TEST(Conditions, ReadRegistersAndMemory) {
  // reg 2, const8 8, add, ref32, ext 32, const8 0, less_signed, end
  EXPECT_EQ(evaluate("260002"
                     "2208"
                     "02"
                     "19"
                     "1620"
                     "2200"
                     "14"
                     "27"),
            1u);
  // reg 2, ext 8: of a variable of 8 bits; the address has more
  EXPECT_EQ(evaluate("260002"
                     "1608"
                     "27"),
            0x1000u);
  EXPECT_EQ(evaluate("26000219"
                     "27"),
            std::nullopt); // nothing is mapped there
  EXPECT_EQ(evaluate("26000327"), std::nullopt);
}

TEST(Conditions, Compute) {
  EXPECT_EQ(evaluate("2207220303"
                     "27"),
            4u);
  EXPECT_EQ(evaluate("22072203"
                     "2b0327"),
            uint64_t(-4)); // swapped first
  EXPECT_EQ(evaluate("22ff160827"), ~uint64_t(0));
  EXPECT_EQ(evaluate("22ff2a0427"), 15u);
  EXPECT_EQ(evaluate("220722030627"), 2u); // 7 / 3, unsigned
  EXPECT_EQ(evaluate("2201200008220027"
                     "220527"),
            5u); // if_goto 8
}

TEST(Conditions, ThatAreNotValidHaveNoValue) {
  for (const char *code : {"", "27", "02", "22", "2201", "220122000527", "220122000627", "ff27",
                           "210000", "2100ff", "28", "3200", "2b27", "3327", "26"})
    EXPECT_EQ(evaluate(code), std::nullopt) << code;
  std::string deep;
  for (int i = 0; i < 1000; ++i)
    deep += "2201";
  EXPECT_EQ(evaluate(deep + "27"), std::nullopt);
}

// --- sessions ------------------------------------------------------------------------------------

/// A session on a device whose first warp is active at kCode.
struct Stopped {
  Stopped() : session(*machine.device) {
    machine.warp().state = WarpState::Ready;
    machine.warp().pc = Harness::kCode;
    machine.warp().mask = 0x5;
    session.stopped(5, 1, "");
  }
  std::string ask(std::string_view packet) { return session.answer(packet).text; }

  Harness machine;
  Session session;
};

TEST(Session, LanesAreThreads) {
  Stopped s;
  EXPECT_EQ(s.ask("qfThreadInfo"), "m1,3"); // start-up: the active ones
  EXPECT_EQ(s.ask("qC"), "QC1");
  EXPECT_EQ(s.ask("T3"), "OK");
  EXPECT_EQ(s.ask("Tff"), "E03");
  EXPECT_EQ(s.ask("Hg3"), "OK");
  EXPECT_EQ(s.ask("Hgff"), "E03");
  s.machine.x(5, 2) = 0x1122334455667788;
  EXPECT_EQ(s.ask("p5"), "8877665544332211");
  EXPECT_EQ(s.ask("P5=0100000000000000"), "OK");
  EXPECT_EQ(s.machine.x(5, 2), 1u);
  EXPECT_EQ(s.ask("P20=0800008000000000"), "OK"); // the pc of the warp
  EXPECT_EQ(s.machine.warp().pc, 0x80000008u);
  EXPECT_EQ(s.ask("P20=0900008000000000"), "E16");
  s.machine.warp().mask = 1;
  EXPECT_EQ(s.ask("P20=0c00008000000000"), "E16"); // the lane is not active
}

TEST(Session, MemoryIsReadAsFarAsItIsMapped) {
  Stopped s;
  s.machine.store<uint32_t>(Harness::kData, 0x44332211);
  EXPECT_EQ(s.ask("m20000,4"), "11223344");
  EXPECT_EQ(s.ask("m20ffe,8").size(), 4u);
  EXPECT_EQ(s.ask("m1,4"), "E0e");
  EXPECT_EQ(s.ask("M20000,2:abcd"), "OK");
  EXPECT_EQ(s.ask("m20000,4"), "abcd3344");
  EXPECT_EQ(s.ask("M1,1:00"), "E0e");
  EXPECT_EQ(s.ask("M20000,2:ab"), "E16");
  EXPECT_EQ(s.ask("X20000,1:z"), "OK");
  EXPECT_EQ(s.machine.load<char>(Harness::kData), 'z');
  EXPECT_EQ(s.ask("m1ffff0000,2"), "0df0"); // local memory
}

TEST(Session, ActionsAreForThreads) {
  Stopped s;
  EXPECT_EQ(int(s.session.answer("vCont;r80000000,80000008:3;c").next), int(Session::Next::Resume));
  EXPECT_TRUE(s.session.resumption.movesAll());
  ASSERT_TRUE(s.session.resumption.actionFor(3));
  EXPECT_TRUE(s.session.resumption.actionFor(3)->steps);
  EXPECT_FALSE(s.session.resumption.actionFor(1)->steps);
  EXPECT_EQ(int(s.session.answer("vCont;s:3").next), int(Session::Next::Resume));
  EXPECT_FALSE(s.session.resumption.movesAll());
  EXPECT_FALSE(s.session.resumption.actionFor(1));
}

TEST(Session, BreakpointsAreRememberedUntilAllGoOn) {
  Stopped s;
  EXPECT_EQ(s.ask("Z0,80000010,4;X3,220127X2,2227"), "OK");
  const Breakpoint *point = s.session.points.breakpointAt(0x80000010);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->conditions.size(), 2u);
  EXPECT_EQ(point->thread, 1u);
  s.ask("Hg3");
  EXPECT_EQ(s.ask("z0,80000010,4"), "OK");
  EXPECT_FALSE(s.session.points.breakpointAt(0x80000010));
  EXPECT_EQ(s.ask("Z0,80000010,4"), "OK");
  EXPECT_EQ(s.session.points.breakpointAt(0x80000010)->thread, 1u);
  EXPECT_EQ(s.ask("Z2,20000,4"), "OK");
  EXPECT_TRUE(s.session.points.watchpointFor(0x20003, 1, false, true));
  EXPECT_FALSE(s.session.points.watchpointFor(0x20003, 1, true, false));
  EXPECT_FALSE(s.session.points.watchpointFor(0x20004, 4, false, true));
}

TEST(Session, FilesAreThoseOfImages) {
  Stopped s;
  std::vector<uint8_t> file(40000, 0x2a);
  EXPECT_FALSE(s.session.images.add(file, 0x80000000, 0)); // the program itself
  EXPECT_EQ(s.ask("qXfer:exec-file:read::0,fff"), "l/vx/device-0.elf");
  EXPECT_EQ(s.ask("vFile:open:2f76782f6465766963652d302e656c66,0,0"), "F0");
  EXPECT_EQ(s.ask("vFile:open:2f6574632f706173737764,0,0"), "F-1,2");
  EXPECT_EQ(s.ask("vFile:pread:0,3,9c3f"), "F1;*");
  EXPECT_EQ(s.ask("vFile:pread:0,3,ffffffffffffffff"), "F0;");
  EXPECT_EQ(s.ask("vFile:pread:7,3,0"), "F-1,9");
  EXPECT_EQ(s.ask("vFile:close:0"), "F0");
  std::vector<uint8_t> other(100, 1);
  EXPECT_TRUE(s.session.images.add(other, 0x80100000, 0x100000));
  EXPECT_NE(s.ask("qXfer:libraries:read::0,fff").find("0x80100000"), std::string::npos);
}

/// Mutations of good packets, and random bytes: each has some answer.
TEST(Session, AnswersAnything) {
  Stopped s;
  const std::vector<std::string> good = {"?",
                                         "g",
                                         "G0011",
                                         "Hg1",
                                         "Hc-1",
                                         "m20000,4",
                                         "M20000,1:00",
                                         "X20000,1:z",
                                         "p20",
                                         "P5=00",
                                         "qSupported:a+;b-",
                                         "qXfer:features:read:target.xml:0,ffb",
                                         "qXfer:threads:read::0,10",
                                         "qXfer:libraries:read::0,fff",
                                         "qThreadExtraInfo,1",
                                         "qRcmd,6c616e6573",
                                         "qfThreadInfo",
                                         "vCont?",
                                         "vCont;s:1;c",
                                         "vCont;r80000000,80000004:1;C05",
                                         "vFile:open:2f,0,0",
                                         "vFile:pread:0,10,0",
                                         "vFile:fstat:0",
                                         "T1",
                                         "Z0,80000000,4;X3,220127",
                                         "z2,20000,4",
                                         "c",
                                         "s80000000",
                                         "S05;80000000",
                                         "qC",
                                         "qOffsets",
                                         "vMustReplyEmpty"};
  std::mt19937 random(7);
  for (int i = 0; i < 50000; ++i) {
    std::string packet = good[random() % good.size()];
    for (unsigned changes = random() % 4; changes-- > 0 && !packet.empty();) {
      size_t at = random() % packet.size();
      switch (random() % 4) {
      case 0:
        packet[at] = char(random());
        break;
      case 1:
        packet.erase(at, 1 + random() % 4);
        break;
      case 2:
        packet.insert(at, 1, "0123456789abcdef,;:-=#"[random() % 22]);
        break;
      default:
        packet.resize(at);
      }
    }
    s.session.answer(packet);
  }
  EXPECT_EQ(s.ask("qSupported").substr(0, 10), "PacketSize");
}

// --- clients -------------------------------------------------------------------------------------

/// Connects to PATH, sends BYTES and goes, reading nothing.
void visit(const std::string &path, const std::string &bytes) {
  int file = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  ASSERT_EQ(connect(file, reinterpret_cast<sockaddr *>(&name), sizeof name), 0);
  EXPECT_EQ(send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL), ssize_t(bytes.size()));
  close(file);
}

TEST(Client, ThatGoesLeavesTheProgramRunning) {
  std::string path = testing::TempDir() + "vx-gdb-" + std::to_string(getpid());
  std::mt19937 random(3);
  std::string noise;
  for (int i = 0; i < 100000; ++i)
    noise += char(random());
  for (const std::string &bytes :
       {std::string(), std::string("$"), noise, framePacket("?") + framePacket("vCont;c"),
        framePacket("Z0,80000004,4") + framePacket("vCont;c"), framePacket("D"),
        framePacket("vCont;s:1") + framePacket("vCont;s:99") + "\x03"}) {
    Machine m(Program().li(kA0, 6).li(kA0, 7).exit(), ("debug.gdb=" + path).c_str());
    std::thread client(visit, path, bytes);
    client.join(); // what it sent waits
    EXPECT_EQ(m.simulator->run().exitCode, 7);
  }
}

TEST(Client, CannotBeWaitedForAtEveryAddress) {
  SimConfig config;
  config.mode = SimMode::Timing;
  config.gdb = "0";
  EXPECT_FALSE(Simulator::create(config));
}

} // namespace
