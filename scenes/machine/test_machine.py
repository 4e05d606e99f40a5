"""Check the levels against raw results, and where a load is found against caches that are walked line by line."""

import itertools
from collections import OrderedDict

import pytest

from scenes._gpus.memory import GPUS, KB, MB
from scenes.machine.model import FAR, HBM, L1, NEAR, REGISTERS, SIZES, Sent, levels_of, solve, spelled


def walk(holds: list[int], lines: int) -> int:
    """Which of some caches answers a thread that goes through `lines` lines again and again, counted line by line.

    Each cache keeps the lines that were used last. Two rounds fill them; in the third, all answers come from one level.
    """
    caches: list[OrderedDict[int, None]] = [OrderedDict() for _ in holds]
    answers = set()
    for turn, line in itertools.product(range(3), range(lines)):
        hit = next((at for at, cache in enumerate(caches) if line in cache), len(caches))
        for cache, most in zip(caches, holds, strict=True):
            cache[line] = None
            cache.move_to_end(line)
            if len(cache) > most:
                cache.popitem(last=False)
        if turn == 2:
            answers.add(hit)
    (answer,) = answers
    return answer


@pytest.mark.parametrize("lines", [1, 2, 4, 5, 6, 9, 10, 11, 30])
def test_load_is_found_where_a_walked_cache_finds_it(lines):
    # One line stands for 4 MB: half of an A100's L2 keeps 5 lines, both halves keep 10.
    answer = (NEAR, FAR, HBM)[walk([5, 10], lines)]
    assert solve("A100", lines * 4 * MB).found.name == answer


@pytest.mark.parametrize("gpu", GPUS)
def test_first_level_that_holds_all_of_the_data_answers(gpu):
    levels = levels_of(GPUS[gpu])
    for nearer, level in itertools.pairwise(levels):
        limit = int(nearer.holds)
        assert Sent(GPUS[gpu], limit).found == nearer
        assert Sent(GPUS[gpu], limit + 1).found == level


@pytest.mark.parametrize("gpu", GPUS)
def test_each_level_holds_more_is_farther_and_hands_over_no_more(gpu):
    for nearer, level in itertools.pairwise(levels_of(GPUS[gpu])):
        assert nearer.holds < level.holds
        assert nearer.cycles < level.cycles
        assert not (nearer.rate and level.rate) or nearer.rate >= level.rate


# gpu-benches, gpu-latency: rows of a100_80.txt and gh200.txt, in kB and cycles, clear of the steps between levels.
@pytest.mark.parametrize(
    ("gpu", "kilobytes", "cycles"),
    [
        ("A100", 2, 33.0), ("A100", 64.2, 33.4), ("A100", 1008, 205.7), ("A100", 15422, 205.7), ("A100", 29077, 398.6),
        ("A100", 37753, 397.2), ("A100", 136996, 550.2), ("A100", 1943180, 552.4),
        ("H100", 3.2, 32.0), ("H100", 176.4, 33.4), ("H100", 1065, 280.6), ("H100", 24476, 280.3),
        ("H100", 47897, 488.1), ("H100", 236161, 680.4), ("H100", 1159551, 688.0),
    ],
)  # fmt: skip
def test_cycles_are_those_of_the_raw_results(gpu, kilobytes, cycles):
    assert solve(gpu, int(kilobytes * KB)).found.cycles == pytest.approx(cycles, rel=0.05)


def test_b200_cycles_come_from_nanoseconds_and_from_bytes_in_flight():
    b200 = GPUS["B200"]
    assert b200.l1_cycles == pytest.approx(19.6e-9 * b200.clock, rel=0.02)  # Chips and Cheese
    assert b200.near == pytest.approx(150e-9 * b200.clock, rel=0.02)
    # ldgsts_tput.csv of SemiAnalysis, first row: 64 threads, 4 B each, one stage: 87,350,306,649.87 B/s
    assert b200.hbm_cycles == pytest.approx(64 * 4 * 148 / 87_350_306_649.87 * b200.clock, rel=0.01)


def test_rates_are_those_of_the_machines():
    a100, h100 = GPUS["A100"], GPUS["H100"]
    assert a100.l1_rate == pytest.approx(19.17e12, rel=0.02)  # gpu-benches, gpu-cache: 19,170 GB/s at 124 kB
    assert h100.register_rate == pytest.approx(132 * 128 * 12 * 1.98e9, rel=1e-3)  # 128 lanes, three operands of 4 B
    assert a100.hbm_rate == pytest.approx(5120 * 1593e6 * 2 / 8, rel=1e-3)


def test_chip_holds_what_its_parts_hold():
    # 132 x (256 + 256) KB = 66 MB, and 50 MB; 148 x 768 KB = 111 MB, and 126.5 MB: by hand.
    assert GPUS["H100"].on_chip == 116 * MB
    assert GPUS["B200"].on_chip == 237.5 * MB


def test_sizes_are_two_an_octave_from_512_bytes_to_8_gigabytes():
    assert (SIZES[0], SIZES[-1], len(SIZES)) == (512, 8 << 30, 49)
    assert all(there / here in (1.5, 4 / 3) for here, there in itertools.pairwise(SIZES))
    assert [spelled(size) for size in (512, 768, 1536, 25 * MB, 3 << 29)] == [
        "512\u00a0B", "768\u00a0B", "1.5\u00a0KB", "25\u00a0MB", "1.5\u00a0GB",
    ]  # fmt: skip


def test_registers_answer_for_one_thread_only():
    assert solve("H100", 512).found.name == REGISTERS
    assert solve("H100", 1024).found.name == L1  # 255 registers hold 1,020 bytes


def test_unknown_gpus_and_impossible_sizes_are_refused():
    with pytest.raises(ValueError, match="gpu is one of"):
        solve("V100", 512)
    for size in (0, 200 * 10**9):
        with pytest.raises(ValueError, match="holds 1 to"):
            solve("B200", size)
