"""Drives in service: what they report of themselves, kept, forecast and served.

One direction: smartctl, nvme or a server of metrics ──► read ──► record ──► history ──► forecast ──► fleet, metrics,
report.
"""
