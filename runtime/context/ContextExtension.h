// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What folders above core keep for each context, such as graphs and memory pools, without core
// knowing of them.

#ifndef VX_RUNTIME_CONTEXT_CONTEXTEXTENSION_H
#define VX_RUNTIME_CONTEXT_CONTEXTEXTENSION_H

#include <atomic>
#include <memory>
#include <mutex>

namespace vx::rt {

class Context;

class ContextExtension {
public:
  virtual ~ContextExtension() = default;
};

/// The extensions of a context: at most one of each type, made when it is first asked for.
class ContextExtensions {
public:
  /// The extension of type T, a ContextExtension that is made of a Context &. Any thread may ask;
  /// T's constructor may not ask for extensions.
  template <typename T> T &get(Context &context) {
    if (ContextExtension *found = find(&kTypeTag<T>))
      return static_cast<T &>(*found);
    std::lock_guard lock(making);
    if (ContextExtension *found = find(&kTypeTag<T>))
      return static_cast<T &>(*found);
    return static_cast<T &>(add(&kTypeTag<T>, std::make_unique<T>(context)));
  }
  /// Ends all of them, the last made first. No other thread may use them any more.
  void clear();

private:
  struct Node {
    const void *type;
    std::unique_ptr<ContextExtension> extension;
    std::unique_ptr<Node> next;
  };
  template <typename T> static inline const char kTypeTag = 0;

  ContextExtension *find(const void *type) const {
    for (const Node *node = first.load(std::memory_order_acquire); node; node = node->next.get())
      if (node->type == type)
        return node->extension.get();
    return nullptr;
  }
  ContextExtension &add(const void *type, std::unique_ptr<ContextExtension> extension);

  std::mutex making;
  std::unique_ptr<Node> nodes;              ///< the last made first
  std::atomic<const Node *> first{nullptr}; ///< the same, for readers without the lock
};

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_CONTEXTEXTENSION_H
