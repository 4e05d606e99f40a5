// The time of 1 to 400 equal blocks, when an SM can hold one of them, or two.   waves FMAS
#include "measure.cuh"

constexpr int THREADS = 128;

// A chain in which every step waits for the last: it takes as long alone as beside others.
__global__ void chain(int fmas, float factor, float *ends) {
  float value = float(threadIdx.x);
#pragma unroll 200
  for (int i = 0; i < fmas; ++i) value = fmaf(value, factor, 0.25f);
  ends[blockIdx.x * THREADS + threadIdx.x] = value;
}

static std::vector<float> expected_ends(int fmas, float factor) {
  std::vector<float> values(THREADS);
  for (int i = 0; i < THREADS; ++i) {
    values[i] = float(i);
    for (int j = 0; j < fmas; ++j) values[i] = fmaf(values[i], factor, 0.25f);
  }
  return values;
}

static bool right(const std::vector<float> &found, const std::vector<float> &expected) {
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i % THREADS]) return false;
  return true;
}

int main(int many, char **words) {
  DEMAND(many == 2, "how many FMAs has a chain?");
  const int fmas = atoi(words[1]), sms = gpu().multiProcessorCount;
  const float factor = 0.99999f;
  const std::vector<float> expected = expected_ends(fmas, factor);
  Buffer<float> ends(400 * THREADS);
  for (int on_sm : {1, 2}) {
    size_t padding = gpu().sharedMemPerMultiprocessor / (on_sm + 1);  // shared memory that keeps more blocks away
    int held;
    CHECK(cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, int(padding)));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, chain, THREADS, padding));
    DEMAND(held == on_sm, "an SM holds %d", held);
    for (int blocks = 1; blocks <= 400; ++blocks) {
      int past = blocks % sms;  // near a full wave every number is measured, elsewhere every sixth
      if (blocks % 6 && past > 2 && past < sms - 2 && blocks != 1 && blocks != 400) continue;
      ends.fill(0xff);
      auto wave = [&] { chain<<<sms, THREADS, padding>>>(fmas, factor, ends.data); };  // lets the host get ahead
      auto found = seconds([&] { chain<<<blocks, THREADS, padding>>>(fmas, factor, ends.data); }, wave);
      DEMAND(right(ends.host(0, size_t(blocks) * THREADS), expected), "%d blocks", blocks);
      emit("time", {{"on_sm", on_sm}, {"blocks", blocks}}, found, true);
    }
  }
}
