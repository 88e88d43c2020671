// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraphDebugDotPrint: a graph in the language of Graphviz.

#include "intrinsics/abi/SymbolNames.h"
#include "runtime/cuda/GraphApi.h"
#include <cstdarg>
#include <cstdio>

using namespace vx::rt;

namespace {

class DotWriter {
public:
  DotWriter(std::FILE *file, unsigned flags) : file(file), flags(flags) {}

  void write(const Graph &graph) {
    std::fprintf(file, "digraph dot {\n");
    writeGraph(graph, "graph");
    std::fprintf(file, "}\n");
  }

private:
  bool wants(unsigned flag) const { return flags & (flag | cudaGraphDebugDotFlagsVerbose); }

  void writeGraph(const Graph &graph, const std::string &name) {
    std::fprintf(file, "subgraph cluster_%s {\nlabel=\"%s\" graph[style=\"dashed\"]\n",
                 name.c_str(), name.c_str());
    for (const std::unique_ptr<GraphNode> &node : graph.nodes) {
      std::string id = name + "_node_" + std::to_string(node->number);
      std::fprintf(file, "\"%s\" [shape=\"box\" label=\"%s\"];\n", id.c_str(),
                   labelOf(*node).c_str());
      size_t index = 0;
      forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &embedded) {
        std::string inner = id + "_graph_" + std::to_string(index++);
        writeGraph(*embedded, inner);
        if (!embedded->nodes.empty())
          std::fprintf(file, "\"%s\" -> \"%s_node_%llu\" [style=\"dashed\"];\n", id.c_str(),
                       inner.c_str(), (unsigned long long)embedded->nodes.front()->number);
      });
    }
    for (const std::unique_ptr<GraphNode> &node : graph.nodes)
      for (const GraphNode *dependent : node->dependents)
        std::fprintf(file, "\"%s_node_%llu\" -> \"%s_node_%llu\";\n", name.c_str(),
                     (unsigned long long)node->number, name.c_str(),
                     (unsigned long long)dependent->number);
    std::fprintf(file, "}\n");
  }

  __attribute__((format(printf, 2, 3))) static void add(std::string &text, const char *format,
                                                        ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text += line;
  }

  static std::string escaped(const std::string &text) {
    std::string result;
    for (char c : text) {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c;
    }
    return result;
  }

  std::string labelOf(const GraphNode &node) const {
    std::string text = std::to_string(node.number) + "\\n" + nameOf(*node.work);
    if (wants(cudaGraphDebugDotFlagsHandles))
      add(text, "\\nhandle: %p", static_cast<void *>(node.handle));
    addDetails(*node.work, text);
    return text;
  }

  static std::string nameOf(const NodeWork &work) {
    static const char *const names[] = {
        "KERNEL",     "MEMCPY",       "MEMSET",         "HOST",         "CHILD GRAPH", "EMPTY",
        "EVENT WAIT", "EVENT RECORD", "EXT SEM SIGNAL", "EXT SEM WAIT", "MEM ALLOC",   "MEM FREE",
        "",           "CONDITIONAL"};
    if (const KernelNode *kernel = work.get<KernelNode>())
      return escaped(vx::abi::sourceName(kernel->request.kernel->name));
    return names[work.type];
  }

  void addDetails(const NodeWork &work, std::string &text) const {
    if (const KernelNode *kernel = work.get<KernelNode>())
      addKernel(*kernel, text);
    else if (const CopyNode *copy = work.get<CopyNode>();
             copy && wants(cudaGraphDebugDotFlagsMemcpyNodeParams))
      add(text, "\\nkind: %d\\nsrc: %p pitch %zu\\ndst: %p pitch %zu\\nextent: %zu x %zu x %zu",
          int(copy->params.kind), copy->params.srcPtr.ptr, copy->params.srcPtr.pitch,
          copy->params.dstPtr.ptr, copy->params.dstPtr.pitch, copy->params.extent.width,
          copy->params.extent.height, copy->params.extent.depth);
    else if (const FillNode *fill = work.get<FillNode>();
             fill && wants(cudaGraphDebugDotFlagsMemsetNodeParams))
      add(text, "\\ndst: %p pitch %zu\\nvalue: %u, %u bytes\\n%zu x %zu", fill->params.dst,
          fill->params.pitch, fill->params.value, fill->params.elementSize, fill->params.width,
          fill->params.height);
    else if (const HostNode *host = work.get<HostNode>();
             host && wants(cudaGraphDebugDotFlagsHostNodeParams))
      add(text, "\\nfn: %p\\nuserData: %p", reinterpret_cast<void *>(host->params.fn),
          host->params.userData);
    else if (const EventNode *event = work.get<EventNode>();
             event && wants(cudaGraphDebugDotFlagsEventNodeParams))
      add(text, "\\nevent: %p", static_cast<void *>(event->handle));
    else if (const AllocationNode *allocation = work.get<AllocationNode>(); allocation && wants(0))
      add(text, "\\ndptr: %p\\nbytes: %zu", allocation->params.dptr, allocation->params.bytesize);
    else if (const ReleaseNode *release = work.get<ReleaseNode>(); release && wants(0))
      add(text, "\\ndptr: %p", pointerTo(release->memory->address));
    else if (const ConditionalNode *conditional = work.get<ConditionalNode>();
             conditional && wants(cudaGraphDebugDotFlagsConditionalNodeParams))
      add(text, "\\ntype: %s\\nhandle: 0x%llx",
          conditional->params.type == cudaGraphCondTypeIf      ? "IF"
          : conditional->params.type == cudaGraphCondTypeWhile ? "WHILE"
                                                               : "SWITCH",
          conditional->params.handle);
  }

  void addKernel(const KernelNode &kernel, std::string &text) const {
    const LaunchRequest &r = kernel.request;
    if (wants(cudaGraphDebugDotFlagsKernelNodeParams))
      add(text, "\\n<<<(%u,%u,%u),(%u,%u,%u),%llu>>>", r.grid.x, r.grid.y, r.grid.z, r.block.x,
          r.block.y, r.block.z, (unsigned long long)r.dynSharedBytes);
    if (wants(cudaGraphDebugDotFlagsKernelNodeAttributes)) {
      add(text, "\\ncooperative: %d", int(r.cooperative));
      if (const std::optional<Dim> &c = r.cluster)
        add(text, "\\nclusterDim: (%u,%u,%u)", c->x, c->y, c->z);
      if (r.priority)
        add(text, "\\npriority: %d", *r.priority);
    }
  }

  std::FILE *file;
  unsigned flags;
};

} // namespace

extern "C" cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path,
                                              unsigned flags) {
  return callWithGraphsOf(handle, [&](Context &, GraphTables &tables) {
    std::shared_ptr<Graph> graph = tables.find(handle);
    if (!graph || !path)
      return cudaErrorInvalidValue;
    std::FILE *file = std::fopen(path, "w");
    if (!file)
      return cudaErrorOperatingSystem;
    DotWriter(file, flags).write(*graph);
    bool written = !std::ferror(file);
    return std::fclose(file) == 0 && written ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
