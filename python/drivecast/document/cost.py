"""What a design costs over its years, in parts."""

from typing import Annotated

from drivecast.document.part import Part, left_out
from drivecast.quantity.interval import Span


class Cost(Part):
    """Money over the years of service."""

    currency: str = "USD"
    total: float
    purchase: float | None = None
    hosting: Annotated[float | None, left_out()] = None
    """Of the purchase: bays, shelves, host adapters and the controller."""
    energy: float | None = None
    replacement: float | None = None
    labor: Annotated[float | None, left_out()] = None  # of technicians who replace drives
    loss: Annotated[float | None, left_out()] = None
    """That losses of data are expected to cost: a restore, and what it does not bring back."""
    outage: Annotated[float | None, left_out()] = None
    """That service beyond the limits is expected to cost, while drives are replaced."""
    expansion: Annotated[float | None, left_out()] = None
    """That is expected to be bought because load or data grow faster than planned."""
    residual: float | None = None
    rent: Annotated[float | None, left_out()] = None
    """Of what is rented and not bought: all of it."""
    low: float | None = None
    high: float | None = None
    per_usable_tb: Span | None = None
    per_iops_at_slo: Span | None = None
    per_tb_written: Span | None = None

    @property
    def span(self) -> Span:
        """The total with its bounds."""
        return Span(value=self.total, low=self.low, high=self.high)
