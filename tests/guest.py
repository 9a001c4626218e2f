"""A small Linux guest under QEMU: a kernel that is there, its drivers of disks, busybox, and a script.

It boots in seconds by emulation, which needs no rights. Parts: `qemu-system-x86`, `busybox-static`, and a kernel, below
the folder that DRIVECAST_GUEST names or this machine's own; `scripts/guest-kernel.sh` makes such a folder on Debian.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from conftest import missing, program

PACKAGES = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static"}
# In the order in which they are loaded; those that a kernel has built in are no files.
MODULES = (
    "virtio_ring",
    "virtio",
    "virtio_pci_legacy_dev",
    "virtio_pci_modern_dev",
    "virtio_pci",
    "virtio_blk",
)
BEGIN = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t devtmpfs none /dev; mount -t proc none /proc; mount -t sysfs none /sys
for module in /modules/*; do insmod "$module"; done
"""
END = "\npoweroff -f\n"
PATIENCE_S = 300
DIRECTORY, FILE = 0o040755, 0o100755


def _kernel() -> tuple[Path, list[Path]]:
    """A kernel, and its modules of virtio."""
    for name, package in PACKAGES.items():
        program(name, package)
    root = Path(os.environ.get("DRIVECAST_GUEST", "/"))
    drivers = {
        kernel: root / "lib/modules" / kernel.name.removeprefix("vmlinuz-") / "kernel/drivers"
        for kernel in sorted((root / "boot").glob("vmlinuz-*"))
    }
    kernels = [kernel for kernel, folder in drivers.items() if (folder / "block/virtio_blk.ko").is_file()]
    if not kernels:
        missing(
            f"no kernel with virtio_blk below {root}; Debian: export DRIVECAST_GUEST=$(scripts/guest-kernel.sh)"
        )
    newest = kernels[-1]
    found = [drivers[newest] / folder / f"{name}.ko" for name in MODULES for folder in ("virtio", "block")]
    return newest, [path for path in found if path.is_file()]


def _archive(entries: dict[str, bytes | None]) -> bytes:
    """An archive that a kernel unpacks (`newc` of cpio); what has no bytes is a directory."""
    archive = b""
    for number, (name, data) in enumerate([*entries.items(), ("TRAILER!!!", b"")], 1):
        mode, body = (DIRECTORY, b"") if data is None else (FILE, data)
        fields = (number, mode, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        archive += head + bytes(-len(head) % 4) + body + bytes(-len(body) % 4)
    return archive


def copied(*programs: str) -> dict[str, bytes | None]:
    """Entries for programs of this machine, and the libraries they are linked with."""
    paths = {Path(path) for path in programs}
    for path in programs:
        said = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
        paths |= {Path(word) for word in said.split() if word.startswith("/")}
    folders = {folder for path in paths for folder in path.parents if folder != Path("/")}
    entries: dict[str, bytes | None] = {str(folder)[1:]: None for folder in sorted(folders)}
    return entries | {str(copy)[1:]: copy.read_bytes() for copy in sorted(paths)}


def run(
    folder: Path,
    socket: Path,
    script: str,
    *,
    processors: int = 2,
    memory: str = "256M",
    files: dict[str, bytes | None] | None = None,
    devices: Sequence[str] = (),
) -> str:
    """Boot a guest whose first disk is served at `socket`; what `script` prints there.

    `files` are there besides busybox, and `devices` are QEMU's options for what else it has.
    """
    kernel, modules = _kernel()
    busybox = Path(program("busybox", PACKAGES["busybox"])).read_bytes()
    entries: dict[str, bytes | None] = dict.fromkeys(("bin", "dev", "proc", "sys", "tmp", "modules"))
    entries |= {"bin/busybox": busybox, "init": (BEGIN + script + END).encode()}
    entries |= files or {}
    entries |= {f"modules/{n}-{path.name}": path.read_bytes() for n, path in enumerate(modules)}
    initial = folder / "initial"
    initial.write_bytes(_archive(entries))
    options = [
        *("-machine", "q35,memory-backend=memory", "-accel", "tcg", "-smp", str(processors)),
        *("-m", memory, "-object", f"memory-backend-memfd,id=memory,size={memory},share=on"),
        *("-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot"),
        *("-chardev", f"socket,id=disk,path={socket}", "-device", "vhost-user-blk-pci,chardev=disk"),
        *devices,
        *(
            "-kernel",
            str(kernel),
            "-initrd",
            str(initial),
            "-append",
            "console=ttyS0 quiet panic=-1 tsc=reliable",
        ),
    ]
    done = subprocess.run(
        ["qemu-system-x86_64", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout
