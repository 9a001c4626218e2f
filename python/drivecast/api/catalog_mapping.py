"""The catalog as a mapping: drives by name, each with its figures and their sources."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from drivecast.catalog import Catalog, Drive, load

if TYPE_CHECKING:
    import polars as pl

Paths = tuple[str | PathLike[str], ...]
SHOWN = 10
"""Drives that a notebook shows."""


class Drives(Mapping[str, Drive]):
    """Drives by name; read when it is first used.

    `drives["samsung-pm9a3-960gb"]` raises `InputError` for a name that is not there, with the nearest ones.
    """

    def __init__(self, *paths: str | PathLike[str]) -> None:
        """With further catalog files or folders, of which the last one wins."""
        self._paths = paths

    @cached_property
    def content(self) -> Catalog:
        """What the files hold."""
        return load([Path(path) for path in self._paths])

    def __call__(self, *paths: str | PathLike[str]) -> "Drives":
        """The catalog with further files or folders."""
        return Drives(*self._paths, *paths)

    def __getitem__(self, name: str) -> Drive:
        return self.content.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self.content.drives

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.content.drives))

    def __len__(self) -> int:
        return len(self.content.drives)

    def __repr__(self) -> str:
        return f"<catalog of {len(self)} drives>"

    def _repr_html_(self) -> str:
        table: str = self.to_polars().head(SHOWN)._repr_html_()  # polars' own
        return f"<p>{escape(repr(self))}</p>{table}"

    def to_polars(self) -> "pl.DataFrame":
        """A row a drive: name, title, medium, capacity in bytes, price in dollars, rated writes, on sale or not."""
        import polars as pl  # noqa: PLC0415 (slow to import)

        return pl.DataFrame(
            [
                {
                    "name": name,
                    "title": drive.title,
                    "medium": drive.medium,
                    "capacity_bytes": drive.user_bytes,
                    "price_usd": self.content.price_usd(name),
                    "tbw_bytes": drive.tbw_bytes,
                    "idle_w": drive.idle_w,
                    "available_today": drive.available_today,
                }
                for name in self
                for drive in (self[name],)
            ],
            infer_schema_length=None,
        )


catalog = Drives()
"""The catalog that comes with the program."""


def of(paths: Paths) -> Catalog:
    """The catalog with further files; without any the one that is loaded already."""
    return Drives(*paths).content if paths else catalog.content
