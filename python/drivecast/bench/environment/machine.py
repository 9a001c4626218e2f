"""The machine that measured: kernel, processor, memory, and what limits a run on it."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

_PROCESSORS = Path("/sys/devices/system/cpu")
_MATTER = (
    "mitigations", "isolcpus", "nohz_full", "rcu_nocbs", "idle", "processor.", "intel_idle.", "intel_pstate",
    "amd_pstate", "cpuidle", "nvme", "scsi_mod.", "elevator", "iommu", "intel_iommu", "amd_iommu", "pcie_aspm",
    "transparent_hugepage", "nosmt", "preempt",
)  # fmt: skip
"""Arguments of the kernel that change how fast storage is; the others may hold what is nobody's business."""


def machine() -> dict[str, Any]:
    """Kernel, distribution, processor, memory, limits of its control group, and versions of the programs used."""
    information = _fields(Path("/proc/cpuinfo"))
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "kernel_build": platform.version(),
        "kernel_arguments": _arguments(),
        "distribution": _fields(Path("/etc/os-release"), "=").get("PRETTY_NAME", "").strip('"') or None,
        "architecture": platform.machine(),
        "processor": information.get("model name"),
        "processors": os.cpu_count(),
        "processors_allowed": len(os.sched_getaffinity(0)),
        "governor": kernel_value(_PROCESSORS / "cpu0/cpufreq/scaling_governor"),
        "boost": kernel_value(_PROCESSORS / "cpufreq/boost"),
        "virtual": "hypervisor" in information.get("flags", "").split(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "control_group": _control_group(),
        "io_uring_disabled": kernel_value(Path("/proc/sys/kernel/io_uring_disabled")),
        "privileged": os.geteuid() == 0,
    }


def version(program: Path) -> str | None:
    """Return the first line that a program prints of its version; none where it does not answer."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0].strip() if lines else None


def kernel_value(path: Path) -> str | None:
    """Return the value in a file of the kernel; none where there is none, or it may not be read."""
    try:
        return path.read_text().strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _fields(path: Path, separator: str = ":") -> dict[str, str]:
    """The first value of each name in a file of `name: value` lines."""
    found: dict[str, str] = {}
    for line in (kernel_value(path) or "").splitlines():
        name, mark, value = line.partition(separator)
        if mark:
            found.setdefault(name.strip(), value.strip())
    return found


def _arguments() -> str | None:
    """The kernel's arguments that matter here."""
    words = (kernel_value(Path("/proc/cmdline")) or "").split()
    return " ".join(word for word in words if word.startswith(_MATTER)) or None


def _control_group() -> dict[str, str] | None:
    """What limits this process by its control group; none where nothing does."""
    own = _fields(Path("/proc/self/cgroup"), "::").get("0")
    if own is None:
        return None
    folder = Path("/sys/fs/cgroup") / own.lstrip("/")
    names = ("cpu.max", "memory.max", "io.max", "io.weight", "cpuset.cpus")
    limits = {name: kernel_value(folder / name) for name in names}
    return {name: value for name, value in limits.items() if value and not value.startswith("max")} or None
