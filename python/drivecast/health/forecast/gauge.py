"""Wear for each byte written, from a gauge that may be as coarse as a whole percent.

Model. Wear rises by k for each byte of the counter (host bytes where the drive counts them). Estimates of ln k, each
with the variance that counting alone gives it:

    steps      the gauge rose to w₁ and to w₂ between two samples each: k = (w₂ − w₁) / (W₂ − W₁), the moments W known
               to the samples around them: (d₁² + d₂²) / 12 / (W₂ − W₁)²
    ends       first and last reading of a fine gauge of step g: g² / 6 / (w₂ − w₁)²
    lifetime   k = w / W over the drive's whole life: g² / 12 / w²

Steps or ends (the better) are taken since the last change of workload where it shows two steps, else over the whole
history. Wear goes with flash writes, so where the drive counts them the lifetime's k is multiplied by the recent
write amplification over the lifetime's. Where lifetime and recent k disagree by more than counting explains, the
lifetime's variance takes the excess, and both are averaged by their variances. A gauge that has not moved gives none.

The flash is at its end when the gauge reads 1. Since the gauge rose to its reading w at W, that is

    R = (1 − w) / k − (W now − W)        bytes away
"""

import numpy as np
import polars as pl
import polars.selectors as cs

FINE_STEP = 1e-3
"""A gauge at least this fine is a counter of its own, for drives that count no writes."""
SCHEMA = {"drive": pl.Int64, "media_remaining": pl.Float64, "media_spread": pl.Float64}


def remaining(rows: pl.DataFrame, state: pl.DataFrame) -> pl.DataFrame:
    """Return R in the counter's unit, and the variance of its logarithm; one row a drive that has one.

    `rows` are cleaned samples with `drive`, `second`, `total` and `wear_ratio`; `state` has, for each drive, `drive`,
    `wear_step`, `changed_s` (nullable), `total` now, `lifetime_total` (null after a reset), and the ratio of recent to
    lifetime write amplification, `amplified` (nullable).
    """
    read = _readings(rows)
    if read.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    read = read.join(state.select("drive", "changed_s"), on="drive", how="left", maintain_order="left")
    risen = read.filter(pl.col("risen"))
    late = pl.col("second") >= pl.col("changed_s").fill_null(0)
    table = state.join(read.group_by("drive").agg(wear_now=pl.col("wear_ratio").last()), on="drive")
    for name, part, whole in (("", read, risen), ("_late", read.filter(late), risen.filter(late))):
        table = table.join(_rates(part, whole, name), on="drive", how="left")
    last = risen.group_by("drive").agg(
        pl.col("wear_ratio").last().alias("w"),
        ((pl.col("total_before") + pl.col("total_at")) / 2).last().alias("at"),
    )
    return _combined(table.join(last, on="drive", how="left"))


