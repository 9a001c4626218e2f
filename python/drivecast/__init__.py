"""Drivecast: which storage should a workload run on, how fast, how long, and for how much.

The stages are modules and each hands the next a table or a frozen specification::

    trace → profile → simulate → assess → plan → report

Everything per I/O happens in Rust (`drivecast._core`); Python owns what happens per run.
"""


def __getattr__(name: str) -> str:
    """Look the version up only when it is needed: reading the package's metadata takes longer than `--help` may."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("drivecast")
    raise AttributeError(name)
