"""Sections, options and quantities of fio job files, as fio's own parser takes them.

A `[global]` section sets defaults for the jobs after it. Lines that begin with `#` or `;` are comments. An option
without a value is true. Sizes have binary prefixes (`4k` is 4096, `4ki` is 4000) unless `kb_base=1000` turns that
round. `include FILE` is that file's lines, `${NAME}` a variable of the environment. A job with `stonewall` begins a
phase: those before it are done.

Source: fio's HOWTO, sections *Job file format* and *Parameter types*.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast.exchange.layout import SPAN_MAX, Place
from drivecast.files import read_text

ALIASES = {
    "readwrite": "rw",
    "blocksize": "bs",
    "blocksize_range": "bsrange",
    "ba": "blockalign",
    "io_limit": "io_size",
    "fdatasync": "fsync",
    "bs_unaligned": "blocksize_unaligned",
}
SHAPES = {
    "rw", "rwmixread", "rwmixwrite", "rw_sequencer", "bs", "bsrange", "bssplit", "blockalign", "size", "offset",
    "offset_increment", "filesize", "filename", "directory", "nrfiles", "iodepth", "ioengine", "numjobs", "rate",
    "rate_iops", "rate_process", "thinktime", "thinktime_blocks", "random_distribution", "percentage_random", "runtime",
    "fsync", "kb_base", "norandommap",
}  # fmt: skip
"""What makes requests what they are."""
LENGTHS = {"io_size", "number_ios", "loops", "ramp_time"}
"""How long fio runs, besides `runtime`: a model has no end."""
HARMLESS = {
    "name", "description", "direct", "buffered", "group_reporting", "new_group", "thread", "invalidate", "sync",
    "randrepeat", "allrandrepeat", "randseed", "random_generator", "softrandommap", "time_based",
    "refill_buffers", "zero_buffers", "scramble_buffers", "buffer_compress_percentage", "buffer_compress_chunk",
    "buffer_pattern", "dedupe_percentage", "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log",
    "write_iolog", "log_avg_msec", "log_offset", "log_unix_epoch", "log_max_value", "log_hist_msec", "per_job_logs",
    "create_on_open", "create_serialize", "create_only", "fallocate", "overwrite", "end_fsync", "fsync_on_close",
    "fadvise_hint", "mem", "iomem", "iomem_align", "gtod_reduce", "gtod_cpu", "clocksource", "disable_lat",
    "disable_clat", "disable_slat", "disable_bw", "clat_percentiles", "slat_percentiles", "lat_percentiles",
    "percentile_list", "unified_rw_reporting", "cpus_allowed", "cpus_allowed_policy", "cpumask", "numa_cpu_nodes",
    "numa_mem_policy", "nice", "prio", "prioclass", "exitall", "exitall_on_error", "unlink", "hipri", "registerfiles",
    "fixedbufs", "nonvectored", "sqthread_poll", "sqthread_poll_cpu", "userspace_reap", "unit_base", "uid", "gid",
    "lockfile", "openfiles", "file_service_type", "continue_on_error", "error_dump", "significant_figures",
    "thinktime_spin", "io_submit_mode", "norandommap", "latency_target", "bwavgtime", "iopsavgtime", "eta",
    "iodepth_batch_complete_min", "iodepth_batch_complete_max", "steadystate", "stats", "allow_mounted_write",
    "group_id", "write_hint", "iodepth_low", "ioscheduler", "max_latency", "nowait", "force_async", "exec_prerun",
    "exec_postrun", "do_verify", "verify_state_save", "log_hist_coarseness", "log_compression", "filename_format",
    "ss", "ss_dur", "ss_ramp", "rate_ignore_thinktime",
}  # fmt: skip
"""What leaves the requests as they are."""

INCLUDED_MAX = 16
"""Files within files."""
VARIABLE = re.compile(r"\$\{(\w+)\}")
NUMBER = re.compile(r"(0x[0-9a-f]+|\d+)\s*([a-z]*)", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
PER_SECOND = {
    "d": 1 / 86400,
    "h": 1 / 3600,
    "m": 1 / 60,
    "s": 1,
    "sec": 1,
    "ms": 1e3,
    "msec": 1e3,
    "us": 1e6,
    "usec": 1e6,
}


@dataclass(frozen=True)
class Option:
    """A value as written, and where."""

    text: str
    place: Place


@dataclass(frozen=True)
class Job:
    """A section with the defaults before it."""

    name: str
    place: Place
    options: dict[str, Option]
    phase: int = 1

    def get(self, key: str) -> Option | None:
        """The option, if it is set."""
        return self.options.get(key)

    def text(self, key: str, default: str) -> str:
        """The value as written."""
        option = self.options.get(key)
        return option.text if option else default

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A plain number."""
        option = self.options.get(key)
        return option.place.number(option.text, f"`{key}`", low, high) if option else default

    def bytes(self, key: str, whole: int | None = None) -> int | None:
        """A size, or a share of the `whole` target."""
        option = self.options.get(key)
        if option is None:
            return None
        percent = option.text.strip().removesuffix("%")
        if percent == option.text.strip() or not whole:
            return self.size(option.text, option.place)
        return whole * option.place.number(percent, "a percentage", 0, 100) // 100

    def size(self, text: str, place: Place) -> int:
        """A size with its prefix."""
        if text.strip().endswith("%"):
            raise place.fault(
                "a size in bytes",
                text,
                "a job file does not state the size that it is a share of: `--span 1TB`",
            )
        found = NUMBER.fullmatch(text.strip())
        unit = found[2].lower().removesuffix("b") if found else ""
        binary = self.text("kb_base", "1024").strip() != "1000"
        other = unit.endswith("i")
        if found is None or unit.removesuffix("i") not in POWERS or unit == "i" or len(found[1]) > 20:
            raise place.fault("a size such as 4k or 16m", text)
        base = 1000 if binary == other else 1024
        number = int(found[1], 0 if found[1][:2].lower() == "0x" else 10)
        size: int = number * base ** POWERS[unit.removesuffix("i")]
        if size > SPAN_MAX:
            raise place.fault(f"a size up to {SPAN_MAX} B", text)
        return size

    def seconds(self, key: str, unit: str) -> float:
        """A time; without a unit in `unit`."""
        option = self.options.get(key)
        if option is None:
            return 0.0
        found = NUMBER.fullmatch(option.text.strip())
        unit = (found[2].lower() if found else "") or unit
        if found is None or unit not in PER_SECOND or len(found[1]) > 15 or found[1][1:2] in {"x", "X"}:
            raise option.place.fault(f"`{key}` as a time such as 60s or 100us", option.text)
        return int(found[1]) / PER_SECOND[unit]


