// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EXAMPLES_CMAKE_HEAT_SOLVER_H
#define EXAMPLES_CMAKE_HEAT_SOLVER_H

#include <vector>

namespace heat {

/// Spreads the temperatures of a bar whose ends keep theirs, STEPS times; false after a CUDA error,
/// which has been printed.
bool spread(std::vector<float> &temperatures, int steps);

} // namespace heat

#endif // EXAMPLES_CMAKE_HEAT_SOLVER_H
