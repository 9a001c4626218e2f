"""A site as it is while servers work on it: its directories, and the disks attached for those that are designs."""

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivecast.attach import kernel
from drivecast.attach.attach_options import AttachOptions
from drivecast.attach.attached import Disk, attached
from drivecast.bench.database.design_target import Design
from drivecast.bench.database.directory import Site
from drivecast.bench.database.matrix import Plan
from drivecast.document.attached import AttachedTarget, Carried, Held
from drivecast.stage.simulate import drive_names
from drivecast.thread import beside


@dataclass(frozen=True)
class Attached:
    """A disk of a site."""

    design: Design
    holds: Held
    setting: AttachOptions
    disk: Disk
    usable_bytes: int

    def row(self) -> AttachedTarget:
        """What a result says of it, besides what it did."""
        return AttachedTarget(
            design=self.design.line,
            holds=self.holds,
            size_bytes=self.disk.size_bytes,
            usable_bytes=self.usable_bytes,
            state=self.setting.state if _has_flash(self.setting) else None,
            fill=self.setting.fill,
            speed=self.setting.speed,
            seed=self.setting.seed,
            loaded="at once",
        )


@dataclass(frozen=True)
class RunningSite:
    """The directories of a site, and its disks."""

    on: Path
    log_on: Path | None
    disks: tuple[Attached, ...]

    @property
    def group(self) -> Path | None:
        """The control group that servers are to be in: that of the data, for one process has one."""
        return next((held.disk.group for held in self.disks if held.disk.group is not None), None)

    def begin(self) -> None:
        """Have the disks take their time from now on; what is dirty is written back before."""
        for held in self.disks:
            if held.disk.mount is not None:
                kernel.write_back(str(held.disk.mount))
        for held in self.disks:
            held.disk.begin()

    def carried(self) -> list[Carried] | None:
        """What the disks did since the last call; none where none is attached."""
        return [held.disk.carried(held.holds) for held in self.disks] or None


@contextmanager
def standing(plan: Plan, site: Site, tick: Callable[[], object]) -> Iterator[RunningSite]:
    """What the user named, as directories, for as long as the block lasts; `tick` is called while one is attached.

    Raises `InputError` for what cannot be attached.
    """
    with ExitStack() as stack:
        disks = []

        def directory(target: Path | Design, holds: Held, need_bytes: int) -> Path:
            if isinstance(target, Path):
                return target
            mount = (
                Path(tempfile.gettempdir()).resolve() / f"drivecast-{os.getpid()}-{secrets.token_hex(4)}-disk"
            )
            setting = target.setting(plan.drives(), need_bytes, plan.seed, mount)
            disk = stack.enter_context(attached(setting, wait=lambda task: beside(task, tick)))
            disks.append(Attached(target, holds, setting, disk, setting.checked().usable_bytes))
            return mount

        on, *log_on = [directory(*needed) for needed in site.needs(*plan.need_bytes)]
        yield RunningSite(on, log_on[0] if log_on else None, tuple(disks))


def _has_flash(setting: AttachOptions) -> bool:
    """Whether the design is of more than disks of the catalog."""
    known = [setting.catalog.drives.get(name) for name in drive_names(setting.design)]
    return not known or any(drive is None or drive.cells for drive in known)
