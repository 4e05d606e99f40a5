// Tiles copied ahead by hand: S buffers in shared memory, filled by cp.async, each refilled as soon as it was read.
// Cycles for a tile, by buffers and by the arithmetic on each; alone on the GPU, and with every SM at it.
//   pipelining
#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure.cuh"

constexpr int THREADS = 128, PIECES = 256;  // of 16 bytes in a tile: 4 KB, two copies of a thread
constexpr int WORDS = PIECES * 4;           // of a tile
constexpr int TILES = 512;                  // of a block
constexpr size_t ALL = size_t(1) << 26;     // pieces in memory, 1 GB: no launch finds in L2 what another has read
constexpr float FACTOR = 0.5f;
constexpr int CHAINS[] = {32, 64, 128, 192, 256, 384};  // multiply-adds, one after the other

__global__ void fill_numbers(uint32_t *words, size_t count) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    words[i] = 0x3f800000 | hashed(uint32_t(i)) >> 9;  // numbers of 1 to 2
  }
}

__device__ void request(uint4 *buffer, const uint4 *tile) {
#pragma unroll
  for (int i = 0; i < PIECES / THREADS; i++) {
    const int piece = i * THREADS + threadIdx.x;
    const uint32_t to = __cvta_generic_to_shared(buffer + piece);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(tile + piece) : "memory");
  }
}

// The word of a tile that a thread works on: one that another thread has asked for.
__host__ __device__ inline int word_of(int thread) { return (thread * 9 + 5) % WORDS; }

// `LOADED` false leaves the copies out: what is left is the arithmetic.
template <int STAGES, bool LOADED>
__global__ void __launch_bounds__(THREADS) pipeline(const uint4 *from, int chain, float *results, long long *cycles) {
  __shared__ alignas(128) uint4 buffers[STAGES][PIECES];
  const uint4 *tiles = from + size_t(blockIdx.x) * TILES * PIECES;
  float sum = 0;
  int slot = 0;
  for (int i = threadIdx.x; !LOADED && i < STAGES * PIECES; i += THREADS) buffers[i / PIECES][i % PIECES] = tiles[i];
  __syncthreads();
  const long long begun = clock64();
#pragma unroll
  for (int stage = 0; stage < STAGES; stage++) {
    if (LOADED) request(buffers[stage], tiles + stage * PIECES);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
#pragma unroll 1
  for (int tile = 0; tile < TILES; tile++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
    __syncthreads();
    const float b = reinterpret_cast<volatile const float *>(buffers[slot])[word_of(threadIdx.x)];
    float x = b;
#pragma unroll 16
    for (int j = 0; j < chain; j++) x = fmaf(x, FACTOR, b);
    sum += x;
    __syncthreads();
    if (LOADED && tile + STAGES < TILES) request(buffers[slot], tiles + (tile + STAGES) * PIECES);
    asm volatile("cp.async.commit_group;" ::: "memory");  // an empty one at the end, so that the wait counts right
    slot = slot + 1 == STAGES ? 0 : slot + 1;
  }
  const long long ended = clock64();
  results[blockIdx.x * THREADS + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = ended - begun;
}

// What a thread's sum must be: the chain comes to rest long before its end.
float sum_of(const std::vector<uint4> &tiles, int thread, int chain, int stages, bool loaded) {
  float sum = 0;
  for (int tile = 0; tile < TILES; tile++) {
    const int source = loaded ? tile : tile % stages;
    const float b = reinterpret_cast<const float *>(tiles.data())[size_t(source) * WORDS + word_of(thread)];
    float x = b;
    for (int j = 0; j < std::min(chain, 64); j++) x = fmaf(x, FACTOR, b);
    sum += x;
  }
  return sum;
}

// Tiles that no launch has read for long, in turns.
const uint4 *next(const Buffer<uint4> &memory, int blocks) {
  static size_t at = 0;
  const size_t size = size_t(blocks) * TILES * PIECES;
  if (at + size > ALL) at = 0;
  at += size;
  return memory.data + at - size;
}

template <int STAGES, bool LOADED>
std::pair<std::vector<double>, bool> measure(const Buffer<uint4> &memory, int blocks, int chain) {
  Buffer<float> results(blocks * THREADS);
  Buffer<long long> cycles(blocks);
  std::vector<double> found;
  bool checked = true;
  for (int i = 0; i < repetitions() + 1; i++) {
    const uint4 *tiles = next(memory, blocks);
    results.fill(255);
    pipeline<STAGES, LOADED><<<blocks, THREADS>>>(tiles, chain, results.data, cycles.data);
    demand_launched();
    const auto all = cycles.host();
    if (i > 0) {
      found.push_back(std::accumulate(all.begin(), all.end(), 0.0) / blocks / TILES);
      continue;  // the first warms up, and is checked
    }
    const int block = blocks - 1;
    const auto sums = results.host(size_t(block) * THREADS);
    const auto own = memory.host(tiles - memory.data + size_t(block) * TILES * PIECES, size_t(TILES) * PIECES);
    for (int thread = 0; thread < THREADS; thread += 5) {
      checked = checked && sums[thread] == sum_of(own, thread, chain, STAGES, LOADED);
    }
  }
  return {found, checked};
}

template <int STAGES>
void measure_stages(const Buffer<uint4> &memory) {
  for (int chain : CHAINS) {
    const std::vector<Place> at = {{"stages", double(STAGES)}, {"chain", double(chain)}};
    const auto [alone, right] = measure<STAGES, true>(memory, 1, chain);
    emit("alone", at, alone, right);
    const auto [shared, too] = measure<STAGES, true>(memory, gpu().multiProcessorCount, chain);
    emit("shared", at, shared, too);
    if (STAGES == 1) {
      const auto [arithmetic, also] = measure<STAGES, false>(memory, 1, chain);
      emit("arithmetic", {{"chain", double(chain)}}, arithmetic, also);
    }
  }
}

int main() {
  const Buffer<uint4> memory(ALL);
  fill_numbers<<<1024, 512>>>(reinterpret_cast<uint32_t *>(memory.data), ALL * 4);
  demand_launched();
  measure_stages<1>(memory);
  measure_stages<2>(memory);
  measure_stages<3>(memory);
  measure_stages<4>(memory);
  measure_stages<5>(memory);
  measure_stages<6>(memory);
}
