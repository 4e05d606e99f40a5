// Long dot products in E4M3: what the tensor cores lose, promoted to float32 every so many terms and never.
//   sums
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "measure.cuh"
#include "wgmma.cuh"

constexpr int SUMS = ROWS * COLUMNS;  // of one block
constexpr int PROMOTE[] = {0, 32, 64, 128, 256, 512};  // terms; 0 is never
constexpr int LENGTHS[] = {128, 512, 1024, 4096, 16384, 65536};
constexpr int LONGEST = 65536;
using Bytes = std::vector<uint8_t>;
using Numbers = std::vector<double>;

// The values of E4M3 that are not negative, in order: the index is the code.
std::vector<float> sizes() {
  std::vector<float> found;
  for (int code = 0; code < 127; code++) {
    const int exponent = code >> 3;
    found.push_back(std::ldexp((exponent > 0) + (code & 7) / 8.0, std::max(exponent, 1) - 7));
  }
  return found;
}
const std::vector<float> SIZES = sizes();

float value(uint8_t code) { return code & 128 ? -SIZES[code & 127] : SIZES[code & 127]; }

// The nearest code, ties to even.
uint8_t code_of(double number) {
  const double size = std::fabs(number);
  const int above = std::min<int>(std::lower_bound(SIZES.begin(), SIZES.end(), size) - SIZES.begin(), 126);
  int code = above;
  if (above > 0) {
    const double middle = (double(SIZES[above - 1]) + SIZES[above]) / 2;
    if (size < middle || (size == middle && above % 2)) code = above - 1;
  }
  return code | (std::signbit(number) ? 128 : 0);
}

// Operands of every block: rows of `LONGEST` terms, of which shorter sums take the first.
struct Data {
  Bytes a, b;
  int blocks;
};

template <typename Draw>
Data draw(int blocks, Draw one) {
  Data data = {Bytes(size_t(blocks) * ROWS * LONGEST), Bytes(size_t(blocks) * COLUMNS * LONGEST), blocks};
  for (uint8_t &code : data.a) code = code_of(one());
  for (uint8_t &code : data.b) code = code_of(one());
  return data;
}

Bytes heads(const Bytes &rows, int length) {
  Bytes found;
  for (size_t start = 0; start < rows.size(); start += LONGEST) {
    found.insert(found.end(), rows.begin() + start, rows.begin() + start + length);
  }
  return found;
}

// Exact sums: products of E4M3 are multiples of 2^-18 below 2^18, so that 2^16 of them fit in a double's 53 bits.
Numbers exact_sums(const Data &data, int length) {
  Numbers sums;
  float decoded[256];
  for (int code = 0; code < 256; code++) decoded[code] = (code & 127) == 127 ? 0 : value(code);
  for (int block = 0; block < data.blocks; block++) {
    for (int i = 0; i < SUMS; i++) {
      const uint8_t *a = &data.a[(size_t(block) * ROWS + i / COLUMNS) * LONGEST];
      const uint8_t *b = &data.b[(size_t(block) * COLUMNS + i % COLUMNS) * LONGEST];
      double parts[4] = {};  // so that additions need not wait for each other
      for (int k = 0; k < length; k++) parts[k % 4] += double(decoded[a[k]]) * decoded[b[k]];
      sums.push_back(parts[0] + parts[1] + parts[2] + parts[3]);
    }
  }
  return sums;
}

struct Kernel {
  Buffer<uint8_t> a, b;
  Buffer<float> c, d;
  Layout layout;
  int blocks, length;

  Kernel(const Data &data, int length, Layout layout)
    : a(heads(data.a, length)), b(heads(data.b, length)), c(std::vector<float>(data.blocks * SUMS, 0.f)),
      d(data.blocks * SUMS), layout(layout), blocks(data.blocks), length(length) {}

  std::vector<float> sums(int promote) {
    dot<Type::e4m3><<<blocks, THREADS>>>(a.data, b.data, c.data, d.data, length, promote, layout);
    demand_launched();
    return d.host();
  }
};

double relative(const float *got, const double *exact) {
  double error = 0, size = 0;
  for (int i = 0; i < SUMS; i++) error += std::pow(got[i] - exact[i], 2), size += exact[i] * exact[i];
  return std::sqrt(error / size);
}

double share_lost(const float *got, const double *exact) {
  double lost = 0;
  for (int i = 0; i < SUMS; i++) lost += (exact[i] - got[i]) / exact[i] / SUMS;
  return lost;
}

double greatest(const float *got, const double *exact) {
  double error = 0, size = 0;
  for (int i = 0; i < SUMS; i++) {
    error = std::max(error, std::fabs(got[i] - exact[i])), size += exact[i] * exact[i] / SUMS;
  }
  return error / std::sqrt(size);
}

using Measure = double (*)(const float *, const double *);

// One number a block. Checked: the same sums twice, and no further from the exact ones than 32 terms' cuts explain
// where every instruction is promoted.
void measure(const Data &data, Layout layout, std::vector<std::pair<const char *, Measure>> series) {
  for (int length : LENGTHS) {
    const Numbers exact = exact_sums(data, length);
    Kernel kernel(data, length, layout);
    const auto close = kernel.sums(32);
    bool right = true;
    for (int block = 0; block < data.blocks; block++) {
      right = right && relative(&close[block * SUMS], &exact[block * SUMS]) < 2e-3;
    }
    for (int promote : PROMOTE) {
      const auto sums = kernel.sums(promote);
      const bool same = sums == kernel.sums(promote);
      for (const auto &[name, of] : series) {
        Numbers found;
        for (int block = 0; block < data.blocks; block++) {
          found.push_back(of(&sums[block * SUMS], &exact[block * SUMS]));
        }
        emit(name, {{"length", double(length)}, {"promote", double(promote)}}, found, right && same);
      }
    }
  }
}

// Ones, of which every sum of every block must be the same.
void measure_ones(Layout layout) {
  const Data data = draw(1, [] { return 1.0; });
  for (int length : {1024, 4096, 8192, 16384, 32768, 65536}) {
    Kernel kernel(data, length, layout);
    for (int promote : {0, 128}) {
      const auto sums = kernel.sums(promote);
      const bool same = std::count(sums.begin(), sums.end(), sums[0]) == long(sums.size());
      emit("ones", {{"length", double(length)}, {"promote", double(promote)}}, {sums[0]}, same);
    }
  }
}

// The layout of operands that gives right sums: 64 products of a whole row number and a whole column number.
Layout find_layout() {
  Data data = draw(1, [] { return 0.0; });
  for (int k = 0; k < 64; k++) {
    for (int row = 0; row < ROWS; row++) data.a[row * LONGEST + k] = code_of(row % 5 + k % 3);
    for (int column = 0; column < COLUMNS; column++) data.b[column * LONGEST + k] = code_of(column - k % 4);
  }
  const Numbers exact = exact_sums(data, 64);
  for (Layout layout : {AS_READ, THE_OTHER_WAY}) {
    const auto found = Kernel(data, 64, layout).sums(0);
    if (std::equal(found.begin(), found.end(), exact.begin())) return layout;
  }
  std::fprintf(stderr, "sums of whole numbers are wrong, whichever way the offsets of the operands are read\n");
  std::exit(1);
}

int main() {
  const Layout layout = find_layout();
  const int blocks = quick() ? 1 : 4;
  std::mt19937_64 random(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  measure_ones(layout);
  measure(draw(blocks, [&] { return uniform(random); }), layout, {{"uniform", share_lost}});
  measure(draw(blocks, [&] { return normal(random); }), layout, {{"gaussian", relative}, {"greatest", greatest}});
}
