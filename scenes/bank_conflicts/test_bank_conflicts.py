"""Check banks, passes and layouts against plain enumeration, the gcd rule, CuTe's swizzles and the vector file."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.bank_conflicts.model import (
    ACCESSES,
    LAYOUTS,
    STRIDES,
    WIDTHS,
    footprint,
    is_aligned,
    load_latency,
    request,
    serve,
    wanted,
    word_address,
)

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
ADDRESSES = st.integers(0, 2**20)
PIECES = (1, 2, 4)
TILE = [(row, column) for row in range(32) for column in range(32)]


@st.composite
def warps(draw):
    """The addresses that 32 lanes ask for: 1, 2 or 4 words each, few or many different ones, near or far apart."""
    piece, pool, gap = draw(st.sampled_from(PIECES)), draw(st.integers(1, 160)), draw(st.sampled_from((1, 4, 32, 33)))
    random = draw(st.randoms(use_true_random=False))
    return [[gap * int(pool * random.random()) for _ in range(piece)] for _ in range(32)]


def enumerated(words):
    """Oracle: the most distinct words in any bank, and the passes, by a set for each bank of each group of lanes."""
    groups = len(words[0])
    share = 32 // groups
    most = []
    for group in range(groups):
        banks = {}
        for lane in range(group * share, (group + 1) * share):
            for word in words[lane]:
                banks.setdefault(word % 32, set()).add(word)
        most.append(max(len(asked) for asked in banks.values()))
    return max(most), sum(most)


def cute_swizzle(bits, base, shift, offset):
    """CuTe's formula, for shifts to the right: bits YYY are XORed into bits ZZZ, `shift` places lower."""
    mask = ((1 << bits) - 1) << (base + shift)
    return offset ^ ((offset & mask) >> shift)


def addresses(layout, piece=1):
    """Where each word of the tile lies, by row and column."""
    rows, columns = np.indices((32, 32))
    return word_address(layout, rows, columns, piece)


def column_degree(pitch):
    """The degree of a column read where rows are `pitch` words apart."""
    return serve(np.arange(32)[:, None] * pitch).degree


# vectors/memory.json, bank_stride: all 129 strides, 0 to 128 words, found there by enumeration.
def test_strides_of_the_vector_file_have_its_degrees():
    period = [32, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1]
    expected = [1, *period[1:], *period, *period, *period, 32]
    assert [column_degree(stride) for stride in range(129)] == expected


# vectors/memory.json, tile_padding: a 32 × 32 tile with 0 to 8 words of padding.
def test_paddings_of_the_vector_file_have_its_degrees():
    assert [column_degree(32 + pad) for pad in range(9)] == [32, 1, 2, 1, 4, 1, 2, 1, 8]


@given(stride=st.integers(1, 4096), start=ADDRESSES)
@example_budget
def test_degree_of_a_stride_is_its_gcd_with_the_banks(stride, start):
    read = serve(start + np.arange(32)[:, None] * stride)
    assert read.degree == read.passes == math.gcd(stride, 32)
    assert read.banks_used == 32 // math.gcd(stride, 32)


@given(words=warps())
@example_budget
def test_degree_and_passes_equal_plain_enumeration(words):
    read = serve(np.array(words))
    assert (read.degree, read.passes) == enumerated(words)
    assert read.distinct == len({word for lane in words for word in lane})
    assert read.banks_used == len({word % 32 for lane in words for word in lane})


@given(words=warps())
@example_budget
def test_a_bank_hands_over_one_word_a_pass_and_every_word_once_a_group(words):
    read = serve(np.array(words))
    groups = len(words[0])
    handed, turns, passes = {}, {}, [set() for _ in range(groups)]
    for lane in range(32):
        group = lane * groups // 32
        for word, turn in zip(words[lane], read.passes_of[lane].tolist(), strict=True):
            assert handed.setdefault((turn, word % 32), word) == word
            assert turns.setdefault((group, word), turn) == turn
            passes[group].add(turn)
    assert [turn for group in passes for turn in sorted(group)] == list(range(1, read.passes + 1))


@given(words=warps())
@example_budget
def test_lanes_queue_in_their_order_within_a_bank(words):
    read = serve(np.array(words))
    share = 32 // len(words[0])
    for group in range(0, 32, share):
        for bank in range(32):
            turns = [
                turn
                for lane in range(group, group + share)
                for word, turn in zip(words[lane], read.passes_of[lane].tolist(), strict=True)
                if word % 32 == bank
            ]
            firsts = list(dict.fromkeys(turns))
            assert firsts == sorted(firsts)


