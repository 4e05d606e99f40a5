// Throughput against occupancy: a copy with one and with four loads of a thread in flight, and chains of multiply-adds,
// one and four of a thread. How many blocks an SM takes is set by the shared memory that each asks for.
//   occupancy
#include <cmath>

#include "measure.cuh"

constexpr int LANES = 32, THREADS = 128;    // of a block: a warp for each scheduler
constexpr size_t PIECES = size_t(1) << 25;  // of 16 bytes: ten times L2
constexpr int STEPS = 65536;                // multiply-adds of a chain
constexpr float FACTOR = 0.5f;
constexpr int BLOCKS[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16};  // of an SM

template <int LOADS>
__global__ void __launch_bounds__(THREADS) copy(const uint4 *from, uint4 *to) {
  const size_t step = size_t(gridDim.x) * THREADS;
#pragma unroll 1
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < PIECES; i += step * LOADS) {
    uint4 pieces[LOADS];
#pragma unroll
    for (int j = 0; j < LOADS; j++) {
      if (i + j * step < PIECES) pieces[j] = from[i + j * step];
    }
#pragma unroll
    for (int j = 0; j < LOADS; j++) {
      if (i + j * step < PIECES) to[i + j * step] = pieces[j];
    }
  }
}

template <int CHAINS>
__global__ void __launch_bounds__(THREADS) multiply_add(float *results) {
  constexpr int UNROLLED = 256 / CHAINS;
  float x[CHAINS], sum = 0;
  const float b = 1 + threadIdx.x % LANES;
#pragma unroll
  for (int i = 0; i < CHAINS; i++) x[i] = threadIdx.x + i;
#pragma unroll 1
  for (int step = 0; step < STEPS; step += UNROLLED) {
#pragma unroll
    for (int j = 0; j < UNROLLED; j++) {
#pragma unroll
      for (int i = 0; i < CHAINS; i++) x[i] = fmaf(x[i], FACTOR, b);
    }
  }
#pragma unroll
  for (int i = 0; i < CHAINS; i++) sum += x[i];
  results[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void compare(const uint4 *from, const uint4 *to, unsigned long long *wrong) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < PIECES; i += step) {
    const uint4 a = from[i], b = to[i];
    if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w) atomicAdd(wrong, 1ull);
  }
}

// Shared memory of a block with which an SM takes so many of a kernel's, and no more.
template <typename Kernel>
int shared_for(Kernel kernel, int blocks) {
  const int whole = gpu().sharedMemPerMultiprocessor, reserve = gpu().reservedSharedMemPerBlock;
  const int share = whole / blocks / 128 * 128 - reserve, most = gpu().sharedMemPerBlockOptin;
  const int bytes = share < most ? share : most;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  int found;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found, kernel, THREADS, bytes));
  DEMAND(found == blocks, "an SM takes %d blocks of %d bytes, not %d", found, bytes, blocks);
  return bytes;
}

template <int LOADS>
void measure_copy(int blocks, const Buffer<uint4> &from, Buffer<uint4> &to) {
  const int bytes = shared_for(copy<LOADS>, blocks), grid = blocks * gpu().multiProcessorCount;
  to.fill(255);
  const auto times = seconds([&] { copy<LOADS><<<grid, THREADS, bytes>>>(from.data, to.data); });
  Buffer<unsigned long long> wrong(1);
  wrong.fill(0);
  compare<<<1024, 512>>>(from.data, to.data, wrong.data);
  demand_launched();
  emit("copy", {{"warps", double(blocks * THREADS / LANES)}, {"loads", double(LOADS)}},
       rates(2.0 * PIECES * sizeof(uint4), times), wrong.host()[0] == 0);
}

template <int CHAINS>
void measure_multiply_add(int blocks) {
  const int bytes = shared_for(multiply_add<CHAINS>, blocks), grid = blocks * gpu().multiProcessorCount;
  Buffer<float> results(grid * THREADS);
  results.fill(255);
  const auto times = seconds([&] { multiply_add<CHAINS><<<grid, THREADS, bytes>>>(results.data); });
  bool checked = true;
  const auto found = results.host();
  for (int i = 0; i < grid * THREADS; i += 61) {  // every lane's, some of all
    float sum = 0;
    for (int chain = 0; chain < CHAINS; chain++) {
      float x = i % THREADS + chain;
      for (int step = 0; step < 64; step++) x = fmaf(x, FACTOR, 1 + i % LANES);  // it moves no more
      sum += x;
    }
    checked = checked && found[i] == sum;
  }
  emit("multiply_add", {{"warps", double(blocks * THREADS / LANES)}, {"chains", double(CHAINS)}},
       rates(2.0 * STEPS * CHAINS * grid * THREADS, times), checked);
}

int main() {
  Buffer<uint4> from(PIECES), to(PIECES);
  fill_hashed<<<1024, 512>>>(reinterpret_cast<uint32_t *>(from.data), PIECES * 4);
  demand_launched();
  for (int blocks : BLOCKS) {
    measure_copy<1>(blocks, from, to);
    measure_copy<4>(blocks, from, to);
    measure_multiply_add<1>(blocks);
    measure_multiply_add<4>(blocks);
  }
}
