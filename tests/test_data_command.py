"""The command `data`: a scene's numbers at full precision, as JSON and CSV, for parameters as pages spell them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from loom.cli import main
from tests.sites import TOY, altered, toy_site


@pytest.fixture
def root(tmp_path):
    return toy_site(tmp_path / "root", index="# Home\n\n:::{scene} toy\n:::\n")


def data(capsys, root, *arguments: str):
    assert main(["data", "toy", "--root", str(root), *arguments]) == 0
    return capsys.readouterr().out


def test_data_prints_the_table_of_the_defaults(root, capsys):
    assert json.loads(data(capsys, root)) == {
        "scene": "toy",
        "params": {"count": 2, "mode": "fast", "twice": False},
        "columns": [
            {"name": "at", "label": "step", "unit": ""},
            {"name": "share", "label": "share", "unit": "%"},
        ],
        "rows": [[0, 0], [1, 50]],
        "values": {
            "size": {"value": 3_000_000_000, "unit": "B"},
            "third": {"value": 100 / 3, "unit": "%"},
            "count": {"value": 2, "unit": ""},
        },
    }


def test_data_takes_parameters_as_pages_spell_them(root, capsys):
    arguments = ["--set", "count=3", "--set", "mode=slow way", "--set", "twice=on"]
    found = json.loads(data(capsys, root, *arguments))
    assert found["params"] == {"count": 3, "mode": "slow way", "twice": True}
    assert found["rows"][1] == [1, 100 / 3]  # at full precision
    assert found["values"]["size"]["value"] == 9e9


def test_data_prints_csv_headed_by_labels_with_units(root, capsys):
    printed = data(capsys, root, "--set", "count=3", "--format", "csv")
    assert list(csv.reader(io.StringIO(printed))) == [
        ["step", "share [%]"], ["0", "0"], ["1", "33.333333333333336"], ["2", "66.66666666666667"],
    ]  # fmt: skip


def test_data_names_the_state_that_the_reader_would_see_when_a_parameter_rests(tmp_path, capsys):
    scene = altered(TOY, ('("fast", "slow way"))', '("fast", "slow way"), when={"count": (4,)})'))
    root = toy_site(tmp_path, **{"scenes/toy/scene.py": scene})
    assert json.loads(data(capsys, root, "--set", "mode=slow way"))["params"]["mode"] == "fast"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["toy", "--set", "count=5"], ["--set: 'count' can't be '5'", "  hint: it is one of: 2, 3, 4"]),
        (["toy", "--set", "twice=maybe"], ["--set: 'twice' can't be 'maybe'", "  hint: it is one of: off, on"]),
        (["toy", "--set", "mode"], ["--set: 'mode' is not 'name=value'", "  hint: write --set mode=…"]),
        (["toy", "--set", "cuont=2"],
         ["--set: scene 'toy' has no parameter 'cuont'", "  hint: did you mean 'count'?"]),
        (["toy", "--set", "xyz=2"],
         ["--set: scene 'toy' has no parameter 'xyz'", "  hint: its parameters are: count, mode, twice"]),
        (["tyo"], ["scenes: unknown scene 'tyo'", "  hint: did you mean 'toy'?"]),
    ],
)  # fmt: skip
def test_data_lists_what_is_valid_instead(root, capsys, arguments, expected):
    assert main(["data", "--root", str(root), *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[:2] == expected


def test_golden_row_of_online_softmax_is_on_the_command_line(capsys):
    arguments = ["data", "online-softmax", "--set", "order=as given", "--set", "tile=4"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    names = [column["name"] for column in found["columns"]]
    assert names == ["tile", "tile_max", "running_max_m", "rescale", "denominator_l", "output_o_l"]
    assert found["rows"][1] == [1, 5, 5, pytest.approx(0.135, abs=5e-4), pytest.approx(1.32, abs=5e-3),
                                pytest.approx(13.175, abs=5e-4)]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("1", "the nearest of its 28 values are 2 and 3"),
        ("17.2", "the nearest of its 28 values are 17 and 18"),
        ("many", "it is one of: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …"),
    ],
)
def test_of_many_numbers_the_nearest_are_offered(tmp_path, capsys, said, hint):
    scene = altered(TOY, ("(2, 3, 4)", "tuple(range(2, 30))"))
    assert main(
        ["data", "toy", "--set", f"count={said}", "--root", str(toy_site(tmp_path, **{"scenes/toy/scene.py": scene}))]
    )
    assert f"hint: {hint}\n" in capsys.readouterr().err
