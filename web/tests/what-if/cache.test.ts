// A cache among the parts of a design: read, linked, put before disks and taken away.

import { describe, expect, it } from 'vitest'
import { cacheOf, firstCache, flash, mayHaveCache, withoutCache } from '../../src/what-if/cache_parts'
import type { Carried, Design, Parts } from '../../src/what-if/document'
import { LinkError, partsOf as read } from '../../src/what-if/link'
import { fitted } from '../../src/what-if/parts'
import { missText } from '../../src/what-if/reason'
import { partsOf } from '../../src/what-if/session'
import { CARRIED } from './fake'

const price = (value: number) => ({ low: value, value, high: value, provenance: 'published' as const })
const carried: Carried = {
  ...CARRIED,
  drives: {
    disk: { title: 'Disk', flash: 'HDD', price: price(300) },
    dear: { title: 'Dear', flash: 'TLC', price: price(900) },
    cheap: { title: 'Cheap', flash: 'TLC', price: price(100) },
  },
  designs: [],
  space: [],
  caches: {},
}
const disks: Parts = { drive: 'disk', level: 'raid6', count: 6, groups: 1, spares: 0, partition: 1 }
const front = { drive: 'cheap', level: 'raid1', count: 2, groups: 1, spares: 0, partition: 0.8 }
const cache = { ...front, policy: 'flashcache', mode: 'writeback', options: '', size_bytes: null }
const design: Design = {
  ...disks,
  line: 'cache(…)',
  title: '',
  usable_bytes: 1,
  cached: { cache: front, policy: 'flashcache', mode: 'writeback' },
}

describe('a cache', () => {
  it('is of the cheapest flash drive, a mirror, where no design has one', () => {
    expect(flash(carried)).toEqual(['cheap', 'dear'])
    expect(firstCache(carried)).toEqual(cache)
    expect(firstCache({ ...carried, drives: {} })).toBeNull()
  })

  it('is the first that loses what only it has, where designs have one', () => {
    const through: Design = { ...design, cached: { ...cache, cache: front, mode: 'writethrough' } }
    const other: Design = { ...design, cached: { ...cache, cache: { ...front, drive: 'dear' } } }
    expect(firstCache({ ...carried, designs: [through], space: [other] })?.drive).toBe('dear')
  })

  it('may be put before disks alone, where the page can play it', () => {
    expect(mayHaveCache(disks, carried)).toBe(true)
    expect(mayHaveCache({ ...disks, cache }, carried)).toBe(false)
    expect(mayHaveCache({ ...disks, drive: 'dear' }, carried)).toBe(false)
    expect(mayHaveCache(disks, { ...carried, caches: null })).toBe(false)
  })

  it('is among the parts of its design, and leaves them whole', () => {
    const parts = partsOf(design)
    expect(parts).toEqual({ ...disks, cache })
    expect(cacheOf({ ...design, cached: null })).toBeNull()
    expect(fitted(parts ?? disks).cache).toEqual(cache)
    expect(withoutCache(parts ?? disks)).toEqual(disks)
  })

  it('goes through a link, where each of its parts is what it should be', () => {
    const parts = { ...disks, cache }
    expect(read(parts, carried)).toEqual(parts)
    const wrong = [
      { drive: 'none' },
      { mode: '<script>' },
      { policy: 3 },
      { options: 'x'.repeat(201) },
      { size_bytes: -1 },
      { count: 1.5 },
    ]
    for (const some of wrong)
      expect(() => read({ ...disks, cache: { ...cache, ...some } }, carried)).toThrow(LinkError)
  })

  it('is named where it is what misses', () => {
    expect(missText({ kind: 'flash-life', found: 2, limit: 5, volume: 'cache' })).toBe(
      'cache: flash worn out after 2.0 of 5 years',
    )
  })
})
