// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of stopped kernels: CUDA's error and the text, for each kind of fault.

#include "runtime/launch/FaultReport.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/SymbolNames.h"
#include <gtest/gtest.h>
#include <map>

namespace vx::rt {
namespace {

Fault faultOf(FaultKind kind, std::string cause = "cause") {
  Fault fault;
  fault.kind = kind;
  fault.cause = std::move(cause);
  fault.pc = 0x80000290;
  fault.core = 1;
  fault.warp = 2;
  fault.lane = 3;
  return fault;
}

/// Returns a launch of scale(float*, int): 4x3x2 blocks of 8x4x2 threads.
FaultContext launchOfScale() {
  FaultContext context;
  context.kernelName = "_Z5scalePfi";
  abi::LaunchDescriptor &d = context.descriptor;
  d.gridDim[0] = 4;
  d.gridDim[1] = 3;
  d.gridDim[2] = 2;
  d.numBlocks = 24;
  d.blockDim[0] = 8;
  d.blockDim[1] = 4;
  d.blockDim[2] = 2;
  d.blockThreads = 64;
  return context;
}

TEST(FaultReport, EachKindHasCudasError) {
  const std::pair<FaultKind, cudaError_t> kErrors[] = {
      {FaultKind::None, cudaSuccess},
      {FaultKind::MemoryAccess, cudaErrorIllegalAddress},
      {FaultKind::Misaligned, cudaErrorMisalignedAddress},
      {FaultKind::IllegalInstruction, cudaErrorIllegalInstruction},
      {FaultKind::InvalidPc, cudaErrorInvalidPc},
      {FaultKind::StackOverflow, cudaErrorHardwareStackError},
      {FaultKind::Timeout, cudaErrorLaunchTimeout},
      {FaultKind::Trap, cudaErrorLaunchFailure},
      {FaultKind::Service, cudaErrorLaunchFailure},
      {FaultKind::Other, cudaErrorLaunchFailure},
  };
  for (auto [kind, error] : kErrors)
    EXPECT_EQ(reportFault(faultOf(kind), launchOfScale()).error, error) << int(kind);
}

TEST(FaultReport, AnAccessNamesAddressThreadAndCode) {
  Fault fault = faultOf(FaultKind::MemoryAccess, "illegal memory access");
  fault.address = 0x11f40;
  fault.accessBytes = 4;
  fault.isWrite = true;
  fault.block = 4 * 3 + 4 * 2 + 3; // [3,2,1]
  fault.thread = 32 + 8 * 3 + 5;   // [5,3,1]
  FaultContext context = launchOfScale();
  context.describeCode = [](uint64_t pc) {
    EXPECT_EQ(pc, 0x80000290u);
    return std::string("entry+0x108, scale.cu:13");
  };
  context.linkedAddress = [](uint64_t pc) { return pc - 0x1000; };
  EXPECT_EQ(
      reportFault(fault, context).text,
      "kernel `scale(float*, int)` stopped: illegal memory access, writing 4 bytes at 0x11f40\n"
      "  block: [3,2,1], thread: [5,3,1] (core 1, warp 2, lane 3)\n"
      "  pc 0x7ffff290 in entry+0x108, scale.cu:13\n");
}

TEST(FaultReport, WhatIsNotKnownIsLeftOut) {
  Fault fault = faultOf(FaultKind::MemoryAccess, "illegal memory access");
  fault.address = 0x10; // a read; the device does not say of how many bytes
  EXPECT_EQ(reportFault(fault, launchOfScale()).text,
            "kernel `scale(float*, int)` stopped: illegal memory access, reading at 0x10\n"
            "  block and thread not known yet (core 1, warp 2, lane 3)\n"
            "  pc 0x80000290\n"
            "  this is near a null pointer\n");
  fault.block = 1;
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("\n  block: [1,0,0] (core 1"),
            std::string::npos);
  fault.thread = 64; // a register that does not hold the number yet
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("\n  block: [1,0,0] (core 1"),
            std::string::npos);
  fault.block = 24;
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("block and thread not known yet"),
            std::string::npos);
}

TEST(FaultReport, OnlyFaultsOfAccessesNameAnAddress) {
  Fault fault = faultOf(FaultKind::IllegalInstruction, "illegal instruction");
  fault.address = 0x1234;
  EXPECT_EQ(reportFault(fault, launchOfScale()).text.find("0x1234"), std::string::npos);
  fault.kind = FaultKind::StackOverflow;
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("at 0x1234"), std::string::npos);
}

TEST(FaultReport, LaunchesOfDeviceCodeNameTheParent) {
  Fault fault = faultOf(FaultKind::Timeout, "barrier deadlock");
  fault.detail = "warp 0 waits at barrier 1";
  FaultContext context = launchOfScale();
  context.launchedBy = "_Z6parentv";
  std::string text = reportFault(fault, context).text;
  EXPECT_NE(text.find("  launched by kernel `parent()`\n  warp 0 waits at barrier 1\n"),
            std::string::npos)
      << text;
}

TEST(FaultReport, AnAssertionHasCudasWords) {
  Fault fault = faultOf(FaultKind::Service);
  fault.code = VX_ECALL_ASSERT;
  FaultContext context = launchOfScale();
  context.readString = [](uint64_t address) {
    return std::map<uint64_t, std::string>{
        {1, "i < n"}, {2, "scale.cu"}, {3, "void scale()"}}[address];
  };
  abi::StatusBlock &s = context.status;
  s.kind = abi::kStatusAssert;
  s.line = 13;
  s.message = 1;
  s.file = 2;
  s.function = 3;
  s.blockIdx[0] = 1;
  s.threadIdx[2] = 7;
  FaultReport report = reportFault(fault, context);
  EXPECT_EQ(report.error, cudaErrorAssert);
  EXPECT_EQ(report.text, "scale.cu:13: void scale(): block: [1,0,0], thread: [0,0,7] "
                         "Assertion `i < n` failed.\n");
  // A device that has lost the record still has the error.
  context.status.kind = abi::kStatusNone;
  EXPECT_EQ(reportFault(fault, context).error, cudaErrorAssert);
}

TEST(FaultReport, ServicesAreNamed) {
  Fault fault = faultOf(FaultKind::Service);
  fault.code = VX_ECALL_PURE_VIRTUAL;
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("call of a pure virtual function"),
            std::string::npos);
  fault.code = 0x1234;
  EXPECT_NE(reportFault(fault, launchOfScale()).text.find("unknown service 0x1234"),
            std::string::npos);
}

TEST(FaultReport, NamesAreReadable) {
  EXPECT_EQ(abi::sourceName("_Z5scalePfi"), "scale(float*, int)");
  EXPECT_EQ(abi::sourceName("plain"), "plain");
  EXPECT_EQ(abi::sourceName("f"), "f"); // as the name of a type, it would be float
  EXPECT_EQ(abi::sourceName("_ZL5scalePi__intern__0123456789abcdef"), "scale(int*)");
}

} // namespace
} // namespace vx::rt
