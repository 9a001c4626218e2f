"""Writes `plan-sample.json`: an invented plan for tests of the report. No figure in it was measured or
simulated.

Drives, prices, latencies and the workload are drawn from a seeded generator so that they look plausible:
cheap drives are slow, latencies are log-normal, the load has a quiet hour, a peak and a backup. Run it to
write the file again.
"""

import json
import math
import random
from pathlib import Path
from statistics import NormalDist
from typing import Any

SECONDS = 120
PEAK_START, PEAK_LENGTH = 60, 30
ADDRESS_BINS = 48
YEARS = 5
Json = dict[str, Any]

# name, title, GB, price, median read ms, its spread (sigma), W, DWPD, write amplification, IOPS
DRIVES: list[tuple[str, str, float, float, float, float, float, float | None, float | None, float]] = [
    ("example-r1-480gb", "Example R1 480 GB", 480, 96, 0.12, 0.45, 3.1, 1.0, 1.5, 21_000),
    ("example-m1-480gb", "Example M1 480 GB", 480, 148, 0.10, 0.40, 3.4, 3.0, 1.3, 26_000),
    ("example-n5-960gb", "Example N5 960 GB NVMe", 960, 182, 0.075, 0.35, 7.5, 1.0, 1.4, 90_000),
    ("example-n7-1.6tb", "Example N7 1.6 TB NVMe mixed-use", 1600, 390, 0.062, 0.30, 9.0, 3.0, 1.2, 140_000),
    ("example-q3-7.68tb", "Example Q3 7.68 TB QLC", 7680, 640, 0.13, 0.55, 10.0, 0.3, 2.4, 60_000),
    ("example-s2-100gb", "Example S2 100 GB", 100, 60, 0.16, 0.50, 2.4, 0.2, 1.9, 9_000),
    ("example-k15-300gb", "Example K15 300 GB disk 15,000/min", 300, 88, 9.5, 0.75, 11.0, None, None, 320),
    ("example-b72-4tb", "Example B72 4 TB disk 7,200/min", 4000, 92, 22.0, 0.9, 7.0, None, None, 140),
]
LEVELS = [
    ("raid1", "RAID 1", 2, 0.5, 2.0, 1.9),
    ("raid10", "RAID 10", 4, 0.5, 2.0, 3.7),
    ("raid5", "RAID 5", 4, 0.75, 4 / 3, 2.6),
    ("raid6", "RAID 6", 6, 4 / 6, 1.5, 3.4),
    ("raid10", "RAID 10", 8, 0.5, 2.0, 7.2),
]
NEED = ("name", "value", "display", "origin", "why")
NEEDS = [
    (
        "capacity",
        20_000_000_000,
        "20 GB",
        "derived",
        "highest address used × growth 2.49 ÷ 80 % full at most",
    ),
    ("growth", 0.2, "20 %/y", "assumed", "of data and load, a year"),
    ("p99_read", 5_000_000, "5 ms", "assumed", "usual for transactional load"),
    ("p99_write", 5_000_000, "5 ms", "assumed", "usual for transactional load"),
    ("headroom", 2.49, "2.5 × the peak", "derived", "the peak's load after 5 years of growth"),
    ("years", YEARS, "5 years", "given", "asked for"),
    ("drive_losses", 1, "1", "assumed", "drives that may fail without loss of data"),
    ("hours_a_day", 24, "24 h", "assumed", "hours of a day that look like the log"),
]
ASSUMPTION = ("name", "value", "provenance", "source")
ASSUMPTIONS = [
    (
        "load",
        "24 h a day like these 120 s",
        "assumed",
        "a longer log, or `--hours-per-day`, makes this better",
    ),
    ("prices", "of 2026-11-21", "assumed", "catalog/prices.toml, meant to be edited"),
    ("flash timing", "by class of flash", "assumed", "data sheets do not tell read and program times"),
    ("electricity", "0.15 USD/kWh", "published", "an invented statistical office"),
    ("share of writes overwritten", 0.78, "measured", "the recording"),
    ("cleaning policy", "greedy", "assumed", "drive makers do not tell theirs"),
]
PEAK_IOPS = 3_900.0
DAILY_BYTES = 620e9
CAPACITY_GB = 20.0


