"""A plan, carried out: load, and for each setting restart, ramp, measure.

Every program runs under a keeper, every directory is removed by one: nothing is left, however this ends.
"""

import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path

import drivecast
from drivecast.bench.database.account import choose
from drivecast.bench.database.book import Book, now, opened
from drivecast.bench.database.findings import findings
from drivecast.bench.database.load import Measured, Run
from drivecast.bench.database.meter import Meter
from drivecast.bench.database.place import Place, Site, made, must_have_room
from drivecast.bench.database.plan import Plan, Step
from drivecast.bench.database.server import Running, run_whole, running
from drivecast.bench.database.tuning import Tuning
from drivecast.bench.environment import Watch, machine, storage
from drivecast.bench.environment.machine import program
from drivecast.bench.result import Point, Processor, Result, Transactions, plan_hash, unfinished
from drivecast.bench.target import Progress
from drivecast.errors import InputError
from drivecast.report import number

DRIFT = 0.1
"""By how much the throughput of the last third may differ from that of the first before it is said; assumed."""


def measure(plan: Plan, *, out: Path | None, fresh: bool, command: Sequence[str], update: Progress) -> Result:
    """Carry out a plan; gone on with where `out` holds a part of it.

    Raises `InputError` for whatever keeps a point from being measured; the points before it are in `out` then.
    """
    book = _book(plan, out, fresh=fresh, command=command)
    clock = _Clock(plan, book, update)
    try:
        for site in plan.sites:
            todo = [step for step in plan.steps() if not book.has(site.name, plan.settings(step))]
            if todo:
                _site(plan, site, todo, book, clock)
    except KeyboardInterrupt:
        book.cut("interrupted")
        raise
    except InputError as error:
        book.cut(str(error).partition("\n")[0])
        raise
    return book.close(findings(book.result.points))


def _book(plan: Plan, out: Path | None, *, fresh: bool, command: Sequence[str]) -> Book:
    """Raises `InputError` for all that can be known to be wrong before anything is done."""
    hash_ = plan_hash(plan.described())
    found = unfinished(out, hash_, fresh=fresh)
    plan.server.programs()
    told = {name: program(argv) for name, argv in plan.load.programs().items()}
    for site in plan.sites:
        must_have_room(site, *plan.need_bytes)
    memory = machine()["memory_bytes"]
    largest = max(one.buffer_bytes for one in plan.tunings)
    if largest > 0.9 * memory:
        raise InputError(
            f"a buffer of {number.binary_size(largest)} does not fit in this machine's "
            f"{number.binary_size(memory)} of memory\nhint: smaller `--buffer`, or a smaller `--size`"
        )
    return opened(
        out,
        found,
        kind="database",
        title=plan.title,
        version=drivecast.__version__,
        seed=plan.seed,
        plan=hash_,
        command=command,
        environment={**machine(), "programs": {plan.server.name: plan.server.version, **told}},
    )


