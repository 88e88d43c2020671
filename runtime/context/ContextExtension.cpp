// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/ContextExtension.h"
#include <utility>

namespace vx::rt {

ContextExtension &ContextExtensions::add(const void *type,
                                         std::unique_ptr<ContextExtension> extension) {
  nodes = std::make_unique<Node>(Node{type, std::move(extension), std::move(nodes)});
  first.store(nodes.get(), std::memory_order_release);
  return *nodes->extension;
}

void ContextExtensions::clear() {
  while (nodes) {
    nodes->extension = nullptr; // it may still look for the others
    std::unique_ptr<Node> next = std::move(nodes->next);
    first.store(next.get(), std::memory_order_release);
    nodes = std::move(next);
  }
}

} // namespace vx::rt
