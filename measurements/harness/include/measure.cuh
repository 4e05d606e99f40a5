// What the programs share: checked calls, memory, time, and samples as lines on stdout.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t status, const char *call, const char *file, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
  exit(1);
}

// Stop a program whose kernel is wrong: a wrong kernel's time says nothing.
#define DEMAND(condition, ...)                                   \
  do {                                                           \
    if (!(condition)) {                                          \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                              \
      fprintf(stderr, "\n");                                     \
      exit(1);                                                   \
    }                                                            \
  } while (0)

// A kernel launch that was refused, or that failed.
inline void demand_launched() { CHECK(cudaGetLastError()); }
inline void demand_finished() { CHECK(cudaDeviceSynchronize()); }

inline bool quick() { return getenv("MEASURE_QUICK") != nullptr; }
inline int repetitions(int wanted = 20) { return quick() ? 3 : wanted; }

inline const cudaDeviceProp &gpu() {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp found;
    CHECK(cudaGetDeviceProperties(&found, 0));
    return found;
  }();
  return properties;
}

// Memory of the GPU, for as long as the variable lives.
template <typename T>
struct Buffer {
  T *data = nullptr;
  size_t count = 0;

  explicit Buffer(size_t count) : count(count) { CHECK(cudaMalloc(&data, bytes())); }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
    CHECK(cudaMemcpy(data, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(data); }

  size_t bytes() const { return count * sizeof(T); }
  void fill(int byte) { CHECK(cudaMemset(data, byte, bytes())); }
  std::vector<T> host(size_t first = 0, size_t most = ~size_t(0)) const {
    std::vector<T> values(most < count - first ? most : count - first);
    CHECK(cudaMemcpy(values.data(), data + first, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

// A number for each index that looks drawn by lot (Murmur's last steps), on both sides.
__host__ __device__ inline uint32_t hashed(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

__global__ void fill_hashed(uint32_t *words, size_t count) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) words[i] = hashed(uint32_t(i));
}

__global__ void read_all(const uint4 *words, size_t count, uint32_t *sink) {
  uint32_t sum = 0;
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    uint4 four = words[i];
    sum += four.x ^ four.y ^ four.z ^ four.w;
  }
  if (sum == 0x9e3779b9u) *sink = sum;
}

// Put other data into L2. They are read, not written: lines to be written back would burden the next kernel.
struct Flush {
  Buffer<uint4> other;
  Buffer<uint32_t> sink;

  Flush() : other(size_t(gpu().l2CacheSize) * 4 / sizeof(uint4)), sink(1) { other.fill(1); }
  void operator()() const {
    read_all<<<gpu().multiProcessorCount * 4, 512>>>(other.data, other.count, sink.data);
    demand_launched();
  }
};

struct Events {
  cudaEvent_t begin, end;

  Events() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  ~Events() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
};

// Seconds of one launch, for each repetition: events around `launches` calls, after `before`, which is not timed.
// Two calls warm up. The work is on the default stream, or on the one that is given.
template <typename Launch, typename Before>
std::vector<double> seconds(Launch &&launch, Before &&before, int wanted = 20, int launches = 1, cudaStream_t stream = 0) {
  Events events;
  for (int i = 0; i < 2; ++i) launch();
  demand_launched();
  demand_finished();
  std::vector<double> found;
  for (int i = 0; i < repetitions(wanted); ++i) {
    before();
    CHECK(cudaEventRecord(events.begin, stream));
    for (int j = 0; j < launches; ++j) launch();
    CHECK(cudaEventRecord(events.end, stream));
    CHECK(cudaEventSynchronize(events.end));
    demand_launched();
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, events.begin, events.end));
    found.push_back(milliseconds * 1e-3 / launches);
  }
  return found;
}

template <typename Launch>
std::vector<double> seconds(Launch &&launch, int wanted = 20, int launches = 1) {
  return seconds(launch, [] {}, wanted, launches);
}

// `amount / seconds` for each: a rate, as bytes a second.
inline std::vector<double> rates(double amount, std::vector<double> seconds) {
  for (double &one : seconds) one = amount / one;
  return seconds;
}

// A place on an axis: {"stride", 4} or {"kernel", "copy"}.
struct Place {
  std::string json;

  Place(const char *axis, const char *value) : json(quoted(axis) + ": " + quoted(value)) {}
  template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Place(const char *axis, Number value) : json(quoted(axis) + ": " + number(double(value))) {}
  static std::string quoted(const char *text) { return "\"" + std::string(text) + "\""; }
  static std::string number(double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.10g", value);
    return digits;
  }
};

// Print one sample: all repetitions' numbers at one place, in the series' unit.
inline void emit(const char *series, const std::vector<Place> &at, const std::vector<double> &samples, bool checked) {
  std::string places, values;
  for (const Place &one : at) places += (places.empty() ? "" : ", ") + one.json;
  for (double one : samples) values += (values.empty() ? "" : ", ") + Place::number(one);
  printf("{\"series\": \"%s\", \"at\": {%s}, \"samples\": [%s], \"checked\": %s}\n", series, places.c_str(), values.c_str(),
         checked ? "true" : "false");
  fflush(stdout);
}
