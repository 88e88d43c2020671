// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The channel format of a type, as array and texture functions take it.

#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#if defined(__cplusplus)

#include "cuda_runtime_api.h"

namespace vx_detail {
/// The components of T: NUMBER of BITS each; none for types that arrays cannot hold.
template <class T> struct Channels {
  static constexpr int number = 0, bits = 0;
  static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
#define VX_CHANNELS(type, component, count, meaning)                                               \
  template <> struct Channels<type> {                                                              \
    static constexpr int number = count, bits = 8 * int(sizeof(component));                        \
    static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##meaning;                  \
  };
#define VX_VECTOR_CHANNELS(type, name, meaning)                                                    \
  VX_CHANNELS(type, type, 1, meaning)                                                              \
  VX_CHANNELS(name##1, type, 1, meaning)                                                           \
  VX_CHANNELS(name##2, type, 2, meaning)                                                           \
  VX_CHANNELS(name##3, type, 3, meaning)                                                           \
  VX_CHANNELS(name##4, type, 4, meaning)
VX_CHANNELS(char, char, 1, Signed)
VX_VECTOR_CHANNELS(signed char, char, Signed)
VX_VECTOR_CHANNELS(unsigned char, uchar, Unsigned)
VX_VECTOR_CHANNELS(short, short, Signed)
VX_VECTOR_CHANNELS(unsigned short, ushort, Unsigned)
VX_VECTOR_CHANNELS(int, int, Signed)
VX_VECTOR_CHANNELS(unsigned int, uint, Unsigned)
VX_VECTOR_CHANNELS(float, float, Float)
#undef VX_VECTOR_CHANNELS
#undef VX_CHANNELS
} // namespace vx_detail

/// The format of T: its components' bits and kind; all zero and cudaChannelFormatKindNone for a
/// type that has none.
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Channels = vx_detail::Channels<T>;
  constexpr int number = Channels::number, bits = Channels::bits;
  return {number > 0 ? bits : 0, number > 1 ? bits : 0, number > 2 ? bits : 0,
          number > 3 ? bits : 0, Channels::kind};
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif // __cplusplus

#endif /* __CHANNEL_DESCRIPTOR_H__ */