def _option(line: str, place: Place) -> tuple[str, Option]:
    key, _, text = line.partition("=")
    key, text = key.strip().lower(), text.strip() if "=" in line else "1"
    key = ALIASES.get(key, key)
    if key in {"wait_for", "startdelay", "start_delay"}:
        raise place.unsupported(
            f"`{key}`", "a model is of streams that run together: import one phase at a time"
        )
    if key not in SHAPES | LENGTHS | HARMLESS | {"stonewall"} and not key.startswith("verify"):
        raise place.unsupported(
            f"the option `{key}`", "take it out of a copy of the file if it does not matter"
        )
    return key, Option(VARIABLE.sub(lambda found: _variable(found[1], place), text), place)


def _variable(name: str, place: Place) -> str:
    """A variable as fio would find it."""
    if name not in os.environ:
        raise place.fault(
            f"a value of `{name}`", f"${{{name}}}", f"set it, as for fio: `{name}=… drivecast …`"
        )
    return os.environ[name]


def lines(text: str, name: str, folder: Path | None, depth: int = 0) -> Iterator[tuple[str, Place]]:
    """The lines of a file and of those that it includes, from `folder`, without comments."""
    for number, raw in enumerate(text.splitlines(), 1):
        line, place = raw.strip(), Place(name, number)
        if not line or line[0] in "#;":
            continue
        if not line.lower().startswith("include "):
            yield line, place
            continue
        if folder is None or depth == INCLUDED_MAX:
            raise place.unsupported("`include` here", "put the file's text in its place")
        path = folder / line[len("include ") :].strip()
        yield from lines(read_text(path), str(path), path.parent, depth + 1)


def _verified(job: Job) -> None:
    """Refuse to leave out a pass that reads what was written."""
    if job.text("rw", "read").lower() in {"read", "randread"} or job.text("do_verify", "1") == "0":
        return
    for key, option in job.options.items():
        if key.startswith("verify") and key != "verify_state_save":
            raise option.place.unsupported(
                f"`{key}`, which reads what was written", "set `do_verify=0` in a copy"
            )


def jobs(text: str, name: str, folder: Path | None = None) -> list[Job]:
    """The jobs of a file with their options, and the phase of each."""
    defaults: dict[str, Option] = {}
    found: list[Job] = []
    current: dict[str, Option] | None = None
    for line, place in lines(text, name, folder):
        if line.startswith("["):
            if not line.endswith("]") or len(line) < 3:
                raise place.fault("a section such as `[job]`", line)
            title = line[1:-1].strip()
            if title == "global":
                current = defaults
            else:
                current = dict(defaults)
                found.append(Job(title, place, current))
            continue
        if current is None:
            raise place.fault("a section such as `[global]` before options", line)
        key, option = _option(line, place)
        current[key] = option
    if not found:
        raise Place(name, max(1, len(text.splitlines()))).fault(
            "a job such as `[name]`", "the end of the file"
        )
    phase = 1
    for at, job in enumerate(found):
        _verified(job)
        # Before the first job there is nothing to wait for.
        phase += job.text("stonewall", "0") != "0" and at > 0
        found[at] = replace(job, phase=phase)
    return found
