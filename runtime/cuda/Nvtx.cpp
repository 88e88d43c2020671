// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The receiving side of nvtx3/nvToolsExt.h.

#include "nvtx3/nvToolsExt.h"
#include "runtime/core/Annotations.h"
#include <deque>
#include <mutex>
#include <string>

using namespace vx::rt;

struct nvtxDomainRegistration_st {
  std::string name;
  std::mutex mutex;
  std::deque<std::string> strings; // registered ones; they stay where they are
};

struct nvtxStringRegistration_st {};

static void appendUtf8(std::string &text, uint32_t code) {
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += {char(0xC0 | code >> 6), char(0x80 | (code & 63))};
  } else if (code < 0x10000) {
    text += {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 63)), char(0x80 | (code & 63))};
  } else {
    text += {char(0xF0 | (code >> 18 & 7)), char(0x80 | (code >> 12 & 63)),
             char(0x80 | (code >> 6 & 63)), char(0x80 | (code & 63))};
  }
}

static std::string narrow(const wchar_t *wide) {
  std::string text;
  for (; wide && *wide; ++wide)
    appendUtf8(text, uint32_t(*wide));
  return text;
}

/// The text of an event, with its domain before it.
static std::string textOf(nvtxDomainHandle_t domain, const nvtxEventAttributes_t &event) {
  std::string text;
  switch (event.messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    text = event.message.ascii ? event.message.ascii : "";
    break;
  case NVTX_MESSAGE_TYPE_UNICODE:
    text = narrow(event.message.unicode);
    break;
  case NVTX_MESSAGE_TYPE_REGISTERED:
    if (event.message.registered)
      text = *reinterpret_cast<const std::string *>(event.message.registered);
    break;
  default:
    break;
  }
  if (text.empty())
    text = "(no message)";
  return domain ? domain->name + ": " + text : text;
}

extern "C" int __cudaNvtxPush(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  if (!annotations::areWanted())
    return NVTX_NO_PUSH_POP_TRACKING;
  return annotations::push(textOf(domain, *event));
}

extern "C" int __cudaNvtxPop(nvtxDomainHandle_t) {
  return annotations::areWanted() ? annotations::pop() : NVTX_NO_PUSH_POP_TRACKING;
}

extern "C" nvtxRangeId_t __cudaNvtxStart(nvtxDomainHandle_t domain,
                                         const nvtxEventAttributes_t *event) {
  return annotations::areWanted() ? annotations::start(textOf(domain, *event)) : 0;
}

extern "C" void __cudaNvtxEnd(nvtxRangeId_t range) {
  if (annotations::areWanted())
    annotations::end(range);
}

extern "C" void __cudaNvtxMark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  if (annotations::areWanted())
    annotations::mark(textOf(domain, *event));
}

extern "C" nvtxDomainHandle_t __cudaNvtxDomain(const char *name, const wchar_t *wide) {
  auto *domain = new nvtxDomainRegistration_st;
  domain->name = name ? name : narrow(wide);
  return domain;
}

extern "C" void __cudaNvtxForgetDomain(nvtxDomainHandle_t domain) {
  delete domain;
}

extern "C" nvtxStringHandle_t __cudaNvtxString(nvtxDomainHandle_t domain, const char *text,
                                               const wchar_t *wide) {
  static nvtxDomainRegistration_st *const ofNoDomain = new nvtxDomainRegistration_st;
  nvtxDomainRegistration_st &owner = domain ? *domain : *ofNoDomain;
  std::lock_guard lock(owner.mutex);
  std::string &kept = owner.strings.emplace_back(text ? text : narrow(wide));
  return reinterpret_cast<nvtxStringHandle_t>(&kept);
}

extern "C" void __cudaNvtxNameThread(uint32_t thread, const char *name, const wchar_t *wide) {
  if (annotations::areWanted())
    annotations::nameThread(thread, name ? name : narrow(wide));
}
