"""Pictures keep their room free, and what is no picture is told."""

from __future__ import annotations

import io
import os
import random
from pathlib import PurePosixPath

import pytest
from PIL import Image

from loom.content.pictures import is_whole
from loom.lint.picture_rules import picture_problems
from tests.sites import built, page, problem, site

INDEX = "# A\n\n![A thing](picture.{})\n"


def picture(kind: str, size: tuple[int, int] = (37, 21), **options: object) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, "red").save(stream, kind, **options)
    return stream.getvalue()


def shown(root, kind: str, raw: bytes) -> tuple[str | None, str | None]:
    tree = page(built(site(root, index=INDEX.format(kind), **{f"picture.{kind}": raw})))
    found = tree.find(".//article//img")
    assert found is not None
    return found.get("width"), found.get("height")


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "avif"])
def test_picture_has_the_size_of_its_file(tmp_path, kind):
    assert shown(tmp_path, kind, picture(kind)) == ("37", "21")


def test_picture_that_the_camera_turned_has_its_sides_exchanged(tmp_path):
    turned = Image.Exif()
    turned[0x0112] = 6
    assert shown(tmp_path, "jpeg", picture("jpeg", exif=turned)) == ("21", "37")


@pytest.mark.parametrize(
    ("attributes", "size"),
    [('width="30" height="20"', ("30", "20")), ("", (None, None)), ('width="wide" height="20"', (None, None))],
)
def test_drawing_has_a_size_if_it_gives_one(tmp_path, attributes, size):
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}></svg>'
    assert shown(tmp_path, "svg", drawing.encode()) == size


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "avif"])
@pytest.mark.parametrize("raw", [b"", b"words", picture("png")[:20], b"RIFF1234WEBPVP8 ", os.urandom(1 << 16)])
def test_file_that_is_no_picture_is_a_problem(tmp_path, kind, raw):
    found = problem(site(tmp_path, index=INDEX.format(kind), **{f"picture.{kind}": raw}))
    assert (found.path, found.line, found.rule) == ("content/index.md", 3, "image")
    assert found.message == f"'picture.{kind}' is no picture that can be read"


NOISE = random.Random(7).randbytes(1 << 16)
WHOLE = picture("png", (300, 300)), picture("jpeg", (300, 300)), picture("jpeg", progressive=True)


@pytest.mark.parametrize("raw", [
    WHOLE[0][:-30], WHOLE[0][:33], WHOLE[0][:33] + NOISE, WHOLE[0][:33] + WHOLE[0][-12:], WHOLE[0][:-4],
    WHOLE[1][:-2], WHOLE[1][:400], WHOLE[2][:-9], WHOLE[1][:400] + NOISE,
], ids=["end", "head", "noise", "empty", "checksum", "jpeg end", "jpeg head", "progressive", "jpeg noise"])  # fmt: skip
def test_picture_that_breaks_off_is_a_problem_on_its_page_and_beside_the_pages(tmp_path, raw):
    kind = "png" if raw[:2] == b"\x89P" else "jpeg"
    name = f"picture.{kind}"
    assert problem(site(tmp_path, index=INDEX.format(kind), **{name: raw})).message == (
        f"'{name}' is no picture that can be read"
    )
    message = "this file breaks off: it is no picture that can be read"
    assert [one.message for one in picture_problems({PurePosixPath(name): raw})] == [message]


@pytest.mark.parametrize("raw", [*WHOLE, WHOLE[0] + NOISE, WHOLE[1] + NOISE, WHOLE[2] + b"\0" * 9])
def test_what_lies_behind_a_whole_picture_is_its_own_affair(raw):
    assert is_whole(io.BytesIO(raw))


def test_picture_of_another_size_changes_the_page(tmp_path):
    for size in (30, 20), (50, 10):
        assert shown(tmp_path, "png", picture("png", size)) == (str(size[0]), str(size[1]))
