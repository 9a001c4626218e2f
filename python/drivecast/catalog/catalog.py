"""Find the catalog's files, read them, and refuse a faulty catalog with all reasons at once.

A catalog is a directory with `drives/<name>.toml`, `nand.toml`, `interfaces.toml`, `failures.toml`, `latency.toml`,
`prices.toml` and, where arrays have controllers, `controllers.toml`; volumes, which are rented, are
`volumes/<name>.toml`, or kinds of any size in `cloud.toml`. The one that comes with the program is read first; further
directories (any of these files) and single drive files add to it and override it: whole drives by name, entries of the
other files one by one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from drivecast.catalog import compiled
from drivecast.catalog.calibrated import OfPlatform
from drivecast.catalog.cloud import CloudFile
from drivecast.catalog.cloud_volume import rented
from drivecast.catalog.controller import Controller, ControllerFile
from drivecast.catalog.drive import TB, Drive
from drivecast.catalog.figure import Sourced, correction
from drivecast.catalog.latency_error import LatencyFile
from drivecast.catalog.price_index import Market
from drivecast.catalog.prices import ClassPrice, Prices
from drivecast.catalog.reader import CatalogError, Problem, Reading, faults
from drivecast.catalog.rental import Rental
from drivecast.catalog.sheet import FailureFile, InterfaceFile, NandFile, SsdSheet
from drivecast.catalog.volume import Volume
from drivecast.timing import timed


@dataclass(frozen=True)
class Catalog:
    """Every drive, by name, and the prices."""

    drives: dict[str, Drive]
    prices: Prices
    failures: FailureFile
    nand: NandFile
    interfaces: InterfaceFile
    controllers: ControllerFile
    drives_hash: str
    """SHA-256 of all files but the prices."""
    prices_hash: str
    """SHA-256 of the price files."""
    volumes: dict[str, Volume] = field(default_factory=dict)
    """What is rented, by name: volumes neither wear nor have a purchase price."""
    cloud: CloudFile = field(default_factory=CloudFile)
    """Kinds of volumes, of which any size can be named."""
    market: Market = field(default_factory=lambda: Market({}, {}, ()))
    """What was observed of prices."""
    latency: LatencyFile | None = None
    """How far predictions of latency were off."""
    now: "Catalog | None" = None
    """With the prices of its price file, where these are of another day."""

    def priced_on(self, day: date) -> "Catalog":
        """The catalog with the prices of that day, of drives that have the price of their class."""
        drives = dict(self.prices.drives)
        for name, drive in self.drives.items():
            if drive.available_today and isinstance(drives.get(name), ClassPrice | None):
                figures = self.market.figures(name, drive.drive_class, drive.user_bytes / TB, day)
                if figures is not None:
                    drives[name] = ClassPrice.model_validate(figures)
        return replace(self, prices=self.prices.model_copy(update={"drives": drives, "date": day}))

    @property
    def rental(self) -> Rental:
        """What can be rented, with its prices."""
        return Rental(self.cloud, self.prices)

    def volume(self, name: str) -> Volume | None:
        """The volume of that name, or the one of a kind that the name says; none where it says none.

        Raises `CatalogError` for a volume that its kind does not allow.
        """
        return self.volumes.get(name) or rented(self.rental, self.volumes, name)

    def get(self, name: str) -> Drive:
        """Return the drive of that name; raises `CatalogError` with the nearest names."""
        if name in self.drives:
            return self.drives[name]
        volume = self.volume(name)
        if volume is not None:
            what = f"`{name}` is a volume: it is rented, so it has no flash, wear or price here"
            hint = "`drivecast simulate` and `drivecast plan` take it"
            raise CatalogError([Problem(str(volume.file), "", what, hint)])
        raise _unknown("drive", name, [*self.drives, *self.volumes])

    def with_part_number(self, number: str) -> list[Drive]:
        """Drives whose maker's part number this is, or begins: `MZQL21T9HCJR` of `MZQL21T9HCJR-00A07`."""
        words = {number.upper().strip(), *number.upper().split()}
        return [
            drive
            for drive in self.drives.values()
            if any(
                word == part or word.startswith((f"{part}-", f"{part}/"))
                for part in _parts(drive)
                for word in words
            )
        ]

    def part(self, number: str) -> list[Drive]:
        """Such drives; raises `CatalogError` with the nearest part numbers where there is none."""
        found = self.with_part_number(number)
        if found:
            return found
        known = {part for drive in self.drives.values() for part in _parts(drive)}
        raise _unknown("part", number.upper(), known)

    def controller(self, name: str) -> Controller:
        """Return the controller of that name; raises `CatalogError` with the nearest names."""
        known = self.controllers.controllers
        if name in known:
            return known[name]
        raise _unknown("controller", name, known)

    def price_usd(self, name: str) -> float:
        """Price of one drive; raises `CatalogError` where none is given."""
        return self.price_bounds_usd(name)[1]

    def price_bounds_usd(self, name: str) -> tuple[float, float, float]:
        """Low, typical and high price of one drive; raises `CatalogError` where none is given."""
        if name not in self.prices.drives:
            raise CatalogError([Problem("prices.toml", f"drives.{name}", "has no price", "add one")])
        return self.prices.drive_usd(name)


