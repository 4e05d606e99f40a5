"""One run: the programs are built together, then each effect runs in a process of its own, against a limit."""

from __future__ import annotations

import datetime
import importlib
import importlib.metadata
import importlib.util
import multiprocessing
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measurements.harness import build, results, schema
from measurements.harness.effect import Effect, MeasurementError
from measurements.harness.gpu import Gpu
from measurements.harness.machine import QUICK, Machine, OwnMachine


def names() -> list[str]:
    """The effects that there are."""
    folders = {path.parent for path in build.HERE.glob("*/effect.py")} - {Path(__file__).parent}
    return sorted(folder.name for folder in folders)


def load(name: str) -> Effect:
    """The effect of a folder."""
    if name not in names():
        raise MeasurementError(f"no such effect: {name}; there are {', '.join(names())}")
    effect = importlib.import_module(f"measurements.{name}.effect").EFFECT
    if not isinstance(effect, Effect):
        raise MeasurementError(f"{name}/effect.py: EFFECT is no Effect")
    return effect


def version(package: str) -> str | None:
    """The version of a Python package, if it is here."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def cuda() -> str:
    """The newest CUDA that the driver knows."""
    told = subprocess.run(["nvidia-smi"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"CUDA Version: *([\d.]+)", told)
    return found[1] if found else "unknown"


def software() -> dict[str, str | None]:
    """What else a number may depend on."""
    ours = {"cuda": cuda(), "nvcc": build.release(), "python": platform.python_version()}
    return {**ours, "torch": version("torch"), "triton": version("triton")}


def record(name: str, effect: Effect, machine: Machine, packages: dict[str, str | None]) -> dict[str, Any]:
    """Measure, and put down all that is known of it."""
    gpu, before = machine.gpu, machine.state()
    series = results.collect(effect, gpu, effect.measure(machine))
    after = machine.state()
    vectors = {"file": machine.vectors.name, "sha256": results.digest(machine.vectors)} if effect.vectors else None
    return {
        "schema": results.SCHEMA,
        "name": name,
        "title": effect.title,
        "question": effect.question,
        "gpu": {fact: getattr(gpu, fact) for fact in schema.GPU},
        "software": packages,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": f"python measurements/run.py {name}{' --quick' if machine.quick else ''}",
        "quick": machine.quick,
        "clocks": {
            "sm_before": before.sm,
            "sm_after": after.sm,
            "memory_before": before.memory,
            "memory_after": after.memory,
        },
        "power": {"before": before.power, "after": after.power},
        "source": results.sources(name),
        "predicted_from": effect.predicted_from,
        "series": series,
        **({"vectors": vectors} if vectors else {}),
    }


def measure(name: str, gpu: Gpu, quick: bool, out: Path) -> None:
    """Measure one effect and write its result; runs in a process, and a group of processes, of its own."""
    os.setsid()
    try:
        effect = load(name)
        missing = [module for module in effect.modules if importlib.util.find_spec(module) is None]
        if missing:
            raise MeasurementError(f"it needs {', '.join(missing)}, which is not installed")
        if quick:
            os.environ[QUICK] = "1"
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            vectors = out / f"{name}.vectors.npz"
            machine = OwnMachine(gpu, quick, build.HERE / name, Path(folder), vectors, effect.flags)
            made = record(name, effect, machine, software())
        wrong = list(schema.problems(made))
        if wrong:
            raise MeasurementError("its result breaks the schema: " + "; ".join(wrong))
        results.write(made, out / f"{name}.json")
    except MeasurementError as error:
        sys.exit(f"{name}: {error}")


def apart(name: str, limit: float, gpu: Gpu, quick: bool, out: Path) -> bool:
    """Measure one effect in a process that can't harm another, and stop all that it has started after its limit."""
    print(f"{name} …", flush=True)
    begun = time.monotonic()
    child = multiprocessing.get_context("spawn").Process(target=measure, args=(name, gpu, quick, out))
    child.start()
    child.join(limit)
    if child.is_alive() and child.pid:
        print(f"{name}: stopped after {limit:.0f} s", file=sys.stderr, flush=True)
        os.killpg(child.pid, signal.SIGKILL)
        child.join()
    passed = child.exitcode == 0
    print(f"{name}: {'written' if passed else 'FAILED'} after {time.monotonic() - begun:.1f} s", flush=True)
    return passed


def run(chosen: Sequence[str], gpu: Gpu, quick: bool, out: Path) -> bool:
    """Build the programs of these effects, measure one after the other, and say whether all went well."""
    effects = {name: load(name) for name in chosen}
    begun = time.monotonic()
    broken = build.build_all({build.HERE / name: effect.flags for name, effect in effects.items()}, gpu.capability)
    print(f"built after {time.monotonic() - begun:.1f} s", flush=True)
    for mistake in broken.values():
        print(mistake, file=sys.stderr, flush=True)
    passed = [apart(name, effect.limit, gpu, quick, out / gpu.slug) for name, effect in effects.items()]
    return all(passed)
