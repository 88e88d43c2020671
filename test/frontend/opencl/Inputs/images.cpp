// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images: formats, samplers, arrays, 3D, copies, against values worked out by hand.

#include "harness.h"
#include <array>
#include <cmath>

static const char *const kSource = R"(
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void copy(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, s, p).zyxw);
}
kernel void sample(read_only image2d_t in, global float4 *out, sampler_t s, global const float2 *at) {
  out[get_global_id(0)] = read_imagef(in, s, at[get_global_id(0)]);
}
kernel void outside(read_only image2d_t in, global float4 *out) { out[0] = read_imagef(in, edge, (int2)(-5, 99)); }
kernel void integers(read_only image3d_t a, read_only image2d_array_t b, read_only image1d_buffer_t c,
                     global int *out) {
  out[0] = read_imagei(a, edge, (int4)(1, 1, 1, 0)).x;
  out[1] = read_imageui(b, (int4)(1, 0, 1, 0)).y;
  out[2] = read_imagei(c, 3).x;
  out[3] = get_image_depth(a) * 100 + get_image_array_size(b) * 10 + get_image_width(c);
}
)";

static cl_mem image(Harness &h, cl_image_desc desc, cl_channel_order order, cl_channel_type type,
                    const void *content) {
  cl_image_format format = {order, type};
  cl_int error;
  cl_mem_flags flags = content ? CL_MEM_COPY_HOST_PTR : 0;
  cl_mem m = clCreateImage(h.context, flags, &format, &desc, const_cast<void *>(content), &error);
  OK(error);
  return m;
}

static cl_sampler sampler(Harness &h, cl_bool normalized, cl_addressing_mode mode,
                          cl_filter_mode filter) {
  cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                  normalized,
                                  CL_SAMPLER_ADDRESSING_MODE,
                                  mode,
                                  CL_SAMPLER_FILTER_MODE,
                                  filter,
                                  0};
  cl_int error;
  cl_sampler s = clCreateSamplerWithProperties(h.context, list, &error);
  OK(error);
  return s;
}

int main() {
  Harness h;
  cl_program program = h.build(kSource, nullptr);

  // 4 x 2 pixels of RGBA, copied with red and blue exchanged into BGRA floats on the way back.
  std::vector<unsigned char> pixels(4 * 2 * 4);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<unsigned char>(i * 8);
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 4;
  desc.image_height = 2;
  cl_mem in = image(h, desc, CL_RGBA, CL_UNORM_INT8, pixels.data());
  cl_mem out = image(h, desc, CL_BGRA, CL_UNORM_INT8, nullptr);
  cl_sampler nearest = sampler(h, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  cl_kernel copy = h.kernel(program, "copy");
  setArg(copy, 0, in);
  setArg(copy, 1, out);
  setArg(copy, 2, nearest);
  size_t range[2] = {4, 2}, origin[3] = {0, 0, 0}, region[3] = {4, 2, 1};
  OK(clEnqueueNDRangeKernel(h.queue, copy, 2, nullptr, range, nullptr, 0, nullptr, nullptr));
  std::vector<unsigned char> back(pixels.size());
  OK(clEnqueueReadImage(h.queue, out, CL_TRUE, origin, region, 0, 0, back.data(), 0, nullptr,
                        nullptr));
  CHECK(back == pixels); // exchanged twice

  // Between four pixels, with each way of addressing.
  std::vector<cl_float2> at = {{{1.0f, 1.0f}}, {{-3.0f, 0.5f}}, {{0.5f, 0.5f}}, {{3.75f, 0.5f}}};
  cl_mem places = h.buffer(at), results = h.buffer(std::vector<cl_float4>(4));
  cl_kernel sample = h.kernel(program, "sample");
  setArg(sample, 0, in);
  setArg(sample, 1, results);
  setArg(sample, 3, places);
  auto near = [](float a, float b) { return std::fabs(a - b) < 1e-5f; };
  auto red = [&](int x, int y) { return pixels[(y * 4 + x) * 4] / 255.0f; };
  setArg(sample, 2, sampler(h, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR));
  h.run(sample, 4, 4);
  std::vector<cl_float4> r = h.read<cl_float4>(results, 4);
  CHECK(near(r[0].s[0], (red(0, 0) + red(1, 0) + red(0, 1) + red(1, 1)) / 4));
  CHECK(near(r[1].s[0], 0) && near(r[1].s[3], 0)); // the border
  CHECK(near(r[2].s[0], red(0, 0)));
  CHECK(near(r[3].s[0], red(3, 0) * 0.75f)); // a quarter of the border
  setArg(sample, 2, sampler(h, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR));
  h.run(sample, 4, 4);
  CHECK(near(h.read<cl_float4>(results, 4)[3].s[0], red(3, 0)));
  at = {{{0.125f, 0.25f}}, {{1.125f, -0.75f}}, {{1.125f, 0.25f}}, {{-0.125f, 0.25f}}};
  OK(clEnqueueWriteBuffer(h.queue, places, CL_TRUE, 0, sizeof(cl_float2) * 4, at.data(), 0, nullptr,
                          nullptr));
  setArg(sample, 2, sampler(h, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST));
  h.run(sample, 4, 4);
  r = h.read<cl_float4>(results, 4);
  CHECK(near(r[0].s[0], red(0, 0)) && near(r[1].s[0], red(0, 0)) && near(r[3].s[0], red(3, 0)));
  setArg(sample, 2, sampler(h, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST));
  h.run(sample, 4, 4);
  r = h.read<cl_float4>(results, 4);
  CHECK(near(r[2].s[0], red(3, 0)) && near(r[3].s[0], red(0, 0)));
  cl_kernel outside = h.kernel(program, "outside");
  setArg(outside, 0, in);
  setArg(outside, 1, results);
  h.run(outside, 1, 1);
  CHECK(near(h.read<cl_float4>(results, 4)[0].s[0], red(0, 1)));

  // Integers, in 3D, in an array, in a buffer.
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[i] = i - 32;
  cl_image_desc cube = {};
  cube.image_type = CL_MEM_OBJECT_IMAGE3D;
  cube.image_width = cube.image_height = cube.image_depth = 2;
  cl_image_desc layers = {};
  layers.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  layers.image_width = layers.image_height = layers.image_array_size = 2;
  cl_image_desc line = {};
  line.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  line.image_width = 5;
  line.buffer = h.buffer(numbers);
  cl_mem a = image(h, cube, CL_R, CL_SIGNED_INT32, numbers.data());
  cl_mem b = image(h, layers, CL_RG, CL_UNSIGNED_INT8, numbers.data());
  cl_mem c = image(h, line, CL_R, CL_SIGNED_INT32, nullptr);
  cl_mem got = h.buffer(std::vector<int>(4));
  cl_kernel integers = h.kernel(program, "integers");
  setArg(integers, 0, a);
  setArg(integers, 1, b);
  setArg(integers, 2, c);
  setArg(integers, 3, got);
  h.run(integers, 1, 1);
  std::vector<int> values = h.read<int>(got, 4);
  CHECK(values[0] == 7 - 32);
  CHECK(values[1] == reinterpret_cast<unsigned char *>(numbers.data())[2 * (4 + 1) + 1]);
  CHECK(values[2] == 3 - 32);
  CHECK(values[3] == 2 * 100 + 2 * 10 + 5);

  // Fill a part; map it.
  float color[4] = {1, 0.5f, 0, 1};
  size_t corner[3] = {1, 1, 0}, part[3] = {2, 1, 1}, rowPitch;
  OK(clEnqueueFillImage(h.queue, in, color, corner, part, 0, nullptr, nullptr));
  cl_int error;
  auto *p = static_cast<unsigned char *>(clEnqueueMapImage(h.queue, in, CL_TRUE, CL_MAP_READ,
                                                           origin, region, &rowPitch, nullptr, 0,
                                                           nullptr, nullptr, &error));
  OK(error);
  CHECK(p[rowPitch + 4] == 255 && p[rowPitch + 5] == 128 && p[rowPitch + 6] == 0);
  CHECK(p[rowPitch + 12] == pixels[28] && p[4] == pixels[4]);
  OK(clEnqueueUnmapMemObject(h.queue, in, p, 0, nullptr, nullptr));

  // The layers of a 1D array are named by the second coordinate; what is not inside is an error.
  cl_image_desc rows = {};
  rows.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  rows.image_width = 4;
  rows.image_array_size = 3;
  cl_mem d = image(h, rows, CL_R, CL_SIGNED_INT32, numbers.data());
  size_t at1[3] = {1, 2, 0}, two[3] = {2, 1, 1}, slicePitch = 0;
  auto mapRows = [&](const size_t *first, const size_t *count) {
    return static_cast<int *>(clEnqueueMapImage(h.queue, d, CL_TRUE, CL_MAP_READ, first, count,
                                                &rowPitch, &slicePitch, 0, nullptr, nullptr,
                                                &error));
  };
  int *mapped = mapRows(at1, two);
  OK(error);
  CHECK(mapped[0] == numbers[2 * 4 + 1] && mapped[1] == numbers[2 * 4 + 2] && slicePitch == 16);
  OK(clEnqueueUnmapMemObject(h.queue, d, mapped, 0, nullptr, nullptr));
  using Three = std::array<size_t, 3>;
  for (auto [first, count] :
       {std::pair(Three{1, 3, 0}, Three{2, 1, 1}), std::pair(Three{1, 2, 1}, Three{2, 1, 1}),
        std::pair(Three{1, 2, 0}, Three{2, 1, 2}), std::pair(Three{3, 2, 0}, Three{2, 1, 1})}) {
    CHECK(!mapRows(first.data(), count.data()) && error == CL_INVALID_VALUE);
    CHECK(clEnqueueReadImage(h.queue, d, CL_TRUE, first.data(), count.data(), 0, 0, numbers.data(),
                             0, nullptr, nullptr) == CL_INVALID_VALUE);
  }
  std::puts("images work");
}
