// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libvx_mlir_plugin.so: the dialect, its passes and its pipelines for the stock mlir-opt.

#include "frontend/mlir/dialect/Vx.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" __attribute__((visibility("default"))) mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "vx", VX_VERSION,
          [](mlir::DialectRegistry *registry) { vx::dialect::registerDialects(*registry); }};
}

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "vx", VX_VERSION, vx::dialect::registerPassesAndPipelines};
}
