// One token of each row of logits by hand: the greatest, or one that is drawn by lot among all, among the k greatest,
// or among the likeliest that hold a share p of the probability. Nothing is sorted, and no softmax is written.
#include <cooperative_groups.h>

#include <algorithm>

#include "measure.cuh"

namespace cg = cooperative_groups;

constexpr int VOCABULARY = 128256, FOURS = VOCABULARY / 4;  // of Llama 3
constexpr int ROWS = 512;                                   // that lie in memory, five times an H100's L2
constexpr int SHARE = 8, THREADS = 512;                     // blocks of a cluster that share a row; threads of each
constexpr int CALLS = 8, TRIED = 128;                       // launches of a sample; rows whose tokens are looked over
constexpr float K = 50, P = 0.9f;

enum Method { ARGMAX, SAMPLE, TOP_K, TOP_P };
constexpr const char *NAMES[] = {"argmax", "sample", "top-k", "top-p"};

// Gumbel's noise of a token, the same on both sides: the greatest of logit + noise is drawn as softmax would have it.
__host__ __device__ inline float noise(uint32_t token, uint32_t seed) {
  float even = (float(hashed(token ^ seed) >> 9) + 0.5f) * 0x1p-23f;  // between 0 and 1, and neither
  return -logf(-logf(even));
}

// Normal numbers of deviation 3, by Box and Muller. So no exponential overflows, and we subtract no greatest first.
__global__ void fill_logits(float *logits, size_t count) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    float one = (float(hashed(uint32_t(2 * i)) >> 9) + 0.5f) * 0x1p-23f;
    float other = (float(hashed(uint32_t(2 * i + 1)) >> 9) + 0.5f) * 0x1p-23f;
    logits[i] = 3 * sqrtf(-2 * logf(one)) * cosf(6.2831853f * other);
  }
}

// What a row holds above a pivot: weights, summed, and the winner, its score in the upper half and ~token in the lower.
struct Found {
  float weight;
  unsigned long long winner;

  __device__ void add(float more, unsigned long long other) {
    weight += more;
    winner = max(winner, other);
  }
  __device__ uint32_t token() const { return ~uint32_t(winner); }
};

__device__ inline unsigned long long ranked(float score, uint32_t token) {
  uint32_t bits = __float_as_uint(score);
  return static_cast<unsigned long long>(bits >> 31 ? ~bits : bits | 0x80000000u) << 32 | uint32_t(~token);
}

// What all threads of a cluster have found, told to each.
__device__ Found together(Found own) {
  __shared__ Found warps[THREADS / 32], block;
  cg::cluster_group cluster = cg::this_cluster();
  for (int lanes = 16; lanes; lanes /= 2)
    own.add(__shfl_xor_sync(~0u, own.weight, lanes), __shfl_xor_sync(~0u, own.winner, lanes));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    block = warps[0];
    for (int warp = 1; warp < THREADS / 32; ++warp) block.add(warps[warp].weight, warps[warp].winner);
  }
  cluster.sync();
  Found all = {0, 0};
  for (int rank = 0; rank < SHARE; ++rank) {
    const Found *there = cluster.map_shared_rank(&block, rank);
    all.add(there->weight, there->winner);
  }
  cluster.sync();  // nobody writes, or leaves, before all have read
  return all;
}

// One pass over the logits of a row that exceed the pivot.
template <Method METHOD>
__device__ Found look(const float4 *row, float pivot, uint32_t seed) {
  Found own = {0, 0};
#pragma unroll 4
  for (int i = cg::this_cluster().block_rank() * THREADS + threadIdx.x; i < FOURS; i += SHARE * THREADS) {
    float4 four = row[i];
    const float logits[] = {four.x, four.y, four.z, four.w};
    for (int k = 0; k < 4; ++k) {
      if (!(logits[k] > pivot)) continue;
      uint32_t token = 4 * i + k;
      float weight = METHOD == TOP_K ? 1 : METHOD == TOP_P ? __expf(logits[k]) : 0;
      own.add(weight, ranked(logits[k] + (METHOD == ARGMAX ? 0 : noise(token, seed)), token));
    }
  }
  return together(own);
}

