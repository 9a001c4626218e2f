"""The words of a report, a line each, for a reader who buys storage but does not run it."""

TERMS = {
    "IOPS": "requests (reads and writes) a second",
    "p99": "99 of 100 requests are at least this fast, and the hundredth is slower",
    "Headroom": "how many times the busiest measured stretch a design can carry before it falls behind",
    "Peak": "the busiest stretch of the recording; designs are simulated with the requests of that stretch",
    "Queue depth": "requests that wait or are being served at one time",
    "RAID 1, 10": "each byte is kept on two drives: one may fail",
    "RAID 5, 6": "parity over several drives: any one (5) or any two (6) may fail; small writes cost extra",
    "Write amplification": "bytes written to flash for each byte the drive is given; at least 1",
    "Drive writes a day (DWPD)": "the drive's own capacity, written each day; makers rate drives by it",
    "P/E cycles": "how often flash can be programmed and erased before it no longer holds data",
    "Life": "years until the flash is worn out or the rated writes are used up, whichever comes first",
    "Warranty end, media end": "two dates: when the maker's promise ends, and when the flash itself is worn out",
    "Retention": "how long a drive keeps its data without power; worn flash keeps them for a shorter time",
    "Residual value": "what the drives are worth at the end",
    "Annual failure rate": "share of drives that fail within a year",
    "Front": "the designs that no other beats in cost, latency and life at once",
    "Measured, derived": "counted in the recording, or computed from such counts",
    "Published, fitted, assumed": "from a source that is named, fitted to measurements, or neither",
}
