// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set: every pixel iterates until it escapes, so the threads of a warp leave the
// loop at different times. The reference runs the very same function on the host. usage: mandelbrot
// [width [height [iterations]]]

#include "../common/example.h"
#include <vector>

struct View {
  double left, top, step;
};

// The products are rounded one by one on both sides: contracting them to a fused multiply-add would
// move pixels on the border of the set.
__host__ __device__ inline double product(double x, double y) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(x, y);
#else
  volatile double z = x * y;
  return z;
#endif
}

__host__ __device__ inline int escapeTime(double cx, double cy, int limit) {
  double x = 0, y = 0;
  for (int i = 0; i < limit; ++i) {
    double xx = product(x, x), yy = product(y, y);
    if (xx + yy > 4.0)
      return i;
    y = product(x + x, y) + cy;
    x = xx - yy + cx;
  }
  return limit;
}

__host__ __device__ inline int pixel(View view, int x, int y, int limit) {
  return escapeTime(view.left + product(view.step, x), view.top - product(view.step, y), limit);
}

__global__ void mandelbrot(int *image, int width, int height, View view, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    image[y * width + x] = pixel(view, x, y, limit);
}

static void draw(const std::vector<int> &image, int width, int height, int limit) {
  const int columns = width < 72 ? width : 72, rows = height < 24 ? height : 24;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      int value = image[row * height / rows * width + column * width / columns];
      std::putchar(value == limit ? '#' : " .:-=+*"[value > 24 ? 6 : value / 4]);
    }
    std::putchar('\n');
  }
}

int main(int argc, char **argv) {
  const int width = sizeArgument(argc, argv, 1, 150);
  const int height = sizeArgument(argc, argv, 2, 100);
  const int limit = sizeArgument(argc, argv, 3, 100);
  const View view = {-2.1, 1.2, 3.0 / width};
  std::vector<int> image(size_t(width) * height);
  int *deviceImage;
  CHECK(cudaMalloc(&deviceImage, image.size() * sizeof(int)));

  const dim3 threads(16, 8);
  const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  DeviceTimer timer;
  mandelbrot<<<blocks, threads>>>(deviceImage, width, height, view, limit);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(image.data(), deviceImage, image.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceImage));

  draw(image, width, height, limit);
  long mismatches = 0, total = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      mismatches += image[y * width + x] != pixel(view, x, y, limit);
      total += image[y * width + x];
    }
  std::printf("mandelbrot: %d x %d, %ld iterations, %.3f ms\n", width, height, total, milliseconds);
  return verdict(mismatches);
}
