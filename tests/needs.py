"""What tests need of the machine: one table of needs by name, how each is found, and what to do where it is missing.

    @pytest.mark.needs("fio", "root")     on a test, a module (`pytestmark`) or a parameter: before its fixtures
    fio = needs("fio")                    where it is known at run time, or its path is wanted

What can be installed or built fails the test where DRIVECAST_REQUIRE_PROGRAMS is set; what the kernel or the machine
cannot do skips it everywhere.
"""

import ctypes
import errno
import fcntl
import functools
import os
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

import text_boxes
import wasm_module
from drivecast import _core, files
from drivecast.attach import kernel
from drivecast.bench.database import postgresql
from drivecast.errors import InputError

ROOT = Path(__file__).parents[1]
TRACEFS = Path("/sys/kernel/tracing")
_LOOP_CTL_GET_FREE, _IO_URING_SETUP = 0x4C82, 425
OPEN_FILES = 12_000
_NOT_HERE = (errno.EPERM, errno.EACCES, errno.ENODEV)


Found = Callable[[], str | bool | None] | None
"""A path, or whether it is there; none of what only shows when it is tried, as `lacks` says then."""


def needs(name: str, *more: str) -> str:
    """Skip the test, or fail it, where one of these is missing; the path of the first."""
    found = [_found(each) or lacks(each) for each in (name, *more)]
    return str(found[0])


def lacks(name: str, why: str = "") -> NoReturn:
    """Skip the test, or fail it, for want of this; `why` is what the machine said when it was tried."""
    reason = f"needs {name}; {NEEDS[name][1]}" + f" ({' '.join(why.split())})" * bool(why.strip())
    if name in INSTALLABLE and os.environ.get("DRIVECAST_REQUIRE_PROGRAMS"):
        pytest.fail(reason)
    pytest.skip(reason)


@functools.cache
def _found(name: str) -> str | bool | None:
    found, _ = NEEDS[name]
    return found is None or found()


def _first(*names: str) -> str | None:
    return next(filter(None, map(files.program, names)), None)


def _of_postgresql(name: str) -> str | None:
    try:
        return str(postgresql.program(name))
    except InputError:
        return None


def _built(*paths: str) -> bool:
    return all((ROOT / path).exists() for path in paths)


def _read(path: str, otherwise: str) -> str:
    return Path(path).read_text() if Path(path).exists() else otherwise


def _opens(device: str) -> bool:
    try:
        os.close(os.open(device, os.O_RDWR))
    except OSError:
        return False
    return True


def _loop() -> bool:
    """Whether the kernel has a free loop device, and that a node."""
    try:
        with Path("/dev/loop-control").open("rb") as control:
            return _opens(f"/dev/loop{fcntl.ioctl(control, _LOOP_CTL_GET_FREE)}")
    except OSError:
        return False


def _mounts(kind: str) -> bool:
    """Whether we may mount a file system that needs no device."""
    with tempfile.TemporaryDirectory() as place:
        try:
            kernel.mount("none", place, kind, "")
        except OSError as error:
            if error.errno not in _NOT_HERE:
                raise
            return False
        kernel.unmount(place, patience_s=1)
    return True


def _loopback() -> bool:
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
            return True
    except OSError:
        return False


def _io_uring() -> bool:
    ring = ctypes.CDLL(None).syscall(_IO_URING_SETUP, 1, ctypes.byref((ctypes.c_char * 120)()))
    if ring >= 0:
        os.close(ring)
    return ring >= 0


def _checkout() -> bool:
    git = files.program("git")
    command = ["git", "-C", str(ROOT), "rev-parse", "--show-toplevel"]
    asked = git and subprocess.run(command, capture_output=True, text=True, check=False)
    return bool(asked) and asked.returncode == 0 and Path(asked.stdout.rstrip("\n")) == ROOT.resolve()


def _guest_kernel() -> str | None:
    """The newest kernel whose driver of disks is a file, below DRIVECAST_GUEST or this machine's."""
    root = Path(os.environ.get("DRIVECAST_GUEST", "/"))
    drivers = root.glob("lib/modules/*/kernel/drivers/block/virtio_blk.ko")
    kernels = {root / f"boot/vmlinuz-{path.parts[-5]}" for path in drivers}
    return str(max(filter(Path.is_file, kernels), default="")) or None


DEBIAN = {
    "bash": "bash",
    "busybox-static": "busybox",
    "coreutils": "dd sleep true",
    "e2fsprogs": "mkfs.ext4 e2fsck",
    "erofs-utils": "mkfs.erofs",
    "fdisk": "sfdisk",
    "fio": "fio",
    "fish": "fish",
    "git": "git",
    "grep": "grep",
    "libc-bin": "ldd",
    "mandoc": "mandoc",
    "mariadb-server": "mariadbd mariadb",
    "mount": "mount umount losetup swapon swapoff",
    "procps": "ps",
    "prometheus": "prometheus promtool",
    "prometheus-node-exporter": "prometheus-node-exporter",
    "qemu-system-x86": "qemu-system-x86_64",
    "sed": "sed",
    "smartmontools": "smartctl",
    "sysbench": "sysbench",
    "sysstat": "iostat sadf sar",
    "systemd": "systemd-analyze",
    "util-linux": "blkid fallocate mkswap partx setpriv",
    "xfsprogs": "mkfs.xfs xfs_repair",
    "zsh": "zsh",
}
"""Programs by Debian's package of them."""
INSTALLABLE: dict[str, tuple[Found, str]] = {
    **{
        name: (functools.partial(files.program, name), f"Debian: apt-get install {package}")
        for package, names in DEBIAN.items()
        for name in names.split()
    },
    **{
        name: (functools.partial(_of_postgresql, name), "Debian: apt-get install postgresql")
        for name in ("initdb", "pg_amcheck", "pgbench", "postgres", "psql")
    },
    **{
        f"{kind} font": (text_boxes.place(kind)[0].is_dir, f"Debian: apt-get install {package}")
        for kind, (_, _, package) in text_boxes.FONTS.items()
    },
    "chromium": (
        lambda: _first("chromium", "chromium-browser", "google-chrome"),
        "Debian: apt-get install chromium",
    ),
    "node": (
        lambda: _first("node", str(Path(sys.executable).parent / "node")),
        "`make web` installs it, or Debian: apt-get install nodejs",
    ),
    "sadc": (
        lambda: _first("/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc"),
        "Debian: apt-get install sysstat",
    ),
    "axe": (lambda: _built("web/node_modules/axe-core/axe.min.js"), "`make pages` installs it"),
    "guest kernel": (_guest_kernel, "Debian: export DRIVECAST_GUEST=$(scripts/guest-kernel.sh)"),
    "pages": (
        lambda: _built(
            *(f"python/drivecast/{page}" for page in ("serve/pages/index.html", "present/web/what-if.js"))
        ),
        "`make pages` builds them",
    ),
    "site": (lambda: _built("out/site/index.html"), "`make docs-site` builds it"),
    "wasm": (
        lambda: wasm_module.lacking() is None,
        "`make wasm` builds it",
    ),
}
"""What fails a test where all that can be installed is required: how it is found, and what brings it."""
NEEDS: dict[str, tuple[Found, str]] = {
    **INSTALLABLE,
    "attached": (lambda: hasattr(_core, "Attached"), "designs are attached on Linux"),
    "blk tracer": (
        lambda: "blk" in (TRACEFS / "available_tracers").read_text().split(),
        "a kernel with CONFIG_BLK_DEV_IO_TRACE has it",
    ),
    "blkio": (
        lambda: os.access("/sys/fs/cgroup/blkio", os.W_OK),
        "root has it where control groups are of version 1: mount -t cgroup -o blkio none /sys/fs/cgroup/blkio",
    ),
    "cgroup2": (lambda: _mounts("cgroup2"), "root mounts it where the kernel has controllers of version 2"),
    "corpus": (
        lambda: os.environ.get("DRIVECAST_CORPUS"),
        "set DRIVECAST_CORPUS to the folder of public traces",
    ),
    "controllers": (None, "control groups of version 1 have all of them here"),
    "shared memory": (Path("/dev/shm").is_dir, "mount -t tmpfs none /dev/shm"),  # noqa: S108
    "direct I/O": (None, "set TMPDIR to a directory on a disk"),
    "disk": (None, "the machine has no block device"),
    "disk below TMPDIR": (None, "set TMPDIR to a directory on a disk"),
    "disk of sysstat": (None, "the machine has no disk that its programs show"),
    "erofs": (None, "as root: modprobe erofs"),
    "fuse": (lambda: _opens("/dev/fuse"), "as root: modprobe fuse"),
    "git checkout": (_checkout, "git clone, and Debian: apt-get install git"),
    "io_uring": (_io_uring, "as root: sysctl kernel.io_uring_disabled=0"),
    "loop": (_loop, "as root: modprobe loop"),
    "loopback": (_loopback, "as root: ip link set lo up"),
    "proc": (Path("/proc/self/mountinfo").exists, "mount -t proc none /proc"),
    "mounts": (lambda: _mounts("tmpfs"), "run as root with CAP_SYS_ADMIN"),
    "open files": (
        lambda: resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= OPEN_FILES,
        f"ulimit -Hn {OPEN_FILES}, as root",
    ),
    "overlay": (None, "as root: modprobe overlay"),
    "partitions": (None, "as root, where the machine lets partitions be added"),
    "processors that do not rest": (
        lambda: _read("/sys/devices/system/cpu/cpuidle/current_driver", "none").startswith("none"),
        "a guest has such; this kernel knows states of rest, and is asked for none",
    ),
    "processors without a limit": (
        lambda: _read("/sys/fs/cgroup/cpu.max", "max").startswith("max"),
        "leave the control group that limits them",
    ),
    "root": (lambda: os.geteuid() == 0, "run as root"),
    "root disk": (None, "the root file system is on no block device"),
    "seccomp": (None, "a kernel with CONFIG_SECCOMP_FILTER has it"),
    "swap": (None, "root adds it where the machine lets it"),
    "tracefs": (None, "as root: mount -t tracefs nodev /sys/kernel/tracing"),
}
