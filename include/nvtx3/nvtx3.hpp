// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX for C++: ranges that end with their scope, domains and strings that are made at their first
// use. What nvToolsExt.h says about reports holds here.

#ifndef VX_NVTX3_NVTX3_HPP
#define VX_NVTX3_NVTX3_HPP

#include "nvToolsExt.h"
#include <string>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0
#define NVTX3_CPP_DEFINITIONS_V1_0 // for libraries that ask for the first version

namespace nvtx3 {
inline namespace v1 {

/// Red, green and blue, 0 to 255 each.
struct rgb {
  using component_type = uint8_t;
  constexpr rgb(uint8_t red, uint8_t green, uint8_t blue) noexcept
      : red(red), green(green), blue(blue) {}
  uint8_t red, green, blue;
};

/// A color with an opacity.
struct argb final : rgb {
  constexpr argb(uint8_t alpha, uint8_t red, uint8_t green, uint8_t blue) noexcept
      : rgb(red, green, blue), alpha(alpha) {}
  uint8_t alpha;
};

class color {
public:
  using value_type = uint32_t;
  constexpr explicit color(value_type argb) noexcept : value(argb) {}
  constexpr color(argb c) noexcept
      : value(uint32_t(c.alpha) << 24 | uint32_t(c.red) << 16 | uint32_t(c.green) << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xFF, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

private:
  value_type value;
};

class category {
public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id(id) {}
  constexpr id_type get_id() const noexcept { return id; }

private:
  id_type id;
};

class payload {
public:
  explicit payload(int64_t value) noexcept : type(NVTX_PAYLOAD_TYPE_INT64) {
    number.llValue = value;
  }
  explicit payload(int32_t value) noexcept : type(NVTX_PAYLOAD_TYPE_INT32) {
    number.iValue = value;
  }
  explicit payload(uint64_t value) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
    number.ullValue = value;
  }
  explicit payload(uint32_t value) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
    number.uiValue = value;
  }
  explicit payload(float value) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT) { number.fValue = value; }
  explicit payload(double value) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE) {
    number.dValue = value;
  }
  nvtxPayloadType_t get_type() const noexcept { return type; }
  nvtxEventAttributes_v2::payload_t get_value() const noexcept { return number; }

private:
  nvtxPayloadType_t type;
  nvtxEventAttributes_v2::payload_t number;
};

/// A name before those of its events. DOMAIN is a type with a static member `name`.
class domain {
public:
  struct global {
    static constexpr const char *name = nullptr;
  };
  domain(const domain &) = delete;
  domain &operator=(const domain &) = delete;

  template <class D = global> static const domain &get() noexcept {
    static const domain *const instance = new domain(D::name); // ranges may outlive static objects
    return *instance;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle; }

private:
  explicit domain(const char *name) noexcept : handle(name ? nvtxDomainCreateA(name) : nullptr) {}
  explicit domain(const wchar_t *name) noexcept
      : handle(name ? nvtxDomainCreateW(name) : nullptr) {}
  nvtxDomainHandle_t handle;
};

/// A string that is kept: MESSAGE is a type with a static member `message`.
template <class D> class registered_string_in {
public:
  explicit registered_string_in(const char *text) noexcept
      : handle(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string &text) noexcept
      : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t *text) noexcept
      : handle(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  template <class Message> static const registered_string_in &get() noexcept {
    static const registered_string_in instance(Message::message);
    return instance;
  }
  nvtxStringHandle_t get_handle() const noexcept { return handle; }

private:
  nvtxStringHandle_t handle;
};
using registered_string = registered_string_in<domain::global>;

/// A text, which must live as long as the attributes that it is in.
class message {
public:
  message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII) { value.ascii = text; }
  message(const std::string &text) noexcept : message(text.c_str()) {}
  message(std::string &&) = delete;
  message(const wchar_t *text) noexcept : type(NVTX_MESSAGE_TYPE_UNICODE) { value.unicode = text; }
  message(const std::wstring &text) noexcept : message(text.c_str()) {}
  message(std::wstring &&) = delete;
  template <class D>
  message(const registered_string_in<D> &text) noexcept : type(NVTX_MESSAGE_TYPE_REGISTERED) {
    value.registered = text.get_handle();
  }
  nvtxMessageType_t get_type() const noexcept { return type; }
  nvtxMessageValue_t get_value() const noexcept { return value; }

private:
  nvtxMessageType_t type;
  nvtxMessageValue_t value{};
};

/// The attributes of a range or a mark: a message, a color, a category and a payload in any order.
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : value() {
    value.version = NVTX_VERSION;
    value.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... Rest>
  explicit event_attributes(const color &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    value.colorType = c.get_type();
    value.color = c.get_value();
  }
  template <class... Rest>
  explicit event_attributes(const category &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    value.category = c.get_id();
  }
  template <class... Rest>
  explicit event_attributes(const payload &p, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    value.payloadType = p.get_type();
    value.payload = p.get_value();
  }
  template <class... Rest>
  explicit event_attributes(const message &m, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    value.messageType = m.get_type();
    value.message = m.get_value();
  }
  const value_type *get() const noexcept { return &value; }

private:
  value_type value;
};

/// A range of the calling thread, as long as the object. It does not move.
template <class D = domain::global> class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &attributes) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
  }
  template <class... Arguments>
  explicit scoped_range_in(const Arguments &...arguments) noexcept
      : scoped_range_in(event_attributes(arguments...)) {}
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
};
using scoped_range = scoped_range_in<>;

/// A range of the process that any thread may end.
struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr range_handle() noexcept = default;
  constexpr explicit range_handle(value_type id) noexcept : id(id) {}
  constexpr explicit operator bool() const noexcept { return id != 0; }
  constexpr value_type get_value() const noexcept { return id; }
  friend constexpr bool operator==(range_handle a, range_handle b) noexcept { return a.id == b.id; }
  friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return a.id != b.id; }

private:
  value_type id = 0;
};

template <class D = domain::global, class... Arguments>
[[nodiscard]] range_handle start_range_in(const Arguments &...arguments) noexcept {
  return range_handle(
      nvtxDomainRangeStartEx(domain::get<D>(), event_attributes(arguments...).get()));
}
template <class... Arguments>
[[nodiscard]] range_handle start_range(const Arguments &...arguments) noexcept {
  return start_range_in<domain::global>(arguments...);
}
template <class D = domain::global> void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
  end_range_in<domain::global>(range);
}

/// A range that its owner ends, which may move.
template <class D = domain::global> class unique_range_in {
public:
  template <class... Arguments>
  explicit unique_range_in(const Arguments &...arguments) noexcept
      : range(start_range_in<D>(arguments...)) {}
  unique_range_in(unique_range_in &&other) noexcept : range(other.range) {
    other.range = range_handle();
  }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    range_handle mine = range;
    range = other.range;
    other.range = mine;
    return *this;
  }
  ~unique_range_in() noexcept {
    if (range)
      end_range_in<D>(range);
  }

private:
  range_handle range;
};
using unique_range = unique_range_in<>;

/// A moment.
template <class D = domain::global, class... Arguments>
void mark_in(const Arguments &...arguments) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), event_attributes(arguments...).get());
}
template <class... Arguments> void mark(const Arguments &...arguments) noexcept {
  mark_in<domain::global>(arguments...);
}

} // namespace v1
} // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                  \
  static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};                   \
  ::nvtx3::v1::scoped_range_in<D> nvtx3_range__{nvtx3_func_name__};
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)

#endif // VX_NVTX3_NVTX3_HPP
