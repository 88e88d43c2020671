// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference functions in long double that the host's C library does not have.

#ifndef VX_TEST_DEVICE_MATH_REFERENCE_H
#define VX_TEST_DEVICE_MATH_REFERENCE_H

namespace ref {

long double sinpi(long double x);
long double cospi(long double x);
long double exp10(long double x);
long double rsqrt(long double x);
long double rcbrt(long double x);
long double erfcx(long double x);
long double erfinv(long double x);
long double erfcinv(long double x);
long double normcdf(long double x);
long double normcdfinv(long double x);
long double i0(long double x);
long double i1(long double x);
long double rhypot(long double x, long double y);

} // namespace ref

#endif // VX_TEST_DEVICE_MATH_REFERENCE_H
