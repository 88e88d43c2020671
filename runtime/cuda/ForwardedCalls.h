// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions of functions whose parameters follow from the type of another one, for tables of
// functions: VX_PARAMETERS_N(type) are the N parameters of the function type TYPE, and
// VX_ARGUMENTS_N their names.

#ifndef VX_RUNTIME_CUDA_FORWARDEDCALLS_H
#define VX_RUNTIME_CUDA_FORWARDEDCALLS_H

#include <cstddef>
#include <tuple>

namespace vx::rt {

template <typename F> struct ParametersOf;
template <typename R, typename... P> struct ParametersOf<R(P...)> {
  using Types = std::tuple<P...>;
};

/// The type of parameter INDEX of the function type F.
template <typename F, size_t Index>
using Parameter = std::tuple_element_t<Index, typename ParametersOf<F>::Types>;

} // namespace vx::rt

#define VX_PARAMETER(type, index) vx::rt::Parameter<type, index> p##index
#define VX_PARAMETERS_1(type) VX_PARAMETER(type, 0)
#define VX_PARAMETERS_2(type) VX_PARAMETERS_1(type), VX_PARAMETER(type, 1)
#define VX_PARAMETERS_3(type) VX_PARAMETERS_2(type), VX_PARAMETER(type, 2)
#define VX_PARAMETERS_4(type) VX_PARAMETERS_3(type), VX_PARAMETER(type, 3)
#define VX_PARAMETERS_5(type) VX_PARAMETERS_4(type), VX_PARAMETER(type, 4)
#define VX_PARAMETERS_6(type) VX_PARAMETERS_5(type), VX_PARAMETER(type, 5)
#define VX_PARAMETERS_7(type) VX_PARAMETERS_6(type), VX_PARAMETER(type, 6)
#define VX_PARAMETERS_8(type) VX_PARAMETERS_7(type), VX_PARAMETER(type, 7)
#define VX_PARAMETERS_9(type) VX_PARAMETERS_8(type), VX_PARAMETER(type, 8)
#define VX_PARAMETERS_10(type) VX_PARAMETERS_9(type), VX_PARAMETER(type, 9)
#define VX_PARAMETERS_11(type) VX_PARAMETERS_10(type), VX_PARAMETER(type, 10)

#define VX_ARGUMENTS_1 p0
#define VX_ARGUMENTS_2 VX_ARGUMENTS_1, p1
#define VX_ARGUMENTS_3 VX_ARGUMENTS_2, p2
#define VX_ARGUMENTS_4 VX_ARGUMENTS_3, p3
#define VX_ARGUMENTS_5 VX_ARGUMENTS_4, p4
#define VX_ARGUMENTS_6 VX_ARGUMENTS_5, p5
#define VX_ARGUMENTS_7 VX_ARGUMENTS_6, p6
#define VX_ARGUMENTS_8 VX_ARGUMENTS_7, p7
#define VX_ARGUMENTS_9 VX_ARGUMENTS_8, p8
#define VX_ARGUMENTS_10 VX_ARGUMENTS_9, p9
#define VX_ARGUMENTS_11 VX_ARGUMENTS_10, p10

#endif // VX_RUNTIME_CUDA_FORWARDEDCALLS_H
