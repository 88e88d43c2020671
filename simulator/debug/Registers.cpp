// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Registers.h"

namespace vx::sim {

namespace {

constexpr std::string_view kIntegerNames[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                              "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                              "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                              "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::string_view kFloatNames[] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
constexpr std::string_view kPlaceNames[] = {
    "threadIdx_x", "threadIdx_y", "threadIdx_z", "blockIdx_x", "blockIdx_y",
    "blockIdx_z",  "blockDim_x",  "blockDim_y",  "blockDim_z", "gridDim_x",
    "gridDim_y",   "gridDim_z",   "vx_core",     "vx_warp",    "vx_lane"};

std::string_view featureOf(RegisterKind kind) {
  switch (kind) {
  case RegisterKind::Integer:
  case RegisterKind::Pc:
    return "org.gnu.gdb.riscv.cpu";
  case RegisterKind::Float:
  case RegisterKind::Control:
    return "org.gnu.gdb.riscv.fpu";
  case RegisterKind::Place:
    return "org.vortex.place";
  }
  return "";
}

} // namespace

std::vector<RegisterRow> registerRows(unsigned xlen) {
  std::vector<RegisterRow> rows;
  for (unsigned i = 0; i < 32; ++i)
    rows.push_back(
        {kIntegerNames[i], RegisterKind::Integer, i, xlen, i == 2 || i == 8 ? "data_ptr" : "int"});
  rows.push_back({"pc", RegisterKind::Pc, 0, xlen, "code_ptr"});
  for (unsigned i = 0; i < 32; ++i)
    rows.push_back({kFloatNames[i], RegisterKind::Float, i, 64, "ieee_double"});
  rows.push_back({"fflags", RegisterKind::Control, kCsrFflags, 32, "int"});
  rows.push_back({"frm", RegisterKind::Control, kCsrFrm, 32, "int"});
  rows.push_back({"fcsr", RegisterKind::Control, kCsrFcsr, 32, "int"});
  unsigned place = 0;
  for (std::string_view name : kPlaceNames)
    rows.push_back({name, RegisterKind::Place, place++, 32, "uint32"});
  rows.push_back({"vx_mask", RegisterKind::Place, place, 64, "uint64"});
  return rows;
}

std::string targetDescription(unsigned xlen, const std::vector<RegisterRow> &rows) {
  std::string text = "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
                     "<target version=\"1.0\"><architecture>riscv:rv" +
                     std::to_string(xlen) + "</architecture>";
  std::string_view feature;
  for (size_t i = 0; i < rows.size(); ++i) {
    const RegisterRow &row = rows[i];
    if (feature != featureOf(row.kind)) {
      text += feature.empty() ? "" : "</feature>";
      feature = featureOf(row.kind);
      text += "<feature name=\"" + std::string(feature) + "\">";
    }
    text += "<reg name=\"" + std::string(row.name) + "\" bitsize=\"" + std::to_string(row.bits) +
            "\" regnum=\"" + std::to_string(i) + "\" type=\"" + std::string(row.type) + "\"" +
            (row.kind == RegisterKind::Place ? " group=\"vx\"/>" : "/>");
  }
  return text + "</feature></target>";
}

} // namespace vx::sim
