"""Quantities in words, by example."""

import pytest

from drivecast.quantity import number
from drivecast.quantity.number import ABSENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (number.latency(314_159), "0.31 ms"),
        (number.latency(99_600), "0.10 ms"),
        (number.latency(5_000_000), "5 ms"),
        (number.latency(431_700_000), "432 ms"),
        (number.latency(12_300_000_000), "12.3 s"),
        (number.multiple(11.2), "11×"),
        (number.multiple(0.6), "0.6×"),
        (number.headroom(12.6), "13×"),
        (number.headroom(64.0), "> 64×"),
        (number.money(412.4), "$412"),
        (number.money(2_310), "$2,310"),
        (number.money(412.4, "EUR"), "EUR 412"),
        (number.size(480e9), "480 GB"),
        (number.size(999.9e9), "1 TB"),
        (number.binary_size(19_006), "18.6 KiB"),
        (number.throughput(68e6), "68 MB/s"),
        (number.percent(0.7328), "73 %"),
        (number.years(80), "> 50 y"),
        (number.duration(240.38), "240 s"),
        (number.duration(7200.1), "120 min"),
        (number.probability(3.4e-7), "1 in 2,900,000"),
        (number.probability(0.031), "3.1 %"),
        (number.count(180_625), "180,625"),
        (number.span(number.years, 9, 13), "9–13 y"),
        (number.span(number.years, 32, 80), "> 32 y"),
        (number.span(number.latency, 290_000, 350_000), "0.29–0.35 ms"),
        (number.span(number.multiple, 9, 13), "9–13×"),
        (number.span(number.size, 900e6, 1.2e9), "900 MB – 1.2 GB"),
        (number.span(number.years, 9.01, 9.02), "9 y"),
        (number.span(number.years, None, 13), ABSENT),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert text == expected
