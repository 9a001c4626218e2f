"""What a plan carries into its report, so that a page can judge its designs anew, and play others.

Model. Designs that were tried carry their runs; those that a bound ruled out carry their shape, since other
requirements may let them in. The recording goes along where the page can play as the plan did: a trace that was played
whole, without a backup to keep up with, and no several logs apart. Of counters the line goes along that the plan made
of them. Where neither does, a sentence says why, and the page only ranks. Rented designs are as `rented_payload` has
them, caches as `cached_payload` has them. Left out: designs of several volumes, which a page shows as the plan judged
them.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from drivecast import __version__
from drivecast.catalog import Drive, device_spec
from drivecast.catalog.latency_error import LatencyErrors, Spread
from drivecast.document.report_payload import ReportPayload, WhatIf
from drivecast.plan import cached_payload, facts
from drivecast.plan.cached_payload import Carries
from drivecast.plan.candidate import Candidate, Options
from drivecast.plan.design_runs import Runs
from drivecast.plan.load import Replay, Synthetic
from drivecast.plan.rented_payload import Carrying
from drivecast.plan.requirement import Given, Requirements
from drivecast.plan.trial import Bench
from drivecast.stage.design import Design
from drivecast.stage.simulate import controller_specs

SCHEMA = 1
REQUESTS_MAX = 1_000_000
"""Of a recording that a report carries: some five bytes each."""
NEVER = ("not-sold", "no-power-loss-protection", "host-managed", "trimmed", "link", "rotation")
"""Bounds that no requirement on the page lifts."""
NAMES = {
    "capacity": "capacity_bytes",
    "growth": "growth_per_year",
    "p99 read": "p99_read_ns",
    "p99 write": "p99_write_ns",
    "headroom": "headroom",
    "years": "years",
    "endurance tolerance": "endurance_tolerance",
    "drive losses": "drive_losses",
    "data loss": "data_loss",
    "scrub": "scrub_days",
    "hours a day": "hours_per_day",
}
"""Requirements as the plan and as the page name them."""


@dataclass(frozen=True)
class Judged:
    """A plan's search, with all that it was judged by."""

    candidates: Sequence[Candidate]
    bench: Bench
    given: Given
    options: Options
    title: str
    rented: Carrying | None
    """None where nothing was offered."""
    caches: Carries


def carried(of: Judged, what: WhatIf) -> ReportPayload | None:
    """What goes along; none where nothing is to."""
    if what == "nothing" or of.bench.profile is None:
        return None
    load = of.bench.load
    obstacle = _obstacle(of.bench) if what == "simulate" else "the report was written to rank designs only"
    recording = load.trace.compact() if obstacle is None and isinstance(load, Replay) else None
    of_counters = obstacle is None and isinstance(load, Synthetic)
    return ReportPayload(json.dumps(_document(of, obstacle)), recording, of_counters)


def _obstacle(bench: Bench) -> str | None:
    """Why a page cannot play designs as the plan did; none where it can."""
    load, profile = bench.load, bench.profile
    if bench.backup is not None:
        return "a design must keep up with the backup besides the load, which only the plan plays"
    if bench.logs:
        return "several logs were planned together, and each must meet the limits on its own, which only the plan plays"
    if isinstance(load, Synthetic):
        return None
    if not isinstance(load, Replay) or profile is None:
        return "the load is neither a recording nor counters"
    if profile.requests > REQUESTS_MAX:
        return (
            f"the recording has {profile.requests:,} requests, and a report carries {REQUESTS_MAX:,} at most"
        )
    return None if load.is_whole else "the plan played parts of the log in place of all of it"


def _document(of: Judged, obstacle: str | None) -> dict[str, Any]:
    bench, runs, rented = of.bench, Runs(of.bench), of.rented
    volumes = {"volumes": rented.specs() if rented else {}}
    tried = [each for each in of.candidates if each.trial is not None]
    others = [each for each in of.candidates if each.ruling is not None and each.ruling.kind not in NEVER]
    drives = {each.design.drive.name: each.design.drive for each in (*tried, *others)}
    drives |= of.caches.drives(NEVER)
    if bench.profile is None:
        raise ValueError("a plan of a log has its profile")
    known = _Errors()
    return {
        "schema": SCHEMA,
        "version": __version__,
        "title": of.title,
        "seed": bench.seed,
        "requirements": _settings(bench.requirements, of.given),
        "origins": {
            NAMES[name]: {"origin": how, "why": why}
            for name, how, why in bench.requirements.origins
            if name in NAMES
        },
        "needs": facts.of_requirements(bench.requirements),
        "headroom_margin": bench.requirements.headroom_margin,
        "trimmed": bench.trimmed,
        "over_all": isinstance(bench.load, Replay) and bench.load.whole_log is not None,
        "drives": {
            name: facts.of_drive(drive, bench.catalog) | {"latency": known.place(drive.latency_errors)}
            for name, drive in sorted(drives.items())
        },
        "latency_errors": known.found,
        "prices": facts.of_prices(bench.catalog.prices),
        "load": facts.of_load(bench.profile),
        "designs": [
            *(_tried(each, runs) for each in tried),
            *of.caches.designs(),
            *(rented.tried() if rented else ()),
        ],
        "space": [
            *(_shape(each) for each in others),
            *of.caches.space(NEVER),
            *(rented.space() if rented else ()),
        ],
        "caches": None if obstacle else _caches(of),
        "play": None
        if obstacle
        else _play(bench, drives.values(), [each.design for each in tried]) | volumes,
        "only_ranks": obstacle,
        **({"rental": rented.rental()} if rented else {}),
    }


