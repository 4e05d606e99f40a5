// What keeps an SM's schedulers busy: chains of multiply-adds, by warps and by chains of each; and rounds of one load
// and some multiply-adds, by warps.
//   warp_scheduler
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "measure.cuh"

constexpr int LANES = 32, MOST = 32;  // warps of a block
constexpr int STEPS = 16384;          // multiply-adds of a chain
constexpr int ROUNDS = 512;           // loads of a warp
constexpr int CHAINS = 4;             // that share the multiply-adds of a round: enough to issue one a cycle
constexpr float FACTOR = 0.5f;
constexpr uint32_t ONE = 0x3f800000;  // bits of 1.0: words from here on are numbers of 1 to 2

// Where a block ran, and when.
struct Span {
  uint32_t sm;
  long long begun, ended;
};

__device__ void note(Span *spans, long long begun, long long ended) {
  __shared__ unsigned long long first, last;
  if (threadIdx.x == 0) first = ~0ull, last = 0;
  __syncthreads();
  atomicMin(&first, (unsigned long long)begun);
  atomicMax(&last, (unsigned long long)ended);
  __syncthreads();
  uint32_t sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x == 0) spans[blockIdx.x] = {sm, (long long)first, (long long)last};
}

// Chains of x = 0.5 x + b. With `REGISTERS` the factor is in a register of its own, as x and b are, since it could be
// another for each thread, were `zero` not 0; else it is in the instruction.
template <int ILP, bool REGISTERS>
__global__ void __launch_bounds__(LANES *MOST, 2) chains(float factor, float zero, float *results,
                                                        Span *spans) {
  constexpr int UNROLLED = 256 / ILP;
  float x[ILP];
  const float b = 1 + threadIdx.x % LANES, a = REGISTERS ? fmaf(threadIdx.x, zero, factor) : FACTOR;
#pragma unroll
  for (int i = 0; i < ILP; i++) x[i] = threadIdx.x + i;
  __syncthreads();
  const long long begun = clock64();
#pragma unroll 1
  for (int step = 0; step < STEPS; step += UNROLLED) {
#pragma unroll
    for (int j = 0; j < UNROLLED; j++) {
#pragma unroll
      for (int i = 0; i < ILP; i++) x[i] = fmaf(x[i], a, b);
    }
  }
  const long long ended = clock64();
  float sum = 0;
  for (int i = 0; i < ILP; i++) sum += x[i];
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  note(spans, begun, ended);
}

// Rounds of a load from L2 and `COUNT` multiply-adds with what it gave; the next load waits for all of them, since its
// address is made of what they gave, as far as `zero` lets through. Words lie `ONE` words after the origin.
template <int COUNT>
__global__ void __launch_bounds__(LANES *MOST, 2) rounds(const uint32_t *origin, uint32_t zero, float *results,
                                                        Span *spans) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t word = ONE + thread;
  float x[CHAINS] = {1, 1, 1, 1};
  __syncthreads();
  const long long begun = clock64();
#pragma unroll 2
  for (int round = 0; round < ROUNDS; round++) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(origin + word));
    const float b = __uint_as_float(word);
#pragma unroll
    for (int j = 0; j < COUNT; j++) x[j % CHAINS] = fmaf(x[j % CHAINS], FACTOR, b);
    const uint32_t mixed = __float_as_uint(x[0]) ^ __float_as_uint(x[1]) ^ __float_as_uint(x[2]);
    word |= (mixed ^ __float_as_uint(x[3])) & zero;
  }
  const long long ended = clock64();
  results[thread] = x[0] + x[1] + x[2] + x[3];
  note(spans, begun, ended);
}

// So many warps on every SM: in one block, or in two where one can't have them all.
struct Grid {
  int warps, each, blocks, threads;

  explicit Grid(int warps)
      : warps(warps), each(warps > MOST ? 2 : 1), blocks(each * gpu().multiProcessorCount),
        threads(warps / each * LANES) {}
};

