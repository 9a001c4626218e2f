"""What to rent for a workload: of each kind of cloud volume the smallest that meets the requirements.

Model. The peak's busy seconds give the least rates in closed form: what 99 of 100 requests, or bytes, need at the
required headroom. Kinds that burst begin with the size alone. Then the peak is simulated, with the credits that the log
leaves, and rates are raised by a step until it holds, or the kind ends. Drives inside of instances are tried in rising
price, mirrored where a drive may fail. Left out: several volumes in one array (name such a design), caches of hosts.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from drivecast.catalog import Catalog
from drivecast.catalog.cloud_volume import GIB, MIB, unlimited
from drivecast.catalog.rental import LOCAL, Setting
from drivecast.document.miss import Miss
from drivecast.errors import InputError
from drivecast.plan.bound import too_few_losses
from drivecast.plan.credit import busiest, moved, requests
from drivecast.plan.rented_trial import Rented, RentedTrial, RentedTrials
from drivecast.plan.trial_pool import Progress
from drivecast.stage.design import shape
from drivecast.stage.simulate import drive_names
from drivecast.thread import over_cores

SHARE = 0.99
"""Of requests that the least rates keep up with: a quantile is required of as many."""
STEP = 1.15
BURST_STEP = 1.25
"""Of kinds that burst: their sizes begin with what the data need."""
STEPS_MAX = 24
"""Rates are raised to 29 times the least, sizes to 200 times; what misses then is not short of rates."""

ROUNDED = 0.999
"""Files of volumes have whole numbers a second, rules of kinds fractions."""


@dataclass(frozen=True)
class Offer:
    """A rented design and what became of it; without a trial it is ruled out by its size or its failures."""

    line: str
    rented: Rented | None
    setting: Setting | None = None
    instance: str | None = None
    """The one whose drives these are."""
    trial: RentedTrial | None = None
    ruling: Miss | None = None
    requested: bool = False
    today: bool = False
    """Whether it is what runs now."""


def split(lines: Sequence[str], catalog: Catalog) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Designs of drives, and designs of volumes.

    Raises `InputError` where a design has both, or several kinds of volumes.
    """
    bought: list[str] = []
    rented: list[str] = []
    for line in lines:
        names = drive_names(line)
        volumes = [name for name in names if name not in catalog.drives and catalog.volume(name) is not None]
        if volumes and len(names) > 1:
            raise InputError(f"`{line}`: a plan judges one kind of volume, alone or in one array")
        (rented if volumes else bought).append(line)
    return tuple(bought), tuple(rented)


