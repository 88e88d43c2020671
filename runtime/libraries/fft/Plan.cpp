// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of a plan. Each dimension is a sequence of passes over all its lines. The first pass of
// all reads the caller's data and the last one writes the caller's; between them are two buffers of
// the work area, in turn.

#include "Plan.h"
#include "Tables.h"
#include <algorithm>
#include <vector>

namespace vx::fft {
namespace {

/// The passes of a plan one after the other: launched, or only measured.
template <class R> class Passes {
public:
  /// Without PLAN, only what is needed is found out.
  Passes(const Shape &shape, Plan *plan, void *in, void *out, bool inverse)
      : shape(shape), plan(plan), target(out), inverse(inverse) {
    const bool inPlace = plan && in == out;
    source.layout = layoutOf(shape.in, shape.isBasicIn, inPlace, Kind::RealToComplex);
    final = layoutOf(shape.out, shape.isBasicOut, inPlace, Kind::ComplexToReal);
    source.data = in;
    std::copy(shape.sizes, shape.sizes + kAxes, sizes);
    if (shape.kind == Kind::ComplexToReal)
      sizes[kLast] = halfOf(shape.sizes[kLast]);
    copies = inPlace && (shape.kind != Kind::ComplexToComplex || !(source.layout == final));
  }

  cufftResult run() {
    // Real data are transformed first, or last, along the last dimension.
    std::vector<int> order = {kLast};
    for (int axis = kLast - 1; axis > 0; --axis)
      if (shape.sizes[axis] > 1)
        order.push_back(axis);
    if (shape.kind == Kind::ComplexToReal)
      std::reverse(order.begin(), order.end());
    int left = 0;
    for (int axis : order)
      left += passesOf(shape.sizes[axis]);
    copies &= left == 1;
    passesLeft = left + copies;
    for (int axis : order)
      if (cufftResult result = addDimension(axis); result != CUFFT_SUCCESS)
        return result;
    return CUFFT_SUCCESS;
  }

  size_t elements(int buffer) const { return counts[buffer]; }

private:
  /// Where data are between passes.
  struct Place {
    void *data = nullptr;
    Layout layout;
  };

  static long long halfOf(long long n) { return n / 2 + 1; }

  /// Real data of a basic layout in place have the room of the complex ones.
  Layout layoutOf(Layout layout, bool isBasic, bool inPlace, Kind real) const {
    if (shape.kind != real || !isBasic || !inPlace)
      return layout;
    long long step = 2 * halfOf(shape.sizes[kLast]);
    for (int axis = kLast - 1; axis >= 0; --axis) {
      layout.steps[axis] = step;
      step *= shape.sizes[axis];
    }
    return layout;
  }

  static int passesOf(long long length) {
    const unsigned padded = paddedLength(length);
    return padded ? 2 * int(radicesOf(padded).size()) : int(radicesOf(length).size());
  }

  cufftResult addDimension(int axis) {
    const long long length = shape.sizes[axis];
    const bool isReal = axis == kLast && shape.kind != Kind::ComplexToComplex;
    const Elements read = !isReal                             ? Elements::Complex
                          : shape.kind == Kind::RealToComplex ? Elements::Real
                                                              : Elements::Half;
    const Elements written = !isReal                             ? Elements::Complex
                             : shape.kind == Kind::RealToComplex ? Elements::Half
                                                                 : Elements::Real;
    const Tables *tables = plan ? plan->tables.at(length).get() : nullptr;
    const unsigned padded = paddedLength(length);
    const long long result = isReal && shape.kind == Kind::RealToComplex ? halfOf(length) : length;
    Pass<R> pass;
    pass.inverse = pass.conjugated = inverse;
    pass.length = padded ? padded : unsigned(length);
    pass.in.elements = read;
    pass.in.present = unsigned(length);
    if (tables) {
      pass.roots = tables->roots.as<Complex<R>>();
      pass.in.factors = tables->chirp.as<void>();
    }
    if (!padded)
      return addTransform(axis, pass, written, unsigned(length), result, nullptr);
    pass.inverse = false;
    cufftResult status = addTransform(axis, pass, Elements::Complex, padded, padded, nullptr);
    if (status != CUFFT_SUCCESS)
      return status;
    pass.inverse = true;
    pass.in.elements = Elements::Complex;
    pass.in.present = padded;
    pass.in.factors = tables ? tables->filter.as<void>() : nullptr;
    return addTransform(axis, pass, written, unsigned(length), result,
                        tables ? tables->chirp.as<void>() : nullptr);
  }

  /// Adds the passes of one transform along AXIS. FIRST says how its first pass reads; the last one
  /// writes PRESENT elements as WRITTEN, multiplied by FACTORS, in a line of room for RESULT.
  cufftResult addTransform(int axis, Pass<R> first, Elements written, unsigned present,
                           long long result, const void *factors) {
    std::vector<unsigned> radices = radicesOf(first.length);
    if (copies)
      radices.insert(radices.begin(), 1);
    copies = false;
    Pass<R> pass = first;
    for (size_t i = 0; i < radices.size(); ++i) {
      const bool last = i + 1 == radices.size();
      pass.radix = radices[i];
      if (i > 0) {
        pass.in.elements = Elements::Complex;
        pass.in.present = pass.length;
        pass.in.factors = nullptr;
      }
      pass.out.elements = last ? written : Elements::Complex;
      pass.out.present = last ? present : pass.length;
      pass.out.factors = last ? factors : nullptr;
      if (cufftResult status = add(axis, pass, last ? result : pass.length);
          status != CUFFT_SUCCESS)
        return status;
      pass.previous *= pass.radix;
    }
    return CUFFT_SUCCESS;
  }

  /// Adds PASS along AXIS, which writes lines that have room for SIZE elements.
  cufftResult add(int axis, Pass<R> pass, long long size) {
    sizes[axis] = size;
    Place to;
    if (--passesLeft == 0) {
      to = {target, final};
    } else {
      // Packed; the last axis is the one whose elements are neighbours.
      long long count = 1;
      for (int other = kLast; other >= 0; --other) {
        to.layout.steps[other] = count;
        count *= sizes[other];
      }
      counts[turn] = std::max(counts[turn], size_t(count));
      if (plan)
        to.data = static_cast<Complex<R> *>(plan->workArea) + (turn ? plan->firstBuffer : 0);
      turn = !turn;
    }
    int line = 0;
    for (int other = kLast; other >= 0; --other) {
      if (other == axis)
        continue;
      pass.lines[line] = unsigned(sizes[other]);
      pass.in.lines[line] = source.layout.steps[other];
      pass.out.lines[line] = to.layout.steps[other];
      ++line;
    }
    pass.in.step = source.layout.steps[axis];
    pass.out.step = to.layout.steps[axis];
    pass.alongLines = axis == kLast;
    pass.in.data = source.data;
    pass.out.data = to.data;
    source = to;
    if (pass.butterflies() > UINT32_MAX)
      return CUFFT_INVALID_SIZE;
    if (plan && launchPass(pass, plan->stream) != cudaSuccess)
      return CUFFT_EXEC_FAILED;
    return CUFFT_SUCCESS;
  }

  const Shape &shape;
  Plan *plan;
  void *target;
  bool inverse;
  bool copies; ///< A copy comes first: the only pass would write what it has not read.
  Place source;
  Layout final;
  long long sizes[kAxes];
  int passesLeft = 0, turn = 0;
  size_t counts[2] = {0, 0};
};

/// Finds the elements of the two buffers of the work area. In place may take a pass more.
template <class R> cufftResult measure(const Shape &shape, size_t (&counts)[2]) {
  Passes<R> passes(shape, nullptr, nullptr, nullptr, false);
  cufftResult result = passes.run();
  for (int buffer : {0, 1})
    counts[buffer] = passes.elements(buffer);
  if (counts[0] == 0) { // of one pass: of a copy, in place
    counts[0] = 1;
    for (int axis = 0; axis < kAxes; ++axis)
      counts[0] *= shape.sizes[axis];
  }
  return result;
}

cufftResult measureAny(const Shape &shape, size_t (&counts)[2]) {
  return shape.isDouble ? measure<double>(shape, counts) : measure<float>(shape, counts);
}

size_t bytesOf(const Shape &shape, size_t elements) {
  return elements * (shape.isDouble ? sizeof(Complex<double>) : sizeof(Complex<float>));
}

} // namespace

cufftResult workSizeOf(const Shape &shape, size_t *size) {
  size_t counts[2];
  cufftResult result = measureAny(shape, counts);
  if (result == CUFFT_SUCCESS)
    *size = bytesOf(shape, counts[0] + counts[1]);
  return result;
}

cufftResult makePlan(Plan &plan, const Shape &shape) {
  size_t counts[2];
  if (cufftResult result = measureAny(shape, counts); result != CUFFT_SUCCESS)
    return result;
  for (int axis = 1; axis < kAxes; ++axis) {
    auto &tables = plan.tables[shape.sizes[axis]];
    if (tables)
      continue;
    tables = std::make_unique<Tables>();
    if (!(shape.isDouble ? fillTables<double> : fillTables<float>)(*tables, shape.sizes[axis]))
      return CUFFT_ALLOC_FAILED;
  }
  plan.shape = shape;
  plan.firstBuffer = counts[0];
  plan.workSize = bytesOf(shape, counts[0] + counts[1]);
  if (plan.allocates) {
    if (!plan.own.allocate(plan.workSize))
      return CUFFT_ALLOC_FAILED;
    plan.workArea = plan.own.as<void>();
  }
  plan.isMade = true;
  return CUFFT_SUCCESS;
}

cufftResult execute(Plan &plan, void *in, void *out, int direction) {
  if (!plan.workArea)
    return CUFFT_NO_WORKSPACE;
  const bool inverse = plan.shape.kind == Kind::ComplexToReal ||
                       (plan.shape.kind == Kind::ComplexToComplex && direction == CUFFT_INVERSE);
  return plan.shape.isDouble ? Passes<double>(plan.shape, &plan, in, out, inverse).run()
                             : Passes<float>(plan.shape, &plan, in, out, inverse).run();
}

} // namespace vx::fft
