"""Control groups of version 2 with their controller of block I/O, which a guest has: a disk has a group there.

In it the kernel counts the program's reads, and they do not wait for a flush.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import guest

pytestmark = pytest.mark.needs("attached")

FILES = """
import encodings.latin_1, encodings.unicode_escape, json, logging, mmap, pkgutil, runpy, shlex, sys
from pathlib import Path
from drivecast import _core, attach, supervisor
from drivecast.attach import mount, mount_helper
print(sys._base_executable)
for module in list(sys.modules.values()):
    if Path(place := getattr(module, "__file__", None) or "/").is_file():
        print(place)
"""
USE = """
import json, mmap, os, pathlib, subprocess, sys, time
from drivecast import _core
from drivecast.attach import kernel
from drivecast.attach.mount import disk_place
from drivecast.supervisor import supervised

READER = '''
import mmap, os, sys, time
disk, page = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
while True:
    os.preadv(disk, [page], 0)
    print(time.monotonic(), flush=True)
'''
FLUSH_NS = 2_000_000_000
half = {"service_ns": 100_000}
design = {"kind": "volume", "capacity_bytes": 1 << 26, "read": half, "write": half, "flush_ns": FLUSH_NS}

top = pathlib.Path("/sys/fs/cgroup")
(top / "cgroup.subtree_control").write_text("+io")
(ours := top / "session").mkdir()
(ours / "cgroup.procs").write_text(str(os.getpid()))
said = {"parent": str(kernel.group_directory())}
with disk_place() as place:
    disk = _core.Attached(
        "x", {"x": json.dumps(design)}, size=None, state="fresh", fill=0.0, seed=1, speed=1.0, data="memory",
        memory_max=1 << 26, path=None, cut=False, error=0.0, record=False, fuse=place.fuse,
    )
    with place.device() as device:
        said |= {"group": str(device.group), "transport_ns": device.transport_ns}
        disk.start(device.transport_ns)
        with open("/tmp/reads", "w") as reads:
            command = [sys.executable, "-c", READER, str(device.path)]
            with supervised(command, group=device.group, stdout=reads, stderr=None):
                until = time.monotonic() + 60
                while pathlib.Path("/tmp/reads").stat().st_size == 0 and time.monotonic() < until:
                    time.sleep(0.1)
                file, page = os.open(device.path, os.O_RDWR | os.O_DIRECT), mmap.mmap(-1, 4096)
                os.pwritev(file, [page], 4096)
                begin = time.monotonic()
                os.fdatasync(file)
                end = time.monotonic()
                os.close(file)
                said["stat"] = (device.group / "io.stat").read_text()
        at = [float(line) for line in pathlib.Path("/tmp/reads").read_text().split()]
        said |= {"flush_s": end - begin, "meanwhile": sum(begin < each < end for each in at), "reads": len(at)}
        said["loop"] = pathlib.Path("/sys/block", device.path.name, "dev").read_text().strip()
    disk.stop()
said["left"] = [path.name for path in top.iterdir() if path.is_dir() and path != ours]
print("groups: " + json.dumps(said))
"""


def test_a_program_in_the_group_of_a_disk_reads_past_its_flushes(tmp_path: Path) -> None:
    listed = subprocess.run([sys.executable, "-c", FILES], check=True, capture_output=True, text=True)
    python, *modules = listed.stdout.split("\n")[:-1]
    above = Path(next(path for path in modules if path.endswith("drivecast/__init__.py"))).parents[1]
    files = guest.copied(python, *modules) | {"use.py": USE.encode()}
    script = f"""
mount -t cgroup2 none /sys/fs/cgroup
export PATH=/bin PYTHONPATH={above}
{python} -P /use.py
"""
    said = guest.run(
        tmp_path, None, script, memory="1G", files=files, modules=("fs/fuse/fuse", "drivers/block/loop")
    )
    assert "groups: " in said, said
    found = json.loads(said.split("groups: ", 1)[1].splitlines()[0])
    assert found["parent"] == "/sys/fs/cgroup"
    assert Path(found["group"]).parent == Path(found["parent"])
    counted = dict(line.split(" ", 1) for line in found["stat"].splitlines())
    assert int(counted[found["loop"]].split("rios=")[1].split()[0]) > 0
    assert found["flush_s"] >= 2
    assert found["meanwhile"] > 10
    assert found["left"] == []
