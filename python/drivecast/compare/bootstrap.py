"""The circular block bootstrap of a series, and the length of its blocks.

Blocks of l neighbouring rows, begun anywhere and wrapping around the end, are drawn until they are as many rows as the
series has (Politis and Romano 1992). l = (2 G² / D)^⅓ n^⅓ with G = Σ λ(k/M) |k| R(k), g = Σ λ(k/M) R(k), D = ⁴⁄₃ g²,
a flat-top window λ, and M twice the lag behind which correlations stay below 2 √(log₁₀ n / n) (Politis and White 2004).
"""

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def circular(rows: Array, draws: int, rng: np.random.Generator) -> Array:
    """The sums of the columns of `rows` over each of `draws` resampled series.

    Blocks are as long as the first column, or where there are many the rows' sums over their total, needs.
    """
    count = len(rows)
    series = rows[:, 0] if rows.shape[1] < 3 else _scores(rows)
    length = block_length(series)
    if rows.shape[1] == 2:
        length = max(length, block_length(rows[:, 0] / np.maximum(rows[:, 1], 1e-300)))
    blocks = -(-count // length)
    starts = rng.integers(0, count, (draws, blocks))
    places = (starts[:, :, None] + np.arange(length)).reshape(draws, -1)[:, :count] % count
    flat = (places + count * np.arange(draws)[:, None]).ravel()
    times = np.bincount(flat, minlength=draws * count).reshape(draws, count)
    summed: Array = times.astype(np.float64) @ rows
    return summed


def _scores(counts: Array) -> Array:
    """A second's mean rank among all requests: what is correlated in its quantiles is so in this."""
    total = counts.sum(axis=0)
    ranks = (np.cumsum(total) - total / 2) / max(total.sum(), 1.0)
    each = counts.sum(axis=1)
    scores: Array = np.where(each > 0, counts @ ranks / np.maximum(each, 1.0), 0.5)
    return scores


def block_length(series: Array) -> int:
    """How many neighbours must stay together."""
    count = len(series)
    centred = series - series.mean()
    variance = float(centred @ centred) / count
    if count < 4 or variance <= 1e-18 * float(np.abs(series).max()) ** 2:
        return 1
    lags = min(count - 1, math.ceil(math.sqrt(count)) + 5)
    found = np.array([float(centred[: count - lag] @ centred[lag:]) / count for lag in range(lags + 1)])
    small = np.abs(found[1:] / variance) < 2 * math.sqrt(math.log10(count) / count)
    run = max(5, math.ceil(math.sqrt(math.log10(count))))
    quiet = next((at for at in range(len(small)) if small[at : at + run].all()), len(small))
    reach = min(2 * max(quiet, 1), lags)
    at = np.arange(1, reach + 1)
    window = np.clip(2 * (1 - at / reach), 0.0, 1.0)
    slope = 2 * float((window * at) @ found[1 : reach + 1])
    level = variance + 2 * float(window @ found[1 : reach + 1])
    longest = math.ceil(min(3 * math.sqrt(count), count / 3))
    if level <= 0:
        return longest if slope > 0 else 1
    length = (1.5 * slope**2 / level**2) ** (1 / 3) * count ** (1 / 3)
    return int(np.clip(round(length), 1, longest))
