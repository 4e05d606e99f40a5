"""Measure this machine's GPU: `python measurements/run.py [NAME …] [--quick] [--out DIR] [--list]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # it runs from a checkout, with nothing installed

from measurements.harness.build import compiler  # noqa: E402
from measurements.harness.effect import MeasurementError  # noqa: E402
from measurements.harness.gpu import find_gpu  # noqa: E402
from measurements.harness.runner import load, names, run  # noqa: E402


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description="Measure this machine's GPU, and write results beside what was expected."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="an effect's folder; without any, all of them")
    parser.add_argument("--quick", action="store_true", help="few repetitions, to see that everything runs")
    parser.add_argument("--out", type=Path, default=HERE / "results", help="where DIR/<gpu>/<name>.json is written")
    parser.add_argument("--list", action="store_true", help="name the effects and their questions")
    return parser.parse_args()


def main() -> int:
    """Run what was asked for; 0 if all of it was measured."""
    asked = arguments()
    try:
        chosen = asked.names or names()
        if asked.list:
            for name in chosen:
                print(f"{name:18} {load(name).question}")
            return 0
        for name in chosen:
            load(name)
        gpu = find_gpu()
        compiler()
        print(f"{gpu.name}, driver {gpu.driver}", flush=True)
        return 0 if run(chosen, gpu, asked.quick, asked.out) else 1
    except MeasurementError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
