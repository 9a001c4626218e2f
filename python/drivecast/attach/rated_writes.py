"""What a run takes of the rated writes of its drives.

A rating is of what is sent to a drive, in the catalog with its source. Spares are sent nothing, and do not count. Left
out: designs of several kinds of drives, such as a cache before disks, and drives without a rating.
"""

from drivecast.attach.attach_options import AttachOptions
from drivecast.document.design import Shape
from drivecast.document.outcome import Outcome
from drivecast.stage.design import shape


def by_host(of: Shape, setting: AttachOptions) -> float | None:
    """The rated writes in bytes of the application: a mirror writes all twice, parity at least its part."""
    rated = _rated(of, setting)
    drive = setting.catalog.drives.get(next(iter(of.drives), ""))
    if rated is None or drive is None:
        return None
    return rated * of.usable_bytes / (_in_use(of) * drive.user_bytes * of.partition)


def used(outcome: Outcome, setting: AttachOptions) -> float | None:
    """The share that a run took, by what was sent to the drives."""
    rated = _rated(shape(setting.design, setting.catalog), setting)
    written = outcome.device_written_bytes
    return None if not rated or written is None else written / rated


def _rated(of: Shape, setting: AttachOptions) -> float | None:
    """Bytes that the makers of the drives rate, all together; none where one of them rates none, or kinds differ."""
    if len(of.drives) != 1:
        return None
    drive = setting.catalog.drives.get(next(iter(of.drives)))
    return None if drive is None or drive.tbw_bytes is None else _in_use(of) * drive.tbw_bytes


def _in_use(of: Shape) -> int:
    return sum(of.drives.values()) - of.spares
