"""The terms of a report, a line each, for a reader who buys storage but does not run it."""

TERMS = {
    "IOPS": "requests (reads and writes) per second",
    "p99": "99 of 100 requests are at least this fast",
    "Headroom": "how many times the busiest measured stretch a design carries before it falls behind",
    "Peak": "the busiest stretch of the recording; designs are simulated with its requests",
    "Queue depth": "requests outstanding at one time, waiting or in service",
    "RAID 1, 10": "each byte is stored on two drives: one may fail",
    "RAID 5, 6": "parity over several drives: any one (5) or any two (6) may fail; small writes cost extra",
    "Write amplification": "bytes written to flash per byte written by the host; at least 1",
    "Drive writes per day (DWPD)": "daily host writes over the drive's capacity; makers rate drives by it",
    "P/E cycles": "how often flash can be programmed and erased before it no longer holds data",
    "Life": "years until the flash is worn out or the rated writes are exhausted, whichever is first",
    "Warranty end, media end": "the dates at which the maker's warranty ends and the flash is worn out",
    "Unpowered retention": "how long a drive keeps its data without power; less as flash wears",
    "Residual value": "what the drives are worth at the end",
    "Annual failure rate": "share of drives that fail within a year",
    "Pareto-optimal": "no other design is better in cost, latency and life at once",
    "Measured, derived": "counted in the recording, or computed from such counts",
    "Published, fitted, assumed": "from a named source, fitted to measurements, or neither",
}
