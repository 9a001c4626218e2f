"""The caption of each figure, by its name: what it shows and how to read it."""

CAPTIONS = {
    "iops": """Requests over time, reads and writes stacked. Shaded: the peak that designs must carry.""",
    "throughput": "Bytes over time.",
    "queue-depth": """Requests waiting or in service. A longer queue means that the storage fell behind or that
        more requests were issued at once.""",
    "block-size": "Sizes of requests, by powers of two.",
    "heat-map": """Addresses of the requests over time. Dark rows are hot data, slanted lines are scans; dashed
        lines bound the peak.""",
    "cost-latency": """Cost against latency; the lower left is best. Dark, with its rank: Pareto-optimal, that is, no
        other design is better in cost, latency and life at once; ringed: the recommended one. Pale: fits,
        but is dominated. Hollow: misses a requirement; triangles: beyond the scale.""",
    "cost-latency-none": """Cost against latency of the simulated designs; none fits. Dark rings: the nearest;
        triangles: beyond the scale.""",
    "life": """Life under this workload. Band: the prediction interval, with the prediction as a tick. The
        earlier of the two ends counts.""",
    "latency": """Share of requests that take longer than a given time, at the peak. The p99 is at 1 %; the ring
        marks the limit, and a curve left of the ring meets it.""",
    "headroom": "How many times the measured peak each design can carry.",
    "cost": "Cost by component.",
    "tornado": """Sensitivity of the cost. Each bar moves one input over its own interval with all others at their
        likely values; the line is the cost with all at their likely values.""",
    "tornado-life": "Sensitivity of the life of the drives, in the same way.",
    "latency-over-time": """Latency second by second in the simulated peak. The limit is on the p99 of the
        whole peak: single requests may lie above it.""",
    "miss-ratio": """Miss ratio of an LRU cache by its size, of requests and (dashed) of their 4 KiB blocks; a
        request misses if any of its blocks does. Where a curve is steep, a little more cache helps much;
        where it is flat, more cache does not help.""",
    "cache-miss-ratio": """Miss ratio by the size of the cache, a line a policy. Belady's knows the future: it is the
        least that there can be. The dashed line is the knee: the smallest cache with nine tenths of the hits that an
        unlimited one has.""",
    "cache-latency": """Simulated p99 by the size of the cache: after it has seen the trace before, and from empty.
        Bands are 80 % intervals; the dotted line is what is behind without a cache. An open mark falls behind.""",
    "working-set": """Footprint so far. A line that flattens has covered all data that the workload uses; one that
        climbs to the end has not.""",
    "popularity": "Share of accesses that go to the most accessed blocks.",
    "reuse-distance": """Stack distance: distinct data accessed since the block was last. The rest, beyond its end,
        are first accesses. It rises early if recently used data is used next.""",
    "succession": """Time between accesses of the same block, by the kind of both accesses, with the share of each
        kind.""",
    "update-interval": "Time from a write of a block to its next write.",
    "update-distance": """Bytes written elsewhere until a block is overwritten. Short distances wear flash less, since
        data is invalidated before it is moved.""",
    "writes-per-block": "Writes per written block.",
    "run-length": "Bytes per sequential run, single requests included.",
    "interleave": """How many sequential runs are interleaved: the share of the requests that continue the run last
        continued, the one before it, and so on.""",
    "seek-distance": "Distance in the address space between requests that are not sequential.",
    "alignment": "Requests whose offset and size are multiples of a boundary.",
    "dispersion": """Burstiness over time scales: flat at 1 for random arrivals, rising where bursts are themselves
        bursty. Dashed: the slope given by the Hurst parameter, over the scales it was estimated from.""",
    "diurnal": "The mean day.",
    "streams": "Requests by process, CPU, disk or volume, whichever the format records.",
    "response": "Mean latency in ms by size and by the requests outstanding at issue.",
    "depth-sweep": """Throughput and latency by the requests outstanding. Dashed: the two bounds, the
        time of a lone request and the most that is carried; the knee is where they meet. Right of it, a
        deeper queue buys latency and nothing else.""",
    "convergence": """Tracked variables by round. Shaded: the measurement window; the band about its mean holds
        what a range of 20 % allows, the heavy line is the best linear fit, red where it is not steady.""",
    "write-saturation": """Random writes to a purged target, against how often it was written. The cliff is the
        steepest fall that lasts: on flash, where what was never written has run out.""",
    "size-sweep": """By the size of requests. A line that stays level is a limit that somebody set,
        on requests (left) or on bytes (right).""",
    "mix-matrix": "By size and share of reads; shades are equal ratios.",
    "waiting": """As many requests outstanding, from threads that each wait for theirs and from one thread
        that does not.""",
    "warm-up": """The mean of each stretch of time. From the dashed line on it is settled: what came before
        is warm-up.""",
    "jitter": """Every second is a dot; beside them how often each throughput was met (Gaussian kernel).
        A narrow band is even; two peaks are two states.""",
    "transactions": """Each second of the first repeat. What still rises is a buffer that fills; what falls is a drive
        that slows down; a wide band is uneven.""",
    "buffer-pool": """Medians of the repeats, with the lowest and the highest as a bar. Where a line is steep, memory
        buys more than a faster drive; where it is flat, the processors or the log are the limit.""",
    "latency-measured": """The share of requests that take longer than a time, as measured. Read it at 1 %:
        there lies the p99.""",
    "target-ratio": "How many times what the first target carries, run by run.",
    "written": """What the drive wrote, and when it will have written how much: dashed as likely as
        not, the band its interval in time. Red: where the rated writes are used up and the flash is
        worn out. Dotted: changes of the workload, with what they multiplied the writes by.""",
    "write-amplification": """Flash bytes over host bytes, a stroke a week. Weeks in which the drive
        was nearly idle are left out: they tell of the drive, not of the workload.""",
    "replacements": """Drives whose flash will be worn out, or whose spare will be used up, in each
        quarter; what fails now counts in the first. Bar: the expected count; line: the interval, if drives
        end independently.""",
    "beside-distribution": """Share of the requests that take up to a given time, measured and compared with it. Where
        the curves part, requests are off; a step in one alone is a mode that the other does not
        have.""",
    "beside-tail": """Share of the requests that take longer, both axes logarithmic: the tail of the same
        curves. At 1 % lies the p99.""",
    "beside-quantiles": """Quantile against quantile. On the diagonal both are the same, in the band within the
        tolerance; above it the prediction is too slow, below it too fast.""",
    "side-latency": """The p99 by the load. Band: the interval of the prediction. Hollow: requests arrive faster than
        they are served, and latency grows with the length of the run. Dotted: the last design at the least load, which
        the others are compared with.""",
    "side-rate": "Requests served in a closed loop, by the requests outstanding.",
    "beside-seconds": "Second by second: requests, and their mean latencies.",
}
