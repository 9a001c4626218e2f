"""Drives in service: what they say of themselves, kept, forecast and served.

smartctl, nvme, a server of metrics ──► read ──► record ──► history ──► forecast ──► fleet, metrics, report
"""
