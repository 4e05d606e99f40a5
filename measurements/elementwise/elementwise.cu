// y = 2 x + 1 over arrays of every size: after others have filled L2 with what they wrote, or with what they read; with
// the same data still there; and 20 in a row.
#include "measure.cuh"

constexpr int THREADS = 256;

__global__ void scale(const float4 *__restrict__ x, float4 *__restrict__ y) {
  size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
  float4 four = x[i];
  y[i] = make_float4(fmaf(2, four.x, 1), fmaf(2, four.y, 1), fmaf(2, four.z, 1), fmaf(2, four.w, 1));
}

__host__ __device__ inline float number(size_t i) { return float(hashed(uint32_t(i)) >> 8) * 0x1p-24f; }

__global__ void fill_numbers(float *x, size_t count) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) x[i] = number(i);
}

__global__ void count_wrong(const float *y, size_t count, unsigned *wrong) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    if (y[i] != fmaf(2, number(i), 1)) atomicAdd(wrong, 1);
}

// Keeps the GPU busy for so long that the host is ahead: its own way to a launch is not what is timed.
__global__ void spin(long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

int main() {
  constexpr size_t KIB = 1024, MIB = KIB * KIB;
  const std::vector<size_t> sizes = {
      64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB, MIB,      2 * MIB,   4 * MIB,    6 * MIB,    8 * MIB,
      10 * MIB, 12 * MIB,  14 * MIB,  16 * MIB,  20 * MIB, 24 * MIB,  28 * MIB,   32 * MIB,   40 * MIB,
      48 * MIB, 64 * MIB,  96 * MIB,  128 * MIB, 256 * MIB, 512 * MIB, 1024 * MIB, 2048 * MIB, 4096 * MIB};
  size_t largest = sizes.back() / sizeof(float);
  Buffer<float> x(largest), y(largest);
  Buffer<unsigned> wrong(1);
  Flush flush;
  unsigned many = gpu().multiProcessorCount * 8;
  fill_numbers<<<many, 256>>>(x.data, largest);
  demand_launched();
  for (size_t size : sizes) {
    size_t count = size / sizeof(float);
    auto launch = [&] {
      scale<<<unsigned(count / 4 / THREADS), THREADS>>>(reinterpret_cast<const float4 *>(x.data),
                                                        reinterpret_cast<float4 *>(y.data));
    };
    CHECK(cudaMemset(y.data, 0xff, size));
    wrong.fill(0);
    auto flushed = seconds(launch, [&] { CHECK(cudaMemsetAsync(flush.other.data, 1, flush.other.bytes())); });
    auto clean = seconds(launch, flush);
    auto warm = seconds(launch, [] { spin<<<1, 1>>>(100'000); });
    auto row = seconds(launch, [] { spin<<<1, 1>>>(500'000); }, 20, 20);
    count_wrong<<<many, 256>>>(y.data, count, wrong.data);
    demand_launched();
    DEMAND(wrong.host()[0] == 0, "%zu bytes", size);
    emit("moved", {{"mode", "flushed"}, {"size", size}}, rates(2.0 * size, flushed), true);
    emit("moved", {{"mode", "flushed by reads"}, {"size", size}}, rates(2.0 * size, clean), true);
    emit("moved", {{"mode", "warm"}, {"size", size}}, rates(2.0 * size, warm), true);
    emit("moved", {{"mode", "20 launches"}, {"size", size}}, rates(2.0 * size, row), true);
  }
}
