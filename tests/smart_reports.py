"""Reports of drives that do not exist, in the shape in which smartctl, nvme and smartctl_exporter write them."""

import json
import os
import stat
from pathlib import Path
from typing import Any

TIME_S = 1_795_000_000
"""2026-11-18."""


def smartctl(
    device: str = "/dev/sda", kind: str = "sat", protocol: str = "ATA", **more: Any
) -> dict[str, Any]:
    """What all reports begin with."""
    return {
        "json_format_version": [1, 0],
        "smartctl": {"version": [7, 3], "argv": ["smartctl", "-x", "-j", device], "exit_status": 0},
        "local_time": {"time_t": TIME_S, "asctime": "Wed Nov 18 10:26:40 2026 UTC"},
        "device": {"name": device, "info_name": device, "type": kind, "protocol": protocol},
        "smart_status": {"passed": True},
        **more,
    }


def attribute(id_: int, raw: int, value: int = 100, name: str = "Unknown_Attribute") -> dict[str, Any]:
    """One row of the table of attributes."""
    return {
        "id": id_,
        "name": name,
        "value": value,
        "worst": value,
        "thresh": 0,
        "raw": {"value": raw, "string": str(raw)},
    }


def ata(
    model: str, rows: list[dict[str, Any]], hours: int = 1000, gb: int = 480, **more: Any
) -> dict[str, Any]:
    """A SATA drive."""
    return smartctl(
        model_name=model,
        serial_number=f"S{abs(sum(map(ord, model)))}",
        firmware_version="F1",
        user_capacity={"blocks": gb * 10**9 // 512, "bytes": gb * 10**9},
        logical_block_size=512,
        rotation_rate=0,
        power_on_time={"hours": hours},
        temperature={"current": 30},
        ata_smart_attributes={"revision": 1, "table": rows},
        **more,
    )


def intel(
    wear: int = 5120,
    reads: int = 40,
    minutes: int | None = None,
    left: int = 95,
    host: int = 1_000_000,
    nand: int = 1_500_000,
    hours: int = 10_000,
    model: str = "INTEL SSDSC2BB480G4",
    **more: Any,
) -> dict[str, Any]:
    """An Intel drive for data centres, its timer never reset."""
    rows = [
        attribute(5, 0, name="Reallocated_Sector_Ct"),
        attribute(12, 20, name="Power_Cycle_Count"),
        attribute(187, 0, name="Uncorrectable_Error_Cnt"),
        attribute(225, host, name="Host_Writes_32MiB"),
        attribute(226, wear, name="Workld_Media_Wear_Indic"),
        attribute(227, reads, name="Workld_Host_Reads_Perc"),
        attribute(228, 60 * hours + 20 if minutes is None else minutes, name="Workload_Minutes"),
        attribute(232, 0, name="Available_Reservd_Space"),
        attribute(233, 0, left, name="Media_Wearout_Indicator"),
        attribute(241, host, name="Host_Writes_32MiB"),
        attribute(242, host // 2, name="Host_Reads_32MiB"),
        attribute(243, nand, name="NAND_Writes_32MiB"),
    ]
    return ata(model, rows, hours, **more)


def nvme(
    used: int = 10, written: int = 10**8, gb: int = 960, model: str = "Fine NVMe 960", **log: Any
) -> dict[str, Any]:
    """An NVMe drive."""
    health = {
        "critical_warning": 0,
        "temperature": 41,
        "available_spare": 100,
        "available_spare_threshold": 10,
        "percentage_used": used,
        "data_units_read": 10**7,
        "data_units_written": written,
        "power_cycles": 30,
        "power_on_hours": 8000,
        "media_errors": 0,
        **log,
    }
    return smartctl(
        "/dev/nvme0",
        "nvme",
        "NVMe",
        model_name=model,
        serial_number="N1",
        firmware_version="F2",
        nvme_total_capacity=gb * 10**9,
        temperature={"current": health["temperature"]},
        power_on_time={"hours": health["power_on_hours"]},
        nvme_smart_health_information_log=health,
    )


def scsi(**more: Any) -> dict[str, Any]:
    """A SAS drive."""
    counters = {"total_uncorrected_errors": 1, "gigabytes_processed": "1234.567"}
    return smartctl(
        "/dev/sdb",
        "scsi",
        "SCSI",
        scsi_vendor="ACME",
        scsi_product="SAS400",
        scsi_revision="0001",
        scsi_model_name="ACME SAS400",
        serial_number="C1",
        user_capacity={"blocks": 781422768, "bytes": 400_088_457_216},
        power_on_time={"hours": 5000, "minutes": 12},
        temperature={"current": 33, "drive_trip": 70},
        scsi_grown_defect_list=2,
        scsi_error_counter_log={
            "read": counters,
            "write": counters,
            "verify": {"total_uncorrected_errors": 0},
        },
        **more,
    )


def nvme_log(**more: Any) -> dict[str, Any]:
    """`nvme smart-log -o json`, in kelvin and with a long count as text."""
    return {
        "critical_warning": 0,
        "temperature": 314,
        "avail_spare": 99,
        "spare_thresh": 10,
        "percent_used": 7,
        "data_units_read": 5000,
        "data_units_written": "9000",
        "power_cycles": 4,
        "power_on_hours": 700,
        "media_errors": 1,
        **more,
    }


def nvme_identity() -> dict[str, Any]:
    """`nvme id-ctrl -o json`."""
    return {"vid": 1, "sn": "NV9     ", "mn": "Some NVMe       ", "fr": "1.0 ", "tnvmcap": 10**12}


def exposition(used: int = 12) -> str:
    """What smartctl_exporter serves of an NVMe drive, an Intel SATA drive and a SAS drive."""
    lines = ["# HELP smartctl_device Device info", "# TYPE smartctl_device gauge"]

    def drive(name: str, interface: str, protocol: str, model: str, serial: str) -> None:
        labels = f'device="{name}",interface="{interface}",protocol="{protocol}",model_family="",model_name="{model}"'
        lines.append(f'smartctl_device{{{labels},serial_number="{serial}",firmware_version="F"}} 1')
        lines.append(f'smartctl_device_smart_status{{device="{name}"}} 1')
        lines.append(f'smartctl_device_smartctl_exit_status{{device="{name}"}} 0')
        lines.append(f'smartctl_device_capacity_bytes{{device="{name}"}} 4.8e+11')
        lines.append(f'smartctl_device_power_on_seconds{{device="{name}"}} 3.6e+07')
        lines.append(f'smartctl_device_temperature{{device="{name}",temperature_type="current"}} 35')
        lines.append(f'smartctl_device_power_cycle_count{{device="{name}"}} 9')

    drive("nvme0", "nvme", "NVMe", "Fine NVMe 960", "N7")
    for name, value in (
        ("percentage_used", used),
        ("available_spare", 98),
        ("media_errors", 0),
        ("critical_warning", 0),
    ):
        lines.append(f'smartctl_device_{name}{{device="nvme0"}} {value}')
    lines.append('smartctl_device_bytes_written{device="nvme0"} 5.12e+13')
    lines.append('smartctl_device_bytes_read{device="nvme0"} 2.56e+13')
    drive("sda", "sat", "ATA", "INTEL SSDSC2BB480G4", "I7")
    for row in intel()["ata_smart_attributes"]["table"]:
        for kind, value in (
            ("raw", row["raw"]["value"]),
            ("value", row["value"]),
            ("worst", 100),
            ("thresh", 0),
        ):
            which = f'attribute_id="{row["id"]}",attribute_value_type="{kind}"'
            labels = f'device="sda",attribute_name="{row["name"]}",{which}'
            lines.append(f"smartctl_device_attribute{{{labels}}} {value}")
    drive("sdb", "scsi", "SCSI", "ACME SAS400", "C7")
    lines.append('smartctl_device_bytes_written{device="sdb"} 1.5e+12')
    lines.append('smartctl_scsi_grown_defect_list{device="sdb"} 3')
    lines.append('smartctl_write_total_uncorrected_errors{device="sdb"} 1')
    return "\n".join(lines) + "\n"


def script(folder: Path, name: str, body: str) -> None:
    """A small program of that name in a folder."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def fake_smartctl(
    folder: Path, drives: dict[str, dict[str, Any]], listed: list[dict[str, str]] | None = None
) -> None:
    """A smartctl that knows these drives by name, and answers with the exit status that its documents carry.

    Each call is written to `calls`; resets of timers succeed.
    """
    for name, document in drives.items():
        (folder / f"{name.replace('/', '_')}.json").write_text(json.dumps(document))
        (folder / f"{name.replace('/', '_')}.rc").write_text(str(document["smartctl"]["exit_status"]))
    message = {"string": "Smartctl open device: DEVICE failed: No such device", "severity": "error"}
    gone = {"smartctl": {"exit_status": 2, "argv": ["smartctl", "DEVICE"], "messages": [message]}}
    (folder / "gone.json").write_text(json.dumps(gone))
    devices = listed or [{"name": name, "type": "auto", "protocol": "ATA"} for name in drives]
    (folder / "scan.json").write_text(json.dumps({"smartctl": {"exit_status": 0}, "devices": devices}))
    script(
        folder,
        "smartctl",
        f"""here='{folder}'
echo "$@" >> "$here/calls"
case "$1" in
--scan-open) cat "$here/scan.json"; exit 0;;
-t) exit 0;;
esac
for last; do :; done
name=$(echo "$last" | tr / _)
if [ -f "$here/$name.json" ]; then cat "$here/$name.json"; exit "$(cat "$here/$name.rc")"; fi
said=$(cat "$here/gone.json")
while [ "$said" != "${{said#*DEVICE}}" ]; do said="${{said%%DEVICE*}}$last${{said#*DEVICE}}"; done
echo "$said"
exit 2""",
    )


def path_with(folder: Path) -> str:
    """A path on which the programs of a folder come first."""
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
