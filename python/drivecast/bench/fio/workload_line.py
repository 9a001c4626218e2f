"""A workload line as a model, so that fio's exporter writes it, and printed as the simulator reads it.

The grammar and all ranges are the core's: a line that it refuses never gets here. What is read here again are the
options of a line that is known to be right (`random(4KiB, read=0.7)`); the sizes and zones of the named mixes come from
the models of the same name. fio aligns all sizes alike: where a line has several, to the smallest. Its zones are runs
of addresses, so a line with zones is printed as `placement=contiguous`: what is simulated for it is what fio did.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from drivecast import _core
from drivecast.document.model import Closed, Model, Open, Random, Sequential, Size, Stream, Zone
from drivecast.errors import InputError
from drivecast.exchange.fio_export import quantity
from drivecast.stage import model_file
from drivecast.stage.simulate import LINES

_MIXES = {name: name for name in LINES} | {"jesd219": "jesd219-enterprise"}
ZONED = ("hotcold", "jesd219")
_RATES = {"": 1.0, "iops": 1.0, "k": 1e3, "kiops": 1e3}


@dataclass(frozen=True)
class Line:
    """The settings of a line; see `crates/workload`."""

    name: str
    sizes: tuple[tuple[int, float], ...]
    """Bytes and weight."""
    read: float = 1.0
    trim: float = 0.0
    iodepth: int = 1
    rate_iops: float | None = None
    span: float = 1.0
    align_bytes: int | None = None
    zones: tuple[tuple[float, float, float], ...] = ((0.0, 1.0, 1.0),)
    """From, to, share."""
    hot: tuple[float, float] | None = None
    theta: float | None = None
    """Exponent of Zipf's law."""

    @property
    def align(self) -> int:
        """What offsets are multiples of."""
        return self.align_bytes or min(size for size, _ in self.sizes)

    def deep(self, iodepth: int) -> "Line":
        """The same as fast as possible with so many outstanding."""
        return replace(self, iodepth=iodepth, rate_iops=None)

    def text(self) -> str:
        """The line again."""
        items = [] if self.name in _MIXES else [_item(size, weight) for size, weight in self.sizes]
        items += [f"hot={_plain(self.hot[0])}", f"share={_plain(self.hot[1])}"] if self.hot else []
        items += [f"theta={_plain(self.theta)}"] if self.theta is not None else []
        items.append(f"read={_plain(self.read)}")
        items += [f"trim={_plain(self.trim)}"] if self.trim else []
        depth, rate = self.iodepth, self.rate_iops
        items.append(f"iodepth={depth}" if rate is None else f"rate={_plain(rate)}iops")
        items += ["placement=contiguous"] if len(self.zones) > 1 and self.name in ZONED else []
        items += [f"span={_plain(self.span)}"] if self.span < 1 else []
        items += [f"align={_size(self.align_bytes)}"] if self.align_bytes else []
        return f"{self.name}({', '.join(items)})"

    def model(self, span_bytes: int) -> Model:
        """The line on so many bytes."""
        zones = [Zone(from_=start, to=end, share=share) for start, end, share in self.zones if share > 0]
        stream = Stream(
            name="line",
            read=self.read,
            trim=self.trim,
            sizes=[Size(bytes=size, share=weight) for size, weight in self.sizes],
            align_bytes=self.align,
            address=self._address(zones),
            arrivals=Open(rate_iops=self.rate_iops) if self.rate_iops else Closed(iodepth=self.iodepth),
        )
        return Model(name=self.name, span_bytes=span_bytes, streams=[stream])

    def _address(self, zones: list[Zone]) -> Random | Sequential:
        if self.name == "sequential":
            return Sequential(zones=zones)
        law: Literal["uniform", "zipf"] = "zipf" if self.theta else "uniform"
        return Random(zones=zones, law=law, exponent=self.theta or None)


def parse(text: str) -> Line:
    """Return the workload of a line. Raises `InputError` for what the core refuses, and for what is simulated only."""
    _core.Workload.line(text)
    name, *items = (part.strip() for part in re.split(r"[(),\[\]]", text.strip()) if part.strip())
    options = dict(_setting(item) for item in items if "=" in item)
    sizes = tuple(_weighted(item) for item in items if "=" not in item)
    base = _mix(name) if name in _MIXES else Line(name, sizes)
    if options.get("arrivals") == "fixed":
        raise InputError(
            f"`{text}`: fixed arrivals are simulated only; leave `arrivals` out for Poisson arrivals"
        )
    if re.search(r"\([^()]*\[", text):
        raise InputError(
            f"`{text}`: a size with reads of its own is simulated only; run a line for each size beside the other"
        )
    hot = None
    if name == "hotcold":
        hot = _fraction(options.get("hot", "0.2")), _fraction(options.get("share", "0.8"))
        base = replace(base, zones=((0.0, hot[0], hot[1]), (hot[0], 1.0, 1 - hot[1])))
    return replace(
        base,
        read=_fraction(options["read"]) if "read" in options else base.read,
        trim=_fraction(options.get("trim", "0")),
        iodepth=int(options.get("iodepth", "1")),
        rate_iops=_rate(options["rate"]) if "rate" in options else None,
        span=_fraction(options.get("span", "1")),
        align_bytes=_core.parse_bytes(options["align"]) if "align" in options else base.align_bytes,
        hot=hot,
        theta=float(options.get("theta", "0.8")) if name == "zipf" else None,
    )


def _mix(name: str) -> Line:
    """A named mix: all sizes of its model, on the zones of its first stream; JESD219's aligned to 4 KiB."""
    model = model_file.load(_MIXES[name])
    sizes = tuple((size.bytes, size.share) for stream in model.streams for size in stream.sizes)
    zones = tuple((zone.from_, zone.to, zone.share) for zone in model.streams[0].zones)
    align = 4096 if name == "jesd219" else None
    return Line(name, sizes, read=model.streams[0].read, zones=zones, align_bytes=align)


def _setting(item: str) -> tuple[str, str]:
    key, _, value = item.partition("=")
    return key.strip(), value.strip()


def _weighted(item: str) -> tuple[int, float]:
    weight, star, size = item.partition("*")
    return (_core.parse_bytes(size.strip()), float(weight)) if star else (_core.parse_bytes(item), 1.0)


def _fraction(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _rate(text: str) -> float:
    digits = re.match(r"[0-9.]*", text)
    end = digits.end() if digits else 0
    return float(text[:end]) * _RATES[text[end:].strip().lower()]


def _plain(number: float) -> str:
    """A number without an exponent, which lines do not take."""
    return f"{Decimal(repr(float(number))).normalize():f}"


def _item(size: int, weight: float) -> str:
    return _size(size) if weight == 1 else f"{weight:.0f} * {_size(size)}"


def _size(size: int) -> str:
    unit = quantity(size)
    return f"{unit[:-1]}{unit[-1].upper()}iB" if unit[-1].isalpha() else f"{unit}B"
