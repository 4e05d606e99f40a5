// Every SM asks for the same lines of L2, so that it shows how far each line lies from each SM.
#include "chase.cuh"

constexpr int LINES = 64, ASKED = 256;  // lines that every SM asks for, one after the other, and how often
constexpr size_t APART = (size_t(64) << 10) + 128;  // bytes from one to the next

// Every SM, from a block of its own, asks past L1 for each of some lines again and again: a line points at itself.
__global__ void ask_lines(const char *memory, unsigned *sm, float *cycles) {
  asm("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
  for (int turn = 0; turn < LINES; ++turn) {
    int line = (turn + blockIdx.x) % LINES;  // no line is asked for by all at once
    const char *own = memory + line * APART, *at = follow<false>(own);
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < ASKED; ++i) at = follow<false>(at);
    if (at != own) return;  // and so waits for the last
    cycles[blockIdx.x * LINES + line] = float(clock64() - begin) / ASKED;
  }
}

int main() {
  Buffer<char> memory(LINES * APART);
  std::vector<char *> own(LINES);
  for (int line = 0; line < LINES; ++line) {
    own[line] = memory.data + line * APART;
    CHECK(cudaMemcpy(own[line], &own[line], sizeof own[line], cudaMemcpyHostToDevice));
  }
  const int sms = gpu().multiProcessorCount;
  Buffer<unsigned> sm(sms);
  Buffer<float> cycles(size_t(sms) * LINES);
  cycles.fill(0);
  size_t padding = gpu().sharedMemPerMultiprocessor / 2;  // shared memory that keeps a second block away
  CHECK(cudaFuncSetAttribute(ask_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, int(padding)));
  ask_lines<<<sms, 1, padding>>>(memory.data, sm.data, cycles.data);
  demand_launched();
  demand_finished();
  std::vector<unsigned> where = sm.host();
  std::vector<float> found = cycles.host();
  std::vector<int> blocks(sms);
  for (int block = 0; block < sms; ++block) blocks[block] = block;
  std::sort(blocks.begin(), blocks.end(), [&](int one, int other) { return where[one] < where[other]; });
  for (int block : blocks) {
    std::vector<double> of_sm(found.begin() + block * LINES, found.begin() + (block + 1) * LINES);
    DEMAND(*std::min_element(of_sm.begin(), of_sm.end()) > 0, "SM %u", where[block]);
    emit("lines", {{"sm", where[block]}}, of_sm, true);
  }
}
