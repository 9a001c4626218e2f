"""What an import did."""

from dataclasses import dataclass, field


@dataclass
class Added:
    """Counts of one import, or the sum of several."""

    drives_new: int = 0
    samples_new: int = 0
    samples_repeated: int = 0
    """Known before; where two tell of one drive and second, each figure keeps the larger value."""
    refused: list[str] = field(default_factory=list)
    """What was not taken, and why: one line a drive and reason."""
    notes: list[str] = field(default_factory=list)
    """What was taken under a new identity, and why."""

    def __iadd__(self, other: "Added") -> "Added":
        self.drives_new += other.drives_new
        self.samples_new += other.samples_new
        self.samples_repeated += other.samples_repeated
        self.refused += other.refused
        self.notes += other.notes
        return self
