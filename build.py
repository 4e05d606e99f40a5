#!/usr/bin/env python3
"""Build Loom's site: `python build.py`; other commands: `python build.py --help`."""

import sys

from loom.cli import main, with_default

if __name__ == "__main__":
    sys.exit(main(with_default(sys.argv[1:])))
