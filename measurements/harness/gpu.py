"""The GPU of this machine: what the driver says of it, and how it feels right now."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from measurements.harness.datasheet import SHEETS, DataSheet
from measurements.harness.effect import MeasurementError

MEGA, MIB = 10**6, 2**20
FACTS = ("name", "driver_version", "compute_cap", "power.limit", "clocks.max.sm", "clocks.max.mem")
STATE = ("clocks.sm", "clocks.mem", "power.draw")
MULTIPROCESSORS, L2_CACHE_SIZE = 16, 38  # of CUdevice_attribute


@dataclass(frozen=True)
class Gpu:
    """What stays: rates in Hz, sizes in B, power in W."""

    name: str
    driver: str
    capability: str  # "9.0"
    sms: int
    memory: int
    l2: int
    power_limit: float
    clock_sm_max: float
    clock_memory_max: float

    @property
    def slug(self) -> str:
        """The folder of its results: the first word of its name after the maker's, "h100"."""
        words = [word for word in self.name.split() if word != "NVIDIA"]
        return words[0].lower() if words else "gpu"

    @property
    def sheet(self) -> DataSheet:
        """What its data sheet promises."""
        if self.slug not in SHEETS:
            raise MeasurementError(f"no data sheet of {self.name}: add {self.slug!r} to harness/datasheet.py")
        return SHEETS[self.slug]


@dataclass(frozen=True)
class State:
    """What changes: clocks [Hz] and power [W]."""

    sm: float
    memory: float
    power: float


@dataclass
class Watch:
    """The states that were seen while something ran."""

    states: list[State] = field(default_factory=list)


def ask(fields: tuple[str, ...]) -> list[str]:
    """What nvidia-smi says of the first GPU."""
    if shutil.which("nvidia-smi") is None:
        raise MeasurementError("there is no NVIDIA GPU here that could be measured: nvidia-smi was not found")
    command = ["nvidia-smi", "-i", "0", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if told.returncode:
        raise MeasurementError(f"there is no NVIDIA GPU here that could be measured: {told.stdout.strip()}")
    return [word.strip() for word in told.stdout.strip().split(",")]


def number(word: str) -> float:
    """A number of nvidia-smi's; what it doesn't know is 0."""
    try:
        return float(word)
    except ValueError:
        return 0.0


def find_gpu() -> Gpu:
    """The machine's first GPU."""
    name, driver, capability, power, sm, memory = ask(FACTS)
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise MeasurementError(f"the driver's library can't be opened: {error}") from None
    handle, value, size = ctypes.c_int(), ctypes.c_int(), ctypes.c_size_t()

    def attribute(which: int) -> int:
        demand(cuda.cuDeviceGetAttribute(ctypes.byref(value), which, handle))
        return value.value

    demand(cuda.cuInit(0))
    demand(cuda.cuDeviceGet(ctypes.byref(handle), 0))
    demand(cuda.cuDeviceTotalMem_v2(ctypes.byref(size), handle))
    return Gpu(
        name, driver, capability, attribute(MULTIPROCESSORS), size.value, attribute(L2_CACHE_SIZE),
        number(power), number(sm) * MEGA, number(memory) * MEGA,
    )  # fmt: skip


def demand(status: int) -> None:
    """Stop where a call to the driver has failed."""
    if status:
        raise MeasurementError(f"the GPU's driver answers with error {status}")


def state() -> State:
    """The GPU's clocks and power now."""
    sm, memory, power = ask(STATE)
    return State(number(sm) * MEGA, number(memory) * MEGA, number(power))


@contextlib.contextmanager
def watching(every: float = 0.1) -> Iterator[Watch]:
    """Note the GPU's clocks and power again and again while a block runs; the watch is filled when it ends."""
    seen = Watch()
    command = ["nvidia-smi", "-i", "0", f"--query-gpu={','.join(STATE)}", "--format=csv,noheader,nounits"]
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "states"
        with lines.open("w") as file, subprocess.Popen([*command, "-lms", f"{every * 1000:.0f}"], stdout=file) as smi:
            try:
                yield seen
            finally:
                smi.terminate()
        for line in lines.read_text().splitlines():
            words = line.split(",")
            if len(words) == len(STATE):  # the last line may be cut
                sm, memory, power = map(number, words)
                seen.states.append(State(sm * MEGA, memory * MEGA, power))
