// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/sampled/SampleEstimate.h"
#include <algorithm>

namespace vx::sim {

void SampleEstimate::start() {
  periods.clear();
  wholeCycles = unmeasuredWhole = 0;
  wholeRate = 1;
}

void SampleEstimate::setWhole(uint64_t instructions, uint64_t cycles) {
  wholeCycles = double(cycles);
  if (instructions)
    wholeRate = double(cycles) / double(instructions);
}

void SampleEstimate::add(uint64_t length, uint64_t window, uint64_t cycles) {
  periods.push_back({double(length), double(cycles) / double(window),
                     1 - double(window) / double(std::max(length, window))});
}

void SampleEstimate::extend(double length) {
  if (periods.empty()) {
    wholeCycles += length * wholeRate;
    unmeasuredWhole += length * wholeRate;
  } else {
    periods.back().length += length;
  }
}

double SampleEstimate::lastRate() const {
  return periods.empty() ? wholeRate : periods.back().rate;
}

double SampleEstimate::cycles() const {
  double sum = wholeCycles;
  for (const Period &p : periods)
    sum += p.length * p.rate;
  return sum;
}

SampleStats SampleEstimate::stats() const {
  SampleStats result;
  result.runs = 1;
  result.windows = periods.size();
  double unmeasured = unmeasuredWhole;
  if (periods.size() < 2) { // nothing is known about how windows differ
    for (const Period &p : periods)
      unmeasured += p.length * p.rate * p.skipped;
    result.variance = unmeasured * unmeasured;
    return result;
  }
  // Adds for each period half the mean square of its differences from its neighbours.
  for (size_t i = 0; i < periods.size(); ++i) {
    double squares = 0;
    unsigned neighbours = 0;
    for (size_t other : {i - 1, i + 1})
      if (other < periods.size()) {
        double difference = periods[i].rate - periods[other].rate;
        squares += difference * difference / 2;
        ++neighbours;
      }
    double length = periods[i].length;
    result.variance += length * length * periods[i].skipped * squares / neighbours;
  }
  return result;
}

double SampleEstimate::confidence() const {
  return stats().confidence() / cycles();
}

} // namespace vx::sim
