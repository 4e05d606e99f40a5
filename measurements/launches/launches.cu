// What a launch costs: one kernel after another in a stream, the same in a graph, and one at a time with a wait.
#include <chrono>

#include "measure.cuh"

// One thread adds to a counter, so that each launch depends on the one before; then it spins.
__global__ void step(unsigned *counter, long long cycles) {
  long long begin = clock64();
  *counter += 1;
  while (clock64() - begin < cycles) {
  }
}

static unsigned counted(const Buffer<unsigned> &counter) { return counter.host()[0]; }

// Two calls warm up; then each repetition launches `count` kernels.
static bool all_ran(const Buffer<unsigned> &counter, int count) { return counted(counter) == unsigned(count); }

static void in_stream(const char *series, Place at, int launches, long long cycles) {
  Buffer<unsigned> counter(1);
  counter.fill(0);
  auto found = seconds([&] { step<<<1, 1>>>(counter.data, cycles); }, 20, launches);
  int expected = 2 + int(found.size()) * launches;
  DEMAND(all_ran(counter, expected), "%u of %d launches ran", counted(counter), expected);
  emit(series, {at}, found, true);
}

static void in_graph(const char *series, Place at, int launches, long long cycles) {
  Buffer<unsigned> counter(1);
  counter.fill(0);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t whole;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < launches; ++i) step<<<1, 1, 0, stream>>>(counter.data, cycles);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&whole, graph, 0));
  auto found = seconds([&] { CHECK(cudaGraphLaunch(whole, stream)); }, [] {}, 20, 1, stream);
  for (double &one : found) one /= launches;
  int expected = (2 + int(found.size())) * launches;
  DEMAND(all_ran(counter, expected), "%u of %d launches ran", counted(counter), expected);
  emit(series, {at}, found, true);
  CHECK(cudaGraphExecDestroy(whole));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

// The host launches one kernel and waits until it is done: both clocks' way there and back.
static void one_at_a_time() {
  Buffer<unsigned> counter(1);
  counter.fill(0);
  std::vector<double> found;
  int rounds = repetitions(200) + 20;
  for (int i = 0; i < rounds; ++i) {
    auto begin = std::chrono::steady_clock::now();
    step<<<1, 1>>>(counter.data, 0);
    CHECK(cudaDeviceSynchronize());
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (i >= 20) found.push_back(took.count());  // the first ones warm up
  }
  demand_launched();
  DEMAND(all_ran(counter, rounds), "%u of %d launches ran", counted(counter), rounds);
  emit("synchronised", {{"launches", 1}}, found, true);
}

int main() {
  int kilohertz;
  CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  for (int launches : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
    in_stream("stream", {"launches", launches}, launches, 0);
    in_graph("graph", {"launches", launches}, launches, 0);
  }
  for (double microseconds : {0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
    long long cycles = (long long)(microseconds * kilohertz / 1e3);
    in_stream("busy_stream", {"work", microseconds * 1e-6}, 200, cycles);
    in_graph("busy_graph", {"work", microseconds * 1e-6}, 200, cycles);
  }
  one_at_a_time();
  emit("events", {{"launches", 0}}, seconds([] {}), false);
}
