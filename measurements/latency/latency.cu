// How far away data are: one thread follows pointers, each of which lies where the last one pointed.
#include <cooperative_groups.h>

#include <algorithm>

#include "measure.cuh"

namespace cg = cooperative_groups;

constexpr size_t LINE = 128, PAGE = size_t(2) << 20;
constexpr int STEPS = 4096;

constexpr int LINES = 64, ASKED = 256;  // lines that every SM asks for, one after the other, and how often
constexpr size_t APART = (size_t(64) << 10) + LINE;  // bytes from one to the next

// The order in which n places are visited: i -> (a i + c) mod n, which meets all of them before it comes back
// (Hull and Dobell: c shares no factor with n, and a - 1 has all prime factors of n, and 4 if n has it).
struct Order {
  uint64_t n, a, c;

  explicit Order(uint64_t n) : n(n), a(1), c(1) {
    uint64_t odd = n;
    while (odd % 2 == 0) odd /= 2;
    uint64_t unit = 4 * odd;
    if (n > unit) a = 1 + std::max<uint64_t>(1, uint64_t(0.3819 * n / unit)) * unit;
    c = uint64_t(0.6180339887 * n) | 1;
    while (gcd(c, n) != 1) c += 2;
  }
  static uint64_t gcd(uint64_t x, uint64_t y) { return y ? gcd(y, x % y) : x; }
  __host__ __device__ uint64_t next(uint64_t i) const { return (a * i + c) % n; }
  uint64_t after(uint64_t i, uint64_t steps) const {
    while (steps--) i = next(i);
    return i;
  }
};

// Where a place lies: line after line, or somewhere in each page, so that pages don't crowd one set of the cache.
__host__ __device__ inline size_t address(uint64_t i, bool pages) {
  return pages ? i * PAGE + hashed(uint32_t(i)) % (PAGE / LINE) * LINE : i * LINE;
}

__global__ void lay(char *memory, Order order, bool pages) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < order.n; i += step)
    *reinterpret_cast<char **>(memory + address(i, pages)) = memory + address(order.next(i), pages);
}

template <bool L1>
__device__ const char *follow(const char *at) {
  const char *next;
  if (L1)
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at));
  else
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at));
  return next;
}

// Follow `before` pointers to warm the caches, then time STEPS of them.
template <bool L1>
__global__ void chase(const char *at, uint64_t before, const char **reached, long long *cycles) {
  for (uint64_t i = 0; i < before; ++i) at = follow<L1>(at);
  long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < STEPS; ++i) at = follow<L1>(at);
  *reached = at;  // waits for the last pointer
  __threadfence_block();
  *cycles = clock64() - begin;
}

// One set of places: walked once in whole where it may fit a cache, then in pieces, one a repetition. Pages are met
// past L1, which would hold the lines of a thousand.
static std::vector<double> walk(char *memory, uint64_t places, bool pages, bool fits, const Flush &flush) {
  Order order(places);
  lay<<<gpu().multiProcessorCount * 8, 256>>>(memory, order, pages);
  demand_launched();
  flush();  // of what was laid last, some would lie in L2
  demand_finished();
  Buffer<const char *> reached(1);
  auto kernel = pages ? chase<false> : chase<true>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
  Buffer<long long> cycles(1);
  bool small = !pages && places * LINE <= (size_t(512) << 10);  // L1 forgets at a launch's end: warm it in each
  uint64_t at = 0;
  std::vector<double> found;
  for (int i = -1; i < repetitions(); ++i) {
    uint64_t before = (i < 0 ? fits : small) ? places : 0;
    kernel<<<1, 1>>>(memory + address(at, pages), before, reached.data, cycles.data);
    demand_launched();
    demand_finished();
    at = order.after(at, (before + STEPS) % places);
    DEMAND(reached.host()[0] == memory + address(at, pages), "%zu places", size_t(places));
    if (i >= 0) found.push_back(double(cycles.host()[0]) / STEPS);
  }
  return found;
}

// Every SM, from a block of its own, asks past L1 for each of some lines again and again: a line points at itself.
__global__ void ask_lines(const char *memory, unsigned *sm, float *cycles) {
  asm("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
  for (int turn = 0; turn < LINES; ++turn) {
    int line = (turn + blockIdx.x) % LINES;  // no line is asked for by all at once
    const char *own = memory + line * APART, *at = follow<false>(own);
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < ASKED; ++i) at = follow<false>(at);
    if (at != own) return;  // and so waits for the last
    cycles[blockIdx.x * LINES + line] = float(clock64() - begin) / ASKED;
  }
}

