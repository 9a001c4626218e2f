"""A design of the search with what became of it, and the options of the search."""

import math
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from drivecast.catalog import Scenario
from drivecast.catalog.quotes import rate
from drivecast.compare import error_log
from drivecast.document.miss import Miss
from drivecast.document.plan_options import Commitment, PlanOptions, Where
from drivecast.document.report_payload import WhatIf
from drivecast.executors import Workers
from drivecast.plan.backup import Handling
from drivecast.plan.load import WholeLog
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity import parse
from drivecast.stage import trace
from drivecast.stage.design import Design
from drivecast.thread import Deadline

_SAME = (
    *("designs", "volumes", "today", "where", "instance", "include_old", "consumer", "trimmed"),
    *("together", "spread", "fsync_rate", "backup", "caches", "seed", "what_if", "detail", "commitment"),
)
"""Options that are typed as they are taken."""


@dataclass(frozen=True)
class Options:
    """How to search; nothing here is a requirement."""

    reading: trace.Reading = trace.AS_IT_IS
    peak_window_s: float = 60.0
    designs: tuple[str, ...] = ()
    """Designs to judge besides those searched."""
    volumes: tuple[str, ...] = ()
    """Which requests go to each volume of designs of several."""
    today: str | None = None
    """What runs now: judged, too."""
    detail: bool = False
    """Whether all designs that bounds rule out are listed."""
    include_old: bool = False
    consumer: bool = False
    """Whether drives without power-loss protection, sold for desktops, are searched."""
    trimmed: bool = True
    """Whether the file system discards what is free."""
    catalog: tuple[Path, ...] = ()
    prices: Scenario = Scenario.TYPICAL
    """The end of their bounds at which drives are bought."""
    prices_on: date | None = None
    """The day whose prices count, and not those of the price file."""
    quotes: Path | None = None
    """Prices that suppliers quoted, in place of those of the price file."""
    rates: tuple[tuple[str, float], ...] = ()
    """Dollars for one unit of a currency."""
    backup: Handling = "meet"
    """What is made of a backup in the log."""
    together: bool = False
    """Whether several logs are superposed on one array, and not put together as parts of one log."""
    spread: bool = True
    """Whether a trace of a small part of the stated capacity is spread over it."""
    fsync_rate: float | None = None
    """Durable writes a second at the peak of a counter log; none: its flushes."""
    caches: bool | None = None
    """Whether flash caches before disks are considered; none: where there are disks and a trace."""
    in_order: tuple[float, float] | None = None
    """Where the load is a workload line, and not a log: the shares of its reads and of its writes in order."""
    whole_log: WholeLog | None = None
    """Windows that represent all of the log, where it is a pass of them."""
    deadline: Deadline = field(default_factory=Deadline, compare=False, repr=False)
    """When the best so far has to do."""
    seed: int = 0
    threads: int | None = None
    executor: Executor | None = field(default=None, compare=False, repr=False)
    """Where designs are tried, instead of on threads of this process; changes no result."""
    where: Where = "metal"
    """Whether designs are bought, rented, or either."""
    instance: str | None = None
    """The instance whose limits rented volumes are behind."""
    commitment: Commitment = "none"
    """How long instances with drives are committed to; none: on demand."""
    what_if: WhatIf = "nothing"
    """What goes along for a page that asks the plan again."""
    history: Path | None = None
    """Errors of predictions so far, as `drivecast compare` keeps them."""

    @classmethod
    def of(cls, options: PlanOptions, **more: Any) -> "Options":
        """As it is typed, with what is not."""
        same = {name: getattr(options, name) for name in _SAME}
        return cls(
            reading=trace.Reading.of(options),
            peak_window_s=options.peak_window,
            prices=Scenario(options.prices),
            prices_on=parse.option("--prices-on", parse.day, options.prices_on),
            quotes=None if options.quotes is None else Path(options.quotes),
            deadline=Deadline(parse.option("--time-limit", parse.time_s, options.time_limit) or math.inf),
            rates=tuple(rate(text) for text in options.rates),
            history=error_log.place(options.history) if options.history else None,
            **same,
            **more,
        )

    @property
    def committed_years(self) -> int:
        """The longest term for which instances are committed to; 0: on demand."""
        return {"none": 0, "1y": 1, "3y": 3}[self.commitment]

    @property
    def workers(self) -> Workers:
        """Who tries designs."""
        return Workers(self.executor, self.threads)


def shortfall(misses: Iterable[Miss]) -> float:
    """How much is missed in all, needed over found; infinite where more of it would not help, 1 where nothing is."""
    return math.prod(math.inf if miss.shortfall is None else miss.shortfall for miss in misses)


@dataclass(frozen=True)
class Candidate:
    """A design and what became of it: ruled out by a bound, or tried and judged."""

    design: Design
    ruling: Miss | None = None
    trial: Trial | None = None
    verdict: Verdict | None = None
    requested: bool = False
    """Whether the person named it."""
    today: bool = False
    """Whether it is what runs now."""

    @property
    def fits(self) -> bool:
        """Whether it meets all requirements."""
        return self.verdict is not None and not self.verdict.misses

    @property
    def shortfall(self) -> float:
        """How much it misses by, needed over found; infinite where more of it would not help."""
        return shortfall(self.misses)

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The requirements it misses, or the bound that rules it out."""
        if self.verdict is not None:
            return self.verdict.misses
        return () if self.ruling is None else (self.ruling,)