def series(random: random.Random) -> tuple[list[Json], list[list[int]]]:
    seconds, counts = [], []
    for second in range(SECONDS):
        load = 300 if second < 20 else 5_000 if PEAK_START <= second < PEAK_START + PEAK_LENGTH else 1_100
        total = round(load * random.uniform(0.75, 1.1))
        reads = round(total * (0.95 if second >= 90 else 0.7))
        seconds.append(
            {
                "second": second,
                "reads": reads,
                "writes": total - reads,
                "flushes": total // 14,
                "read_bytes": reads * 16_384,
                "written_bytes": (total - reads) * 26_000,
                "queue_depth": round(total / 2400 * random.uniform(0.8, 1.3), 3),
            }
        )
        hot = [1 / (1 + abs(address - 9)) + 0.3 / (1 + abs(address - 30)) for address in range(ADDRESS_BINS)]
        row = [round(total * share / sum(hot) * random.uniform(0.2, 1.2)) for share in hot]
        if second >= 90:
            row[(second - 90) * ADDRESS_BINS // 30] += 700
        counts.append(row)
    return seconds, counts


def profile(random: random.Random) -> Json:
    seconds, counts = series(random)
    reads, writes = sum(row["reads"] for row in seconds), sum(row["writes"] for row in seconds)
    peak = seconds[PEAK_START : PEAK_START + PEAK_LENGTH]
    requests = sum(row["reads"] + row["writes"] for row in peak)
    size = [
        ("read", 16_384, reads),
        ("write", 16_384, writes * 6 // 10),
        ("write", 4_096, writes * 3 // 10),
        ("write", 131_072, writes // 10),
    ]
    return {
        "schema_version": 1,
        "source": "trace",
        "requests": reads + writes,
        "reads": reads,
        "writes": writes,
        "flushes": sum(row["flushes"] for row in seconds),
        "discards": 0,
        "bytes_read": reads * 16_384,
        "bytes_written": writes * 26_000,
        "read_fraction": reads / (reads + writes),
        "block_size_mean_bytes": 19_000.0,
        "read_size_mean_bytes": 16_384.0,
        "write_size_mean_bytes": 26_000.0,
        "sequential_fraction": 0.371,
        "sequential_fraction_by_stream": 0.412,
        "working_set_bytes": 1_066_426_368,
        "working_set_read_bytes": 964_263_936,
        "working_set_write_bytes": 380_837_888,
        "extent_bytes": 4_433_412_096,
        "duration_s": float(SECONDS),
        "iops_mean": (reads + writes) / SECONDS,
        "iops_peak_1s": 5_446.0,
        "iops_peak_1s_at_s": 71,
        "throughput_mean_bytes_per_s": 31e6,
        "queue_depth_mean": 0.9,
        "queue_depth_max": 33,
        "latency_ns_mean": 411_500.0,
        "read_latency_ns": quantiles(0.21, 0.8),
        "write_latency_ns": quantiles(0.62, 0.7),
        "overwrite_fraction": 0.78,
        "update_distance_bytes": {"q0.1": 4e6, "q0.5": 6.1e7, "q0.9": 4.1e8},
        "interarrival": {"mean_ns": 640_000.0, "cv": 3.1, "index_of_dispersion_1s": 1_200.0},
        "write_bytes_per_day": DAILY_BYTES,
        "peak_window": {
            "start_s": float(PEAK_START),
            "length_s": float(PEAK_LENGTH),
            "requests": requests,
            "iops_mean": PEAK_IOPS,
            "iops_peak_1s": 5_446.0,
            "throughput_bytes_per_s": 68e6,
            "read_fraction": 0.7,
            "queue_depth_mean": 1.6,
        },
        "sizes": [{"op": op, "size_bytes": size_bytes, "count": count} for op, size_bytes, count in size],
        "seconds": seconds,
        "heat_map": {
            "time_bin_s": 1.0,
            "address_bin_bytes": 92_362_752,
            "address_bins": ADDRESS_BINS,
            "time_bins": SECONDS,
            "counts": counts,
        },
        "provenance": {"write_bytes_per_day": "derived", "peak_window": "derived"},
    }


def quantiles(median_ms: float, sigma: float) -> Json:
    normal = NormalDist()
    at = {
        f"q{q:g}": round(1e6 * median_ms * math.exp(sigma * normal.inv_cdf(q)))
        for q in (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999)
    }
    return {"mean": 1e6 * median_ms * math.exp(sigma**2 / 2), **at, "max": 3 * at["q0.9999"]}


def histogram(op: str, median_ms: float, sigma: float) -> list[Json]:
    normal = NormalDist()
    steps = [-2 + 0.125 * step for step in range(52)]
    return [
        {
            "op": op,
            "latency_ns": round(1e6 * median_ms * math.exp(sigma * z)),
            "count": 100,
            "quantile": round(normal.cdf(z), 7),
        }
        for z in steps
    ]


def stream(share: float, median_ms: float, sigma: float) -> Json:
    return {
        "requests": round(PEAK_IOPS * share * PEAK_LENGTH),
        "iops": PEAK_IOPS * share,
        "latency_ns": quantiles(median_ms, sigma),
    }


def outcome(
    random: random.Random, design: str, *, read_ms: float, write_ms: float, sigma: float, room: float
) -> Json:
    seconds = [
        {
            "second": second,
            "reads": 2_700,
            "writes": 1_200,
            "read_bytes": 44_000_000,
            "written_bytes": 31_000_000,
            "queue_depth": 1.4,
            "read_latency_ns_mean": round(1e6 * read_ms * random.uniform(1.0, 1.4)),
            "write_latency_ns_mean": round(1e6 * write_ms * random.uniform(1, 1.3)),
            "read_latency_ns_max": round(1e6 * read_ms * random.uniform(5, 14)),
            "write_latency_ns_max": round(1e6 * write_ms * random.uniform(3, 8)),
        }
        for second in range(PEAK_LENGTH)
    ]
    return {
        "schema_version": 1,
        "design": design,
        "seed": 1,
        "requests": round(PEAK_IOPS * PEAK_LENGTH),
        "duration_s": float(PEAK_LENGTH),
        "iops": PEAK_IOPS,
        "throughput_bytes_per_s": 68e6,
        "read": stream(0.7, read_ms, sigma),
        "write": stream(0.3, write_ms, sigma * 0.8),
        "flush": stream(0.07, write_ms * 1.1, sigma * 0.8),
        "utilization": min(1.0, 1 / room),
        "queue_depth_mean": 1.4,
        "saturated": room < 1,
        "littles_law_error": 0.0004,
        "seconds": seconds,
        "latencies": histogram("read", read_ms, sigma) + histogram("write", write_ms, sigma * 0.8),
    }


def between(value: float, spread: float) -> Json:
    return {"value": value, "low": value / spread, "high": value * spread}


def bought(cost: Json, usable_tb: float, room: float) -> Json:
    """The bounds of the cost, and the cost for what is bought with it."""
    total = cost["total"]
    written_tb = DAILY_BYTES * 365 * YEARS / 1e12

    def over(amount: float) -> Json:
        return {"value": total / amount, "low": 0.8 * total / amount, "high": 1.4 * total / amount}

    units = {"per_usable_tb": usable_tb, "per_iops_at_slo": room * PEAK_IOPS, "per_tb_written": written_tb}
    return {
        "low": 0.8 * total,
        "high": 1.4 * total,
        "residual": 0.0,
        **{name: over(amount) for name, amount in units.items()},
    }


def ends(cost: Json, price: float, life: float) -> Json:
    """The two dates, and what cost and life hang on."""
    total = cost["total"]
    rows = [
        ("drive price", "USD", (0.7 * price, price, 1.5 * price), (-0.2, 0.35), None),
        ("growth", "1/y", (0.0, 0.2, 0.4), (0.0, 0.1), (1.3, 0.8)),
        ("electricity", "USD/kWh", (0.08, 0.15, 0.3), (-0.03, 0.09), None),
        ("P/E cycles", "cycles", (3000, 7000, 10_000), (0.02, 0.0), (0.7, 1.2)),
    ]
    return {
        "warranty_end": {"date": "2031-11-20", "years": 5.0, "by": "term"},
        "media_end": {
            name: f"{2026 + round(life * times)}-11-21"
            for name, times in (("value", 1), ("low", 0.8), ("high", 1.2))
        },
        "retention_months": {"value": 9.0, "low": 2.1, "high": 31.0},
        "sensitivity": [
            {
                "input": name,
                "unit": unit,
                **dict(zip(("low", "value", "high"), span, strict=True)),
                "provenance": "assumed",
                "source": f"an invented {name}",
                "cost_low": total * (1 + moved[0]),
                "cost_high": total * (1 + moved[1]),
                "life_years_low": life * lasts[0] if lasts else None,
                "life_years_high": life * lasts[1] if lasts else None,
            }
            for name, unit, span, moved, lasts in rows
        ],
    }


def design(random: random.Random, drive: tuple[Any, ...], level: tuple[Any, ...]) -> Json:
    name, title, gigabytes, price, read_ms, sigma, power, dwpd, amplification, iops = drive
    kind, words, count, share, copies, gain = level
    line, usable = f"{kind}({count} * {name})", gigabytes * count * share
    base: Json = {
        "rank": None,
        "design": line,
        "title": f"{count} x {title}, {words}",
        "level": kind,
        "drive": name,
        "count": count,
        "on_front": False,
        "usable_bytes": round(usable * 1e9),
    }
    energy = power * count * 8.766 * YEARS * 1.7
    cost = {
        "currency": "USD",
        "purchase": price * count,
        "energy": energy * 0.15,
        "replacement": price * count * 0.02 * YEARS,
    }
    base |= {
        "power_w": power * count,
        "energy_kwh": energy,
        "cost": cost | {"total": sum(cost[part] for part in ("purchase", "energy", "replacement"))},
    }
    if count == 8 and usable > 5000:
        return base | {
            "verdict": "pruned",
            "why": f"too large: {usable / 1000:.1f} TB usable, {usable / CAPACITY_GB:.0f} times the need",
        }
    if dwpd is None and count < 4:
        return base | {
            "verdict": "pruned",
            "why": f"too slow: at most {iops * gain:.0f} IOPS, {PEAK_IOPS:,.0f} needed",
        }
    room = iops * gain / PEAK_IOPS * (0.7 if kind in ("raid5", "raid6") else 1.0)
    slow = max(1.0, 2 / max(room, 0.05))
    read_ms, write_ms = (
        read_ms * slow * random.uniform(0.95, 1.05),
        read_ms * 0.35 * slow * (1.8 if kind in ("raid5", "raid6") else 1),
    )
    run = outcome(random, line, read_ms=read_ms, write_ms=write_ms, sigma=sigma, room=room)
    p99, q99 = run["read"]["latency_ns"]["q0.99"], run["write"]["latency_ns"]["q0.99"]
    used = DAILY_BYTES * copies / count / (gigabytes * 1e9) if dwpd else None
    warranty = dwpd * 5 / used if dwpd else None
    media = warranty * random.uniform(1.2, 2.6) / amplification if dwpd else None
    life = min(warranty, media) if dwpd else None
    misses = [f"p99 read {p99 / 1e6:,.0f} ms > 5 ms"] if p99 > 5e6 else []
    misses += [f"worn out in {life:.2g} y < {YEARS} y"] if life and life < YEARS else []
    base["cost"] |= bought(base["cost"], usable / 1000, room)
    kinds = ("too slow: " if p99 > 5e6 else "wears out: ") + ", ".join(misses) if misses else ""
    limit = {"limit": "warranty" if dwpd and warranty < media else "media"}
    return base | {
        "verdict": "misses" if misses else "fits",
        "why": kinds,
        "room": min(room, 64.0),
        "read_p99_ns": between(p99, 1.1),
        "write_p99_ns": between(q99, 1.15),
        "outcome": run,
        "write_amplification": between(amplification, 1.12) if dwpd else None,
        "life_years": between(life, 1.2) | limit if dwpd else None,
        "life_media_years": between(media, 1.2) if dwpd else None,
        "life_warranty_years": warranty,
        **(ends(base["cost"], price, life) if dwpd else {}),
        "dwpd_used": used,
        "dwpd_rated": dwpd,
        "annual_failure_rate": 0.0044 * count,
        **loss(count),
        "unreadable_probability": 0.02 if dwpd is None else 4e-6,
    }


def loss(count: int) -> Json:
    """Return the chance of losing data."""
    chances = {"": 3e-7 * count, "_low": 4e-8 * count, "_high": 9e-7 * count}
    named = {f"data_loss_probability{end}": chance for end, chance in chances.items()}
    return {**named, "data_loss_method": "simulated", "rebuild_h": 0.6}


def rank(fits: list[Json]) -> None:
    """Number the designs that fit, cheapest first, and say which are on the front."""
    for place, one in enumerate(fits, 1):
        one["rank"] = place
        cheaper = fits[: place - 1]
        one["on_front"] = all(
            one["read_p99_ns"]["value"] < other["read_p99_ns"]["value"] for other in cheaper
        ) or all(one["life_years"]["value"] > other["life_years"]["value"] for other in cheaper)
        one["why"] = (
            "cheapest that fits" if place == 1 else "on the front" if one["on_front"] else "fits, dearer"
        )


def plan() -> Json:
    generator = random.Random(1)
    designs = [design(generator, drive, level) for drive in DRIVES for level in LEVELS]
    fits = sorted((d for d in designs if d["verdict"] == "fits"), key=lambda d: d["cost"]["total"])
    rank(fits)
    for one in designs:
        if not one["on_front"] and one.get("outcome"):
            one["outcome"].update(seconds=None, latencies=None)
    verdicts = [one["verdict"] for one in designs]
    return {
        "schema_version": 1,
        "version": "0.0.0",
        "seed": 1,
        "date": "2026-11-21",
        "command": "drivecast plan invented.blktrace --years 5 -o report.html",
        "workload": {
            "name": "invented-oltp",
            "source": "invented.blktrace",
            "hash": "5f" * 32,
            "hours_like": "24 h a day like these 120 s",
            "notes": ["4 of 209,622 requests had no completion and count without latency"],
            "profile": profile(generator),
        },
        "requirements": [dict(zip(NEED, row, strict=True)) for row in NEEDS],
        "designs": designs,
        "winner": fits[0]["design"],
        "front": [one["design"] for one in fits if one["on_front"]],
        "nearest": [],
        "counts": {
            "considered": len(designs),
            "simulated": len(designs) - verdicts.count("pruned"),
            **{v: verdicts.count(v) for v in ("fits", "misses", "pruned")},
        },
        "assumptions": [dict(zip(ASSUMPTION, row, strict=True)) for row in ASSUMPTIONS],
        "hashes": {"trace": "5f" * 32, "catalog": "a1" * 32, "prices": "0c" * 32},
    }


if __name__ == "__main__":
    text = json.dumps(plan(), separators=(",", ":"), allow_nan=False)
    Path(__file__).with_name("plan-sample.json").write_text(text + "\n", encoding="utf-8")
