// A warp's loads from shared memory, lane by lane at given places: cycles for a load with many warps and with one,
// latency of loads that wait for each other, and single loads to count wavefronts of.
//   bank_conflicts time|count FILE
// The file has a line for each pattern: bytes of a load, then the 32 lanes' places [B].
#include <algorithm>
#include <cstring>
#include <fstream>

#include "measure.cuh"

constexpr int LANES = 32, MANY = 32;  // warps of a full block
constexpr int WORDS = 2048;           // of shared memory
constexpr int ROUNDS = 64, UNROLLED = 16, LOADS = ROUNDS * UNROLLED;
constexpr int COUNTED = 64;  // loads in a kernel whose wavefronts are counted

struct Pattern {
  int bytes;
  uint32_t places[LANES];
};

// Every word of shared memory holds its own address, so that what a load gives is where the next one goes.
__device__ uint32_t fill(uint32_t *words) {
  const uint32_t base = __cvta_generic_to_shared(words);
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) words[i] = base + 4 * i;
  __syncthreads();
  return base;
}

// The first word of a load; volatile, so that none is left out or done once for many.
template <int BYTES>
__device__ uint32_t load(uint32_t address) {
  uint32_t first, second, third, fourth;
  if constexpr (BYTES == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(first) : "r"(address));
  if constexpr (BYTES == 8)
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(first), "=r"(second) : "r"(address));
  if constexpr (BYTES == 16)
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth)
                 : "r"(address));
  return first;
}

// Loads that need not wait for each other. When each warp began and ended, and whether it got the right words.
template <int BYTES>
__global__ void __launch_bounds__(LANES * MANY) independent(Pattern pattern, long long *begun, long long *ended, int *wrong) {
  __shared__ alignas(128) uint32_t words[WORDS];
  const uint32_t address = fill(words) + pattern.places[threadIdx.x % LANES];
  uint32_t seen = 0;
  const long long start = clock64();
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t got[UNROLLED];
#pragma unroll
    for (int i = 0; i < UNROLLED; i++) got[i] = load<BYTES>(address);
#pragma unroll
    for (int i = 0; i < UNROLLED; i++) seen += got[i];
  }
  const long long stop = clock64();
  if (seen != address * uint32_t(LOADS)) atomicAdd(wrong, 1);
  if (threadIdx.x % LANES == 0) begun[threadIdx.x / LANES] = start, ended[threadIdx.x / LANES] = stop;
}

// Loads of which each goes where the one before says: always to the same place.
template <int BYTES>
__global__ void dependent(Pattern pattern, long long *begun, long long *ended, int *wrong) {
  __shared__ alignas(128) uint32_t words[WORDS];
  const uint32_t first = fill(words) + pattern.places[threadIdx.x];
  uint32_t address = first;
  const long long start = clock64();
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int i = 0; i < UNROLLED; i++) address = load<BYTES>(address);
  }
  const long long stop = clock64();
  if (address != first) atomicAdd(wrong, 1);
  if (threadIdx.x == 0) begun[0] = start, ended[0] = stop;
}

template <int BYTES>
__global__ void counted(Pattern pattern) {
  __shared__ alignas(128) uint32_t words[WORDS];
  const uint32_t address = fill(words) + pattern.places[threadIdx.x];
#pragma unroll
  for (int i = 0; i < COUNTED; i++) load<BYTES>(address);
}

using Timed = void (*)(Pattern, long long *, long long *, int *);

// Cycles for a load, from the first warp's start to the last one's end: at full load some begin late.
void measure(const char *series, int index, Timed kernel, const Pattern &pattern, int warps) {
  Buffer<long long> begun(warps), ended(warps);
  Buffer<int> wrong(1);
  wrong.fill(0);
  std::vector<double> cycles;
  for (int i = 0; i < repetitions() + 1; i++) {
    kernel<<<1, warps * LANES>>>(pattern, begun.data, ended.data, wrong.data);
    demand_launched();
    const auto from = begun.host(), to = ended.host();
    const double whole = *std::max_element(to.begin(), to.end()) - *std::min_element(from.begin(), from.end());
    if (i > 0) cycles.push_back(whole / (double(LOADS) * warps));  // the first warms up
  }
  emit(series, {{"pattern", double(index)}}, cycles, wrong.host()[0] == 0);
}

void run(bool count, int index, const Pattern &pattern) {
  const int bytes = pattern.bytes;
  if (count) {
    const auto kernel = bytes == 4 ? counted<4> : bytes == 8 ? counted<8> : counted<16>;
    kernel<<<1, LANES>>>(pattern);
    demand_launched();
    demand_finished();
    return;
  }
  const Timed free = bytes == 4 ? independent<4> : bytes == 8 ? independent<8> : independent<16>;
  const Timed chained = bytes == 4 ? dependent<4> : bytes == 8 ? dependent<8> : dependent<16>;
  measure("cycles", index, free, pattern, MANY);
  measure("alone", index, free, pattern, 1);
  measure("latency", index, chained, pattern, 1);
}

int main(int count, char **words) {
  DEMAND(count == 3, "usage: bank_conflicts time|count FILE");
  std::ifstream file(words[2]);
  Pattern pattern;
  for (int index = 0; file >> pattern.bytes; index++) {
    for (uint32_t &place : pattern.places) {
      DEMAND(file >> place, "a pattern has %d places", LANES);
      DEMAND(place % pattern.bytes == 0 && place + pattern.bytes <= WORDS * 4, "place %u", place);
    }
    run(!strcmp(words[1], "count"), index, pattern);
  }
}
