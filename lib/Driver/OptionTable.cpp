// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/OptionTable.h"
#include "llvm/Option/Option.h"

namespace vx::driver {
namespace {

using namespace llvm;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info kInfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class VxccOptTable : public GenericOptTable {
public:
  VxccOptTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, kInfoTable) {}
};

} // namespace

const OptTable &optionTable() {
  static const VxccOptTable table;
  return table;
}

} // namespace vx::driver
