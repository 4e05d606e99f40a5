"""Amounts and names as the reader reads them."""

from __future__ import annotations

from collections.abc import Sequence

from .launch import FILE, SHARED, SLOTS, WARPS, Launch
from .model import KIB, LANES, QUARTERS, RESERVE

NAMES = ("Warp slots", "Registers", "Shared memory", "Block slots")


def percent(share: float) -> str:
    """To three digits: 75%, 18.8%, 1.56%."""
    return f"{share:.3g}%"


def kib(size: int) -> str:
    return f"{size / KIB:g}"


def amount(resource: int, size: int) -> str:
    """So much of a resource, with its unit where it has one."""
    return f"{kib(size)}\u00a0KiB" if resource == SHARED else f"{size:,}"


def listed(names: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def holding(launch: Launch, resource: int) -> str:
    """What the SM has, as it is divided."""
    has = launch.has[resource]
    return f"{QUARTERS} × {has // QUARTERS:,}" if resource in (WARPS, FILE) else amount(resource, has)


def reckoned(launch: Launch, resource: int) -> str:
    """How a block's need comes about."""
    return {
        WARPS: f"{launch.threads:,} ÷ {LANES}",
        FILE: f"{launch.threads:,} × {launch.granted}",
        SHARED: f"{launch.shared} + {kib(RESERVE)} reserved",
        SLOTS: "",
    }[resource]


def divided(launch: Launch, resource: int) -> str:
    """The division by which blocks fit."""
    has, takes = launch.has[resource], launch.takes[resource]
    if resource == FILE:
        return f"{QUARTERS} × {launch.quarter_warps} warps ÷ {launch.warps}"
    return f"{kib(has)} ÷ {kib(takes)}" if resource == SHARED else f"{has} ÷ {takes}"
