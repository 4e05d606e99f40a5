"""CUDA programs: compiled once for this GPU, all at the same time, and kept by what they are made of."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measurements.harness.effect import MeasurementError

HERE = Path(__file__).parent.parent
INCLUDE = HERE / "harness/include"
KEPT = Path(os.environ.get("MEASURE_BUILD", HERE / "build"))  # git ignores it
FLAGS = ("-O3", "-std=c++17", "-lineinfo")
OWN_INSTRUCTIONS = {"90": "90a", "100": "100a", "120": "120a"}  # architectures with features of their own


def target(capability: str) -> str:
    """nvcc's name of a compute capability: "9.0" is "90a"."""
    plain = capability.replace(".", "")
    return OWN_INSTRUCTIONS.get(plain, plain)


def compiler() -> str:
    """Where nvcc is."""
    found = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if found is None:
        raise MeasurementError("the programs can't be built: nvcc was not found")
    return found


def release() -> str | None:
    """The compiler's version, "13.0.88"."""
    try:
        told = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False).stdout
    except MeasurementError:
        return None
    return next((word[1:].rstrip(",") for word in told.split() if word[:1] == "V"), None)


def command(source: Path, output: Path, capability: str, flags: Iterable[str] = ()) -> list[str]:
    """How a source is compiled."""
    arch = target(capability)
    return [
        compiler(), *FLAGS, f"-gencode=arch=compute_{arch},code=sm_{arch}", f"-I{INCLUDE}",
        str(source), "-o", str(output), *flags,
    ]  # fmt: skip


def place(source: Path, capability: str, flags: Iterable[str] = ()) -> Path:
    """Where a program lies: its name tells all that it is made of."""
    digest = hashlib.sha256(repr(command(Path(source.name), Path(), capability, flags)).encode())
    for path in (source, *sorted(source.parent.glob("*.cuh")), *sorted(INCLUDE.iterdir())):
        digest.update(path.read_bytes())
    return KEPT / f"{source.stem}-{digest.hexdigest()[:16]}"


def build(source: Path, capability: str, flags: Iterable[str] = ()) -> Path:
    """Compile a program unless it is there; written apart first, so that a killed build leaves nothing behind."""
    program = place(source, capability, flags)
    if not program.exists():
        KEPT.mkdir(exist_ok=True)
        apart = program.with_suffix(f".{os.getpid()}")
        run = subprocess.run(command(source, apart, capability, flags), capture_output=True, text=True, check=False)
        if run.returncode:
            raise MeasurementError(f"{source.parent.name}/{source.name} does not compile:\n{run.stderr or run.stdout}")
        apart.rename(program)
    return program


def build_all(folders: Mapping[Path, Mapping[str, tuple[str, ...]]], capability: str) -> dict[Path, str]:
    """Compile every program of these folders, with the flags for some; gives what does not compile, and why."""
    sources = [(path, flags.get(path.name, ())) for folder, flags in folders.items() for path in folder.glob("*.cu")]

    def attempt(source: Path, flags: tuple[str, ...]) -> str:
        try:
            build(source, capability, flags)
        except MeasurementError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        told = pool.map(lambda one: attempt(*one), sources)
        return {path: mistake for (path, _), mistake in zip(sources, told, strict=True) if mistake}