class _Clock:
    """Progress, with the time left of what the plan says."""

    def __init__(self, plan: Plan, book: Book, update: Progress) -> None:
        self._update = update
        left = len(plan.sites) * len(plan.steps()) - len(book.result.points)
        sites = -(-left // len(plan.steps()))
        self._whole_s = max(1.0, left * plan.step_s + sites * plan.load_s)
        self._passed_s = 0.0

    def tell(self, what: str, within_s: float = 0.0) -> None:
        """What is being done, and how long it has been."""
        passed = min(self._passed_s + within_s, self._whole_s)
        self._update(passed / self._whole_s, f"{what}, about {number.duration(self._whole_s - passed)} left")

    def past(self, seconds: float) -> None:
        """So much of the plan is done."""
        self._passed_s += seconds


def _site(plan: Plan, site: Site, todo: list[Step], book: Book, clock: _Clock) -> None:
    account = choose(site.on, plan.server.accounts)
    connections = max(*plan.threads, 16)
    with made(site, account) as place:
        _load(plan, site, place, clock)
        book.target(
            {
                "name": site.name,
                "bytes": shutil.disk_usage(site.on).total,
                "made": True,
                "data_bytes": place.data_bytes(plan.server.tables),
                "account": account.name,
                "storage": storage(site.on),
                "log_storage": storage(site.log_on) if site.log_on else None,
            }
        )
        for (_repeat, tuning), steps in groupby(todo, key=lambda step: (step.repeat, step.tuning)):
            place.forget()
            with running(plan.server, place, tuning, connections) as one:
                for step in steps:
                    point = _point(plan, site, step, one, clock)
                    book.add(point, len(plan.sites) * len(plan.steps()))


def _load(plan: Plan, site: Site, place: Place, clock: _Clock) -> None:
    """Make the data set, with the largest buffer and without a flush at each commit."""
    what = f"{site.name}: loading {number.size(plan.load.data_bytes)}"
    clock.tell(what)
    begun_s = time.monotonic()
    plan.server.create(place)
    widest = max(plan.tunings, key=lambda one: one.buffer_bytes)
    tuning = Tuning(
        widest.buffer_bytes, plan.log_bytes, 2, widest.doublewrite, None, widest.flush_method, widest.further
    )
    at_once = min(8, max(2, *plan.threads))
    with running(plan.server, place, tuning, at_once) as one:

        def tick() -> None:
            one.must_live()
            clock.tell(what, min(plan.load_s, time.monotonic() - begun_s))

        for argv in plan.load.prepare(plan.server, place, at_once):
            run_whole(argv, place, f"loading the data set into {plan.server.title}", tick)
    clock.past(plan.load_s)


def _point(plan: Plan, site: Site, step: Step, one: Running, clock: _Clock) -> Point:
    place, settings = one.place, plan.settings(step)
    run = Run(step.threads, plan.ramp_s, plan.time_s, plan.seed + step.repeat - 1)
    what = f"{site.name}: {label(step)}"
    started = now()
    sensors = _Sensors(place, plan.ramp_s)

    def tick() -> None:
        one.must_live()
        clock.tell(what, min(sensors.passed_s, plan.step_s))
        sensors.tick()

    with sensors:
        said = run_whole(plan.load.argv(plan.server, place, run), place, plan.load.title, tick)
    measured = plan.load.read(said, place, run)
    clock.past(plan.step_s)
    return Point(
        target=site.name,
        settings=settings,
        workload=None,
        span_bytes=place.data_bytes(plan.server.tables),
        started=started,
        ramp_s=plan.ramp_s,
        transactions=Transactions(
            per_s=measured.per_s,
            errors=measured.errors,
            latency_ns=measured.latency_ns,
            seconds=measured.seconds,
            kinds=measured.kinds,
        ),
        processor=sensors.processor,
        noise=sensors.noise,
        devices=sensors.devices,
        notes=[*measured.notes, *drift(measured), *plan.server.notes(step.tuning, plan.load.data_bytes)],
    )


class _Sensors:
    """Counters of the machine and of the devices, from the end of the ramp on."""

    def __init__(self, place: Place, ramp_s: float) -> None:
        self._place = place
        self._ramp_s = ramp_s
        self._begun_s = time.monotonic()
        self._watching = ExitStack()
        self._watch: Watch | None = None
        self._meter: Meter | None = None
        self.devices: dict[str, dict[str, float]] | None = None

    def __enter__(self) -> "_Sensors":
        self.tick()
        return self

    def __exit__(self, *_error: object) -> None:
        self.devices = self._meter.read() if self._meter else None
        self._watching.close()

    @property
    def passed_s(self) -> float:
        """Since the load began."""
        return time.monotonic() - self._begun_s

    def tick(self) -> None:
        """Begin to count where the ramp is over."""
        if self._watch is None and self.passed_s >= self._ramp_s:
            folders = [self._place.top, *([self._place.log] if self._place.log else [])]
            self._meter = Meter(folders)
            self._watch = self._watching.enter_context(Watch(self._place.top))

    @property
    def processor(self) -> Processor | None:
        """Shares of the machine's processor time."""
        return self._watch.processor if self._watch else None

    @property
    def noise(self) -> dict[str, float] | None:
        """Pressure, temperature, throttling."""
        return self._watch.noise if self._watch else None


def label(step: Step) -> str:
    """A point in a few words."""
    return (
        f"buffer {number.binary_size(step.tuning.buffer_bytes)}, {step.threads} threads, repeat {step.repeat}"
    )


def drift(measured: Measured) -> list[str]:
    """A note where the throughput still rose or fell in the measured time."""
    rates = [row["per_s"] for row in measured.seconds]
    third = len(rates) // 3
    if third < 5:
        return []
    first, last = sum(rates[:third]) / third, sum(rates[-third:]) / third
    if first <= 0 or abs(last / first - 1) <= DRIFT:
        return []
    word = "rose" if last > first else "fell"
    return [
        f"throughput still {word}, by {abs(last / first - 1):.0%} from the first third to the last: a longer ramp"
    ]
