"""The data set of one design, copied to the next: it is loaded once, is the same for all, and is there much sooner.

Represented: the files of a server that was stopped cleanly, while both disks answer at once. Left out: directories on
storage that is there, where loading itself decides how files lie; servers whose data directory names its own place.
"""

from collections.abc import Callable, Mapping

from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Place, Site
from drivecast.bench.database.server import Server, run_whole

COPY = ("cp", "--archive", "--sparse=never")


def donor(server: Server, site: Site, loaded: Mapping[Site, Place]) -> Place | None:
    """Where the data set of `site` can be copied from; none: it is to be loaded."""
    if not (server.copies and isinstance(site.on, Design)):
        return None
    givers = (place for other, place in loaded.items() if _gives(other, site))
    return next(givers, None)


def copies(server: Server, sites: list[Site]) -> int:
    """How many of these are copied and not loaded."""
    return sum(
        server.copies and isinstance(site.on, Design) and any(_gives(other, site) for other in sites[:at])
        for at, site in enumerate(sites)
    )


def copy(source: Place, target: Place, tick: Callable[[], None]) -> None:
    """Copy data and log; a log that lay apart goes to the data where the target has no other place for it.

    Raises `InputError` with what `cp` printed where it fails.
    """
    target.data.mkdir(mode=0o700)
    target.account.owns(target.data)
    pairs = [(source.data, target.data)]
    if source.log is not None:
        pairs.append((source.log, target.log or target.data))
    for have, want in pairs:
        argv = [*COPY, f"{have}/.", str(want)]
        run_whole(argv, target, "copying the data set", tick)


def _gives(other: Site, site: Site) -> bool:
    """Whether the other's files can be put where those of `site` belong: a log among data is not taken apart."""
    return isinstance(other.on, Design) and (site.log_on is None or other.log_on is not None)
