// One thread follows pointers through more and more memory: L1, both halves of L2, HBM, and pages without end.
#include "chase.cuh"

constexpr size_t LINE = 128, PAGE = size_t(2) << 20;

// Where a place lies: line after line, or somewhere in each page, so that pages don't crowd one set of the cache.
__host__ __device__ inline size_t address(uint64_t i, bool pages) {
  return pages ? i * PAGE + hashed(uint32_t(i)) % (PAGE / LINE) * LINE : i * LINE;
}

__global__ void lay(char *memory, Order order, bool pages) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < order.n; i += step)
    *reinterpret_cast<char **>(memory + address(i, pages)) = memory + address(order.next(i), pages);
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

int main() {
  Flush flush;
  size_t vacant, all, largest = 64 << 20;
  CHECK(cudaMemGetInfo(&vacant, &all));
  while (largest * 2 < vacant) largest *= 2;
  Buffer<char> memory(largest);
  for (size_t size : sizes(largest))
    emit("chase", {exactly("working_set", size)}, walk(memory.data, size / LINE, false, size <= (96 << 20), flush), true);
  for (uint64_t pages = 1; pages <= largest / PAGE; pages *= 2)
    emit("pages", {{"pages", pages}}, walk(memory.data, pages, true, true, flush), true);
}
