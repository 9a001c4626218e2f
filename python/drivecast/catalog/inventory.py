"""The catalog as documents: all drives in a list, or one with every parameter."""

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.controller import controller_provenance
from drivecast.catalog.device import provenance
from drivecast.catalog.drive import Drive
from drivecast.catalog.stated import assumed_share
from drivecast.catalog.volume import Volume, volume_provenance
from drivecast.document.catalog import Inventory, ListedController, ListedDrive, Shown


def parts(catalog: Catalog, number: str) -> Inventory:
    """List the drives with a part number; raises `CatalogError` with the nearest ones where there is none."""
    names = {drive.name for drive in catalog.part(number)}
    found = inventory(catalog)
    return Inventory(drives=[row for row in found.drives if row.name in names], volumes=[], controllers=[])


def inventory(catalog: Catalog, *, on_sale: bool = False) -> Inventory:
    """List drives and volumes, or those that can be ordered today, and controllers."""
    prices = catalog.prices.drives
    drives = [
        _listed(drive, catalog.price_usd(name) if name in prices else None)
        for name, drive in sorted(catalog.drives.items())
    ]
    volumes = [_listed(volume) for volume in catalog.volumes.values()]
    controllers = sorted(catalog.controllers.controllers.items())
    return Inventory(
        drives=[row for row in drives if row.available_today or not on_sale],
        volumes=[row for row in volumes if row.available_today or not on_sale],
        controllers=[ListedController(name=name, title=known.title) for name, known in controllers],
    )


def _listed(item: Drive | Volume, price_usd: float | None = None) -> ListedDrive:
    listed = ListedDrive.model_validate(item, from_attributes=True)
    share = assumed_share(item) if isinstance(item, Drive) else None
    return listed.model_copy(update={"price_usd": price_usd, "assumed_share": share})


def shown(catalog: Catalog, name: str) -> Shown:
    """Return a drive, volume or controller with every parameter.

    Raises `CatalogError` with the nearest names.
    """
    if name in catalog.controllers.controllers:
        controller = catalog.controller(name)
        rows = controller_provenance(controller, catalog.controllers.sources)
        return Shown(name=name, title=controller.title, drive_class="controller", parameters=rows)
    volume = catalog.volume(name)
    if volume is not None:
        rows = volume_provenance(volume)
        return Shown(name=name, title=volume.title, drive_class="volume", parameters=rows)
    drive = catalog.get(name)
    return Shown(name=name, title=drive.title, drive_class=drive.drive_class, parameters=provenance(drive))
