"""The Solid State Storage Performance Test Specification of SNIA, version 2.0.2, on a file or a block device.

A drive is brought to a known state (purged, then written over twice in order), then measured in rounds until the
rounds agree (`steady`). What a target cannot give, such as a purge or its whole capacity, is named in the result.

Source: SNIA, Solid State Storage Performance Test Specification 2.0.2, October 2020.
"""
