"""What can be wrong with a catalog, said with file and key."""

from collections.abc import Iterable
from dataclasses import dataclass

from drivecast.errors import InputError


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one file."""

    file: str
    key: str
    """Path of the key, such as `power.idle_w.value`; empty where the whole file is meant."""
    what: str

    def __str__(self) -> str:
        return f"{self.file}: `{self.key}`: {self.what}" if self.key else f"{self.file}: {self.what}"


class CatalogError(InputError):
    """The catalog, or what was asked of it, is wrong; carries every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
