// What the programs share: pointers that are followed, and the order in which they lead through memory.
#pragma once

#include <algorithm>

#include "measure.cuh"

constexpr int STEPS = 4096;  // pointers that are timed

// The order in which n places are visited: i -> (a i + c) mod n, which meets all of them before it comes back
// (Hull and Dobell: c shares no factor with n, and a - 1 has all prime factors of n, and 4 if n has it).
struct Order {
  uint64_t n, a, c;

  explicit Order(uint64_t n) : n(n), a(1), c(1) {
    uint64_t odd = n;
    while (odd % 2 == 0) odd /= 2;
    uint64_t unit = 4 * odd;
    if (n > unit) a = 1 + std::max<uint64_t>(1, uint64_t(0.3819 * n / unit)) * unit;
    c = uint64_t(0.6180339887 * n) | 1;
    while (gcd(c, n) != 1) c += 2;
  }
  static uint64_t gcd(uint64_t x, uint64_t y) { return y ? gcd(y, x % y) : x; }
  __host__ __device__ uint64_t next(uint64_t i) const { return (a * i + c) % n; }
  uint64_t after(uint64_t i, uint64_t steps) const {
    while (steps--) i = next(i);
    return i;
  }
};

// One pointer further, through L1 or past it.
template <bool L1>
__device__ const char *follow(const char *at) {
  const char *next;
  if (L1)
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at));
  else
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at));
  return next;
}
