// One product of two matrices, C = A B with n rows and columns, by kernels that each mend what held up the one before.
// `ladder` times every rung and compares its output with double precision; `ladder count` launches each of the float
// rungs once, for hardware counters.
#include <cuda_bf16.h>
#include <mma.h>

#include "task.cuh"

// Neighbouring threads take neighbouring rows: each lane of a warp reads another line of A.
__global__ void strided(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Neighbouring threads take neighbouring columns: a warp reads one number of A and one line of B.
__global__ void coalesced(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// A block of T x T threads keeps a tile of A and one of B in shared memory: what it loads once it uses T times.
template <int T>
__global__ void shared_tile(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[T][T], tile_b[T][T];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  float sum = 0;
  for (int start = 0; start < n; start += T) {
    tile_a[y][x] = a[row * n + start + x];
    tile_b[y][x] = b[(start + y) * n + column];
    __syncthreads();
    for (int k = 0; k < T; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// 16 x 16 threads, R x R sums in the registers of each: a number from shared memory is used R times. A thread's rows
// and columns come in groups of four, so that it takes them as 16 bytes; A lies transposed, its rows padded by four.
template <int R>
__global__ void __launch_bounds__(256) registers(const float *a, const float *b, float *c, int n) {
  constexpr int SIDE = 16 * R, DEPTH = 16, THREADS = 256;
  __shared__ __align__(16) float tile_a[DEPTH][SIDE + 4], tile_b[DEPTH][SIDE];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16, top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  float sums[R][R] = {};
  for (int start = 0; start < n; start += DEPTH) {
#pragma unroll
    for (int first = 0; first < SIDE * DEPTH / 4; first += THREADS) {
      const int at = first + threadIdx.x, row = at / (DEPTH / 4), k = at % (DEPTH / 4) * 4;
      const float4 four = *reinterpret_cast<const float4 *>(&a[(top + row) * n + start + k]);
      tile_a[k][row] = four.x, tile_a[k + 1][row] = four.y;
      tile_a[k + 2][row] = four.z, tile_a[k + 3][row] = four.w;
    }
#pragma unroll
    for (int first = 0; first < SIDE * DEPTH / 4; first += THREADS) {
      const int at = first + threadIdx.x, k = at / (SIDE / 4), column = at % (SIDE / 4) * 4;
      *reinterpret_cast<float4 *>(&tile_b[k][column]) =
        *reinterpret_cast<const float4 *>(&b[(start + k) * n + left + column]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      __align__(16) float from_a[R], from_b[R];
#pragma unroll
      for (int group = 0; group < R; group += 4) {
        *reinterpret_cast<float4 *>(&from_a[group]) =
          *reinterpret_cast<const float4 *>(&tile_a[k][group * 16 + y * 4]);
        *reinterpret_cast<float4 *>(&from_b[group]) =
          *reinterpret_cast<const float4 *>(&tile_b[k][group * 16 + x * 4]);
      }
#pragma unroll
      for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < R; ++j) sums[i][j] += from_a[i] * from_b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < R; ++j) {
      const int row = top + i / 4 * 64 + y * 4 + i % 4, column = left + j / 4 * 64 + x * 4 + j % 4;
      c[row * n + column] = sums[i][j];
    }
}

// Tensor cores as C++ has them: a warp's tile has F x F fragments of 16 x 16. They come straight from global memory,
// with no shared memory between.
template <int F>
__global__ void __launch_bounds__(128) fragments(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n) {
  using namespace nvcuda::wmma;
  constexpr int SIDE = 16 * F;  // of a warp's tile; a block has 2 x 2 warps
  const int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * SIDE;
  const int column = (blockIdx.x * 2 + warp % 2) * SIDE;
  fragment<accumulator, 16, 16, 16, float> sums[F][F];
#pragma unroll
  for (int i = 0; i < F; ++i)
#pragma unroll
    for (int j = 0; j < F; ++j) fill_fragment(sums[i][j], 0.0f);
  for (int k = 0; k < n; k += 16) {
    fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> from_a[F];
    fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> from_b[F];
#pragma unroll
    for (int i = 0; i < F; ++i) {
      load_matrix_sync(from_a[i], a + (row + i * 16) * n + k, n);
      load_matrix_sync(from_b[i], b + k * n + column + i * 16, n);
    }
#pragma unroll
    for (int i = 0; i < F; ++i)
#pragma unroll
      for (int j = 0; j < F; ++j) mma_sync(sums[i][j], from_a[i], from_b[j], sums[i][j]);
  }
#pragma unroll
  for (int i = 0; i < F; ++i)
#pragma unroll
    for (int j = 0; j < F; ++j)
      store_matrix_sync(c + (row + i * 16) * n + column + j * 16, sums[i][j], n, mem_row_major);
}

int main(int arguments, char **) {
  Task<float> task;
  const float *a = task.a.data, *b = task.b.data;
  float *c = task.c.data;
  auto launch_strided = [=] { strided<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(a, b, c, N); };
  auto launch_coalesced = [=] { coalesced<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(a, b, c, N); };
  auto launch_16 = [=] { shared_tile<16><<<dim3(N / 16, N / 16), dim3(16, 16)>>>(a, b, c, N); };
  auto launch_32 = [=] { shared_tile<32><<<dim3(N / 32, N / 32), dim3(32, 32)>>>(a, b, c, N); };
  auto launch_4x4 = [=] { registers<4><<<dim3(N / 64, N / 64), 256>>>(a, b, c, N); };
  auto launch_8x8 = [=] { registers<8><<<dim3(N / 128, N / 128), 256>>>(a, b, c, N); };
  if (arguments > 1) {  // "count": each once, in this order
    launch_strided(), launch_coalesced(), launch_16(), launch_32(), launch_4x4(), launch_8x8();
    demand_launched();
    demand_finished();
    return 0;
  }
  task.measure("strided", launch_strided, 5);
  task.measure("coalesced", launch_coalesced);
  task.measure("shared 16", launch_16);
  task.measure("shared 32", launch_32);
  task.measure("registers 4x4", launch_4x4);
  task.measure("registers 8x8", launch_8x8);
  Task<__nv_bfloat16> narrow;
  const __nv_bfloat16 *narrow_a = narrow.a.data, *narrow_b = narrow.b.data;
  float *narrow_c = narrow.c.data;
  narrow.measure("wmma 16x16", [=] { fragments<1><<<dim3(N / 32, N / 32), 128>>>(narrow_a, narrow_b, narrow_c, N); });
  narrow.measure("wmma 64x64", [=] { fragments<4><<<dim3(N / 128, N / 128), 128>>>(narrow_a, narrow_b, narrow_c, N); });
}
