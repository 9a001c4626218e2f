"""A plan's options, as they come from a browser, into what the search takes and what is typed."""

import shlex
from collections.abc import Sequence

from drivecast.catalog import Scenario
from drivecast.document.served import PlanOptions
from drivecast.plan import requirement
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.plan.search import priced
from drivecast.quantity import parse
from drivecast.stage.trace import Reading

_SWITCHES = {
    "together": ("--together", ""),
    "include_old": ("--include-old", ""),
    "trimmed": ("", "--no-trim"),
    "spread": ("", "--no-spread"),
    "caches": ("--caches", "--no-caches"),
}
"""Options that are on or off, and what is typed for either."""
_REPEATED = {"designs": "--design", "volumes": "--volume"}


def given(options: PlanOptions) -> Given:
    """The requirements.

    Raises `InputError`, which names the option, for what is no quantity.
    """
    return Given(
        capacity_bytes=parse.option("capacity", parse.size_bytes, options.capacity),
        p99_read_ns=parse.option("p99_read", parse.time_ns, options.p99_read),
        p99_write_ns=parse.option("p99_write", parse.time_ns, options.p99_write),
        years=parse.option("years", parse.years, options.years),
        growth_per_year=parse.option("growth", parse.growth_per_year, options.growth),
        budget_usd=parse.option("budget", parse.money_usd, options.budget),
        power_w_max=options.power,
        drive_losses=options.drive_losses,
        headroom=options.headroom,
        headroom_margin=options.headroom_margin,
        endurance_tolerance=parse.option(
            "endurance_tolerance", parse.fraction_or_more, options.endurance_tolerance
        ),
        hours_per_day=options.hours_per_day,
        data_loss=parse.option("data_loss", parse.fraction_or_more, options.data_loss),
        scrub_days=parse.option("scrub", parse.days, options.scrub),
    )


def searched(options: PlanOptions, threads: int | None) -> Options:
    """How to search."""
    return Options(
        reading=Reading(event=options.event, disk=options.disk, interval_s=options.interval),
        peak_window_s=options.peak_window,
        designs=tuple(options.designs),
        volumes=tuple(options.volumes),
        today=options.today,
        where=options.where,
        instance=options.instance,
        include_old=options.include_old,
        trimmed=options.trimmed,
        prices=Scenario(options.prices),
        together=options.together,
        spread=options.spread,
        backup=options.backup,
        caches=options.caches,
        seed=options.seed,
        threads=threads,
        what_if="simulate",
    )


def check(options: PlanOptions) -> None:
    """Raise `InputError` for options that no trace makes right, before a plan waits for its turn."""
    from drivecast import _core  # noqa: PLC0415 (to be found where it is used)

    requirement.check(given(options))
    catalog, _, _ = priced(searched(options, None))
    for line in [*options.designs, *([options.today] if options.today else [])]:
        if not options.volumes:
            for name in _core.design_drives(line):
                catalog.volume(name) or catalog.get(name)


def command(names: Sequence[str], options: PlanOptions) -> str:
    """The command that makes the same plan."""
    words = ["drivecast", "plan", *names]
    default = PlanOptions()
    for name in PlanOptions.model_fields:
        value = getattr(options, name)
        if value == getattr(default, name):
            continue
        if name in _SWITCHES:
            words.append(_SWITCHES[name][0 if value else 1])
        elif name in _REPEATED:
            words += [word for text in value for word in (_REPEATED[name], text)]
        else:
            words += [f"--{name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(word for word in words if word)