// Mean cycles of the SMs, from the first start to the last end of all that ran on it together.
double mean_cycles(const std::vector<Span> &spans, const Grid &grid) {
  std::map<uint32_t, std::vector<Span>> of;
  for (const Span &span : spans) of[span.sm].push_back(span);
  double sum = 0;
  int count = 0;
  for (const auto &[sm, all] : of) {
    if (int(all.size()) != grid.each) continue;
    long long begun = all[0].begun, ended = all[0].ended;
    for (const Span &one : all) begun = std::min(begun, one.begun), ended = std::max(ended, one.ended);
    sum += ended - begun, count++;
  }
  DEMAND(count > 0, "no SM had %d blocks", grid.each);
  return sum / count;
}

template <typename Launch, typename Right>
std::pair<std::vector<double>, bool> measure(const Grid &grid, Launch launch, Right right) {
  Buffer<float> results(grid.blocks * grid.threads);
  Buffer<Span> spans(grid.blocks);
  results.fill(255);
  std::vector<double> cycles;
  for (int i = 0; i < repetitions() + 1; i++) {
    launch(results.data, spans.data);
    demand_launched();
    const double found = mean_cycles(spans.host(), grid);
    if (i > 0) cycles.push_back(found);  // the first warms up
  }
  bool checked = true;
  const auto all = results.host();
  for (size_t i = 0; i < all.size(); i += 61) checked = checked && all[i] == right(i);  // every lane's, some of all
  return {cycles, checked};
}

template <int ILP, bool REGISTERS>
void measure_chains(const char *series, int warps) {
  const Grid grid(warps);
  const auto right = [&](size_t i) {
    const int thread = i % grid.threads;
    float sum = 0;
    for (int chain = 0; chain < ILP; chain++) {
      float x = thread + chain;
      for (int step = 0; step < 64; step++) x = fmaf(x, FACTOR, 1 + thread % LANES);  // it moves no more
      sum += x;
    }
    return sum;
  };
  auto [cycles, checked] = measure(
      grid, [&](float *out, Span *spans) { chains<ILP, REGISTERS><<<grid.blocks, grid.threads>>>(FACTOR, 0, out, spans); },
      right);
  const double operations = 2.0 * STEPS * ILP * LANES * grid.warps;
  emit(series, {{"warps", double(warps)}, {"chains", double(ILP)}}, rates(operations, cycles), checked);
}

template <int COUNT>
void measure_rounds(int warps) {
  const Grid grid(warps);
  std::vector<uint32_t> words(grid.blocks * grid.threads);
  for (size_t i = 0; i < words.size(); i++) words[i] = ONE + i;
  const Buffer<uint32_t> memory(words);
  const uint32_t *origin = memory.data - ONE;
  const auto right = [&](size_t i) {
    float b, x = 1;
    memcpy(&b, &words[i], sizeof b);
    for (int step = 0; step < 64; step++) x = fmaf(x, FACTOR, b);
    return x + x + x + x;
  };
  auto [cycles, checked] = measure(
      grid, [&](float *out, Span *spans) { rounds<COUNT><<<grid.blocks, grid.threads>>>(origin, 0, out, spans); },
      right);
  for (double &one : cycles) one /= ROUNDS;
  emit("round", {{"instructions", double(COUNT)}, {"warps", double(warps)}}, cycles, checked);
}

int main() {
  for (int warps : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64}) {
    measure_chains<1, false>("chains", warps);
    measure_chains<2, false>("chains", warps);
    measure_chains<4, false>("chains", warps);
    measure_chains<8, false>("chains", warps);
  }
  for (int warps : {4, 8, 16, 32, 64}) {
    measure_chains<1, true>("registers", warps);
    measure_chains<2, true>("registers", warps);
    measure_chains<4, true>("registers", warps);
  }
  for (int warps : {4, 8, 12, 16, 24, 32, 48, 64}) {
    measure_rounds<4>(warps);
    measure_rounds<16>(warps);
    measure_rounds<64>(warps);
    measure_rounds<256>(warps);
  }
}
