"""A plan, carried out: load, and for each setting restart, ramp, measure.

Every program runs under a supervisor, and one removes every directory: nothing is left, however this ends.
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from drivecast.bench.database.data_copy import copy, donor
from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Place, Site, choose, made, must_have_room
from drivecast.bench.database.generator import Measured, Run
from drivecast.bench.database.matrix import Plan, Step
from drivecast.bench.database.running_site import RunningSite, standing
from drivecast.bench.database.server import Running, run_whole, running
from drivecast.bench.environment import Watch, machine, storage
from drivecast.bench.environment.machine import version
from drivecast.bench.journal import Journal, Store, begun, now, resumed
from drivecast.bench.progress import Countdown, Progress, elapsed
from drivecast.document.result import Point, Result, Transactions, write
from drivecast.document.transactions import findings
from drivecast.errors import InputError, NoRoomError
from drivecast.quantity import number

MEMORY = 0.9
"""Share of the machine's memory that a buffer may take; assumed."""
DRIFT = 0.1
"""By how much the throughput of the last third may differ from that of the first before it is noted; assumed."""
ENDING_S = 5.0
"""How long a server may take to end after its clients were sent away."""
UNMADE = Path("/run/drivecast-disk")
"""For a mount that is judged and not made."""


@dataclass(frozen=True)
class _Ready:
    """A site with the data on it."""

    place: Place
    standing: RunningSite


def carried_out(
    plan: Plan,
    *,
    out: Path | None = None,
    fresh: bool = False,
    update: Progress = lambda _share, _what: None,
) -> Result:
    """Carry out a plan; with `out`, what that file has of it already is not measured again, and it is stored there.

    Raises `InputError` as `checked` and `measure` do.
    """
    new = begun("database", plan.title, plan.described(), plan.seed, checked(plan))
    result = resumed(out, new, fresh=fresh)

    def store(found: Result) -> None:
        if out is not None:
            write(out, found)

    return measure(plan, result, store, update)


def checked(plan: Plan) -> dict[str, Any]:
    """The environment of a plan that can be carried out here.

    Raises `InputError` for all that can be known to be wrong before anything is done.
    """
    plan.server.programs()
    loads = plan.load.program()
    must_have_room(plan.sites, *plan.need_bytes)
    attached_bytes = _must_attach(plan)
    found = machine()
    largest = max(tuning.buffer_bytes for tuning in plan.tunings)
    if largest > MEMORY * found["memory_bytes"]:
        raise NoRoomError(
            f"a buffer of {number.binary_size(largest)} does not fit in this machine's "
            f"{number.binary_size(found['memory_bytes'])} of memory",
            "smaller `--buffer`, or a smaller `--size`",
            needed_bytes=largest,
            free_bytes=found["memory_bytes"],
        )
    if attached_bytes + largest > MEMORY * found["memory_bytes"]:
        raise NoRoomError(
            f"the data of attached designs are in memory: {number.binary_size(attached_bytes)} and a buffer of "
            f"{number.binary_size(largest)} do not fit in {number.binary_size(found['memory_bytes'])}",
            "a smaller `--size`, or fewer designs",
            needed_bytes=attached_bytes + largest,
            free_bytes=found["memory_bytes"],
        )
    return {**found, "programs": {plan.server.name: plan.server.version, loads.name: version(loads)}}


def _must_attach(plan: Plan) -> int:
    """What the data of designs take at most. Raises `InputError` where one cannot be attached, or is too small."""
    needs = [need for site in plan.sites for need in site.needs(*plan.need_bytes)]
    designs = [(target, need) for target, _holds, need in needs if isinstance(target, Design)]
    for target, need in designs:
        target.setting(plan.drives(), need, plan.seed, UNMADE)
    return sum(need for _target, need in designs)


def measure(plan: Plan, result: Result, store: Store, update: Progress) -> Result:
    """Carry out what `result` does not have yet of a plan, stored after every point.

    Raises `InputError` for whatever keeps a point from being measured, after the result was stored with the reason.
    """
    steps = plan.steps()
    journal = Journal(result, store, findings, len(steps))
    todo = [step for step in steps if not journal.has(step.site.name, plan.settings(step))]
    sites = list(dict.fromkeys(step.site for step in todo))
    loads_s = replace(plan, sites=tuple(sites)).loads_s
    countdown = Countdown(len(todo) * plan.step_s + loads_s, update)
    with journal.measuring(), _files_named(), ExitStack() as stack:
        ready = _all_prepared(plan, sites, stack, journal, countdown)
        for (_repeat, tuning, site), group in groupby(todo, attrgetter("repeat", "tuning", "site")):
            here = ready[site]
            here.place.forget()
            with running(plan.server, here.place, tuning, max(*plan.threads, 16)) as server:
                for step in group:
                    journal.add(_point(plan, step, server, here.standing, countdown))
    return journal.end()


@contextmanager
def _files_named() -> Iterator[None]:
    """Raise `InputError` that names the file where the system refuses something."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or 'a file'}: {error.strerror}") from None


def _all_prepared(
    plan: Plan, sites: Sequence[Site], stack: ExitStack, journal: Journal, countdown: Countdown
) -> dict[Site, _Ready]:
    """All sites with the data on them, for as long as the stack lasts; what is attached takes its time from then on."""
    ready: dict[Site, _Ready] = {}
    for site in sites:
        source = donor(plan.server, site, {other: here.place for other, here in ready.items()})
        ready[site] = _prepared(plan, site, source, stack, journal, countdown)
    for here in ready.values():
        here.standing.begin()
    return ready


def _prepared(
    plan: Plan, site: Site, source: Place | None, stack: ExitStack, journal: Journal, countdown: Countdown
) -> _Ready:
    """A site with the data on it, loaded or from `source`."""
    attaching = elapsed(plan.load_s, countdown.step(0.0, f"{site.name}: attaching"))
    here = stack.enter_context(standing(plan, site, attaching))
    account = choose(here.on, plan.server.accounts)
    place = stack.enter_context(made(here.on, here.log_on, account, here.group))
    plan.load.bring(place)
    if source is None:
        _load(plan, site, place, countdown)
    else:
        copying = countdown.step(plan.copy_s, f"{site.name}: copying {number.size(plan.load.data_bytes)}")
        copy(source, place, elapsed(plan.copy_s, copying))
    journal.add_target(
        {
            "name": site.name,
            "bytes": shutil.disk_usage(here.on).total,
            "made": True,
            "data_bytes": place.data_bytes(plan.server.tables),
            "account": account.name,
            **storage(here.on),
            **({"log": storage(here.log_on)} if here.log_on else {}),
            **({"attached": [disk.row() for disk in here.disks]} if here.disks else {}),
        }
    )
    return _Ready(place, here)


def _load(plan: Plan, site: Site, place: Place, countdown: Countdown) -> None:
    """Make the data set, with the largest buffer and without a flush at each commit."""
    what = f"{site.name}: loading {number.size(plan.load.data_bytes)}"
    tick = elapsed(plan.load_s, countdown.step(plan.load_s, what))
    plan.server.create(place)
    widest = max(plan.tunings, key=lambda tuning: tuning.buffer_bytes)
    tuning = replace(widest, log_bytes=plan.log_bytes, flush_at_commit=2, io_capacity=None)
    at_once = min(8, max(2, *plan.threads))
    with running(plan.server, place, tuning, at_once) as server:

        def watch() -> None:
            server.must_live()
            tick()

        for argv in plan.load.prepare(plan.server, place, at_once):
            run_whole(argv, place, f"loading the data set into {plan.server.title}", watch)


def _point(plan: Plan, step: Step, server: Running, here: RunningSite, countdown: Countdown) -> Point:
    place, settings = server.place, plan.settings(step)
    run = Run(step.threads, plan.ramp_s, plan.time_s, plan.seed + step.repeat - 1)
    tick = elapsed(plan.step_s, countdown.step(plan.step_s, f"{step.site.name}: {label(step)}"))
    started, begun_s = now(), time.monotonic()
    watches: list[Watch] = []
    with ExitStack() as watching:

        def watch() -> None:
            server.must_live()
            tick()
            if not watches and time.monotonic() - begun_s >= plan.ramp_s:
                watches.append(watching.enter_context(Watch(*place.storage)))
                here.carried()

        watch()
        try:
            printed = run_whole(plan.load.argv(plan.server, place, run), place, plan.load.title, watch)
        except InputError:
            server.must_live(ENDING_S)  # a server that ends sends its clients away first
            raise
        carried = here.carried()
    measured, beside = plan.load.read(printed, place, run), watches[0] if watches else None
    return Point(
        target=step.site.name,
        settings=settings,
        workload=None,
        span_bytes=place.data_bytes(plan.server.tables),
        started=started,
        ramp_s=plan.ramp_s,
        transactions=Transactions.model_validate(measured, from_attributes=True),
        processor=beside.processor if beside else None,
        noise=beside.noise if beside else None,
        devices=beside.devices if beside else None,
        attached=carried if beside else None,
        notes=[*measured.notes, *drift(measured), *plan.server.notes(step.tuning, plan.load.data_bytes)],
    )


def label(step: Step) -> str:
    """A point in a few words."""
    size = number.binary_size(step.tuning.buffer_bytes)
    return f"buffer {size}, {step.threads} threads, repeat {step.repeat}"


def drift(measured: Measured) -> list[str]:
    """A note where the throughput still rose or fell in the measured time."""
    rates = [row["per_s"] for row in measured.seconds]
    third = len(rates) // 3
    if third < 5:
        return []
    first, last = sum(rates[:third]) / third, sum(rates[-third:]) / third
    if first <= 0 or abs(last / first - 1) <= DRIFT:
        return []
    moved = f"{'rose' if last > first else 'fell'} by more than {DRIFT:.0%}"
    return [f"throughput still {moved} from the first third to the last: a longer `--ramp`"]
