"""The sentence below each figure, by the name of the figure: what it shows and how to read it."""

CAPTIONS = {
    "iops": """Requests over time, reads and writes stacked. The shaded stretch is the peak that
        designs must carry.""",
    "throughput": "Bytes over time.",
    "queue-depth": """Requests waiting or in service: a longer queue means that the storage fell behind,
        or was asked for more at once.""",
    "block-size": "Sizes of requests, by powers of two.",
    "heat-map": """Where on the disk the requests fall. Dark rows are hot data, slanted lines are
        scans; the dashed lines bound the peak.""",
    "cost-latency": """Cost against speed; the lower left is best. Dark, with its rank: on the front,
        that is, no other is better in cost, latency and life at once; ringed: the one to
        buy. Pale: fits too, but is beaten. Hollow: misses a need; triangles: beyond the
        scale.""",
    "cost-latency-none": """Cost against speed of the designs that were simulated; none fits. Dark rings: the
        nearest; triangles: beyond the scale.""",
    "life": """Life under this workload. Band: the interval of the prediction, with its value as
        a tick. The earlier of the two ends counts.""",
    "latency": """How many requests take longer than a given time, at the peak. Read it at 1 %:
        there lies the p99, and the ring marks the limit; a curve left of the ring keeps
        it.""",
    "headroom": "How many times the measured peak each design can carry.",
    "cost": "What the money goes to.",
    "latency-over-time": """Latency second by second in the simulated peak. The limit is on the p99 of the
        whole peak: single requests may lie above it.""",
}
