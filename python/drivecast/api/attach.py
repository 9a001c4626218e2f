"""A design as a disk, for as long as a block lasts."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from drivecast.api import catalog_mapping
from drivecast.attach import timetable as planned
from drivecast.attach.attach_options import AttachOptions, State
from drivecast.attach.attached import attached
from drivecast.document.attached import Data
from drivecast.quantity import parse as quantity

if TYPE_CHECKING:
    from drivecast.attach.attached import Disk


def attach(
    design: str,
    *,
    size: str | int | None = None,
    nbd: str | PathLike[str] | None = None,
    vhost_user: str | PathLike[str] | None = None,
    mount: str | PathLike[str] | None = None,
    device: bool = False,
    fs: str | None = None,
    data: Data = "memory",
    file: str | PathLike[str] | None = None,
    again: bool = False,
    sync: bool = False,
    state: State = "steady",
    fill: float = 1.0,
    speed: float = 1.0,
    trace: str | PathLike[str] | None = None,
    fail: Sequence[str] = (),
    rebuild: Sequence[str] = (),
    slow: Sequence[str] = (),
    error: float = 0.0,
    cut: str | bool = False,
    seed: int = 0,
    catalog: catalog_mapping.Paths = (),
) -> "AbstractContextManager[Disk]":
    """A design as a disk that responds as the design would, until the block ends; Linux only.

    What the block gets has `uri` (of NBD), `vhost_user`, `device` and `mount`, `last` (the last second), and `fail`,
    `rebuild`, `slow` and `cut`, which act at once. After the block its `outcome` is there, with `lateness`, of all
    requests and by kind: `late_for` names the kinds that were not served on time.

    Parameters
    ----------
    design
        Such as `"raid10(8 * intel-x25-e-32gb)"`.
    size
        Size of the disk, as `"64GB"` or in bytes; by default the usable capacity of the design.
    nbd
        The socket of the NBD server; by default one in a private folder.
    vhost_user
        The socket of a guest's block device, in place of NBD: for QEMU and Cloud Hypervisor.
    mount, device, fs
        A mounted file system, or a block device, in place of the socket; both need root.
    data, file, again
        Whether data are in `"memory"`, in a `"file"`, or `"discard"`ed, and which file: a new one, or with `again` that
        of an earlier run, with its data.
    sync
        Whether a flush or forced write is answered only once the real storage under `file` has it, too; what that adds
        is lateness.
    state, fill
        Where flash starts from, `"steady"` or `"fresh"`, and the share of the capacity that holds data.
    speed
        Design time over real time: at 0.1 the design runs ten times slower.
    trace
        A Parquet file for a trace of the requests.
    fail, rebuild, slow, error, cut
        What is done to it, as the verb takes it: `["3@60s"]`, `["200MB/s@90s"]`, `["2@30s:10"]`, a share, `"120s"`.
        `cut=True` cuts at no time of its own, and allows the disk's `cut()`.
    seed
        Of all random numbers.
    catalog
        Further catalog files or folders.

    Raises
    ------
    InputError
        When the block begins, for what cannot be attached.

    Examples
    --------
    >>> import drivecast as dc
    >>> with dc.attach("samsung-pm893-960gb", size="1GB", state="fresh") as disk:  # doctest: +SKIP
    ...     subprocess.run(["fio", "--ioengine=nbd", f"--uri={disk.uri}", "job.fio"])
    >>> disk.outcome.lateness.on_time  # doctest: +SKIP
    True
    >>> disk.outcome.lateness.flush.p99_ns  # doctest: +SKIP
    12031.0
    """
    setting = AttachOptions(
        design,
        catalog_mapping.of(catalog),
        size_bytes=quantity.size_bytes(size) if isinstance(size, str) else size,
        nbd=_path(nbd),
        vhost_user=_path(vhost_user),
        mount=_path(mount),
        device=device,
        fs=fs,
        data=data,
        file=_path(file),
        again=again,
        sync=sync,
        state=state,
        fill=fill,
        seed=seed,
        speed=speed,
        trace=_path(trace),
        timetable=planned.timetable(fail, rebuild, slow, cut if isinstance(cut, str) else None),
        error_rate=error,
        cuts_at_will=cut is True,
    )
    return attached(setting)


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(fspath(given))
