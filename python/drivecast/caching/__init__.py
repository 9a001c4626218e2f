"""Caches that people run already, explained from the statistics that they keep of themselves.

    a file or a folder ──► `source_file`: which cache, which parser ──► Sample ──► Period (one sample, or two)
                                                                                     │
    CacheStatus ◄── `explanation` ◄── what the counters of this kind of cache mean ◄───┘

One file a cache reads its text and says what its counters mean: `flashcache`, `dm_cache`, `dm_writecache`, `bcache`,
`open_cas`, `zfs_arc`, `cachelib_navy`.
"""
