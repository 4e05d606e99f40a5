// Bytes in flight against bytes a second, from as many mixes of warps, loads and widths as an SM can hold.
#include "measure.cuh"

constexpr size_t MEMORY = size_t(1) << 30;  // bytes that are read at most: 20 times an H100's L2
constexpr int ROUNDS = 4000;  // that are made at most

__device__ uint32_t sum(uint32_t word) { return word; }
__device__ uint32_t sum(uint2 two) { return two.x + two.y; }
__device__ uint32_t sum(uint4 four) { return four.x + four.y + four.z + four.w; }

// In every round each thread has LOADS loads under way and waits for all: the next addresses depend on what came. The
// mask is 0, which the compiler can't know.
template <typename T, int LOADS>
__global__ void __launch_bounds__(1024, 1) read_rounds(const T *__restrict__ from, int rounds, uint32_t mask, uint32_t *sums) {
  size_t threads = size_t(gridDim.x) * blockDim.x, thread = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t i = thread;
  uint32_t own = 0;
  for (int round = 0; round < rounds; ++round) {
    T found[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) found[k] = from[i + k * threads];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) own += sum(found[k]);
    i += LOADS * threads + (own & mask);
  }
  sums[thread] = own;
}

// What a thread's sum must be, without reading: a word holds its index, hashed.
__global__ void count_wrong(int words, int loads, int rounds, const uint32_t *sums, unsigned *wrong) {
  size_t threads = size_t(gridDim.x) * blockDim.x, thread = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  uint32_t own = 0;
  for (size_t load = 0; load < size_t(rounds) * loads; ++load)
    for (int word = 0; word < words; ++word) own += hashed(uint32_t((thread + load * threads) * words + word));
  if (own != sums[thread]) atomicAdd(wrong, 1);
}

struct Bench {
  Buffer<uint32_t> memory, sums;
  Buffer<unsigned> wrong;
  Flush flush;

  Bench() : memory(MEMORY / 4), sums(size_t(gpu().multiProcessorCount) * 2048), wrong(1) {
    fill_hashed<<<gpu().multiProcessorCount * 8, 256>>>(memory.data, memory.count);
    demand_launched();
    demand_finished();
  }
};

// One mix, if an SM can hold it: one block on each SM, or two where the warps are more than a block has.
template <typename T, int LOADS>
static void mix(Bench &bench, int warps) {
  auto kernel = read_rounds<T, LOADS>;
  int on_sm = warps > 32 ? 2 : 1, threads = warps * 32 / on_sm, blocks = gpu().multiProcessorCount * on_sm, held;
  size_t padding = gpu().sharedMemPerMultiprocessor / (on_sm + 1);  // shared memory that keeps more blocks away
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(padding)));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, threads, padding));
  if (held != on_sm) return;
  size_t in_flight = size_t(warps) * 32 * LOADS * sizeof(T), round = in_flight * gpu().multiProcessorCount;
  int rounds = int(MEMORY / round < ROUNDS ? MEMORY / round : ROUNDS);
  if (quick()) rounds = rounds < 500 ? rounds : 500;
  auto launch = [&] {
    kernel<<<blocks, threads, padding>>>(reinterpret_cast<T *>(bench.memory.data), rounds, 0, bench.sums.data);
  };
  bench.sums.fill(0xff);
  bench.wrong.fill(0);
  auto found = seconds(launch, bench.flush);
  count_wrong<<<blocks, threads>>>(sizeof(T) / 4, LOADS, rounds, bench.sums.data, bench.wrong.data);
  demand_launched();
  DEMAND(bench.wrong.host()[0] == 0, "%d warps, %d loads of %zu bytes", warps, LOADS, sizeof(T));
  emit("read", {{"in_flight", in_flight}, {"warps", warps}, {"loads", LOADS}, {"width", sizeof(T)}},
       rates(double(round) * rounds, found), true);
}

template <typename T>
static void mixes(Bench &bench) {
  for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
    mix<T, 1>(bench, warps);
    mix<T, 2>(bench, warps);
    mix<T, 4>(bench, warps);
    mix<T, 8>(bench, warps);
  }
}

int main() {
  Bench bench;
  mixes<uint32_t>(bench);
  mixes<uint2>(bench);
  mixes<uint4>(bench);
}
