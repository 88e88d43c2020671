// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Architectures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// The architectures that the release of the headers, 12.3, has dropped; older makefiles name them.
constexpr unsigned kRemoved[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37};
constexpr unsigned kPresent[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
constexpr unsigned kLater[] = {88, 100, 101, 103, 110, 120, 121};

/// The first architectures that have variants with features of one device (a) or family (f).
constexpr unsigned kFirstWithDevice = 90, kFirstWithFamily = 100;

} // namespace

bool isArchitecture(StringRef name) {
  if (name == "native" || name == "all" || name == "all-major")
    return true;
  if (!name.consume_front("sm_") && !name.consume_front("compute_") && !name.consume_front("lto_"))
    return false;
  bool device = name.consume_back("a"), family = !device && name.consume_back("f");
  unsigned number = 0;
  if (name.getAsInteger(10, number) || (device && number < kFirstWithDevice) ||
      (family && number < kFirstWithFamily))
    return false;
  return is_contained(kRemoved, number) || is_contained(kPresent, number) ||
         is_contained(kLater, number);
}

void listArchitectures(StringRef prefix, raw_ostream &os) {
  for (unsigned number : kPresent)
    os << prefix << number << '\n';
}

} // namespace vx::driver
