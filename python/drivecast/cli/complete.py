"""Names for the shell to complete: drives and volumes, designs of them, workload models, and experiments.

A shell asks at each press of the tab key, so the names are those of files: no catalog is parsed. Typer has the scripts
of the shells, calls us with the word so far, and offers options and choices on its own. A word that may be a file as
well is offered files too, since a shell looks for files only where we have nothing. Left out: drives within a file that
`--catalog` names, whose names are not its own.
"""

import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import drivecast

HEAVY = ("pydantic", "rich")
INSTRUCTION = "_DRIVECAST_COMPLETE"
"""Set by the shell's script, to what is wanted."""
WORDS = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""The words so far, from bash and from the others."""

ROOT = Path(drivecast.__file__).parent
ROW = re.compile(r"""^\[capacities\.["']?([^"'\].]+(?:\.[^"'\]]+)?)["']?\]$""", re.MULTILINE)
"""The header of a capacity in the file of a family."""
EXPERIMENTS = (
    "intel-it",
    "x25e",
    "fileio",
    "warmup",
    "spare-320",
    "s3500",
    "flashcache-tpcc",
    "vcache",
    "cachelib-fdp",
    "wear-320",
    "endurance",
    "intel-it-sums",
    "life-sums",
    "power-sums",
    "disks",
    "measured",
    "x25e-mysql",
    "tpcc-pools",
    "counts-x25e",
    "counts-x25m",
    "counts-15k",
)
"""As `reproduce` has them, which takes a second to import; a test compares the two."""
_LAST_NAME = re.compile(r"(?P<before>.*[\s(,*])?(?P<begun>[\w.-]*)", re.DOTALL)


def prepare() -> None:
    """Where a shell asks, do without what takes long to import: no word is converted, and none is styled.

    An import of what is None fails, and Typer then leaves the value out, or the style.
    """
    if INSTRUCTION in os.environ:
        sys.modules.update(dict.fromkeys(HEAVY))  # type: ignore[arg-type]


def verb() -> str:
    """The word after the program's name, once it is typed and another begun."""
    words = _words()
    return words[1] if len(words) > 2 or (len(words) == 2 and _typed().endswith(" ")) else ""


def drives(incomplete: str) -> list[str]:
    """Drives and volumes of the catalog."""
    return sorted(name for name in _drives() if name.startswith(incomplete))


def designs(incomplete: str) -> list[str]:
    """The design so far, with each drive that its last name may be."""
    found = _LAST_NAME.fullmatch(incomplete)
    if found is None:
        return []
    return [f"{found['before'] or ''}{name}" for name in drives(found["begun"])]


def targets(incomplete: str) -> list[str]:
    """A design to be attached, after `design:`, or files."""
    begun, mark, line = incomplete.partition(":")
    if begun == "design" and mark:
        return [f"design:{found}" for found in designs(line)]
    return [*_beginning(["design:"], incomplete), *files(incomplete)]


def models(incomplete: str) -> list[str]:
    """Workload models that come with the program, and files."""
    return [*_beginning(_stems(ROOT / "stage/named"), incomplete), *files(incomplete)]


def experiments(incomplete: str) -> list[str]:
    """Published experiments."""
    return list(_beginning(EXPERIMENTS, incomplete))


def files(incomplete: str) -> list[str]:
    """Files and folders whose name begins so; what is in the folder, if it is the only one."""
    folder, begun = os.path.split(incomplete)
    try:
        found = sorted(
            (os.path.join(folder, entry.name), entry.is_dir())  # noqa: PTH118 (the word stays as it was typed)
            for entry in os.scandir(os.path.expanduser(folder) or ".")  # noqa: PTH111
            if entry.name.startswith(begun) and (begun or not entry.name.startswith("."))
        )
    except OSError:
        return []
    if len(found) == 1 and found[0][1]:
        return files(f"{found[0][0]}/") or [f"{found[0][0]}/"]
    return [f"{name}/" if is_folder else name for name, is_folder in found]


def _typed() -> str:
    asked = INSTRUCTION in os.environ
    return next((os.environ[name] for name in WORDS if asked and name in os.environ), "")


def _words() -> list[str]:
    return _typed().split()


def _drives() -> set[str]:
    """Names of the sheets that come with the program, and of those that `--catalog` adds."""
    further = [Path(value) for option, value in itertools.pairwise(_words()) if option == "--catalog"]
    data = ROOT / "catalog/data"
    files = [path for path in further if path.suffix == ".toml"]
    for folder in (data / "drives", data / "volumes", *(path for path in further if path.suffix != ".toml")):
        files += folder.rglob("*.toml")
    return {name for file in files for name in _names(file)}


def _names(file: Path) -> list[str]:
    """Names of the drives in a file, which is read without the time that a parser takes to import."""
    try:
        rows = ROW.findall(file.read_text(errors="replace"))
    except OSError:
        rows = []
    return [f"{file.stem}-{row}" for row in rows] or [file.stem]


def _stems(folder: Path) -> Iterator[str]:
    return (path.stem for path in folder.glob("*.toml"))


def _beginning(names: Iterable[str], incomplete: str) -> Iterator[str]:
    return (name for name in sorted(names) if name.startswith(incomplete))
