// What a stride and an offset cost.
//   coalescing time               useful bandwidth of strided loads, and of copies with an offset
//   coalescing granularity BYTES  the same loads, when L2 may fetch up to so many bytes at once
//   coalescing count PLACES        one small launch for each place, to be counted; prints nothing
//   coalescing count_copies OFFSETS  a launch of each copy at each offset, likewise
#include <cstring>

#include "measure.cuh"

constexpr int THREADS = 256, LOADS = 4;  // of a block; of a thread, all in flight at once
constexpr size_t SPAN = size_t(2) << 30;  // bytes over which a stride walks: 40 times an H100's L2
constexpr size_t COUNTED = size_t(512) << 20;  // the same, where launches are counted: ncu may save and restore it
constexpr size_t COPIED = size_t(1) << 27;  // words of a copy

__device__ uint32_t sum(uint32_t word) { return word; }
__device__ uint32_t sum(uint2 two) { return two.x + two.y; }
__device__ uint32_t sum(uint4 four) { return four.x + four.y + four.z + four.w; }

__device__ void add_up(uint32_t own, uint32_t *sums) {
  __shared__ uint32_t total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  own = __reduce_add_sync(~0u, own);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, own);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// Neighbouring lanes read elements `stride` apart. A block's sum is all that it writes.
template <typename T>
__global__ void load_strided(const T *__restrict__ elements, size_t stride, size_t offset, uint32_t *sums) {
  T found[LOADS];
#pragma unroll
  for (int k = 0; k < LOADS; ++k) {
    size_t i = (size_t(blockIdx.x) * LOADS + k) * THREADS + threadIdx.x;
    found[k] = elements[i * stride + offset];
  }
  uint32_t own = 0;
#pragma unroll
  for (int k = 0; k < LOADS; ++k) own += sum(found[k]);
  add_up(own, sums);
}

// What the sums must be, without reading: a word holds its index, hashed.
template <typename T>
__global__ void expect_strided(size_t stride, uint32_t *sums) {
  constexpr int WORDS = sizeof(T) / 4;
  uint32_t own = 0;
  for (int k = 0; k < LOADS; ++k) {
    size_t i = (size_t(blockIdx.x) * LOADS + k) * THREADS + threadIdx.x;
    for (int word = 0; word < WORDS; ++word) own += hashed(uint32_t(i * stride * WORDS + word));
  }
  add_up(own, sums);
}

static unsigned blocks_of(size_t bytes, size_t element, size_t stride) {
  return unsigned(bytes / (element * stride * THREADS * LOADS));
}

template <typename T>
static std::vector<double> strided(const Buffer<uint32_t> &memory, size_t stride) {
  unsigned blocks = blocks_of(SPAN, sizeof(T), stride);
  Buffer<uint32_t> sums(blocks), expected(blocks);
  sums.fill(0xff);
  const T *elements = reinterpret_cast<const T *>(memory.data);
  auto found = seconds([&] { load_strided<T><<<blocks, THREADS>>>(elements, stride, 0, sums.data); });
  expect_strided<T><<<blocks, THREADS>>>(stride, expected.data);
  demand_finished();
  DEMAND(sums.host() == expected.host(), "%zu-byte loads at stride %zu", sizeof(T), stride);
  return rates(double(blocks) * THREADS * LOADS * sizeof(T), found);
}

// Copies that begin at an offset, with four words of each thread under way. Blocks take one piece after the other:
__global__ void copy_blocks(const uint32_t *__restrict__ from, uint32_t *__restrict__ to, size_t, int offset) {
  uint32_t found[LOADS];
  size_t first = size_t(blockIdx.x) * THREADS * LOADS + threadIdx.x;
#pragma unroll
  for (int k = 0; k < LOADS; ++k) found[k] = from[first + k * THREADS + offset];
#pragma unroll
  for (int k = 0; k < LOADS; ++k) to[first + k * THREADS] = found[k];
}

// As many threads as the GPU can hold, each with every so many-th word:
__global__ void copy_persistent(const uint32_t *__restrict__ from, uint32_t *__restrict__ to, size_t words, int offset) {
  size_t step = size_t(gridDim.x) * THREADS;
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < words; i += LOADS * step) {
    uint32_t found[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) found[k] = i + k * step < words ? from[i + k * step + offset] : 0;
#pragma unroll
    for (int k = 0; k < LOADS; ++k)
      if (i + k * step < words) to[i + k * step] = found[k];
  }
}

// Each warp reads the first half of a row of 64 words, so that no sector serves two warps:
__global__ void copy_rows(const uint32_t *__restrict__ from, uint32_t *__restrict__ to, size_t, int offset) {
  uint32_t found[LOADS];
  size_t first = size_t(blockIdx.x) * THREADS * LOADS + threadIdx.x;
#pragma unroll
  for (int k = 0; k < LOADS; ++k) {
    size_t i = first + k * THREADS;
    found[k] = from[i / 32 * 64 + i % 32 + offset];
  }
#pragma unroll
  for (int k = 0; k < LOADS; ++k) to[first + k * THREADS] = found[k];
}

using Copy = void (*)(const uint32_t *, uint32_t *, size_t, int);

