"""What a result keeps of the machine: read from the real `/proc` and `/sys` of this one."""

import os
import platform
import time
from pathlib import Path

from drivecast.bench.environment import Watch, machine, storage
from drivecast.bench.environment.storage import device_behind
from needs import lacks, needs

BYTES = 32 << 20


def test_machine_is_this_one() -> None:
    found = machine()
    assert found["kernel"] == platform.release()
    assert found["processors"] == os.cpu_count()
    assert found["privileged"] == (os.geteuid() == 0)
    words = Path("/proc/cmdline").read_text().split()
    assert set((found["kernel_arguments"] or "").split()) <= set(words)


def test_storage_of_a_directory_names_mount_and_queue(tmp_path: Path) -> None:
    found = storage(tmp_path)
    assert (
        os.path.commonpath([found["mount"]["point"], os.path.realpath(tmp_path)]) == found["mount"]["point"]
    )
    if found["device"] is None:
        lacks("disk below TMPDIR")
    disk = found["disks"][0]
    assert disk["bytes"] > 0
    assert disk["queue"]["scheduler"]
    assert disk["queue"]["logical_block_size"].isdigit()


def test_storage_of_memory_has_no_disk() -> None:
    memory = Path("/dev/shm")  # noqa: S108 (nothing is written to it)
    needs("shared memory")
    found = storage(memory)
    assert (found["device"], found["disks"]) == (None, [])
    assert found["mount"]["file_system"] == "tmpfs"
    with Watch(memory) as watch:
        pass
    assert "disk_busy" not in watch.noise


def test_watch_counts_a_busy_processor(tmp_path: Path) -> None:
    with Watch(tmp_path) as watch:
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            pass
    assert watch.processor.user + watch.processor.system >= 0.4 / (os.cpu_count() or 1)
    whole = watch.processor
    assert whole.user + whole.system + whole.iowait + whole.steal <= 1


def test_watch_tells_our_bytes_from_those_of_others(tmp_path: Path) -> None:
    if device_behind(tmp_path) is None:
        lacks("disk below TMPDIR")
    with Watch(tmp_path) as watch:
        with (tmp_path / "file").open("wb") as file:
            file.write(os.urandom(BYTES))
            file.flush()
            os.fsync(file.fileno())
        watch.own(0, BYTES)
    noise = watch.noise
    assert noise["disk_written_bytes"] >= BYTES
    assert noise["others_written_bytes"] == noise["disk_written_bytes"] - BYTES
    assert 0 <= noise["disk_busy"] <= 1
