"""Sweeps: one thing is varied, all else stays, and what it does to throughput and latency is seen."""
