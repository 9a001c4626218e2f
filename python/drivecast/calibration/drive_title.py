"""The drive of the catalog that a table of measured drives means by a title."""

import re
from pathlib import Path

from drivecast.calibration.load_table import catalog_name
from drivecast.catalog import Catalog
from drivecast.catalog.figure import correction
from drivecast.errors import HintedError

CAPACITY = re.compile(r"[0-9.]+[gt]b")


class UnknownDriveError(HintedError):
    """A drive of a table that the catalog does not have."""


def drive_named(title: str, table: Path, catalog: Catalog) -> str:
    """Return the drive of the catalog that a table calls `title`. Raises `InputError` where there is none."""
    name = catalog_name(title)
    if name not in catalog.drives:
        hint = correction(name, list(catalog.drives), "`drivecast catalog list` lists them")
        raise UnknownDriveError(
            f"{table}: drive `{title}`: expected a drive of the catalog, found no `{name}`", hint
        )
    return name


def drive_titled(title: str, table: Path, catalog: Catalog) -> str:
    """Return the drive whose name is in a longer title: `Intel P4610 1.6TB SSDPE2KE016T8` is `intel-p4610-1.6tb`.

    A title may leave the capacity out where the catalog has the model in one capacity only.

    Raises `InputError` where there is no such drive.
    """
    words = set(catalog_name(title.partition(" (")[0]).split("-"))
    models = [name for name in catalog.drives if set(name.split("-")[:-1]) <= words]
    exact = [name for name in models if name.rpartition("-")[2] in words]
    if len(exact) == 1:
        return exact[0]
    if len(models) == 1 and not exact and not any(CAPACITY.fullmatch(word) for word in words):
        return models[0]
    return drive_named(title, table, catalog)
