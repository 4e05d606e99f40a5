// What every rung of the ladder is given, and what should come out.
#pragma once

#include "measure.cuh"

constexpr int N = 4096;
constexpr size_t COUNT = size_t(N) * N;
constexpr double OPERATIONS = 2.0 * N * N * N;

// The same product in double precision, of whatever the rung was given.
template <typename T>
__global__ void reference(const T *a, const T *b, double *c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += double(float(a[row * n + k])) * double(float(b[k * n + column]));
  c[row * n + column] = sum;
}

// The squares of the errors and of the reference, each summed.
__global__ void squares(const float *c, const double *wanted, double *sums, size_t count) {
  double error = 0, whole = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    const double off = double(c[i]) - wanted[i];
    error += off * off, whole += wanted[i] * wanted[i];
  }
  atomicAdd(&sums[0], error), atomicAdd(&sums[1], whole);
}

template <typename T>
__global__ void fill(T *values, uint32_t seed) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = T(float(hashed(i ^ seed)) / 2147483648.0f - 1);  // in [-1, 1]
}

// Two matrices of numbers drawn by lot, and their product in double precision.
template <typename T>
struct Task {
  Buffer<T> a{COUNT}, b{COUNT};
  Buffer<float> c{COUNT};
  Buffer<double> wanted{COUNT};

  Task() {
    fill<<<COUNT / 256, 256>>>(a.data, 0x2545f491u);
    fill<<<COUNT / 256, 256>>>(b.data, 0x9e3779b9u);
    reference<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(a.data, b.data, wanted.data, N);
    demand_launched();
    demand_finished();
  }

  template <typename Launch>
  void measure(const char *rung, Launch launch, int wanted_repetitions = 20) {
    c.fill(0xff);  // every float is a NaN
    launch();
    demand_launched();
    Buffer<double> sums{std::vector<double>{0, 0}};
    squares<<<gpu().multiProcessorCount * 4, 256>>>(c.data, wanted.data, sums.data, COUNT);
    demand_launched();
    const std::vector<double> found = sums.host();
    const double error = sqrt(found[0] / found[1]);
    DEMAND(error < 1e-4, "%s is off by %g", rung, error);
    emit("speed", {{"rung", rung}}, rates(OPERATIONS, seconds(launch, wanted_repetitions)), true);
  }
};
