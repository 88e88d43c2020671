// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++17 -c %s -o %t.17.o
// RUN: %vxcc -std=c++11 -c %s -o %t.11.o
// RUN: %vxcc -x c++ -std=c++14 -c %s -o %t.host.o
//
// Small headers that programs include by name, and the types of textures, which are there without
// their functions.

#include <channel_descriptor.h>
#include <cuda_runtime.h>
#include <cuda_stdint.h>
#include <device_types.h>
#include <driver_functions.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.hpp>

static_assert(sizeof(cudaChannelFormatDesc) == 20, "");
static_assert(sizeof(cudaTextureDesc) == 72, "");
static_assert(sizeof(cudaResourceDesc) == 64, "");
static_assert(sizeof(cudaLaunchAttribute) == 72, "");
static_assert(sizeof(cudaTextureObject_t) == 8 && sizeof(cudaSurfaceObject_t) == 8, "");
static_assert(cudaRoundMinInf == 3 && cudaBoundaryModeTrap == 2 && cudaReadModeNormalizedFloat, "");

cudaChannelFormatDesc formats[] = {
    cudaCreateChannelDesc<float4>(), cudaCreateChannelDesc<uchar1>(), cudaCreateChannelDesc<int>(),
    cudaCreateChannelDescHalf2(), cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned)};
