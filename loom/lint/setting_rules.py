"""Rules for settings of `content/site.yml` that do not stop a build."""

from __future__ import annotations

from collections.abc import Iterator

from loom.addresses import base_path
from loom.content.load import wrong_setting
from loom.errors import Problem
from loom.model import Config
from loom.options import Options
from loom.render.words import Words


def setting_problems(config: Config, options: Options, words: Words) -> Iterator[Problem]:
    """A `url:` below another path than that for which the site is built, and a `language:` without words."""
    said, meant = base_path("", config.url), base_path(options.base)
    if config.url and options.base and said != meant:
        message = f"'url' leads to '{said}', and the site is built for '{meant}'"
        hint = "mend it, or --base-path: feed, sitemap and canonical addresses begin with it"
        yield wrong_setting(options.root / "content", "url", message, hint, "address")
    # Buttons would be English, and a screen reader would say them as if they were not.
    if not words.pairs and config.language.split("-")[0] != "en":
        message = f"'{config.language}' has no words: what pages say by themselves is said in English"
        hint = f"translate a copy of Loom's templates/words/de.yml in templates/words/{config.language}.yml"
        yield wrong_setting(options.root / "content", "language", message, hint, "language")
