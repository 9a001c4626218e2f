"""A small Linux guest under QEMU: a kernel that is there, its drivers of disks, busybox, and a script.

It boots in seconds by emulation, which needs no rights. Parts: `qemu-system-x86`, `busybox-static`, and a kernel, below
the folder that DRIVECAST_GUEST names or this machine's own; `scripts/guest-kernel.sh` makes such a folder on Debian.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from needs import needs

# In the order in which they are loaded; those that a kernel has built in are no files.
DISKS = (
    "drivers/virtio/virtio_ring",
    "drivers/virtio/virtio",
    "drivers/virtio/virtio_pci_legacy_dev",
    "drivers/virtio/virtio_pci_modern_dev",
    "drivers/virtio/virtio_pci",
    "drivers/block/virtio_blk",
)
BEGIN = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t devtmpfs none /dev; mount -t proc none /proc; mount -t sysfs none /sys
for module in /modules/*.ko; do insmod "$module"; done
"""
END = "\npoweroff -f\n"
PATIENCE_S = 300
DIRECTORY, FILE = 0o040755, 0o100755


def _kernel(modules: Sequence[str]) -> tuple[Path, list[Path]]:
    """A kernel, and those of these modules that are files."""
    newest = Path(needs("guest kernel", "qemu-system-x86_64", "busybox"))
    folder = newest.parents[1] / "lib/modules" / newest.name.removeprefix("vmlinuz-") / "kernel"
    found = [folder / f"{name}.ko" for name in modules]
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


def copied(*files: str) -> dict[str, bytes | None]:
    """Entries for files of this machine, and the libraries that programs among them are linked with."""
    paths = {Path(path) for path in files}
    for path in files:
        with Path(path).open("rb") as opened:
            if opened.read(4) != b"\x7fELF":
                continue
        said = subprocess.run([needs("ldd"), path], check=True, capture_output=True, text=True).stdout
        paths |= {Path(word) for word in said.split() if word.startswith("/")}
    folders = {folder for path in paths for folder in path.parents if folder != Path("/")}
    entries: dict[str, bytes | None] = {str(folder)[1:]: None for folder in sorted(folders)}
    return entries | {str(copy)[1:]: copy.read_bytes() for copy in sorted(paths)}


def run(
    folder: Path,
    socket: Path | None,
    script: str,
    *,
    processors: int = 2,
    memory: str = "256M",
    files: dict[str, bytes | None] | None = None,
    devices: Sequence[str] = (),
    modules: Sequence[str] = (),
) -> str:
    """Boot a guest whose first disk is served at `socket`; what `script` prints there.

    `files` are there besides busybox, `devices` are QEMU's options for what else it has, and `modules` are further ones
    of the kernel.
    """
    kernel, drivers = _kernel([*DISKS, *modules])
    disk = ["-chardev", f"socket,id=disk,path={socket}", "-device", "vhost-user-blk-pci,chardev=disk"]
    busybox = Path(needs("busybox")).read_bytes()
    entries: dict[str, bytes | None] = dict.fromkeys(("bin", "dev", "proc", "run", "sys", "tmp", "modules"))
    entries |= {"bin/busybox": busybox, "init": (BEGIN + script + END).encode()}
    entries |= files or {}
    entries |= {f"modules/{n}-{path.name}": path.read_bytes() for n, path in enumerate(drivers)}
    initial = folder / "initial"
    initial.write_bytes(_archive(entries))
    options = [
        *("-machine", "q35,memory-backend=memory", "-accel", "tcg", "-smp", str(processors)),
        *("-m", memory, "-object", f"memory-backend-memfd,id=memory,size={memory},share=on"),
        *("-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot"),
        *(disk if socket is not None else ()),
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