@dataclass(frozen=True)
class Search:
    """What is searched."""

    trials: RentedTrials
    instance: str | None = None
    today: str | None = None
    """The design that runs now."""

    @property
    def catalog(self) -> Catalog:
        """Its catalog."""
        return self.trials.bench.catalog

    def rented(self, line: str) -> Rented:
        """The design of that line."""
        (name,) = set(drive_names(line))
        found = self.catalog.volume(name)
        if found is None:
            raise InputError(f"`{line}`: `{name}` is no volume")
        return Rented(line, shape(line, self.catalog), found)

    def named(self, line: str) -> list[Offer]:
        """A design that a person named."""
        rented = self.rented(line)
        setting = self._setting(rented)
        inside = rented.volume.name.removeprefix(LOCAL) if rented.volume.name.startswith(LOCAL) else None
        offer = Offer(line, rented, setting, inside, requested=True, today=line == self.today)
        ruling = self._too_small(rented) or (self._too_few(rented) if inside else None)
        return [replace(offer, ruling=ruling) if ruling else replace(offer, trial=self.trials.trial(rented))]

    def _setting(self, rented: Rented) -> Setting | None:
        """What is rented: said by the name, or the smallest of its kind that does as much as the file says."""
        volume, rental = rented.volume, self.catalog.rental
        identity, caps = volume.sheet.identity, volume.sheet.caps
        if volume.name not in self.catalog.volumes:
            return rental.parse(volume.name)
        if identity.kind is None or identity.kind not in rental.cloud.kinds:
            return None
        iops = caps.iops.per_s.value if caps.iops else 0.0
        through = caps.bytes.per_s.value / MIB if caps.bytes else 0.0
        gib = round(volume.user_bytes / GIB)
        return rental.smallest(identity.kind, gib, iops * ROUNDED, through * ROUNDED)

    def _too_small(self, rented: Rented) -> Miss | None:
        needed = self.trials.bench.requirements.data_bytes
        if rented.shape.usable_bytes >= needed:
            return None
        return Miss(kind="capacity", found=rented.shape.usable_bytes, limit=needed, is_bound=True)

    def _too_few(self, rented: Rented) -> Miss | None:
        """Whether fewer drives of an instance may fail than is required."""
        return too_few_losses(rented.failures_tolerated, self.trials.bench.requirements)

    def kind(self, name: str) -> list[Offer]:
        """The smallest volume of a kind that holds, or the last that was tried."""
        bench, rental = self.trials.bench, self.catalog.rental
        gib = math.ceil(bench.requirements.capacity_bytes / GIB)
        most = rental.cloud.kinds[name].gib_max.value
        if gib > most:
            miss = Miss(
                kind="capacity", found=most * GIB, limit=bench.requirements.capacity_bytes, is_bound=True
            )
            return [Offer(f"{name}-{most}gib", None, ruling=miss)]
        least = iops, through = self.least(name, bench.requirements.headroom)
        if rental.cloud.kinds[name].burst is not None:
            iops = through = 0.0
        setting, factor = self._reach(name, gib, iops, through), 1.0
        needed = bench.requirements.headroom
        for step in range(STEPS_MAX):
            if self.trials.miss(self.rented(setting.name), needed) is None:
                break
            if step == 0 and self.trials.miss(self._unlimited(setting), needed) is not None:
                setting = self._reach(name, gib, *least)  # no rates would help
                break
            factor *= STEP
            wanted = (iops * factor, through * factor) if iops else (setting.iops * BURST_STEP, 0.0)
            larger = rental.smallest(name, gib, *wanted)
            if larger is None:
                break
            setting = replace(larger, instance=self.instance)
        setting = self._spare(name, gib, setting, through) if factor > 1 and iops else setting
        rented = self.rented(setting.name)
        return [Offer(setting.name, rented, setting, trial=self.trials.trial(rented))]

    def _unlimited(self, setting: Setting) -> Rented:
        """As fast as the kind can be, whatever is rented of it."""
        most = unlimited(self.catalog.rental, self.catalog.volumes, setting)
        return replace(self.rented(setting.name), volume=most)

    def _spare(self, name: str, gib: int, setting: Setting, through: float) -> Setting:
        """The setting with the least throughput, where that holds too."""
        less = self.catalog.rental.smallest(name, gib, setting.iops, through)
        if less is None:
            return setting
        less = replace(less, instance=self.instance)
        needed = self.trials.bench.requirements.headroom
        return less if self.trials.miss(self.rented(less.name), needed) is None else setting

    def _reach(self, name: str, gib: int, iops: float, through: float) -> Setting:
        """The smallest setting that does as much, or as much of it as the kind does."""
        while (found := self.catalog.rental.smallest(name, gib, iops, through)) is None:
            iops, through = iops / STEP, through / STEP
        return replace(found, instance=self.instance)

    def least(self, name: str, load: float) -> tuple[float, float]:
        """The least rates at a multiple of the load in closed form: IOPS and MiB/s."""
        profile = self.trials.profile
        like = self.catalog.volumes[self.catalog.rental.cloud.kinds[name].like].sheet.caps.io_unit_bytes
        window, rows = profile.peak_window, profile.seconds.rows
        start, length = (window.start_s, window.length_s) if window else (0.0, profile.duration_s)
        counts, sizes = requests(rows, load, like.value if like else 0), moved(rows, load)
        return busiest(counts, start, length, SHARE), busiest(sizes, start, length, SHARE) / MIB

    @property
    def kinds(self) -> list[str]:
        """The kinds that are searched: all, or those of the instance's provider."""
        rental = self.catalog.rental
        vendor = rental.instance(self.instance).vendor if self.instance is not None else None
        return [name for name, kind in rental.cloud.kinds.items() if vendor in (None, kind.vendor)]

    def inside(self) -> Iterator[Rented]:
        """Drives inside of instances, in rising price."""
        rental, losses = self.catalog.rental, self.trials.bench.requirements.drive_losses
        inside = {name: known.local for name, known in rental.cloud.instances.items() if known.local}
        for name, drives in sorted(inside.items(), key=lambda item: rental.month_inside(item[0])):
            if self.instance in (None, name) and drives is not None:
                yield self.rented(_array(name, drives.drives.value, losses))

    def locals(self) -> list[Offer]:
        """Drives inside of instances, in rising price, until some hold."""
        needs = self.trials.bench.requirements
        found: list[Offer] = []
        for rented in self.inside():
            ruling = self._too_few(rented)
            if ruling is None and rented.shape.usable_bytes < needs.capacity_bytes:
                usable, limit = rented.shape.usable_bytes, needs.capacity_bytes
                ruling = Miss(kind="capacity", found=usable, limit=limit, is_bound=True)
            trial = self.trials.trial(rented) if ruling is None else None
            found.append(
                Offer(rented.line, rented, None, rented.volume.name.removeprefix(LOCAL), trial, ruling)
            )
            if trial is not None and trial.miss is None:
                break
        return found


def _array(instance: str, drives: int, losses: int) -> str:
    """The drives of an instance as a design that survives as many failures as it can of those required."""
    name = f"{LOCAL}{instance}"
    if drives == 1:
        return name
    if losses == 0:
        return f"raid0({drives} * {name})"
    level = "raid1" if drives == 2 else "raid5" if drives % 2 else "raid10"
    return f"{level}({drives} * {name})"


def offers(
    search: Search, lines: Sequence[str], update: Progress, *, searched: bool, at_a_time: int
) -> list[Offer]:
    """Designs that were named, and where `searched` all kinds; in a fixed order, each found by one thread."""
    tasks: list[tuple[str, Callable[[], list[Offer]]]] = [
        (line, partial(search.named, line)) for line in lines
    ]
    if searched:
        tasks += [
            *((name, partial(search.kind, name)) for name in search.kinds),
            ("instances", search.locals),
        ]
    update(0.0, f"volumes: {len(tasks)} kinds")
    parts = over_cores(
        lambda task: task[1](), tasks, lambda share, task: update(share, f"volumes: {task[0]}"), at_a_time
    )
    found = [offer for part in parts for offer in part]
    named = {offer.line for offer in found if offer.requested}
    return [offer for offer in found if offer.requested or offer.line not in named]
