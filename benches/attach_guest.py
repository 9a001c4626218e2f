"""An attached design as a guest's disk: what a read takes there, beside one of a disk that QEMU serves itself.

A guest of one processor runs fio: random reads of 4 KiB, one at a time, past its page cache (psync), of the
vhost-user disk and of QEMU's virtio-blk with no storage behind it (null-co, zeros), in turns; medians of ROUNDS.
Designs: one that takes next to no time, so that what is seen is the way there and back, and an SSD. QEMU emulates the
processor (TCG): a guest under KVM is faster, on either disk. Needs QEMU, fio, busybox and a kernel (tests/guest.py).
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from shutil import which
from statistics import median

from attach_mount import served

from drivecast.attach.attach_options import AttachOptions
from drivecast.attach.attached import attached
from drivecast.catalog import load

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import guest

SSD = "samsung-pm9a3-3.84tb"
SIZE = 1 << 30
LENGTH_S = 4
ROUNDS = 3
AT_ONCE = {"kind": "volume", "capacity_bytes": SIZE, "read": {"service_ns": 1}, "write": {"service_ns": 1}}
PEER = (
    *("-object", "iothread,id=own", "-blockdev", f"null-co,node-name=none,size={SIZE},read-zeroes=on"),
    *("-device", "virtio-blk-pci,drive=none,iothread=own,serial=qemu"),
)
READ = (
    "--ioengine=psync --direct=1 --rw=randread --bs=4k --size=256m --time_based --percentile_list=10:50:99 "
    f"--runtime={LENGTH_S} --ramp_time=1 --output-format=json"
)
SCRIPT = f"""
[ "$(cat /sys/block/vda/serial) $(cat /sys/block/vdb/serial)" = "drivecast qemu" ] || echo "other disks"
for turn in $(seq {ROUNDS}); do for disk in vda vdb; do
    {which("fio")} --name=$disk --filename=/dev/$disk {READ} | tr -d '\\n '; echo
done; done
"""


def seen(socket: Path) -> dict[str, list[dict[str, float]]]:
    """Percentiles of the reads in a guest, of either disk, in µs."""
    with tempfile.TemporaryDirectory() as folder:
        said = guest.run(
            Path(folder),
            socket,
            SCRIPT,
            processors=1,
            memory="1G",
            files=guest.copied(str(which("fio"))),
            devices=PEER,
        )
    found: dict[str, list[dict[str, float]]] = {"vda": [], "vdb": []}
    for line in re.findall(r"\{\"fioversion\".*\}", said):
        job = json.loads(line)["jobs"][0]
        ticks = job["read"]["clat_ns"]["percentile"]
        found[job["jobname"]].append({name: ns / 1e3 for name, ns in ticks.items()})
    if len(found["vda"]) != ROUNDS or len(found["vdb"]) != ROUNDS:
        sys.exit(f"the guest did not read: {said}")
    return found


def say(what: str, found: dict[str, list[dict[str, float]]]) -> None:
    """A line for each disk."""
    for disk, name in (("vda", what), ("vdb", "QEMU's virtio-blk, in the same guest")):
        at = {
            short: median(turn[long] for turn in found[disk])
            for short, long in (("p10", "10.000000"), ("p50", "50.000000"), ("p99", "99.000000"))
        }
        print(f"{name}: {', '.join(f'{short} {us:.1f} us' for short, us in at.items())}")


def main() -> None:
    """Print all."""
    if any(which(name) is None for name in ("fio", *guest.PACKAGES)):
        print("designs as a guest's disk: not measured (needs QEMU, fio and busybox)")
        return
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "s")
        disk = served("x", {"x": json.dumps(AT_ONCE)}, vhost_user=socket)
        found = seen(socket)
        late = disk.stop()["lateness"]
        say("a design that takes no time", found)
        print(f"  lateness p50 {late['p50_ns'] / 1e3:.1f}, p99 {late['p99_ns'] / 1e3:.1f} us")
        socket = Path(folder, "t")
        setting = AttachOptions(SSD, load(), size_bytes=SIZE, state="fresh", fill=0.0, vhost_user=socket)
        with attached(setting) as made:
            found = seen(socket)
        say(SSD, found)
        if (of := made.outcome.lateness) is not None:
            print(f"  lateness p50 {of.p50_ns / 1e3:.1f}, p99 {of.p99_ns / 1e3:.1f} us")
        print(f"  read of the design p50 {(made.outcome.latency('read', 'q0.5') or 0) / 1e3:.1f} us")


if __name__ == "__main__":
    main()