static void lines(char *memory) {
  std::vector<char *> own(LINES);
  for (int line = 0; line < LINES; ++line) {
    own[line] = memory + line * APART;
    CHECK(cudaMemcpy(own[line], &own[line], sizeof own[line], cudaMemcpyHostToDevice));
  }
  const int sms = gpu().multiProcessorCount;
  Buffer<unsigned> sm(sms);
  Buffer<float> cycles(size_t(sms) * LINES);
  cycles.fill(0);
  size_t padding = gpu().sharedMemPerMultiprocessor / 2;  // shared memory that keeps a second block away
  CHECK(cudaFuncSetAttribute(ask_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, int(padding)));
  ask_lines<<<sms, 1, padding>>>(memory, sm.data, cycles.data);
  demand_launched();
  demand_finished();
  std::vector<unsigned> where = sm.host();
  std::vector<float> found = cycles.host();
  std::vector<int> blocks(sms);
  for (int block = 0; block < sms; ++block) blocks[block] = block;
  std::sort(blocks.begin(), blocks.end(), [&](int one, int other) { return where[one] < where[other]; });
  for (int block : blocks) {
    std::vector<double> of_sm(found.begin() + block * LINES, found.begin() + (block + 1) * LINES);
    DEMAND(*std::min_element(of_sm.begin(), of_sm.end()) > 0, "SM %u", where[block]);
    emit("lines", {{"sm", where[block]}}, of_sm, true);
  }
}

static std::vector<size_t> sizes(size_t largest) {
  std::vector<size_t> found;
  for (size_t octave = 1024; octave < largest; octave *= 2)
    for (int eighth = 8; eighth < 16; ++eighth) {
      bool fine = octave >= (16 << 20) && octave < (64 << 20) || octave == (128 << 10);
      bool half = octave >= (64 << 10) && octave < (size_t(256) << 20);
      if (eighth == 8 || fine || half && eighth % 4 == 0) found.push_back(octave / 8 * eighth);
    }
  found.push_back(largest);
  return found;
}

static Place exactly(const char *axis, size_t value) {  // all digits of a large number
  Place place(axis, 0.0);
  place.json = Place::quoted(axis) + ": " + std::to_string(value);
  return place;
}

static void memories() {
  Flush flush;
  size_t vacant, all, largest = 64 << 20;
  CHECK(cudaMemGetInfo(&vacant, &all));
  while (largest * 2 < vacant) largest *= 2;
  Buffer<char> memory(largest);
  lines(memory.data);
  for (size_t size : sizes(largest))
    emit("chase", {exactly("working_set", size)}, walk(memory.data, size / LINE, false, size <= (96 << 20), flush), true);
  for (uint64_t pages = 1; pages <= largest / PAGE; pages *= 2)
    emit("pages", {{"pages", pages}}, walk(memory.data, pages, true, true, flush), true);
}

constexpr int PLACES = 3072;  // of shared memory that are visited

// Through the own block's shared memory, by its 32-bit addresses.
__global__ void chase_own(Order order, unsigned, uint32_t *reached, long long *cycles) {
  __shared__ uint32_t places[PLACES];
  uint32_t base = uint32_t(__cvta_generic_to_shared(places)), at = base;
  for (int i = threadIdx.x; i < PLACES; i += blockDim.x) places[i] = base + 4 * uint32_t(order.next(i));
  __syncthreads();
  if (threadIdx.x) return;
  long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < STEPS; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  *reached = (at - base) / 4;
  __threadfence_block();
  *cycles = clock64() - begin;
}

// Block 0 of a cluster follows pointers through the shared memory of block `rank`.
__global__ void chase_cluster(Order order, unsigned rank, uint32_t *reached, long long *cycles) {
  __shared__ const void *places[PLACES];
  cg::cluster_group cluster = cg::this_cluster();
  const void **there = cluster.map_shared_rank(places, rank);
  cluster.sync();  // the other block runs: its memory may be written
  if (cluster.block_rank() == 0)
    for (int i = threadIdx.x; i < PLACES; i += blockDim.x) there[i] = &there[order.next(i)];
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    const void *at = there;
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; ++i) asm volatile("ld.u64 %0, [%0];" : "+l"(at));
    *reached = uint32_t(static_cast<const void *const *>(at) - there);
    __threadfence_block();
    *cycles = clock64() - begin;
  }
  cluster.sync();  // nobody leaves while its memory is read
}

using Chase = void (*)(Order, unsigned, uint32_t *, long long *);

static std::vector<double> shared(Chase kernel, unsigned blocks, unsigned rank) {
  Order order(PLACES);
  Buffer<uint32_t> reached(1);
  Buffer<long long> cycles(1);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = blocks;
  launch.blockDim = 128;
  launch.attrs = &cluster;
  launch.numAttrs = 1;
  std::vector<double> found;
  for (int i = -1; i < repetitions(); ++i) {
    CHECK(cudaLaunchKernelEx(&launch, kernel, order, rank, reached.data, cycles.data));
    demand_finished();
    uint64_t expected = order.after(0, STEPS % PLACES);
    DEMAND(reached.host()[0] == expected, "shared memory of block %u of %u", rank, blocks);
    if (i >= 0) found.push_back(double(cycles.host()[0]) / STEPS);
  }
  return found;
}

int main() {
  emit("shared", {{"working_set", PLACES * 4}}, shared(chase_own, 1, 0), true);
  for (unsigned blocks : {2, 4, 8})
    for (unsigned rank = 0; rank < blocks; ++rank)
      emit("cluster", {{"blocks", blocks}, {"rank", rank}}, shared(chase_cluster, blocks, rank), true);
  memories();
}
