// One thread follows pointers through shared memory: its own block's, and that of another block of its cluster.
#include <cooperative_groups.h>

#include "chase.cuh"

namespace cg = cooperative_groups;

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
}
