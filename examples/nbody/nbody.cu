// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravity between all pairs of bodies. A block loads bodies by the tile into shared memory; rsqrtf
// gives the force and sqrtf the total kinetic energy. Bodies and tiles need not fit evenly.
// usage: nbody [bodies [steps]]

#include "../common/example.h"
#include <cmath>
#include <vector>

constexpr float TimeStep = 0.01f;
constexpr float Softening = 0.05f;

__device__ float3 attract(float3 force, float4 self, float4 other) {
  float3 d = make_float3(other.x - self.x, other.y - self.y, other.z - self.z);
  float distance2 = d.x * d.x + d.y * d.y + d.z * d.z + Softening * Softening;
  float inverse = rsqrtf(distance2);
  float strength = other.w * inverse * inverse * inverse; // w is the mass
  force.x += d.x * strength;
  force.y += d.y * strength;
  force.z += d.z * strength;
  return force;
}

__global__ void __launch_bounds__(128)
    stepBodies(const float4 *in, float4 *out, float4 *velocity, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 self = i < n ? in[i] : make_float4(0, 0, 0, 0);
  float3 force = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += blockDim.x) {
    const int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? in[j] : make_float4(0, 0, 0, 0); // a body of no mass
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; ++k)
      force = attract(force, self, tile[k]);
    __syncthreads();
  }
  if (i >= n)
    return;
  float4 v = velocity[i];
  v.x += force.x * TimeStep;
  v.y += force.y * TimeStep;
  v.z += force.z * TimeStep;
  v.w = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); // the speed
  velocity[i] = v;
  out[i] = make_float4(self.x + v.x * TimeStep, self.y + v.y * TimeStep, self.z + v.z * TimeStep,
                       self.w);
}

struct Body {
  double x, y, z, mass, vx, vy, vz;
};

static void referenceStep(std::vector<Body> &bodies) {
  std::vector<Body> next = bodies;
  for (Body &self : next) {
    double fx = 0, fy = 0, fz = 0;
    for (const Body &other : bodies) {
      double dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      double d2 = dx * dx + dy * dy + dz * dz + double(Softening) * Softening;
      double strength = other.mass / (d2 * std::sqrt(d2));
      fx += dx * strength;
      fy += dy * strength;
      fz += dz * strength;
    }
    self.vx += fx * TimeStep;
    self.vy += fy * TimeStep;
    self.vz += fz * TimeStep;
    self.x += self.vx * TimeStep;
    self.y += self.vy * TimeStep;
    self.z += self.vz * TimeStep;
  }
  bodies = next;
}

static long countMismatches(const std::vector<Body> &bodies, const std::vector<float4> &position,
                            const std::vector<float4> &velocity) {
  long mismatches = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body &b = bodies[i];
    double speed = std::sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
    double error = std::fabs(position[i].x - b.x) + std::fabs(position[i].y - b.y) +
                   std::fabs(position[i].z - b.z) + std::fabs(velocity[i].w - speed);
    mismatches += !(error <= 1e-3 * (1 + speed));
  }
  return mismatches;
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 300);
  const int steps = sizeArgument(argc, argv, 2, 3);
  Random random(7);
  std::vector<float4> position(n), velocity(n, make_float4(0, 0, 0, 0));
  std::vector<Body> bodies(n);
  for (int i = 0; i < n; ++i) {
    float x = random.nextFloat(), y = random.nextFloat(), z = random.nextFloat();
    position[i] = make_float4(2 * x - 1, 2 * y - 1, 2 * z - 1, (0.5f + random.nextFloat()) / n);
    const float4 &p = position[i];
    bodies[i] = {p.x, p.y, p.z, p.w, 0, 0, 0};
  }

  const size_t bytes = n * sizeof(float4);
  float4 *current, *next, *deviceVelocity;
  CHECK(cudaMalloc(&current, bytes));
  CHECK(cudaMalloc(&next, bytes));
  CHECK(cudaMalloc(&deviceVelocity, bytes));
  CHECK(cudaMemcpy(current, position.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceVelocity, velocity.data(), bytes, cudaMemcpyHostToDevice));
  const int threads = 64, blocks = (n + threads - 1) / threads;
  DeviceTimer timer;
  for (int step = 0; step < steps; ++step) {
    stepBodies<<<blocks, threads, threads * sizeof(float4)>>>(current, next, deviceVelocity, n);
    CHECK(cudaGetLastError());
    float4 *swap = current;
    current = next;
    next = swap;
  }
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(position.data(), current, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(velocity.data(), deviceVelocity, bytes, cudaMemcpyDeviceToHost));
  for (float4 *pointer : {current, next, deviceVelocity})
    CHECK(cudaFree(pointer));

  for (int step = 0; step < steps; ++step)
    referenceStep(bodies);
  std::printf("nbody: %d bodies, %d steps, %.3f ms\n", n, steps, milliseconds);
  return verdict(countMismatches(bodies, position, velocity));
}
