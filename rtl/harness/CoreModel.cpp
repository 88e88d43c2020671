// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rtl/harness/CoreModel.h"
#include "Vvx_core.h"
#include <cstring>

namespace vx::rtl {

struct CoreModel::Verilated {
  VerilatedContext context;
  Vvx_core core{&context};
};

CoreModel::CoreModel() : model(std::make_unique<Verilated>()) {
  model->core.clk = 0;
  model->core.reset = 1;
  model->core.mem_ready = 1;
}

CoreModel::~CoreModel() = default;

void CoreModel::reset(uint32_t pc, uint32_t argument) {
  Vvx_core &core = model->core;
  core.start_pc = pc;
  core.start_argument = argument;
  core.reset = 1;
  for (int cycle = 0; cycle < 2; ++cycle) {
    begin(nullptr);
    end();
  }
  core.reset = 0;
}

void CoreModel::begin(const Line *answer) {
  Vvx_core &core = model->core;
  core.clk = 0;
  core.answer_valid = answer != nullptr;
  if (answer)
    std::memcpy(core.answer_data.data(), answer->data(), kLineBytes);
  core.eval();
}

void CoreModel::end() {
  model->core.clk = 1;
  model->core.eval();
}

bool CoreModel::isDone() const {
  return model->core.done;
}
bool CoreModel::isStuck() const {
  return model->core.stuck;
}
bool CoreModel::hasRequest() const {
  return model->core.mem_valid;
}
bool CoreModel::hasCommit() const {
  return model->core.commit_valid;
}

LineRequest CoreModel::request() const {
  const Vvx_core &core = model->core;
  const auto *data = reinterpret_cast<const uint8_t *>(core.mem_data.data());
  return {.isWrite = bool(core.mem_write),
          .isCode = bool(core.mem_is_code),
          .address = uint64_t(core.mem_line) * kLineBytes,
          .data = {data, kLineBytes},
          .bytes = core.mem_enable};
}

Commit CoreModel::commit() const {
  const Vvx_core &core = model->core;
  return {.slot = core.commit_slot,
          .warp = core.commit_warp,
          .pc = core.commit_pc,
          .isLast = bool(core.commit_last),
          .mask = core.commit_mask,
          .writes = bool(core.commit_write),
          .rd = core.commit_rd,
          .data = {core.commit_data.data(), kLanes},
          .fault = Fault(core.commit_fault),
          .target = core.commit_target};
}

Access CoreModel::access() const {
  const Vvx_core &core = model->core;
  return {core.access_slot, core.access_pc, core.access_address};
}

} // namespace vx::rtl