// Draw among all; while too much lies above what was drawn, it is not allowed: draw again, among what lies above it.
template <Method METHOD>
__global__ void __cluster_dims__(SHARE) __launch_bounds__(THREADS)
    choose(const float *logits, uint32_t seed, uint32_t *tokens, unsigned *passes) {
  unsigned at = blockIdx.x / SHARE, looked = 1;
  const float *row = logits + size_t(at) * VOCABULARY;
  seed = hashed(seed + at);
  Found found = look<METHOD>(reinterpret_cast<const float4 *>(row), -INFINITY, seed);
  float allowed = METHOD == TOP_K ? K : P * found.weight;
  uint32_t token = found.token();
  while (METHOD == TOP_K || METHOD == TOP_P) {
    seed = hashed(seed);
    found = look<METHOD>(reinterpret_cast<const float4 *>(row), row[token], seed);
    ++looked;
    if (found.weight < allowed) break;
    token = found.token();
  }
  if (blockIdx.x % SHARE == 0 && threadIdx.x == 0) tokens[at] = token, passes[at] = looked;
}

// Where a token stands among the allowed ones: the share of their probability above it, and half of its own.
static double standing(const std::vector<float> &sorted, float logit, Method method) {
  double total = 0, above = 0, own = 0, allowed = 0;
  for (float one : sorted) total += exp(double(one));
  for (size_t i = 0; i < sorted.size(); ++i) {
    double weight = exp(double(sorted[i]));
    bool in = method == TOP_K ? i < K : method == TOP_P ? allowed < P * total * (1 + 1e-4) : true;
    if (!in) break;
    allowed += weight;
    if (sorted[i] > logit) above += weight;
    if (sorted[i] == logit) own = weight;
  }
  DEMAND(own > 0, "%s took a token that is not allowed", NAMES[method]);
  return (above + own / 2) / allowed;
}

struct Bench {
  Buffer<float> logits;
  Buffer<uint32_t> tokens;
  Buffer<unsigned> passes;

  Bench() : logits(size_t(ROWS) * VOCABULARY), tokens(ROWS), passes(ROWS) {
    fill_logits<<<gpu().multiProcessorCount * 8, 256>>>(logits.data, logits.count);
    demand_launched();
    demand_finished();
  }
};

// Draws of many rows are allowed, and stand evenly between 0 and 1 if they are as likely as they should be.
template <Method METHOD>
static void try_out(Bench &bench, const std::vector<std::vector<float>> &sorted) {
  choose<METHOD><<<TRIED * SHARE, THREADS>>>(bench.logits.data, 1, bench.tokens.data, bench.passes.data);
  demand_launched();
  std::vector<uint32_t> tokens = bench.tokens.host(0, TRIED);
  double sum = 0, squares = 0;
  for (int row = 0; row < TRIED; ++row) {
    float logit = bench.logits.host(size_t(row) * VOCABULARY + tokens[row], 1)[0];
    double at = standing(sorted[row], logit, METHOD);
    if (METHOD == ARGMAX) DEMAND(logit == sorted[row][0], "row %d", row);
    sum += at / TRIED, squares += at * at / TRIED;
  }
  double most = 5 / sqrt(12.0 * TRIED);  // five standard deviations of a mean of so many
  if (METHOD != ARGMAX)
    DEMAND(fabs(sum - 0.5) < most && fabs(squares - 1 / 3.0) < most, "%s: %g, %g", NAMES[METHOD], sum, squares);
}

// Keeps the GPU busy until all launches wait in line: the host's own way to a launch is not what is timed.
__global__ void spin(long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <Method METHOD>
static void measure(Bench &bench) {
  for (int batch : {1, 8, 64, 256}) {
    unsigned call = 0;  // each reads rows that were not read for long
    auto launch = [&] {
      const float *rows = bench.logits.data + size_t(call * batch % ROWS) * VOCABULARY;
      choose<METHOD><<<batch * SHARE, THREADS>>>(rows, call++, bench.tokens.data, bench.passes.data);
    };
    auto found = seconds(launch, [] { spin<<<1, 1>>>(200'000); }, 20, CALLS);
    emit("time", {{"by", "hand"}, {"method", NAMES[METHOD]}, {"batch", batch}}, found, true);
  }
  std::vector<double> passes;
  for (unsigned one : bench.passes.host(0, 256)) passes.push_back(one);
  emit("passes", {{"method", NAMES[METHOD]}}, passes, true);
}

int main() {
  Bench bench;
  std::vector<std::vector<float>> sorted;
  for (int row = 0; row < TRIED; ++row) {
    sorted.push_back(bench.logits.host(size_t(row) * VOCABULARY, VOCABULARY));
    std::sort(sorted.back().rbegin(), sorted.back().rend());
  }
  try_out<ARGMAX>(bench, sorted);
  try_out<SAMPLE>(bench, sorted);
  try_out<TOP_K>(bench, sorted);
  try_out<TOP_P>(bench, sorted);
  measure<ARGMAX>(bench);
  measure<SAMPLE>(bench);
  measure<TOP_K>(bench);
  measure<TOP_P>(bench);
}
