"""Packages that few tasks need, by the extra of `pip install 'drivecast[EXTRA]'` that brings them."""

from collections.abc import Iterator
from contextlib import contextmanager

from drivecast.errors import HintedError

EXTRAS = {
    "aiohttp": "http",
    "dask": "dask",
    "distributed": "dask",
    "fastapi": "serve",
    "psycopg": "postgres",
    "s3fs": "s3",
    "scipy": "fit",
    "starlette": "serve",
    "uvicorn": "serve",
}
"""By the name that is imported."""
ELSEWHERE = "`plan`, `profile` and `simulate` run elsewhere, too"
OF_LINUX = frozenset({"fcntl", "grp", "pwd", "resource"})


def missing(error: ImportError) -> HintedError | None:
    """What to install where a package of an extra is missing, or what it takes; none for any other."""
    package = (error.name or "").partition(".")[0]
    if package in OF_LINUX:
        return HintedError("this works on Linux only", ELSEWHERE)
    extra = EXTRAS.get(package)
    if extra is None:
        # fsspec raises another error in its place, which names the package.
        package, extra = next(
            ((name, EXTRAS[name]) for name in EXTRAS if name in str(error)), (package, None)
        )
    if extra is None:
        return None
    return HintedError(
        f"this needs the package `{package}`, which is not installed", f"pip install 'drivecast[{extra}]'"
    )


@contextmanager
def named() -> Iterator[None]:
    """Raise `InputError` that says what to install, where the block imports a package of an extra that is missing."""
    try:
        yield
    except ImportError as error:
        package = missing(error)
        if package is None:
            raise
        raise package from error
