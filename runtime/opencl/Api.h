// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files that define the functions of OpenCL.

#ifndef VX_RUNTIME_OPENCL_API_H
#define VX_RUNTIME_OPENCL_API_H

#include "runtime/opencl/Device.h"
#include "runtime/opencl/Objects.h"

/// A function of the API that returns a code. The loader calls it through kDispatch; the library
/// exports next to none (exports.map).
#define VX_CL extern "C" cl_int CL_API_CALL

namespace vx::cl {

/// NAMES as cl_name_version wants them.
std::vector<cl_name_version> namesWithVersion(const std::vector<std::string> &names);

/// Returns the languages that clCreateProgramWithIL takes; empty in builds without SPIR-V.
std::vector<cl_name_version> intermediateLanguages();
/// Returns them as CL_DEVICE_IL_VERSION has them.
std::string intermediateLanguageNames();
/// Returns true if BYTES begin as such a program does.
bool isIntermediateLanguage(const std::string &bytes);

/// Nanoseconds of the host's clock, and of the device's simulated time.
cl_ulong hostNanoseconds();
cl_ulong simulatedNanoseconds(cl_device_id device);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_API_H
