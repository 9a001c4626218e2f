"""What designs are judged by, as the arithmetic of `crates/assess` takes it.

Amounts are in dollars. Every figure with bounds says how it is known, since the page of a report shows it.
"""

from typing import Any

from drivecast.assess.rating import failure_rate, flash_rating
from drivecast.catalog import Bounded, Catalog, Drive, Prices
from drivecast.catalog.figure import Figure
from drivecast.document.outcome import Outcome
from drivecast.document.part import Provenance
from drivecast.document.profile import Profile
from drivecast.plan.data_loss import reliability
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Trial
from drivecast.stage.design import Design

OFFICE_HOURS = 8.0
"""Of a day that look like the log at least, where nobody said how many (assumed)."""

Facts = dict[str, Any]


def known(figure: Bounded | Figure[Any], prices: Prices) -> tuple[Provenance, str]:
    """How a figure of the price file is known, and from where."""
    return figure.provenance.value, prices.sources.get(figure.document or "", figure.reason)


def cycles_known(drive: Drive) -> tuple[Provenance, str]:
    """How the cycles of a drive's flash are known, and from where."""
    cycles = drive.pe_cycles
    if cycles is None:
        raise TypeError(f"`{drive.name}` is not of flash")
    documents = {**drive.shared_sources, **drive.sheet.sources}
    return cycles.provenance.value, documents.get(cycles.document or "", cycles.reason)


def origin(name: str, design: Design, needs: Requirements) -> tuple[Provenance, str]:
    """How an input that is no price is known, and from where."""
    if name in ("hours a day", "growth"):
        return next((how, why) for known_as, how, why in needs.origins if known_as == name)
    if name == "P/E cycles":
        return cycles_known(design.drive) if design.drive.pe_cycles else ("assumed", "")
    found: dict[str, tuple[Provenance, str]] = {
        "failure rate": ("measured", "the sheet's promise to what fleets report"),
        "power": ("derived", "idle to always at the peak"),
        "write amplification": ("derived", "simulated"),
    }
    return found[name]


def of_design(design: Design) -> Facts:
    """The shape of a design."""
    return {
        "line": design.line,
        "level": design.level,
        "count": design.bays,
        "spares": design.spares,
        "groups": design.groups,
        "partition": design.partition,
        "chunk_kib": design.chunk_kib,
    }


def of_drive(drive: Drive, catalog: Catalog) -> Facts:
    """What a drive of the catalog is, and what it costs."""
    low, value, high = catalog.price_bounds_usd(drive.name)
    rating, prices, link = flash_rating(drive), catalog.prices, drive.interface.bytes_per_s
    read, write = drive.moves_bytes_per_s
    return {
        "name": drive.name,
        "title": drive.title,
        "flash": drive.medium,
        "class": drive.drive_class,
        "user_bytes": drive.user_bytes,
        "is_flash": drive.is_flash,
        "bay": drive.bay,
        "measured": drive.latency_known == "measured",
        "idle_w": drive.idle_w,
        "read_w": drive.busy_w(0.0),
        "write_w": drive.busy_w(1.0),
        "warranty_years": drive.warranty_years,
        "reliability": reliability(drive, failure_rate(drive)),
        "rating": rating and rating.facts(),
        "price": _figure((low, value, high), *known(prices.drives[drive.name], prices)),
        "cycles": cycles_known(drive) if drive.pe_cycles else None,
        "read_bytes_per_s": min(read, link),
        "write_bytes_per_s": min(write, link),
    }


def of_prices(prices: Prices) -> Facts:
    """Prices of all but drives."""
    host, market, electricity = prices.host, prices.market, prices.electricity
    service = prices.service

    def figure(of: Bounded) -> Facts:
        low, high = of.bounds
        return _figure((low, of.value, high), *known(of, prices))

    return {
        "flash_decline": figure(market.flash_decline_per_year),
        "disk_decline": figure(market.disk_decline_per_year),
        "usd_per_kwh": figure(electricity.usd_per_kwh),
        "pue": figure(electricity.pue),
        "residual": figure(market.residual_share),
        "slot": figure(host.slot_usd),
        "nvme_slot": figure(host.nvme_slot_usd),
        "large_slot": figure(host.large_slot_usd),
        "adapter": figure(host.adapter_usd),
        "adapter_ports": host.adapter_ports.value,
        "board_ports": host.board_ports.value,
        "visit": figure(service.visit_usd),
        "outage": figure(service.outage_usd_per_h),
        "restore_bytes_per_s": service.restore_mb_per_s.value * 1e6,
        "data_value": figure(service.data_value_usd),
        "enclosure": figure(host.enclosure_usd),
        "controller": figure(host.controller_usd),
        "slot_w": host.slot_w.value,
        "enclosure_w": host.enclosure_w.value,
        "enclosure_slots": host.enclosure_slots.value,
        "controller_w": host.controller_w.value,
        "peak_spread": prices.load.peak_spread.value,
    }


def of_load(profile: Profile) -> Facts:
    """The workload, as far as it matters without a simulation."""
    return {
        "duration_s": profile.duration_s,
        "write_bytes_per_day": profile.write_bytes_per_day or 0.0,
        "bytes_read": profile.bytes_read,
        "iops_mean": profile.iops_mean or 0.0,
        "peak_iops_mean": (profile.peak_window.iops_mean if profile.peak_window else None) or 0.0,
        "extent_bytes": int(profile.extent_bytes or 0),
    }


def of_requirements(needs: Requirements) -> Facts:
    """What is required; growth and hours that were assumed have bounds."""
    origins = {name: how for name, how, _ in needs.origins}
    hours = needs.hours_per_day
    return {
        "capacity_bytes": needs.capacity_bytes,
        "capacity_grows": origins["capacity"] == "derived",
        "p99_read_ns": needs.p99_read_ns,
        "p99_write_ns": needs.p99_write_ns,
        "years": needs.years,
        "growth_per_year": needs.growth_per_year,
        "drive_losses": needs.drive_losses,
        "headroom": needs.headroom,
        "headroom_margin": needs.headroom_margin if origins["headroom"] == "derived" else None,
        "endurance_tolerance": needs.endurance_tolerance,
        "hours_per_day": hours,
        "budget_usd": needs.budget_usd,
        "power_w_max": needs.power_w_max,
        "data_loss": needs.data_loss,
        "scrub_days": needs.scrub_days,
        "growth_bounds": needs.growth_bounds,
        "hours_low": min(OFFICE_HOURS, hours) if origins["hours a day"] == "assumed" else hours,
    }


def of_trial(trial: Trial) -> Facts:
    """What was seen of a design."""
    wear = trial.wear
    return {
        "worked": of_outcome(trial.peak),
        "wear": wear
        and {
            "amplification": wear.of_bytes.model_dump(),
            "member_writes": wear.parity_factor,
            "members": wear.members,
        },
    }


def of_service(trial: Trial) -> Facts:
    """How long a design is enough, and how often it is not."""
    return {"held": trial.held if trial.miss is None else None, "missed_h": trial.missed_h}


def of_outcome(peak: Outcome) -> Facts:
    """What drives did in a run."""
    return {
        "utilization": peak.utilization or 0.0,
        "host_read_bytes": peak.host_read_bytes or 0,
        "device_read_bytes": peak.device_read_bytes or 0,
        "device_written_bytes": peak.device_written_bytes or 0,
    }


def _figure(bounds: tuple[float, float, float], provenance: Provenance, source: str) -> Facts:
    low, value, high = bounds
    return {"low": low, "value": value, "high": high, "provenance": provenance, "source": source}
