"""A validation: a workload model compared with the trace or the counters it is of."""

from pydantic import Field, computed_field

from drivecast.document.part import Document, Part


class Comparison(Part):
    """One quantity of the log and of the model."""

    group: str
    name: str
    unit: str
    measure: str
    """Of the distance."""
    distance: float | None
    """None: one side is 0, and no factor is between them."""
    limit: float
    trace: float | None = None
    model: float | None = None
    judged: bool = True
    curve: dict[str, list[float]] = Field(default_factory=dict)
    """Of `trace` and of `model`: quantiles, or values over time."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def score(self) -> float:
        """1 at no distance, ½ at the limit, 0 from twice the limit on."""
        return 0.0 if self.distance is None else max(0.0, 1.0 - self.distance / (2 * self.limit))

    @computed_field  # type: ignore[prop-decorator]
    @property
    def passes(self) -> bool:
        """Whether the distance is within the limit."""
        return self.distance is not None and self.distance <= self.limit


class Validation(Document):
    """All comparisons, in order."""

    model: str
    seed: int
    changes: list[str] = Field(default_factory=list)
    """What of the model is no longer as it was fitted, in words."""
    parts: list[Comparison]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def score(self) -> float:
        """The mean score of what is judged."""
        judged = [part.score for part in self.parts if part.judged]
        return sum(judged) / len(judged) if judged else 0.0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def valid(self) -> bool:
        """Whether all that is judged passes."""
        return not self.failures

    @property
    def failures(self) -> list[Comparison]:
        """What is judged and does not pass."""
        return [part for part in self.parts if part.judged and not part.passes]
