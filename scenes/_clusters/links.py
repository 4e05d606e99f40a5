"""What joins GPUs, and how fast one of them computes: an H100 in a node of eight."""

from __future__ import annotations

PEAK = 989.4e12  # [FLOP/s]: an H100's dense BF16
NODE = 8  # GPUs that NVLink joins

# Bytes that one GPU sends in a second, in one direction. Vendors quote both directions of NVLink together, 900 GB/s for
# an H100, and one direction of a network card.
NVLINK = 450e9  # [B/s]: NVLink 4, 18 links of 25 GB/s
NETWORK = 50e9  # [B/s]: 400 Gb/s, InfiniBand NDR or RoCE
