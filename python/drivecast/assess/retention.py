"""How long flash keeps what it holds without power.

Model. JESD218 rates cycles N together with a rule: after them, data last R₀ months at T_off, the cycles having been
spent at T_on. Charge leaks by a process of activation energy E, and the same process heals the oxide between cycles, so
warm storage loses data sooner and warm operation leaves less damage (JESD22-A117: 1.1 eV for both). Damage grows with
cycles P:

    R(P) = R₀ (N / P)^β · exp(E/k (1/T − 1/T_off)) · exp(E/k (1/T_on − 1/T_use))

Cycles and retention are one budget: whoever asks for less of one gets more of the other, P = N (R / R_needed)^(1/β).
That is half of what high-endurance parts (Intel's HET, "eMLC") are: three months in place of twelve.

Checked: one year at 30 °C comes out as 507 h at 52 °C and 100 h at 66 °C, where JESD218 has 500 and 96; twice as long
for 5 °C less, as JEDEC's presentation says; enterprise drives run at 40 °C keep data for 16 weeks at 25 °C, where it
says 20. Left out: early loss in the first hours, differences between layers of vertical flash, and below a hundredth of
N, where the law is not claimed, anything longer than at a hundredth. Ten years are the most that is promised.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from drivecast.quantity.interval import Interval
from drivecast.quantity.number import MONTHS_MAX

BOLTZMANN_EV_PER_K = 8.617333e-5
ZERO_C_IN_K = 273.15
LEAST_SHARE = 0.01
"""Share of the rated cycles below which the law is not claimed."""


@dataclass(frozen=True)
class Rule:
    """What data at the last rated cycle are promised: months without power at `off_c`, after operation at `on_c`."""

    months: float
    off_c: float
    on_c: float


@dataclass(frozen=True)
class Retention:
    """The law of a kind of flash, and the temperatures that it meets."""

    rule: Rule
    rated_cycles: Interval
    slope: Interval
    activation_ev: float
    operating_c: Interval
    storage_c: Interval
    refresh_share: Interval
    """Of the time data would keep, after which a powered drive writes them again."""

    def acceleration(self, from_c: float, to_c: float) -> float:
        """How many times faster charge leaks at `to_c` than at `from_c`."""
        inverse = 1 / (from_c + ZERO_C_IN_K) - 1 / (to_c + ZERO_C_IN_K)
        return math.exp(self.activation_ev / BOLTZMANN_EV_PER_K * inverse)

    def months(self, cycles: float, *, rated: float, slope: float, off_c: float, on_c: float) -> float:
        """Months of unpowered retention at `off_c` after `cycles` spent at `on_c`."""
        worn = math.pow(rated / max(cycles, LEAST_SHARE * rated), slope)
        leak = self.acceleration(self.rule.off_c, off_c)
        damage = self.acceleration(on_c, self.rule.on_c)
        return self.rule.months * worn / leak / damage

    def after(self, cycles: Interval) -> Interval:
        """Months of unpowered retention in storage after `cycles`; uncertain inputs are taken as independent."""
        spans = {
            "cycles": cycles,
            "rated": self.rated_cycles,
            "slope": self.slope,
            "off_c": self.storage_c,
            "on_c": self.operating_c,
        }
        found = spread_of(lambda values: self.months(**values), spans)
        return found.rising(lambda months: min(months, MONTHS_MAX))

    def cycles_for(self, wanted: Rule) -> Interval:
        """Cycles after which `wanted` still holds: more where it asks for less than the rule, fewer where for more."""
        offered = self.months(1, rated=1, slope=1, off_c=wanted.off_c, on_c=wanted.on_c)
        factors = [(offered / wanted.months) ** (1 / s) for s in (self.slope.low, self.slope.high)]
        rated = self.rated_cycles
        return Interval(
            rated.low * min(factors),
            rated.value * (offered / wanted.months) ** (1 / self.slope.value),
            rated.high * max(factors),
        )

    def relaxation_per_year(self) -> Interval:
        """Programs a year for each cycle spent that keep data of a powered drive fresh.

        Data are written again after a share m of the time R(P) that they would keep at the operating temperature,
        where warmth heals as much as it leaks. With a slope of 1 that is P / (m N R(N)) programs of all flash a year:
        it grows with the cycles themselves.
        """
        leak = self.acceleration(self.rule.off_c, self.rule.on_c)
        kept_years = self.rule.months / 12 / leak
        spans = {"share": self.refresh_share, "rated": self.rated_cycles}
        return spread_of(lambda values: 1 / (values["share"] * values["rated"] * kept_years), spans)


def spread_of(law: Callable[[dict[str, float]], float], spans: dict[str, Interval]) -> Interval:
    """Give a positive quantity over independent spans: one moved at a time, their logarithms added as squares."""
    middle = {name: span.value for name, span in spans.items()}
    value = law(middle)
    below = above = 0.0
    for name, span in spans.items():
        moves = [math.log(law(middle | {name: end}) / value) for end in (span.low, span.high)]
        below += min(*moves, 0.0) ** 2
        above += max(*moves, 0.0) ** 2
    return Interval(value * math.exp(-math.sqrt(below)), value, value * math.exp(math.sqrt(above)))
