"""The output of `loom data` for one variant: its table and its values, at full precision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from loom.draw.marks import spelling
from loom.options import Options
from loom.scenes.discover import load_scene, scene_folder
from loom.scenes.info import describe
from loom.scenes.parameters import chosen_params
from loom.scenes.run import VariantRun


def variant_data(root: Path, name: str, pairs: list[str]) -> dict[str, Any]:
    """The table and the values of one choice of parameters."""
    found = load_scene(name, scene_folder(Options(root).scenes, name))
    info = describe(name, found.path, found.scene)
    chosen = zip(found.scene.params, info.indices(chosen_params(info, pairs)), strict=True)
    settled = {param.name: param.values[index] for param, index in chosen}
    variant = VariantRun(found, settled).outcome()
    return {
        "scene": name,
        "params": {
            key: value if isinstance(value, (int, float, str)) else spelling(value) for key, value in settled.items()
        },
        "columns": [{"name": one.name, "label": one.label, "unit": one.unit} for one in variant.table.columns],
        "rows": [[_as_python(cell) for cell in row] for row in variant.table.rows],
        "values": {key: {"value": _as_python(one.value), "unit": one.unit} for key, one in variant.values.items()},
    }


def table_rows(data: dict[str, Any]) -> list[list[Any]]:
    """The same as rows of a CSV file, with a header of labels and units."""
    head = [f"{one['label']} [{one['unit']}]" if one["unit"] else one["label"] for one in data["columns"]]
    return [head, *data["rows"]]


def _as_python(cell: Any) -> Any:
    """A cell as a plain Python value; whole numbers as int."""
    if isinstance(cell, str):
        return cell
    number = float(cell)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
