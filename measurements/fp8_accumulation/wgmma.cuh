// One warpgroup's matrix instruction: 64 × 8 sums, each plus a dot product of 32 bytes (32 FP8 or 16 half numbers).
#pragma once
#include <cstdint>

constexpr int ROWS = 64, COLUMNS = 8, WIDTH = 32;  // of A, of B, bytes that one instruction takes of a row
constexpr int THREADS = 128;                       // a warpgroup

enum class Type { e4m3, e5m2, f16, bf16 };

// The two distances of a descriptor [B]. Without a swizzle, operands lie in core matrices of 8 rows × 16 bytes, each
// of 128 bytes in a row: ours have the two of 8 rows side by side, then those of the next 8 rows.
struct Layout {
  uint32_t leading, stride;
};
constexpr Layout AS_READ = {128, 256}, THE_OTHER_WAY = {256, 128};  // of the manual, as we read it; turned around

__device__ inline uint64_t describe(const void *tile, Layout layout) {
  const uint64_t address = __cvta_generic_to_shared(tile);
  return (address & 0x3FFFF) >> 4 | uint64_t(layout.leading >> 4) << 16 | uint64_t(layout.stride >> 4) << 32;
}

// Copy `rows` rows of 32 bytes, `pitch` bytes apart, into core matrices: 16 bytes a thread.
__device__ inline void stage(uint8_t *tile, const uint8_t *from, int rows, size_t pitch) {
  const int row = threadIdx.x / 2, half = threadIdx.x % 2;
  if (row < rows)
    *reinterpret_cast<uint4 *>(tile + row / 8 * 256 + half * 128 + row % 8 * 16) =
      *reinterpret_cast<const uint4 *>(from + row * pitch + half * 16);
}

// Row and column of a thread's i-th sum.
__host__ __device__ inline int sum_row(int thread, int i) { return thread / 32 * 16 + thread % 32 / 4 + i / 2 * 8; }
__host__ __device__ inline int sum_column(int thread, int i) { return thread % 4 * 2 + i % 2; }

// Everything from the fence to the wait is one statement, so that no use of the sums can move in between.
#define WGMMA(SHAPE_AND_TYPES, TRANSPOSED)                                     \
  asm volatile(                                                              \
    "wgmma.fence.sync.aligned;\n"                                          \
    "wgmma.mma_async.sync.aligned." SHAPE_AND_TYPES                        \
    " {%0, %1, %2, %3}, %4, %5, 1, 1, 1" TRANSPOSED ";\n"                  \
    "wgmma.commit_group.sync.aligned;\n"                                   \
    "wgmma.wait_group.sync.aligned 0;\n"                                   \
    : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])           \
    : "l"(a), "l"(b)                                                       \
    : "memory")

template <Type T>
__device__ inline void multiply_add(float (&sums)[4], uint64_t a, uint64_t b) {
  if constexpr (T == Type::e4m3) WGMMA("m64n8k32.f32.e4m3.e4m3", "");
  if constexpr (T == Type::e5m2) WGMMA("m64n8k32.f32.e5m2.e5m2", "");
  if constexpr (T == Type::f16) WGMMA("m64n8k16.f32.f16.f16", ", 0, 0");
  if constexpr (T == Type::bf16) WGMMA("m64n8k16.f32.bf16.bf16", ", 0, 0");
}

// Sums of whole rows: block i multiplies A[i] (64 × length bytes) by B[i] (8 × length bytes), adds to C[i], and every
// `promote` bytes adds the tensor core's sums to float32 totals and starts at 0 again; 0 is never.
template <Type T>
__global__ void dot(const uint8_t *A, const uint8_t *B, const float *C, float *D, int length, int promote,
          Layout layout) {
  __shared__ alignas(128) uint8_t a[ROWS * WIDTH], b[COLUMNS * WIDTH];
  const size_t block = blockIdx.x, first = block * ROWS * COLUMNS;
  float sums[4], totals[4] = {};
  for (int i = 0; i < 4; i++) {
    sums[i] = C[first + sum_row(threadIdx.x, i) * COLUMNS + sum_column(threadIdx.x, i)];
  }
  const uint64_t describe_a = describe(a, layout), describe_b = describe(b, layout);
  for (int k = 0; k < length; k += WIDTH) {
    stage(a, A + block * ROWS * length + k, ROWS, length);
    stage(b, B + block * COLUMNS * length + k, COLUMNS, length);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the tensor cores read what threads wrote
    __syncthreads();
    multiply_add<T>(sums, describe_a, describe_b);
    if (promote && (k + WIDTH) % promote == 0) {
      for (int i = 0; i < 4; i++) totals[i] += sums[i], sums[i] = 0;
    }
    __syncthreads();  // before the operands are written over
  }
  for (int i = 0; i < 4; i++) {
    const float sum = promote ? totals[i] + sums[i] : sums[i];  // 0 + −0 would not be the tensor core's answer
    D[first + sum_row(threadIdx.x, i) * COLUMNS + sum_column(threadIdx.x, i)] = sum;
  }
}