def _parts(drive: Drive) -> list[str]:
    return [part.upper() for part in drive.sheet.part_numbers]


def _unknown(kind: str, name: str, known: Iterable[str]) -> CatalogError:
    like = ", ".join(f"`{near}`" for near in get_close_matches(name, list(known), n=3, cutoff=0.4))
    hint = like or "`drivecast catalog list` names them all"
    return CatalogError([Problem("catalog", "", f"no {kind} is called `{name}`", hint)])


def figures(model: BaseModel, prefix: str = "") -> list[tuple[str, Sourced]]:
    """List every sourced figure in a model, with the path of its key."""
    found: list[tuple[str, Sourced]] = []
    for name, value in model.__dict__.items():
        children = value.items() if isinstance(value, dict) else [("", value)]
        for key, child in children:
            path = ".".join(part for part in (prefix, name, key) if part)
            if isinstance(child, Sourced):
                found.append((path, child))
            elif isinstance(child, BaseModel):
                found += figures(child, path)
    return found


def _check_documents(problems: list[Problem], file: str, model: BaseModel, sources: dict[str, str]) -> None:
    for place, figure in figures(model):
        document = figure.document
        if document is not None and document not in sources:
            hint = correction(document, sources, "describe it under `[sources]`")
            problems.append(Problem(file, place, f"unknown source `{document}`", hint))


M = TypeVar("M", bound=BaseModel)


def _validated(reading: Reading, name: str, model: type[M]) -> M | None:
    table = reading.tables.get(name)
    if table is None:
        reading.problems.append(Problem(f"{name}.toml", "", "is missing from the catalog"))
        return None
    try:
        valid = model.model_validate(table.content)
        _check_documents(reading.problems, f"{name}.toml", valid, table.content["sources"])
        return valid
    except ValidationError as error:
        for place, what, hint in faults(error):
            file = table.file_of(tuple(place.split(".")))
            reading.problems.append(Problem(str(file), place, what, hint))
    return None


def bundled() -> Path:
    """Return the directory of the bundled catalog; `catalog` in the source tree is a link to it."""
    return Path(__file__).resolve().parent / "data"


def _resolve(
    reading: Reading,
    name: str,
    nand: NandFile,
    links: InterfaceFile,
    failures: FailureFile,
    latency: LatencyFile,
    shared: dict[str, str],
) -> Drive | None:
    path, sheet = reading.sheets[name]

    def entry(known: dict[str, M], wanted: str, key: str, kind: str) -> M | None:
        if wanted not in known:
            what = f"unknown {kind} `{wanted}`"
            reading.problems.append(Problem(str(path), key, what, correction(wanted, known)))
        return known.get(wanted)

    flash = sheet.flash if isinstance(sheet, SsdSheet) else None
    interface = entry(links.interfaces, sheet.identity.interface, "identity.interface", "interface")
    generation = entry(nand.generations, flash.nand, "flash.nand", "generation") if flash else None
    if interface is None or (generation is None and flash):
        return None
    rates = failures.annual_failure_rate
    rate = rates.ssd if flash else rates.hdd
    errors = None
    if isinstance(sheet, SsdSheet):
        known = latency.of_interface(sheet.identity.interface)
        errors = known.sheet_only if sheet.calibrated is None else known.measured
    return Drive(name, path, sheet, interface, generation, rate, nand.retention, shared, errors)


