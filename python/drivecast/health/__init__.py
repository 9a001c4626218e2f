"""Drives in service: what they say of themselves, kept, forecast and served.

One direction: smartctl, nvme or a server of metrics ──► read ──► record ──► history ──► forecast ──► fleet, metrics,
report.
"""