def _readings(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with a wear, those before a fall and single outliers left out; `risen` marks a step upwards."""
    drive, wear = pl.col("drive"), pl.col("wear_ratio")
    before = pl.when(drive == drive.shift(1)).then(wear.shift(1))
    after = pl.when(drive == drive.shift(-1)).then(wear.shift(-1))
    outlier = ((wear < before) & (after >= before)) | ((after < wear) & (after >= before))
    read = rows.lazy().select("drive", "second", "wear_ratio", total_at="total").filter(wear.is_finite())
    read = read.filter(~outlier.fill_null(value=False))
    marked = read.with_columns(
        fell=(wear < before).fill_null(value=False),
        risen=(wear > before).fill_null(value=False),
        total_before=pl.col("total_at").shift(1),
    ).collect()
    if marked["fell"].any():
        falls = marked.filter("fell").group_by("drive").agg(pl.col("second").last().alias("fall_s"))
        marked = marked.join(falls, on="drive", how="left", maintain_order="left")
        marked = marked.filter(pl.col("second") >= pl.col("fall_s").fill_null(0)).drop("fall_s")
    return marked.drop("fell")


def _rates(read: pl.DataFrame, risen: pl.DataFrame, name: str) -> pl.DataFrame:
    """Rise of wear and of the total between the ends and between the first and last step, for each drive."""
    wear, total = pl.col("wear_ratio"), pl.col("total_at")
    ends = read.group_by("drive").agg(
        (wear.last() - wear.first()).alias(f"rise{name}"), (total.last() - total.first()).alias(f"over{name}")
    )
    middle, width = (pl.col("total_before") + total) / 2, total - pl.col("total_before")
    between = risen.group_by("drive").agg(
        (wear.last() - wear.first()).alias(f"step_rise{name}"),
        (middle.last() - middle.first()).alias(f"step_over{name}"),
        ((width.first() ** 2 + width.last() ** 2) / 12).alias(f"step_error{name}"),
    )
    return ends.join(between, on="drive", how="left")


def _combined(table: pl.DataFrame) -> pl.DataFrame:
    columns = {column.name: column.to_numpy() for column in table.select(cs.numeric().cast(pl.Float64))}
    step, wear, now = columns["wear_step"], columns["wear_now"], columns["total"]
    with np.errstate(all="ignore"):
        late, late_error = _recent(columns, "_late", step)
        whole, whole_error = _recent(columns, "", step)
        use_late = np.isfinite(late)
        recent, recent_error = np.where(use_late, late, whole), np.where(use_late, late_error, whole_error)
        life = np.log(wear / columns["lifetime_total"] * np.nan_to_num(columns["amplified"], nan=1.0))
        life_error = step**2 / 12 / wear**2
        life = np.where((wear > 0) & np.isfinite(life), life, np.nan)
        apart = np.nan_to_num(np.maximum((life - recent) ** 2 - life_error - recent_error, 0.0))
        trust_recent = np.where(np.isfinite(recent), 1 / recent_error, 0.0)
        trust_life = np.where(np.isfinite(life), 1 / (life_error + apart), 0.0)
        trust = trust_recent + trust_life
        rate = (np.nan_to_num(recent) * trust_recent + np.nan_to_num(life) * trust_life) / trust
        per_byte = np.exp(rate)
        one_step = step / per_byte
        since = np.clip(now - columns["at"], 0.0, one_step)
        seen = np.isfinite(since)
        to_go = (1.0 - wear) / per_byte - np.where(seen, since, one_step / 2)
        place = np.where(seen, 0.0, step**2 / 12 / np.maximum(1.0 - wear, step) ** 2)
    known = (trust > 0) & (wear < 1.0)
    found = {
        "drive": table["drive"],
        "media_remaining": np.maximum(to_go, one_step * 1e-3),
        "media_spread": 1 / np.where(trust > 0, trust, np.inf) + place,
    }
    return pl.DataFrame(found, schema=SCHEMA).filter(pl.Series(known))


def _recent(columns: dict[str, np.ndarray], name: str, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The better of the steps' and the ends' estimate of ln k, with its variance; NaN where there is neither."""
    by_steps = np.log(columns[f"step_rise{name}"] / columns[f"step_over{name}"])
    steps_error = columns[f"step_error{name}"] / columns[f"step_over{name}"] ** 2
    by_ends = np.log(columns[f"rise{name}"] / columns[f"over{name}"])
    ends_error = step**2 / 6 / columns[f"rise{name}"] ** 2
    has_steps = np.isfinite(by_steps) & np.isfinite(steps_error)
    has_ends = np.isfinite(by_ends) & (columns[f"rise{name}"] >= 2 * step * 0.999)
    steps_error = np.where(has_steps, np.maximum(steps_error, 1e-12), np.inf)
    ends_error = np.where(has_ends, np.maximum(ends_error, 1e-12), np.inf)
    better = steps_error <= ends_error
    estimate = np.where(better, by_steps, by_ends)
    error = np.minimum(steps_error, ends_error)
    return np.where(np.isfinite(error), estimate, np.nan), np.where(np.isfinite(error), error, np.nan)
