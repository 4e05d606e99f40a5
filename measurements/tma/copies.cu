// A copy by loads and stores of many threads, and by tiles that one thread of each SM hands to the copy engine.
#include <algorithm>
#include <cstring>

#include "bulk.cuh"

constexpr size_t SIZE = size_t(1) << 30;  // bytes that are copied: 20 times an H100's L2
constexpr int LOADS = 4;                  // of 16 bytes, which a thread has under way

__global__ void __launch_bounds__(1024, 2) copy_loads(const uint4 *from, uint4 *to, size_t count) {
  size_t piece = size_t(blockDim.x) * LOADS;
  for (size_t first = blockIdx.x * piece + threadIdx.x; first < count; first += gridDim.x * piece) {
    uint4 found[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) found[k] = from[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) to[first + k * blockDim.x] = found[k];
  }
}

// One thread to a block: tiles come into the buffers in turn, and leave from there.
__global__ void copy_bulk(const char *from, char *to, unsigned tile, int tiles) {
  extern __shared__ __align__(128) char buffers[];
  __shared__ uint64_t full[STAGES];
  auto place = [&](int turn) { return (blockIdx.x + size_t(turn) * gridDim.x) * tile; };
  auto buffer = [&](int turn) { return buffers + turn % STAGES * tile; };
  int own = (tiles - int(blockIdx.x) + int(gridDim.x) - 1) / int(gridDim.x);
  auto load = [&](int turn) {
    if (turn >= own) return;
    arrive_expecting(&full[turn % STAGES], tile);
    load_bulk(buffer(turn), from + place(turn), tile, &full[turn % STAGES]);
  };
  for (int stage = 0; stage < STAGES; ++stage) set_up(&full[stage], 1);
  show_barriers();
  for (int turn = 0; turn < STAGES; ++turn) load(turn);
  for (int turn = 0; turn < own; ++turn) {
    wait(&full[turn % STAGES], turn / STAGES & 1);
    store_bulk(to + place(turn), buffer(turn), tile);
    if (turn == 0) continue;
    wait_but_for_newest();
    load(turn - 1 + STAGES);  // where the tile of the last turn was
  }
  wait_for_stores();
}

__global__ void count_wrong(const uint32_t *words, size_t count, unsigned *wrong) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    if (words[i] != hashed(uint32_t(i))) atomicAdd(wrong, 1);
}

struct Bench {
  Buffer<uint32_t> from, to;
  Buffer<unsigned> wrong;

  Bench() : from(SIZE / 4), to(SIZE / 4), wrong(1) {
    fill_hashed<<<gpu().multiProcessorCount * 8, 256>>>(from.data, from.count);
    demand_launched();
    demand_finished();
  }
};

// The threads of an SM have so many bytes under way; more than 1,024 are two blocks.
static void by_loads(const Bench &bench, int in_flight) {
  int threads = in_flight / (LOADS * int(sizeof(uint4))), on_sm = threads > 1024 ? 2 : 1;
  size_t padding = gpu().sharedMemPerMultiprocessor / (on_sm + 1);  // shared memory that keeps more blocks away
  CHECK(cudaFuncSetAttribute(copy_loads, cudaFuncAttributeMaxDynamicSharedMemorySize, int(padding)));
  copy_loads<<<gpu().multiProcessorCount * on_sm, threads / on_sm, padding>>>(
      reinterpret_cast<const uint4 *>(bench.from.data), reinterpret_cast<uint4 *>(bench.to.data), SIZE / sizeof(uint4));
}

// The buffers of an SM hold so many bytes.
static void by_tiles(const Bench &bench, int in_flight) {
  int tile = in_flight / STAGES;
  int held = std::max(in_flight, int(gpu().sharedMemPerMultiprocessor / 2));  // which keeps a second block away
  CHECK(cudaFuncSetAttribute(copy_bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, held));
  copy_bulk<<<gpu().multiProcessorCount, 1, held>>>(reinterpret_cast<const char *>(bench.from.data),
                                                    reinterpret_cast<char *>(bench.to.data), tile, int(SIZE / tile));
}

int main(int count, char **arguments) {
  Bench bench;
  for (int in_flight = 4096; in_flight <= 131072; in_flight *= 2)
    for (const char *by : {"loads", "bulk"}) {
      auto launch = [&] { by == std::string("loads") ? by_loads(bench, in_flight) : by_tiles(bench, in_flight); };
      if (count > 1 && !strcmp(arguments[1], "count")) {  // one launch of each, for the counters
        launch();
        demand_launched();
        demand_finished();
        continue;
      }
      bench.to.fill(0xff);
      auto found = seconds(launch);
      bench.wrong.fill(0);
      count_wrong<<<gpu().multiProcessorCount * 8, 256>>>(bench.to.data, bench.to.count, bench.wrong.data);
      demand_launched();
      DEMAND(bench.wrong.host()[0] == 0, "%s, %d bytes under way", by, in_flight);
      emit("copied", {{"by", by}, {"in_flight", in_flight}}, rates(2.0 * SIZE, found), true);
    }
}
