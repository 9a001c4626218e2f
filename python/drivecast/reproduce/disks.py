"""DiskSim: disks as measured by their researchers, against what DiskSim itself makes of them.

The figure is the demerit of Ruemmler and Wilkes: the rms distance of the distributions of measured and simulated
response times, over the validation traces that come with DiskSim. Its descriptions and traces are not part of this
program: `--data` names the folder that holds them. Nothing of a trace but requests and think times reaches the disk.
"""

from dataclasses import dataclass
from pathlib import Path

from drivecast.calibration.demerit import demerit
from drivecast.catalog import Catalog, device_spec, load
from drivecast.catalog.disk_file import catalog_file
from drivecast.catalog.disksim import describe
from drivecast.document.calibration import Distance
from drivecast.errors import HintedError
from drivecast.lock import temporary_folder
from drivecast.reproduce.experiment import Experiment, Findings, published

NAME = "disks"
DISKS = {
    "atlas10k": "Quantum Atlas 10K",
    "barracuda": "Seagate Barracuda",
    "cheetah4LP": "Seagate Cheetah 4LP",
}
FILES = (".model", ".seek", ".diskspecs", ".trace")


@dataclass(frozen=True)
class Replayed:
    """A described disk and its trace in a folder."""

    folder: Path
    disk: str

    def run(self, catalog: Catalog, seed: int) -> Distance:  # noqa: ARG002 (the disk is described next to its trace)
        """The demerit figure in ms, and the mean response times."""
        files = [self.folder / f"{self.disk}{suffix}" for suffix in FILES]
        missing = next((file for file in files if not file.is_file()), None)
        if missing is not None:
            raise HintedError(f"`{missing}` is not there", "`--data` names the folder of DiskSim's disks")
        *described, trace = files
        name = self.disk.lower()
        with temporary_folder("drivecast-disk-") as folder:
            place = folder / f"{name}.toml"
            place.write_text(
                catalog_file(describe(described), vendor="unknown", model=name, interface="SAS 3G"),
                encoding="utf-8",
            )
            return demerit(device_spec(load([place]).get(name)), trace, seed=seed).overall


def read(findings: Findings[Distance]) -> None:
    """Demerit against DiskSim's, and mean response times."""
    for name, limit in published()["disksim"]["demerit_ms"].items():
        title, found = DISKS[name], findings.outcomes[name]
        quantity = f"{title}: mean response time, of the disk itself"
        findings.figure(quantity, "ms", found.mean_measured_ms, found.mean_simulated_ms)
        ours = f"{found.demerit_ms:.3f} against {limit:.3f} ms"
        findings.ordering(f"{title}: demerit no larger than DiskSim's", found.demerit_ms <= limit, ours)


def experiment(folder: Path) -> Experiment:
    """The experiment on the descriptions and traces in `folder`, or in its folder `disks`."""
    inner = folder / "disks"
    place = inner if inner.is_dir() else folder
    return Experiment(
        name=NAME,
        title="DiskSim: three disks against their own traces",
        documents=("disksim",),
        conditions=("the disks as their published descriptions have them",),
        read=read,
        tasks={name: Replayed(place, name) for name in DISKS},
    )
