"""Percona: the FlashMAX II's random writes from a newly laid out file to the steady state.

The card is filled in order, then written at random. Writes run at full speed until the spare flash is used up, fall,
and are stable when cleaning is. A card too large for memory is scaled: its clock then runs faster by the same factor.
"""

from itertools import pairwise

from drivecast.catalog import Catalog
from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import (
    MIB,
    Experiment,
    Findings,
    Outcomes,
    Timed,
    mib_s,
    published,
)

DRIVE = "virident-flashmax-ii-2.2tb"
PERFORMANCE_MODE = f"{DRIVE}[partition=0.8636]"
"""The card can be formatted to 1,900 GB instead of 2,200."""

DEPTH = 256
RUN_S = 36.0
"""Of the scaled clock: an hour and a half of the card."""
FALLEN, STABLE = 0.95, 0.05
"""Below this share of the first rate writes have begun to fall; within this share of the last they are stable."""


def rates(outcome: Outcome) -> list[float]:
    """Bytes written in each whole second of the scaled clock."""
    return [float(row["written_bytes"]) for row in outcome.seconds][:-1]


def minutes(outcome: Outcome, seconds: float) -> float:
    """Minutes of the card."""
    return seconds / (outcome.scale or 1.0) / 60


def fall_s(found: list[float]) -> float:
    """When the rate first falls; within a second, by how much of it ran at the old rate."""
    at = next(second for second, rate in enumerate(found) if rate < FALLEN * found[0])
    after = found[at + 1]
    return at + min(1.0, max(0.0, (found[at] - after) / (found[0] - after)))


def stable_s(found: list[float]) -> float:
    """When the rate is last away from where it ends."""
    last = sum(found[-5:]) / 5
    away = [second for second, rate in enumerate(found) if abs(rate / last - 1) > STABLE]
    return float(away[-1] + 1)


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Two times, and the shape."""
    paper = published()["percona"]["fileio"]["flashmax-2"]
    outcome = outcomes["laid-out"]
    found = rates(outcome)
    other = outcomes["performance-mode"]
    why = "how fast the card writes, how much flash it has and where it was filled to are not published"
    findings.figure(
        "FlashMAX II: writes run at full speed for",
        "min",
        published=paper["write_warmup_min"],
        ours=minutes(outcome, fall_s(found)),
        span=(minutes(outcome, fall_s(found)), minutes(other, fall_s(rates(other)))),
        why=why,
    )
    findings.figure(
        "FlashMAX II: writes are stable after",
        "min",
        published=paper["write_stable_min"],
        ours=minutes(outcome, stable_s(found)),
        span=(minutes(outcome, stable_s(found)), minutes(other, stable_s(rates(other)))),
        why=why,
    )
    falls = sum(later < FALLEN * earlier for earlier, later in pairwise(found))
    findings.ordering(
        "writes are fast, fall, and stay",
        falls > 0 and found[-1] < FALLEN * found[0] and stable_s(found) < len(found) - 5,
        f"{found[0] / MIB:,.0f} to {found[-1] / MIB:,.0f} MiB/s",
    )
    findings.ordering(
        "the rate a card ends with is the steady state's",
        abs(found[-1] / MIB / mib_s(outcomes["steady"]) - 1) < STABLE,
        f"{found[-1] / MIB:,.0f} against {mib_s(outcomes['steady']):,.0f} MiB/s",
    )


LOAD = f"random(16KiB, read=0, iodepth={DEPTH})"
EXPERIMENT = Experiment(
    name="warmup",
    title="Percona: the FlashMAX II on its way to the steady state",
    documents=("percona",),
    conditions=(
        "the test file fills the card, and is new",
        "the card has its full capacity, not its performance mode",
    ),
    read=read,
    tasks={
        "laid-out": Timed(DRIVE, LOAD, duration_s=RUN_S, laid_out=True),
        "performance-mode": Timed(PERFORMANCE_MODE, LOAD, duration_s=RUN_S, laid_out=True),
        "steady": Timed(DRIVE, LOAD),
    },
)
