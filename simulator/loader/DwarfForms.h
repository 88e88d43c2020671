// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How DWARF encodes the value of an attribute, versions 2 to 5 (DW_FORM_…).

#ifndef VX_SIMULATOR_LOADER_DWARF_FORMS_H
#define VX_SIMULATOR_LOADER_DWARF_FORMS_H

namespace vx::sim::dwarf {

enum : unsigned {
  kAddr = 0x01,
  kBlock2 = 0x03,
  kBlock4 = 0x04,
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kBlock1 = 0x0a,
  kData1 = 0x0b,
  kFlag = 0x0c,
  kSdata = 0x0d,
  kStrp = 0x0e,
  kUdata = 0x0f,
  kRefAddr = 0x10,
  kRef1 = 0x11,
  kRef2 = 0x12,
  kRef4 = 0x13,
  kRef8 = 0x14,
  kRefUdata = 0x15,
  kSecOffset = 0x17,
  kExprloc = 0x18,
  kFlagPresent = 0x19,
  kStrx = 0x1a,
  kAddrx = 0x1b,
  kData16 = 0x1e,
  kLineStrp = 0x1f,
  kRefSig8 = 0x20,
  kImplicitConst = 0x21,
  kLoclistx = 0x22,
  kRnglistx = 0x23,
  kStrx1 = 0x25,
  kStrx4 = 0x28,
  kAddrx1 = 0x29,
  kAddrx4 = 0x2c,
};

} // namespace vx::sim::dwarf

#endif // VX_SIMULATOR_LOADER_DWARF_FORMS_H
