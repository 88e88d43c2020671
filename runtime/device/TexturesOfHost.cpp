// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches for code of the host CPU, which has no texture unit.

#define VX_NO_TEXTURE_UNIT
#include "runtime/device/Textures.cpp"
