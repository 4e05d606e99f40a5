// Random probes of the tensor cores: operands, accumulators and exact answers go into a file of bytes.
//   probes FILE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "measure.cuh"
#include "wgmma.cuh"

constexpr int PROBES = ROWS * COLUMNS;  // of one tile, which is one instruction
using Bytes = std::vector<uint8_t>;
using Numbers = std::vector<float>;
using Random = std::mt19937_64;

struct Format {
  Type type;
  const char *name;
  int exponent_bits, mantissa_bits, tiles;
  int bytes() const { return (1 + exponent_bits + mantissa_bits) / 8; }
  int terms() const { return WIDTH / bytes(); }
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr Format FORMATS[] = {
  {Type::e4m3, "e4m3", 4, 3, 16},
  {Type::e5m2, "e5m2", 5, 2, 16},
  {Type::f16, "f16", 5, 10, 4},
  {Type::bf16, "bf16", 8, 7, 4},
};

struct Tiles {
  Bytes a, b;  // tiles × 64 × 32, tiles × 8 × 32
  Numbers c;   // tiles × 64 × 8
};

int read_code(const Format &format, const uint8_t *row, int k) {
  return format.bytes() == 1 ? row[k] : row[2 * k] | row[2 * k + 1] << 8;
}

void write_code(const Format &format, uint8_t *row, int k, int code) {
  row[k * format.bytes()] = code & 255;
  if (format.bytes() == 2) row[2 * k + 1] = code >> 8;
}

double value(const Format &format, int code) {
  const int mantissa = code & ((1 << format.mantissa_bits) - 1);
  const int exponent = code >> format.mantissa_bits & ((1 << format.exponent_bits) - 1);
  const double size = std::ldexp((exponent > 0) + std::ldexp(mantissa, -format.mantissa_bits),
                   std::max(exponent, 1) - format.bias());
  return code >> (format.exponent_bits + format.mantissa_bits) ? -size : size;
}

double exact(const Format &format, const uint8_t *a, const uint8_t *b) {
  double sum = 0;
  for (int k = 0; k < format.terms(); k++) {
    sum += value(format, read_code(format, a, k)) * value(format, read_code(format, b, k));
  }
  return sum;
}

// A code of either sign with an exponent field of `low` to `high`, never infinity or NaN.
int any_code(const Format &format, Random &random, int low, int high) {
  const int exponent = low + random() % (high - low + 1);
  int mantissa = random() & ((1 << format.mantissa_bits) - 1);
  if (format.type == Type::e4m3 && exponent == 15) mantissa %= 7;
  return ((random() & 1) << format.exponent_bits | exponent) << format.mantissa_bits | mantissa;
}

// Four kinds of operands in turn: all exponents; a few; pairs that almost cancel; zeros and the smallest among few.
void fill(const Format &format, Random &random, int kind, uint8_t *tile, int rows) {
  const int top = (1 << format.exponent_bits) - (format.type == Type::e4m3 ? 1 : 2), middle = format.bias();
  const int reach = std::min(middle, 20);  // products of bf16 must stay within float32
  const int least = middle - reach;        // 0, where subnormals are, but for bf16
  for (int row = 0; row < rows; row++) {
    const int centre = std::clamp(int(middle - 3 + random() % 7), 2, top - 2);
    for (int k = 0; k < format.terms(); k++) {
      uint8_t *at = tile + row * WIDTH;
      int code = 0;
      if (kind == 0) code = any_code(format, random, least, std::min(top, middle + reach));
      if (kind == 1) code = any_code(format, random, centre - 2, centre + 2);
      if (kind == 2) {
        const int sign = 1 << (format.exponent_bits + format.mantissa_bits);
        code = any_code(format, random, centre - 2, centre + 2);
        if (k % 2) {  // the number before it, or its neighbour; of B with the other sign
          code = read_code(format, at, k - 1) ^ (random() % 4 == 0) ^ (rows == COLUMNS ? sign : 0);
          if (format.type == Type::e4m3 && (code & 127) == 127) code ^= 1;
        }
      }
      if (kind == 3) code = random() % 3 ? 0 : any_code(format, random, least, random() % 4 ? least + 1 : centre);
      write_code(format, at, k, code);
    }
  }
}

// An accumulator that matters: from far below to far above the products, a few of them 0.
float accumulator(const Format &format, Random &random, const uint8_t *a, const uint8_t *b) {
  double largest = 0;
  for (int k = 0; k < format.terms(); k++) {
    const double product = value(format, read_code(format, a, k)) * value(format, read_code(format, b, k));
    largest = std::max(largest, std::fabs(product));
  }
  if (random() % 16 == 0) return 0;
  const int reach = format.bytes() == 1 ? 18 : 28, exponent = largest ? std::ilogb(largest) : 0;
  const double mantissa = 1 + std::ldexp(random() >> 41, -23);
  return (random() & 1 ? -1 : 1) * std::ldexp(mantissa, exponent - reach + random() % (2 * reach + 1));
}

Tiles probes_of(const Format &format) {
  Random random(20261123 + int(format.type));
  const int count = format.tiles;
  Tiles tiles = {Bytes(count * ROWS * WIDTH), Bytes(count * COLUMNS * WIDTH), Numbers(count * PROBES)};
  for (int tile = 0; tile < count; tile++) {
    uint8_t *a = &tiles.a[tile * ROWS * WIDTH], *b = &tiles.b[tile * COLUMNS * WIDTH];
    fill(format, random, tile % 4, a, ROWS);
    fill(format, random, tile % 4, b, COLUMNS);
    for (int i = 0; i < PROBES; i++) {
      const uint8_t *row = a + i / COLUMNS * WIDTH, *column = b + i % COLUMNS * WIDTH;
      tiles.c[tile * PROBES + i] = accumulator(format, random, row, column);
    }
  }
  return tiles;
}

// Whole numbers up to 8 (3 mantissa bits hold no more, 2 hold 0 to 4): their sums are exact whatever is cut.
Tiles whole_numbers(const Format &format) {
  Random random(7);
  Tiles tiles = {Bytes(ROWS * WIDTH), Bytes(COLUMNS * WIDTH), Numbers(PROBES)};
  std::vector<int> codes;
  for (int code = 0; code < 1 << 8 * format.bytes(); code++) {
    const double number = value(format, code);
    if (std::fabs(number) <= 4 && number == std::floor(number)) codes.push_back(code);
  }
  for (int i = 0; i < (ROWS + COLUMNS) * format.terms(); i++) {
    const int row = i / format.terms(), k = i % format.terms();
    uint8_t *at = row < ROWS ? &tiles.a[row * WIDTH] : &tiles.b[(row - ROWS) * WIDTH];
    write_code(format, at, k, codes[random() % codes.size()]);
  }
  for (float &c : tiles.c) c = int(random() % 201) - 100;
  return tiles;
}

Numbers answers(const Format &format, const Tiles &tiles, Layout layout) {
  const int blocks = tiles.c.size() / PROBES;
  Buffer<uint8_t> a(tiles.a), b(tiles.b);
  Buffer<float> c(tiles.c), d(tiles.c.size());
  const auto kernel = format.type == Type::e4m3   ? dot<Type::e4m3>
            : format.type == Type::e5m2 ? dot<Type::e5m2>
            : format.type == Type::f16  ? dot<Type::f16>
                          : dot<Type::bf16>;
  kernel<<<blocks, THREADS>>>(a.data, b.data, c.data, d.data, WIDTH, 0, layout);
  demand_launched();
  return d.host();
}

int wrong_sums(const Format &format, Layout layout) {
  const Tiles tiles = whole_numbers(format);
  const Numbers found = answers(format, tiles, layout);
  int wrong = 0;
  for (int i = 0; i < PROBES; i++) {
    const double sum = exact(format, &tiles.a[i / COLUMNS * WIDTH], &tiles.b[i % COLUMNS * WIDTH]);
    wrong += found[i] != sum + tiles.c[i];
  }
  return wrong;
}

// The layout of operands with which sums of whole numbers are right; without one there is nothing to measure.
Layout find_layout(const Format &format) {
  const int as_read = wrong_sums(format, AS_READ);
  if (!as_read) return AS_READ;
  const int other = wrong_sums(format, THE_OTHER_WAY);
  std::fprintf(stderr, "%s: of %d sums of whole numbers, %d are wrong with offsets (%u, %u), %d with (%u, %u)\n",
         format.name, PROBES, as_read, AS_READ.leading, AS_READ.stride, other, THE_OTHER_WAY.leading,
         THE_OTHER_WAY.stride);
  if (other) std::exit(1);
  return THE_OTHER_WAY;
}

int main(int count, char **words) {
  if (count != 2) return std::fprintf(stderr, "usage: probes FILE\n"), 2;
  FILE *file = std::fopen(words[1], "wb");
  if (!file) return std::perror(words[1]), 1;
  for (const Format &format : FORMATS) {
    const Layout layout = find_layout(format);
    const Tiles tiles = probes_of(format);
    const Numbers sums = answers(format, tiles, layout), again = answers(format, tiles, layout);
    std::fwrite(tiles.a.data(), 1, tiles.a.size(), file);
    std::fwrite(tiles.b.data(), 1, tiles.b.size(), file);
    std::fwrite(tiles.c.data(), sizeof(float), tiles.c.size(), file);
    std::fwrite(sums.data(), sizeof(float), sums.size(), file);
    const bool same = !std::memcmp(sums.data(), again.data(), sums.size() * sizeof(float));
    emit("probes", {{"format", format.name}}, {double(sums.size())}, same);
  }
  return std::fclose(file) ? 1 : 0;
}
