// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/Printf.h"
#include "ImageBuilder.h"
#include <gtest/gtest.h>
#include <map>

using namespace vx::rt;
using vx::rt::test::Bytes;

namespace {

/// Packs arguments as the compiler does: promoted, each at its natural alignment.
class Packer {
public:
  template <typename T> Packer &operator<<(T value) {
    while (bytes.size() % alignof(T))
      bytes.push_back(0);
    test::append(bytes, value);
    return *this;
  }
  Bytes bytes;
};

std::string noStrings(uint64_t) {
  return "?";
}

template <typename... Args> std::string format(const char *text, Args... args) {
  Packer packer;
  (void)(packer << ... << args);
  return formatDevicePrintf(text, packer.bytes,
                            [](uint64_t a) { return a == 0x100 ? "string" : "?"; });
}

/// Converts by the host's printf.
template <typename... Args> std::string host(const char *text, Args... args) {
  char buffer[512];
  std::snprintf(buffer, sizeof buffer, text, args...);
  return buffer;
}

} // namespace

TEST(Printf, IntegersAgreeWithTheHost) {
  for (const char *f : {"%d", "%i", "%5d", "%-5d|", "%05d", "%+d",  "% d", "%.3d", "%8.3d", "%u",
                        "%x", "%X", "%#x", "%o",    "%#o",  "%hhd", "%hd", "%hhu", "%hu",   "%c"})
    for (int value : {0, 1, -1, 42, 300, -70000, INT32_MAX, INT32_MIN})
      if (std::string(f) != "%c" || value == 42)
        EXPECT_EQ(format(f, value), host(f, value)) << f << " of " << value;
}

TEST(Printf, LongIntegersAgreeWithTheHost) {
  for (const char *f : {"%ld", "%lld", "%lu", "%llx", "%#lx", "%zu", "%zd", "%jd", "%td", "%20ld"})
    for (long value : {0L, -1L, 123456789012345L, INT64_MAX, INT64_MIN})
      EXPECT_EQ(format(f, value), host(f, value)) << f << " of " << value;
}

TEST(Printf, FloatsAgreeWithTheHost) {
  for (const char *f : {"%f", "%e", "%g", "%a", "%E", "%G", "%A", "%F", "%.2f", "%10.3f",
                        "%-10.1e|", "%+g", "%#g", "%010.2f", "%.0f"})
    for (double value : {0.0, -0.0, 1.5, -3.25e10, 1e-300, 1e300, 1.0 / 0.0, -1.0 / 0.0})
      EXPECT_EQ(format(f, value), host(f, value)) << f << " of " << value;
}

TEST(Printf, ArgumentsAreNaturallyAligned) {
  EXPECT_EQ(format("%d %f %d %lld %c", 1, 2.5, 3, 4LL, int('x')), "1 2.500000 3 4 x");
}

TEST(Printf, StarsTakeArguments) {
  EXPECT_EQ(format("[%*d][%-*d][%.*f][%*.*f]", 6, 42, 6, 42, 2, 3.14159, 8, 1, 2.25),
            "[    42][42    ][3.14][     2.2]");
  EXPECT_EQ(format("[%*d]", -6, 42), "[42    ]");
  EXPECT_EQ(format("[%.*f]", -1, 0.5), "[0.500000]");
}

TEST(Printf, StringsAndPointers) {
  EXPECT_EQ(format("<%s>", uint64_t(0x100)), "<string>");
  EXPECT_EQ(format("<%10.3s>", uint64_t(0x100)), "<       str>");
  EXPECT_EQ(format("%s", uint64_t(0)), "(null)");
  EXPECT_EQ(format("%p", uint64_t(0x1234)), "0x1234");
  EXPECT_EQ(format("100%%"), "100%");
}

TEST(Printf, MalformedFormatsPrintAsTheyAre) {
  EXPECT_EQ(format("%"), "%");
  EXPECT_EQ(format("a%qb"), "a%qb");
  EXPECT_EQ(format("%99999d", 1), "%99999d");
  EXPECT_EQ(format("%**d", 1, 2), "%**d");
  EXPECT_EQ(format("%5"), "%5");
}

TEST(Printf, MissingArgumentsPrintTheConversion) {
  EXPECT_EQ(format("%d %d", 1), "1 %d");
  EXPECT_EQ(format("%s!"), "%s!");
  EXPECT_EQ(formatDevicePrintf("%f", Bytes{1, 2, 3}, noStrings), "%f");
}

static void addRecord(Bytes &buffer, uint64_t format, const Bytes &arguments, uint32_t valid = 1) {
  test::append(buffer, vx::abi::PrintfRecord{format, uint32_t(arguments.size()), valid});
  buffer.insert(buffer.end(), arguments.begin(), arguments.end());
  while (buffer.size() % 8)
    buffer.push_back(0);
}

static std::string formatOf(uint64_t address) {
  static const std::map<uint64_t, std::string> formats = {{1, "a=%d\n"}, {2, "done\n"}};
  auto it = formats.find(address);
  return it == formats.end() ? "" : it->second;
}

TEST(Printf, RecordsInOrder) {
  Bytes buffer;
  addRecord(buffer, 1, (Packer() << 7).bytes);
  addRecord(buffer, 2, {});
  addRecord(buffer, 1, (Packer() << -1).bytes);
  EXPECT_EQ(formatPrintfRecords(buffer, buffer.size(), formatOf), "a=7\ndone\na=-1\n");
}

TEST(Printf, OverflowingAndDamagedRecordsEndTheText) {
  Bytes buffer;
  addRecord(buffer, 1, (Packer() << 7).bytes);
  size_t whole = buffer.size();
  addRecord(buffer, 1, (Packer() << 8).bytes, 0); // reserved, never written
  EXPECT_EQ(formatPrintfRecords(buffer, buffer.size(), formatOf), "a=7\n");
  EXPECT_EQ(formatPrintfRecords(buffer, UINT64_MAX, formatOf), "a=7\n");
  for (size_t cut = 0; cut < whole; ++cut)
    EXPECT_EQ(formatPrintfRecords({buffer.data(), cut}, cut, formatOf).substr(0, 4),
              cut >= 20 ? "a=7\n" : "");
}
