"""What is left of an attached disk after a power cut, a killed server and a killed application: all that was flushed.

A writer says outside of the disk what it asked, what was answered and what was flushed (`tests/attach_writer.py`);
databases commit transactions and say which were answered (`tests/attach_databases.py`). At a random moment the power
is cut, or a process gets SIGKILL; then the file with the data is attached again, read and compared, and checked: by
e2fsck, xfs_repair, `CHECK TABLE … EXTENDED`, `pg_amcheck`. What was flushed and is not there is a fault; what was
answered and not flushed goes where nothing protects it, and a table without such losses would prove nothing. For the
same reason each database also commits without flushing, which a cut must show; these two are not among the tries.

    python benches/attach_integrity.py [--tries 100]
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import attach_database_tries
import attach_tries

CONSUMER, ENTERPRISE = "intel-x25-m-g2-80gb", "samsung-pm893-480gb"
DISK = "hdd(capacity=73GB, rpm=15000, write_cache=on)"
WHOLE = 100


@dataclass(frozen=True)
class Kind:
    """Tries that differ in their seed alsingle."""

    name: str
    design: str
    share: int
    """Of a hundred."""
    once: Callable[[Path, int], "Found"]
    needs: tuple[str, ...] = ()
    root: bool = True


@dataclass
class Found:
    """What tries of a kind came to."""

    answered: int = 0
    flushed: int = 0
    lost: int = 0
    broken: list[str] = field(default_factory=list)


def cut(design: str, front: str, *, protected: bool = False) -> Callable[[Path, int], Found]:
    """The power is cut under a writer."""

    def once(folder: Path, seed: int) -> Found:
        tried = attach_tries.cut_once(folder, seed, design, front=front, protected=protected)
        return Found(tried.written, tried.flushes, tried.lost, tried.broken)

    return once


def kill(front: str, what: str) -> Callable[[Path, int], Found]:
    """A process is killed."""

    def once(folder: Path, seed: int) -> Found:
        tried = attach_tries.kill_once(folder, seed, CONSUMER, front=front, what=what)
        return Found(tried.written, tried.flushes, tried.lost, tried.broken)

    return once


def database(server: str, how: str, *, lazily: bool = False) -> Callable[[Path, int], Found]:
    """A database meets it; a commit that was answered is flushed, unless `lazily`."""

    def once(folder: Path, seed: int) -> Found:
        image = IMAGES / f"{server}-image"
        if not image.exists():
            attach_database_tries.prepared(image, server, CONSUMER)
        found = attach_database_tries.database_once(
            folder, seed, CONSUMER, server, image, how=how, lazily=lazily
        )
        if lazily:
            return Found(found.commits, 0, found.missing, found.broken)
        missing = [f"{found.missing} commits are missing"] if found.missing else []
        return Found(found.commits, found.commits, 0, [*found.broken, *missing])

    return once


IMAGES = Path()
BEHIND_BATTERY = f"raid5(4 * {DISK}, controller=iop348-bbu)"
FS = {"ext4": ("mkfs.ext4", "e2fsck"), "xfs": ("mkfs.xfs", "xfs_repair")}
SERVERS = {"mariadb": ("mariadbd", "mariadb"), "postgresql": ("psql",)}
KINDS = [
    *(
        Kind("cut, NBD", design, 8, cut(design, "nbd"), root=False)
        for design in (CONSUMER, f"raid1(2 * {CONSUMER})", f"raid5(4 * {DISK})")
    ),
    *(
        Kind("cut, NBD, protected", design, share, cut(design, "nbd", protected=True), root=False)
        for design, share in ((ENTERPRISE, 6), (f"raid10(4 * {ENTERPRISE})", 5), (BEHIND_BATTERY, 5))
    ),
    *(Kind(f"cut, {fs}", CONSUMER, 6, cut(CONSUMER, fs), needs) for fs, needs in FS.items()),
    Kind("kill -9 of the server, NBD", CONSUMER, 6, kill("nbd", "server"), root=False),
    *(Kind(f"kill -9 of the server, {fs}", CONSUMER, 5, kill(fs, "server"), FS[fs]) for fs in FS),
    *(Kind(f"kill -9 of the application, {fs}", CONSUMER, 8, kill(fs, "application"), FS[fs]) for fs in FS),
    *(Kind(f"cut, {name}", CONSUMER, 5, database(name, "cut"), needs) for name, needs in SERVERS.items()),
    *(
        Kind(f"kill -9 of the server, {name}", CONSUMER, 3, database(name, "server"), needs)
        for name, needs in SERVERS.items()
    ),
]
LAZY = [
    Kind(f"cut, {name} that does not flush", CONSUMER, 1, database(name, "cut", lazily=True), needs)
    for name, needs in SERVERS.items()
]


@contextmanager
def folder() -> Iterator[Path]:
    """A directory that other users may pass through, with a short name for sockets."""
    with tempfile.TemporaryDirectory(prefix="cut-", dir="/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def missing(kind: Kind) -> str | None:
    """Why it cannot be tried here."""
    if kind.root and (os.geteuid() != 0 or not Path("/dev/fuse").exists()):
        return "needs root and FUSE"
    absent = [name for name in kind.needs if which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    return f"needs {', '.join(absent)}" if absent else None


def tried(kind: Kind, tries: int, first: int) -> Found:
    """The sum of some tries."""
    found = Found()
    for seed in range(first, first + tries):
        with folder() as place:
            single = kind.once(place, seed)
        found.answered += single.answered
        found.flushed += single.flushed
        found.lost += single.lost
        found.broken += [f"seed {seed}: {each}" for each in single.broken]
    return found


def row(*cells: object) -> None:
    """A line of the table."""
    widths = (40, 74, 5, 9, 8, 15, 7)
    print(
        *(
            f"{cell:<{width}}" if at < 2 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ),
        flush=True,
    )


def main() -> None:
    """Print the table."""
    global IMAGES
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--tries", type=int, default=WHOLE, help="of all kinds together (default: %(default)s)"
    )
    wanted = parser.parse_args().tries
    begun_s, total, broken = time.monotonic(), 0, []
    row("what", "design", "tries", "answered", "flushed", "lost, unflushed", "broken")
    with folder() as IMAGES:
        for kind in (*KINDS, *LAZY):
            if why := missing(kind):
                print(f"{kind.name}: not tried ({why})")
                continue
            tries = 1 if kind in LAZY else max(1, round(kind.share * wanted / WHOLE))
            found = tried(kind, tries, 1000 * len(broken) + total)
            total += 0 if kind in LAZY else tries
            broken += found.broken
            row(kind.name, kind.design, tries, found.answered, found.flushed, found.lost, len(found.broken))
    took_s = time.monotonic() - begun_s
    print(
        f"{total} tries in {took_s:.0f} s: {len(broken)} lost something that was flushed, or failed a check"
    )
    print(*broken, sep="\n")


if __name__ == "__main__":
    main()
