"""Choices that the verbs of `bench` share."""

from enum import StrEnum


class Sweeps(StrEnum):
    """What is varied."""

    DEPTH = "depth"
    THREADS = "threads"
    MATRIX = "matrix"
    SYNC = "sync"
    WARMUP = "warmup"
    JITTER = "jitter"


class Pattern(StrEnum):
    """Where requests go."""

    RANDOM = "random"
    SEQUENTIAL = "sequential"


class Tests(StrEnum):
    """SNIA's tests."""

    IOPS = "iops"
    THROUGHPUT = "throughput"
    LATENCY = "latency"
    SATURATION = "saturation"


class Engine(StrEnum):
    """How fio asks the kernel."""

    IO_URING = "io_uring"
    LIBAIO = "libaio"
    PSYNC = "psync"
