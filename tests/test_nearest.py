"""A name that Python does not find in a scene's code is told with the nearest that there is."""

from __future__ import annotations

import pytest

from loom.errors import LoomError
from loom.scenes.load import load_scene
from loom.scenes.nearest import CIRCLE, DOTS, INSTALL
from tests.sites import TOY, altered, toy_site

PATH = "scenes/toy/scene.py"
MODEL = """SIZE = 1


class Hidden:
    def __dir__(self):
        raise SystemExit


def grow(half_life):
    pass
"""
SLIPS = {  # a line of a scene, and what is said to try
    "a name": ("Tabel()", "did you mean 'Table'?"),
    "a name of Loom's that was not imported": ("Plot(Pen(328))", "import it: from loom.draw import Plot"),
    "a method": ("Pen(328).rct()", "did you mean 'rect'?"),
    "a function of numpy": ("import numpy; numpy.linspce(0, 1)", "did you mean 'linspace'?"),
    "an argument": ("Pen(328).knob(lable='')", "did you mean 'label'?"),
    "an argument like none": ("Pen(328).knob(colour='red')", "known: key, label, params, rail, x, y"),
    "an argument of one's own function": ("from .model import grow; grow(half_lif=1)", "did you mean 'half_life'?"),
    "a field that is missing": ("Scene(title='')", "'summary': One sentence; also the picture's text alternative."),
    "a column's heading": ("Column('count')", "'label': The column's heading on the page."),
    "an argument of a function that is missing": ("from .model import grow; grow()", ""),
    "something of Loom's": ("from loom.draw import Plto", "did you mean 'Plot'?"),
    "something of one's own": ("from .model import SIZ", "did you mean 'SIZE'?"),
    "a file of one's own": ("from .modle import SIZE", "did you mean 'model'?"),
    "a file without its dot": ("from modle import SIZE", INSTALL),
    "a file with two dots": ("from ..model import SIZE", DOTS),
    "what scenes share": ("from .._unit import KELVIN", "did you mean '_units'?"),
    "what is not there yet": ("from .circle import SIZE", CIRCLE),
    "a name like none": ("Pen(328).xylophone()", ""),
    "an object that hides its names": ("from .model import Hidden; Hidden().size", ""),
}


@pytest.mark.parametrize("what", SLIPS)
def test_name_that_is_not_there_is_told_with_the_nearest(tmp_path, what):
    line, hint = SLIPS[what]
    files = {"scenes/toy/model.py": MODEL, "scenes/toy/circle.py": "from .scene import SCENE\n"}
    files["scenes/_units/__init__.py"] = ""
    root = toy_site(tmp_path, **files, **{PATH: altered(TOY, ("SCENE = Scene(", f"{line}\nSCENE = Scene("))})
    with pytest.raises(LoomError) as raised:
        load_scene("toy", root / "scenes/toy")
    (told,) = raised.value.problems
    assert (told.hint, "loom_scenes" in told.message) == (hint, False)


def test_name_that_python_proposes_itself_is_told_once(tmp_path):
    said = "Pen.knob() got an unexpected keyword argument 'lable'"
    line = f"""raise TypeError("{said}. Did you mean 'label'?")\nSCENE = Scene("""
    root = toy_site(tmp_path, **{PATH: altered(TOY, ("SCENE = Scene(", line))})
    with pytest.raises(LoomError) as raised:
        load_scene("toy", root / "scenes/toy")
    (told,) = raised.value.problems
    assert told.message.endswith(said) and told.hint == "did you mean 'label'?"


def test_scene_in_another_encoding_is_told_to_be_saved_as_utf_8(tmp_path):
    root = toy_site(tmp_path)
    (root / PATH).write_bytes(TOY.replace("A toy", "Ein Spaß").encode("latin-1"))
    with pytest.raises(LoomError, match="hint: save it as UTF-8"):
        load_scene("toy", root / "scenes/toy")