@given(words=warps(), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_lanes_may_trade_places_within_their_group(words, seed):
    share = 32 // len(words[0])
    shuffle = np.random.default_rng(seed).permutation
    order = np.concatenate([start + shuffle(share) for start in range(0, 32, share)])
    read, other = serve(np.array(words)), serve(np.array(words)[order])
    assert (read.degree, read.passes) == (other.degree, other.passes)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_two_words_of_a_tile_share_a_place(layout, piece):
    places = addresses(layout, piece)
    assert len(np.unique(places)) == 1024
    assert 0 <= places.min() <= places.max() < footprint(layout)


def test_swizzled_tile_has_rows_and_columns_without_conflict():
    places = addresses("swizzled")
    for line in range(32):
        assert serve(places[line, :, None]).degree == 1
        assert serve(places[:, line, None]).degree == 1
    assert places.tolist() == [[row * 32 + (column ^ row) for column in range(32)] for row in range(32)]


# cute.md section 4, printed by CuTe itself: Swizzle<3,4,3> on byte offsets.
@pytest.mark.parametrize(
    ("offset", "swizzled"), [(128, 144), (144, 128), (256, 288), (520, 584), (1000, 920), (64, 64)]
)
def test_formula_of_the_oracle_gives_the_printed_examples(offset, swizzled):
    assert cute_swizzle(3, 4, 3, offset) == swizzled


def test_swizzled_tile_is_cutes_swizzle_5_0_5_on_words():
    places = addresses("swizzled")
    assert all(places[row, column] == cute_swizzle(5, 0, 5, row * 32 + column) for row, column in TILE)


@pytest.mark.parametrize(("piece", "swizzle"), [(2, (4, 3, 4)), (4, (3, 4, 3))])
def test_pieces_of_a_swizzle_are_cutes_swizzle_on_bytes(piece, swizzle):
    # 16 chunks of 8 bytes, and 8 chunks of 16 bytes, in rows of 128 bytes.
    places = addresses("swizzled", piece)
    assert all(4 * places[row, column] == cute_swizzle(*swizzle, 128 * row + 4 * column) for row, column in TILE)


@pytest.mark.parametrize(("piece", "swizzle", "unit"), [(1, (5, 0, 5), 1), (2, (4, 3, 4), 4), (4, (3, 4, 3), 4)])
def test_swizzles_are_those_of_pycute(piece, swizzle, unit):
    reference = pytest.importorskip("pycute.swizzle").Swizzle(*swizzle)
    places = addresses("swizzled", piece)
    assert all(unit * places[row, column] == reference(unit * (32 * row + column)) for row, column in TILE)


# cute.md section 4, bank result: 8 lanes × 16 bytes down one chunk column of 128-byte rows, plain 8-way, swizzled 1.
@pytest.mark.parametrize(("layout", "degree"), [("plain", 8), ("swizzled", 1)])
def test_wide_reads_of_a_column_have_the_degree_of_the_printed_result(layout, degree):
    read = request(layout, "column", width=128)
    assert (read.degree, read.groups, read.passes) == (degree, 4, 4 * degree)


def test_512_contiguous_bytes_take_four_passes_without_conflict():  # hardware.md section 6
    read = request("plain", "row", width=128)
    assert (read.degree, read.passes, read.distinct) == (1, 4, 128)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("stride", STRIDES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_read_of_the_scene_equals_its_enumeration(layout, access, stride, width):
    if (width > 32 and access in ("stride", "broadcast")) or (layout == "padded" and width > 32):
        return
    piece = width // 32

    def where(row, column):
        if layout == "swizzled":
            return 32 * row + (column // piece ^ row % (32 // piece)) * piece + column % piece
        return row * (33 if layout == "padded" else 32) + column

    asked = {
        "row": [[128 + lane * piece + part for part in range(piece)] for lane in range(32)],
        "column": [[32 * lane + 4 + part for part in range(piece)] for lane in range(32)],
        "stride": [[lane * stride] for lane in range(32)],
        "broadcast": [[132]] * 32,
    }[access]
    words = [[where(*divmod(index, 32)) for index in lane] for lane in asked]
    read = request(layout, access, stride, width)
    assert read.words.tolist() == words
    assert (read.degree, read.passes) == enumerated(words)


def test_padding_mends_columns_and_powers_of_two_but_not_a_stride_of_three():
    assert [request("padded", "stride", stride).degree for stride in (1, 2, 3, 4, 8, 16, 32)] == [1, 1, 2, 1, 1, 1, 1]
    assert request("plain", "stride", 3).degree == 1


def test_padding_by_four_words_keeps_alignment_and_leaves_a_column_four_way():  # what the scene says that it leaves out
    assert 36 * 4 % 16 == 0
    assert column_degree(36) == math.gcd(36, 32) == 4


def test_footprint_of_padding_is_1056_words():  # hardware.md section 6: 1056 words, +3.1%
    assert [footprint(layout) for layout in LAYOUTS] == [1024, 1056, 1024]


# hardware.md section 3, bank conflict on ld.shared, measured on an A100: 23, 25, 29, 37 cycles.
@pytest.mark.parametrize(("degree", "cycles"), [(1, 23), (2, 25), (4, 29), (8, 37)])
def test_latency_of_a_load_is_the_measured_one(degree, cycles):
    assert load_latency(degree) == cycles


def test_rows_of_a_padded_tile_allow_no_wide_loads():
    assert [is_aligned("padded", width) for width in WIDTHS] == [132 * 8 % width == 0 for width in WIDTHS]
    assert all(is_aligned(layout, width) for layout in ("plain", "swizzled") for width in WIDTHS)
    with pytest.raises(ValueError, match="padded tile do not start at multiples of 128 bits"):
        request("padded", "row", width=128)


def test_unknown_names_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"layout is one of .*'swizzled'.*not 'diagonal'"):
        request("diagonal", "row")
    with pytest.raises(ValueError, match=r"access is one of .*'broadcast'.*not 'diagonal'"):
        wanted("diagonal")
    with pytest.raises(ValueError, match=r"width one of \(32, 64, 128\), not 'row' and 16"):
        wanted("row", width=16)
    with pytest.raises(ValueError, match="each lane wants 32 bits, not 64"):
        wanted("broadcast", width=64)
