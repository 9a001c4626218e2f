"""Quantities in words: few digits, right to within rounding, and in the order of the quantities."""

import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivecast.quantity import number

DECIMAL = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18}
BINARY = {"B": 1, **{f"{letter}iB": 1024.0 ** (power + 1) for power, letter in enumerate("KMGTPE")}}
Words = Callable[[float | None], str]
Kind = tuple[Words, dict[str, float], float, float, float]

# function, units of its text, smallest and largest quantity, error of rounding
KINDS: list[Kind] = [
    (number.size, DECIMAL, 1, 9e20, 0.006),
    (number.binary_size, BINARY, 1, 9e20, 0.006),
    (number.throughput, {f"{unit}/s": scale for unit, scale in DECIMAL.items()}, 1, 9e20, 0.06),
    (number.latency, {"ms": 1e6, "s": 1e9}, 1, 1e13, 0.06),
    (number.milliseconds, {"": 1e6}, 1, 1e13, 0.06),
    (number.iops, {"": 1}, 0.01, 1e9, 0.006),
    (number.multiple, {"×": 1}, 0.001, 1e6, 0.06),
    (number.percent, {"%": 0.01}, 1e-6, 1, 0.06),
    (number.money, {"": 1}, 0.01, 1e9, 0.06),
    (number.power, {"W": 1}, 0.01, 1e5, 0.06),
    (number.energy, {"kWh": 1}, 0.01, 1e9, 0.006),
    (number.years, {"y": 1}, 0.001, 50, 0.06),
    (number.duration, {"s": 1, "min": 60, "h": 3600, "days": 86400}, 0.01, 1e9, 0.006),
]
NAMES = [kind[0].__name__ for kind in KINDS]


def parse(text: str, units: dict[str, float]) -> float:
    found = re.fullmatch(r"\$?([\d,.]+) ?(.*)", text)
    assert found, text
    return float(found[1].replace(",", "")) * units[found[2]]


def digits(text: str) -> int:
    figures = re.sub(r"[^\d.]", "", text)
    whole = figures.replace(".", "").lstrip("0")
    return len(whole if "." in figures else whole.rstrip("0"))


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@given(data=st.data())
def test_few_digits_close_to_the_quantity_and_in_order(data: st.DataObject, kind: Kind) -> None:
    words, units, low, high, error = kind
    logs = st.floats(math.log(low), math.log(high), exclude_max=True)
    smaller, larger = sorted(math.exp(data.draw(logs)) for _ in range(2))
    first, last = parse(words(smaller), units), parse(words(larger), units)
    assert digits(words(smaller)) <= 4
    assert abs(first - smaller) <= error * smaller
    assert first <= last


@given(st.floats(1e-15, 1), st.floats(1e-15, 1))
def test_a_greater_chance_never_reads_as_smaller(chance: float, other: float) -> None:
    def parsed(text: str) -> float:
        if text.startswith("under"):
            return 0
        if text.startswith("1 in "):
            return 1 / float(text[5:].replace(",", ""))
        return parse(text, {"%": 0.01})

    low, high = sorted((chance, other))
    assert parsed(number.probability(low)) <= parsed(number.probability(high)) * (1 + 1e-9)


@pytest.mark.parametrize(
    "words", [kind[0] for kind in KINDS] + [number.probability], ids=[*NAMES, "probability"]
)
def test_what_is_not_known_reads_as_a_dash_and_infinity_keeps_its_sign(words: Words) -> None:
    assert words(None) == number.ABSENT
    assert words(math.nan) == number.ABSENT
    assert words(math.inf)[0] in "∞>"


@given(st.floats(0.01, 49), st.floats(1, 1.5))
def test_a_span_has_its_unit_once(low: float, ratio: float) -> None:
    text = number.span(number.years, low, low * ratio)
    assert text.count("y") == 1
    assert text.endswith(" y")
