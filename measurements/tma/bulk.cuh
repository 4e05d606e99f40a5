// What both programs ask of Hopper's copy engine, in PTX: barriers that count bytes, and copies of whole tiles.
#pragma once

#include "measure.cuh"

constexpr int STAGES = 4;  // buffers of a block, which take turns

__device__ inline uint32_t in_shared(const void *at) { return uint32_t(__cvta_generic_to_shared(at)); }

// A barrier's phase ends when so many have arrived, and when all bytes that they expect have.
__device__ inline void set_up(const uint64_t *barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(barrier)), "r"(arrivals) : "memory");
}

// Barriers that were set up are seen by other blocks of the cluster and by the copy engine.
__device__ inline void show_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void arrive_expecting(const uint64_t *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(barrier)), "r"(bytes)
               : "memory");
}

// At another block's barrier. Threads pass nothing on by it but that a buffer is vacant: no fence for the whole GPU.
__device__ inline void arrive_at_block(const uint64_t *barrier, unsigned rank) {
  asm volatile(
      "{\n"
      ".reg .u32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}" ::"r"(in_shared(barrier)), "r"(rank) : "memory");
}

// Until the phase of this parity has ended.
__device__ inline void wait(const uint64_t *barrier, unsigned parity) {
  uint32_t done;
  do asm volatile(
        "{\n"
        ".reg .pred ended;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
        "selp.u32 %0, 1, 0, ended;\n"
        "}" : "=r"(done) : "r"(in_shared(barrier)), "r"(parity) : "memory");
  while (!done);
}

// Into this block's shared memory; its barrier is told of the bytes.
__device__ inline void load_bulk(void *to, const void *from, unsigned bytes, const uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                   "r"(in_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(in_shared(barrier))
               : "memory");
}

// Into the same place of every block in the mask; the same barrier of each is told.
__device__ inline void load_everywhere(void *to, const void *from, unsigned bytes, const uint64_t *barrier,
                                       uint16_t mask) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
          "r"(in_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(in_shared(barrier)), "h"(mask)
      : "memory");
}

// Out of shared memory, as a group of its own.
__device__ inline void store_bulk(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(in_shared(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Until the sources of all groups but the newest were read: their buffers may be filled again.
__device__ inline void wait_but_for_newest() { asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); }
__device__ inline void wait_for_stores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