def _on_platform(drive: Drive, measured: Sequence[Drive]) -> Drive:
    """The drive with what was measured of another of its platform, of several that of the nearest amount of flash."""
    raw = drive.raw_bytes
    if raw is None or drive.calibrated is not None:
        return drive
    alike = [
        (abs(math.log(raw / other.raw_bytes)), other, other.calibrated)
        for other in measured
        if other.calibrated is not None and other.platform == drive.platform and other.raw_bytes is not None
    ]
    if not alike:
        return drive
    _, nearest, found = min(alike, key=lambda each: each[:1])
    flash = raw / (nearest.raw_bytes or raw)
    shared = OfPlatform(nearest.name, found, flash, nearest.user_bytes)
    return replace(drive, of_platform=shared)


def _cloud(reading: Reading) -> CloudFile | None:
    """What clouds rent; a catalog need not have any."""
    if "cloud" not in reading.tables:
        return CloudFile()
    cloud = _validated(reading, "cloud", CloudFile)
    for name, kind in cloud.kinds.items() if cloud else ():
        if kind.like not in reading.volumes:
            what = f"unknown volume `{kind.like}`; {correction(kind.like, reading.volumes)}"
            reading.problems.append(Problem("cloud.toml", f"kinds.{name}.like", what))
    return cloud


def _check_observed(reading: Reading, prices: Prices) -> None:
    """Refuse what an observation, a class or an index names and the price file lacks."""
    names = {
        *(("class", row.drive_class, tuple(prices.classes)) for row in reading.observed),
        *(("source", row.source, tuple(prices.sources)) for row in reading.observed),
        *(("index", curve.index, tuple(prices.index)) for curve in prices.classes.values()),
    }
    for kind, name, known in sorted(names):
        if name not in known:
            reading.problems.append(
                Problem("prices", "", f"unknown {kind} `{name}`", correction(name, known))
            )


def load(paths: Iterable[Path] = (), *, base: Path | None = None) -> Catalog:
    """Read the bundled catalog (or `base`) and lay `paths` over it; later ones win.

    The bundled one alone comes as it was last read, where nothing of it has changed since.
    Raises `CatalogError` with every problem of every file.
    """
    files = (base if base is not None else bundled(), *paths)
    if files != (bundled(),):
        return _load(files)
    with timed("read the catalog %s", bundled()):
        made_of = compiled.digest(bundled())
        known = compiled.found(made_of)
        if isinstance(known, Catalog):
            return known
        read = _load(files)
        compiled.keep(made_of, read)
        return read


def _load(files: Iterable[Path]) -> Catalog:
    reading = Reading()
    for path in files:
        with timed("read the catalog %s", path):
            reading.path(path)
    nand = _validated(reading, "nand", NandFile)
    links = _validated(reading, "interfaces", InterfaceFile)
    failures = _validated(reading, "failures", FailureFile)
    latency = _validated(reading, "latency", LatencyFile)
    prices = _validated(reading, "prices", Prices)
    controllers: ControllerFile | None = ControllerFile(sources={}, controllers={})
    if "controllers" in reading.tables:
        controllers = _validated(reading, "controllers", ControllerFile)
    cloud = _cloud(reading)
    if prices:
        _check_observed(reading, prices)
    for path, sheet in (*reading.sheets.values(), *reading.volumes.values()):
        _check_documents(reading.problems, str(path), sheet, sheet.sources)
    drives: dict[str, Drive] = {}
    if nand and links and failures and latency:
        shared = {**nand.sources, **links.sources, **failures.sources}
        for name in sorted(reading.sheets):
            drive = _resolve(reading, name, nand, links, failures, latency, shared)
            if drive is not None:
                drives[name] = drive
    if not (nand and links and failures and latency and prices and controllers and cloud) or reading.problems:
        raise CatalogError(reading.problems)
    measured = [drive for drive in drives.values() if drive.calibrated is not None]
    drives = {name: _on_platform(drive, measured) for name, drive in drives.items()}
    drives_hash, prices_hash = reading.digest(prices=False), reading.digest(prices=True)
    volumes = {name: Volume(name, path, sheet) for name, (path, sheet) in sorted(reading.volumes.items())}
    market = Market(prices.index, prices.classes, reading.observed)
    found = Catalog(
        drives,
        prices,
        failures,
        nand,
        links,
        controllers,
        drives_hash,
        prices_hash,
        volumes,
        cloud,
        market,
        latency,
    )
    return found.priced_on(prices.date)
