// All blocks of a cluster want the same tiles: each asks for the whole, or for its part, which it has sent to all.
#include <cooperative_groups.h>

#include <cstring>

#include "bulk.cuh"

namespace cg = cooperative_groups;

constexpr size_t SIZE = size_t(1) << 30;  // bytes that each cluster has a part of: 20 times an H100's L2
constexpr unsigned TILE = 32 << 10;
constexpr int THREADS = 128;  // which look the last tiles over; a warp would do otherwise

// The tiles of this cluster pass through the buffers of each of its blocks. The first warp does it all: a buffer is
// filled again when every block of the cluster is done with it, which each lane tells one block, all at once.
__global__ void gather(const char *from, bool everywhere, bool looked_over, unsigned *wrong) {
  extern __shared__ __align__(128) char buffers[];
  __shared__ uint64_t full[STAGES], vacant[STAGES];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank(), part = TILE / blocks;
  const int clusters = gridDim.x / blocks, first = blockIdx.x / blocks, tiles = SIZE / TILE;
  const int own = (tiles - first + clusters - 1) / clusters;
  auto place = [&](int turn) { return from + (first + size_t(turn) * clusters) * TILE; };
  auto buffer = [&](int turn) { return buffers + turn % STAGES * TILE; };
  auto load = [&](int turn) {
    if (turn >= own) return;
    uint64_t *here = &full[turn % STAGES];
    arrive_expecting(here, TILE);
    if (everywhere)
      load_everywhere(buffer(turn) + rank * part, place(turn) + rank * part, part, here, uint16_t((1 << blocks) - 1));
    else
      load_bulk(buffer(turn), place(turn), TILE, here);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) set_up(&full[stage], 1), set_up(&vacant[stage], blocks);
    show_barriers();
  }
  cluster.sync();  // no tile comes to a block whose barriers are not set up
  if (threadIdx.x < 32) {
    const unsigned lane = threadIdx.x;
    for (int turn = 0; lane == 0 && turn < STAGES; ++turn) load(turn);
    for (int turn = 0; turn < own; ++turn) {
      wait(&full[turn % STAGES], turn / STAGES & 1);
      __syncwarp();                        // no lane is a phase behind when the buffer is given away
      if (turn + STAGES >= own) continue;  // the last tiles stay
      if (lane < blocks) arrive_at_block(&vacant[turn % STAGES], lane);
      if (lane == 0) {
        wait(&vacant[turn % STAGES], turn / STAGES & 1);
        load(turn + STAGES);
      }
    }
  }
  __syncthreads();
  for (int turn = own < STAGES ? 0 : own - STAGES; looked_over && turn < own; ++turn)
    for (unsigned word = threadIdx.x; word < TILE / 4; word += THREADS)
      if (reinterpret_cast<const uint32_t *>(buffer(turn))[word] != hashed(uint32_t((place(turn) - from) / 4 + word)))
        atomicAdd(wrong, 1);
  cluster.sync();  // nobody leaves while others send
}

static cudaLaunchConfig_t configured(cudaLaunchAttribute &cluster, unsigned blocks) {
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = blocks;
  launch.blockDim = THREADS;
  launch.dynamicSmemBytes = STAGES * TILE;  // more than half of an SM's, which keeps a second block away
  launch.attrs = &cluster;
  launch.numAttrs = 1;
  int clusters;  // as many as run at the same time: not every group of SMs is a multiple of eight
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, gather, &launch));
  launch.gridDim = clusters * blocks;
  return launch;
}

int main(int count, char **arguments) {
  bool counting = count > 1 && !strcmp(arguments[1], "count");  // one launch of each, for the counters
  Buffer<uint32_t> from(SIZE / 4);
  Buffer<unsigned> wrong(1);
  fill_hashed<<<gpu().multiProcessorCount * 8, 256>>>(from.data, from.count);
  demand_launched();
  CHECK(cudaFuncSetAttribute(gather, cudaFuncAttributeMaxDynamicSharedMemorySize, int(STAGES * TILE)));
  for (unsigned blocks : {1, 2, 4, 8})
    for (bool everywhere : {false, true}) {
      cudaLaunchAttribute cluster;
      cudaLaunchConfig_t config = configured(cluster, blocks);
      const char *bytes = reinterpret_cast<const char *>(from.data);
      auto launch = [&](bool looked_over) {
        CHECK(cudaLaunchKernelEx(&config, gather, bytes, everywhere, looked_over, wrong.data));
      };
      wrong.fill(0);
      launch(!counting);
      demand_finished();
      DEMAND(wrong.host()[0] == 0, "%u blocks, everywhere: %d", blocks, everywhere);
      if (counting) continue;
      auto found = seconds([&] { launch(false); });
      const char *how = everywhere ? "multicast" : "each for itself";
      emit("delivered", {{"how", how}, {"blocks", blocks}}, rates(double(SIZE) * blocks, found), true);
    }
}