static void launch(Copy kernel, const Buffer<uint32_t> &memory, uint32_t *to, size_t words, int offset) {
  bool persistent = kernel == copy_persistent;
  unsigned blocks = persistent ? gpu().multiProcessorCount * (2048 / THREADS) : unsigned(words / (THREADS * LOADS));
  kernel<<<blocks, THREADS>>>(memory.data, to, words, offset);
  demand_launched();
}

__global__ void count_wrong(const uint32_t *to, int offset, bool rows, unsigned *wrong) {
  size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
  size_t source = (rows ? i / 32 * 64 + i % 32 : i) + offset;
  if (to[i] != hashed(uint32_t(source))) atomicAdd(wrong, 1);
}

static void copy(const char *name, Copy kernel, const Buffer<uint32_t> &memory, uint32_t *to, int offset) {
  Buffer<unsigned> wrong(1);
  wrong.fill(0);
  CHECK(cudaMemset(to, 0xff, COPIED * 4));
  auto found = seconds([&] { launch(kernel, memory, to, COPIED, offset); });
  count_wrong<<<unsigned(COPIED / THREADS), THREADS>>>(to, offset, kernel == copy_rows, wrong.data);
  demand_launched();
  DEMAND(wrong.host()[0] == 0, "%s copies %u words wrongly", name, wrong.host()[0]);
  emit("copied", {{"kernel", name}, {"offset", offset}}, rates(2.0 * COPIED * 4, found), true);
}

static void time_all(const Buffer<uint32_t> &memory) {
  for (size_t stride = 1; stride <= 64; ++stride) {
    emit("useful", {{"element", 4}, {"stride", stride}}, strided<uint32_t>(memory, stride), true);
    emit("useful", {{"element", 8}, {"stride", stride}}, strided<uint2>(memory, stride), true);
    emit("useful", {{"element", 16}, {"stride", stride}}, strided<uint4>(memory, stride), true);
  }
  Buffer<uint32_t> to(COPIED);
  for (int offset = 0; offset < 32; ++offset) {
    copy("blocks", copy_blocks, memory, to.data, offset);
    copy("persistent", copy_persistent, memory, to.data, offset);
    copy("rows", copy_rows, memory, to.data, offset);
  }
}

static void time_granularity(const Buffer<uint32_t> &memory, int bytes) {
  for (size_t stride : {1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64})
    emit("knee", {{"granularity", bytes}, {"stride", stride}}, strided<uint32_t>(memory, stride), true);
}

template <typename T>
static void count(const Buffer<uint32_t> &memory, uint32_t *sums, size_t stride, size_t offset, size_t bytes) {
  const T *elements = reinterpret_cast<const T *>(memory.data);
  load_strided<T><<<blocks_of(bytes, sizeof(T), stride), THREADS>>>(elements, stride, offset, sums);
  demand_launched();
}

// element, stride, offset and bytes of each launch come in, four numbers a place.
static void count_all(const Buffer<uint32_t> &memory, int count_of, char **places) {
  Buffer<uint32_t> sums(COUNTED / (4 * THREADS * LOADS));
  for (int i = 0; i + 3 < count_of; i += 4) {
    size_t element = strtoull(places[i], nullptr, 10), stride = strtoull(places[i + 1], nullptr, 10);
    size_t offset = strtoull(places[i + 2], nullptr, 10), bytes = strtoull(places[i + 3], nullptr, 10);
    DEMAND(bytes <= COUNTED, "%zu bytes", bytes);
    if (element == 4) count<uint32_t>(memory, sums.data, stride, offset, bytes);
    if (element == 8) count<uint2>(memory, sums.data, stride, offset, bytes);
    if (element == 16) count<uint4>(memory, sums.data, stride, offset, bytes);
  }
  demand_finished();
}

// The three copies at each offset that comes in, and nothing else.
static void count_copies(const Buffer<uint32_t> &memory, int many, char **offsets) {
  size_t words = COUNTED / 4 / 2;  // rows are half used
  Buffer<uint32_t> to(words);
  for (int i = 0; i < many; ++i)
    for (Copy kernel : {copy_blocks, copy_persistent, copy_rows}) launch(kernel, memory, to.data, words, atoi(offsets[i]));
  demand_finished();
}

int main(int many, char **words) {
  DEMAND(many > 1, "time, granularity BYTES or count");
  int bytes = many > 2 ? atoi(words[2]) : 0;
  if (!strcmp(words[1], "granularity")) CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes));
  bool counting = !strncmp(words[1], "count", 5);
  Buffer<uint32_t> memory((counting ? COUNTED : SPAN) / 4 + 4096);  // and some room for offsets
  fill_hashed<<<gpu().multiProcessorCount * 8, 256>>>(memory.data, memory.count);
  demand_launched();
  demand_finished();
  if (!strcmp(words[1], "time")) time_all(memory);
  if (!strcmp(words[1], "granularity")) time_granularity(memory, bytes);
  if (!strcmp(words[1], "count")) count_all(memory, many - 2, words + 2);
  if (!strcmp(words[1], "count_copies")) count_copies(memory, many - 2, words + 2);
}
