"""Drives and controllers divided by a number, so that a small data set takes the share of them that the real one took.

KEPT. A disk has as many surfaces, zones and sectors a track and fewer cylinders; its seek times belong to shares of the
stroke. So a seek over a share of the disk takes the time it takes on the whole one. A flash drive has as many channels
and dies and fewer blocks, and so the same spare factor and rates. Caches that hold data (of controllers, of disks) are
divided along with the data, or they would hold a share of it that they never had.

NOT KEPT. What a file system and a server take besides the data does not shrink, so flash is divided by less than the
data (`study`), or it would not hold them. The write buffer of flash stays: two programs on every die. A cache that
writes back does not scale: what it gains by writing pages in order depends on how many it holds, not on their share.
"""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from drivecast import _core
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet


def smaller(
    catalog: Catalog, designs: list[str], *, disks_by: float, flash_by: float, caches_by: float
) -> Catalog:
    """The catalog with the drives and controllers of `designs` divided.

    Raises `InputError` for a design that does not parse, or names what the catalog does not have.
    """
    drives = {name: catalog.get(name) for line in designs for name in _core.design_drives(line)}
    known = catalog.controllers.controllers
    names = {name for line in designs for name in _core.design_controllers(line) if name in known}
    controllers = {
        name: known[name].model_copy(update=_divided(known[name], "cache_mib", caches_by, whole=True))
        for name in names
    }
    return replace(
        catalog,
        drives={
            **catalog.drives,
            **{name: _drive(each, disks_by, flash_by, caches_by) for name, each in drives.items()},
        },
        controllers=catalog.controllers.model_copy(update={"controllers": {**known, **controllers}}),
    )


def _drive(drive: Drive, disks_by: float, flash_by: float, caches_by: float) -> Drive:
    sheet = drive.sheet
    by = disks_by if isinstance(sheet, HddSheet) else flash_by
    capacity: dict[str, Any] = {}
    for name in type(sheet.capacity).model_fields:
        capacity |= _divided(sheet.capacity, name, by)
    update: dict[str, Any] = {"capacity": sheet.capacity.model_copy(update=capacity)}
    if isinstance(sheet, HddSheet):
        update["disk"] = sheet.disk.model_copy(update=_divided(sheet.disk, "cache_mib", caches_by))
    return replace(drive, sheet=sheet.model_copy(update=update))


def _divided(table: BaseModel, name: str, by: float, *, whole: bool = False) -> dict[str, Any]:
    """A figure of a table over `by`, with its origin; nothing where the table does not have it."""
    figure = getattr(table, name)
    if figure is None:
        return {}
    value = max(1, round(figure.value / by)) if whole else figure.value / by
    return {name: figure.model_copy(update={"value": value})}