def _caches(of: Judged) -> dict[str, Any] | None:
    """How a cached design is judged once the page has played it; none where the plan would play something else."""
    bench, caches = of.bench, of.caches
    if bench.profile is None or caches.again is None or caches.bench.load is not bench.load:
        return None
    return cached_payload.played(bench.profile)


def _settings(needs: Requirements, given: Given) -> dict[str, Any]:
    """The requirements as the page begins with them; what follows from growth and years is null."""
    return {
        "years": needs.years,
        "growth_per_year": needs.growth_per_year,
        "capacity_bytes": given.capacity_bytes,
        "p99_read_ns": needs.p99_read_ns,
        "p99_write_ns": needs.p99_write_ns,
        "headroom": None if given.headroom is None else needs.headroom,
        "budget_usd": needs.budget_usd,
        "power_w_max": needs.power_w_max,
        "drive_losses": needs.drive_losses,
        "data_loss": needs.data_loss,
        "hours_per_day": needs.hours_per_day,
        "endurance_tolerance": needs.endurance_tolerance,
        "scrub_days": needs.scrub_days,
        "prices": {
            "flash_times": 1.0,
            "disk_times": 1.0,
            "usd_per_kwh": None,
            "drives": {},
            "rent_times": 1.0,
        },
        "peak_times": 1.0,
    }


def _shape(candidate: Candidate) -> dict[str, Any]:
    design = candidate.design
    return cached_payload.parts(design) | {
        "line": design.line,
        "title": design.title,
        "usable_bytes": design.usable_bytes,
        "today": candidate.today,
        "yours": candidate.requested,
    }


def _tried(candidate: Candidate, runs: Runs) -> dict[str, Any]:
    trial = candidate.trial
    if trial is None or candidate.verdict is None:
        raise ValueError(f"`{candidate.design.line}` was not tried")
    return (
        _shape(candidate)
        | runs.of(candidate.design).with_trial(trial)
        | {
            "seen": facts.of_trial(trial),
            "missed_h": trial.missed_h,
            "degraded_p99_ns": trial.degraded_p99_ns,
            "simulated_loss": cached_payload.simulated(candidate),
            "misses_backup": trial.miss is not None and trial.miss.kind == "backup",
        }
    )


def _play(bench: Bench, drives: Iterable[Drive], designs: Sequence[Design]) -> dict[str, Any]:
    """How the recording is played, or the line made of counters, and on what."""
    of = sorted(drives, key=lambda drive: drive.name)
    software: dict[str, str] = {}
    for design in designs:
        software |= controller_specs(design.serving.line, bench.catalog)
    return {
        **_stretch(bench),
        "drives": {drive.name: device_spec(drive) for drive in of},
        "slow": {drive.name: device_spec(drive, "slow") for drive in of if drive.is_flash},
        "fast": {drive.name: device_spec(drive, "fast") for drive in of if drive.is_flash},
        "controllers": {name: json.loads(spec) for name, spec in software.items()},
    }


def _stretch(bench: Bench) -> dict[str, Any]:
    """The busiest stretch: where it is in the recording, or the line that stands for counters."""
    load = bench.load
    if isinstance(load, Synthetic):
        of = load.counters
        times = {"length_s": of.duration_s, "enough": load.thinned(), "longer": load.longer}
        return {"counters": {"line": of.mix, "rate_iops": of.rate_iops, **times}}
    if isinstance(load, Replay):
        return {"start_s": load.start_s, "length_s": load.length_s}
    raise TypeError("only a recording and counters are carried")


class _Errors:
    """Errors of latencies, each set once: drives of a class share theirs."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def place(self, errors: LatencyErrors | None) -> int | None:
        """The place of a set; none where nothing is known."""
        if errors is None:
            return None
        of = {"read": [*_of(errors.read.p99)], "write": [*_of(errors.write.p99)]}
        if of not in self.found:
            self.found.append(of)
        return self.found.index(of)


def _of(spread: Spread) -> Iterator[dict[str, Any]]:
    for each in spread.drives:
        yield {"ratios": each.ratios, "excess_us": each.excess_us}
