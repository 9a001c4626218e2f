"""What the figures of a table rest on, where the table does not say: its columns, and how fine they count.

The step of a counter of bytes is the largest of the usual ones that divides all newest values of a model; that of
wear is a whole percent where all values are whole percents. Other counters count by one.
"""

import json

import polars as pl

from drivecast.health.record import NAMES

STEPS = (2.0**30, 1e9, 2.0**25, 512_000.0, 512.0)
"""GiB, GB, 32 MiB, 1,000 sectors, a sector."""

BYTES = tuple(name for name in NAMES if name.endswith("_bytes"))
RATIOS = tuple(name for name in NAMES if name.endswith("_ratio"))


def filled(samples: pl.DataFrame) -> pl.DataFrame:
    """The samples, with `sources` where they had none."""
    if not samples["sources"].null_count():
        return samples
    silent = samples.filter(pl.col("sources").is_null())
    last = silent.group_by("serial", "model").agg(pl.col(*NAMES).last())
    told = [
        (str(model), _sources(part)) for (model,), part in last.partition_by("model", as_dict=True).items()
    ]
    table = pl.DataFrame(told, schema={"model": pl.String, "stated": pl.String}, orient="row")
    joined = samples.join(table, on="model", how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("sources", "stated").alias("sources")).drop("stated")


def _sources(newest: pl.DataFrame) -> str:
    """What the figures of one model's drives rest on."""
    return json.dumps(
        {
            name: {"attribute": f"column {name}", "trust": "observed", "step": step(name, newest[name])}
            for name in sorted(NAMES)
            if newest[name].null_count() < newest.height
        }
    )


def step(name: str, values: pl.Series) -> float:
    """What the values move by at least; 0 where they are continuous."""
    some = values.drop_nulls().filter(values.drop_nulls() > 0)
    if name in BYTES:
        return next((size for size in STEPS if some.len() and ((some % size) == 0).all()), 1.0)
    if name in RATIOS:
        percent = some * 100
        return 0.01 if ((percent - percent.round()).abs() < 1e-9).all() else 0.0
    return 1.0
