// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Value or error text, for the parts that do not use LLVM (C++20 has no std::expected).

#ifndef VX_SIMULATOR_API_RESULT_H
#define VX_SIMULATOR_API_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vx {

/// An error, in words for a user.
struct Failure {
  std::string message;
};

/// Either a T or a Failure. Check before use: `if (!r) return r.error();`.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state(std::in_place_index<1>, std::move(failure)) {}
  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  const Failure &error() const { return std::get<1>(state); }

private:
  std::variant<T, Failure> state;
};

/// Success or a Failure.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Failure f) : failure(std::move(f)) {}
  explicit operator bool() const { return !failure; }
  const Failure &error() const { return *failure; }

private:
  std::optional<Failure> failure;
};

} // namespace vx

#endif // VX_SIMULATOR_API_RESULT_H
