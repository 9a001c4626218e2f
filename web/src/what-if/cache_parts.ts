// The cache of a design: what it may be made of, and how it is put before disks or taken away.

import type { CacheParts, Carried, Design, Parts } from './document'

/** What the plan searches: the policy that it models, in the two modes that differ in what a lost cache loses. */
export const MODES: Record<string, string> = {
  writeback: 'write-back',
  writethrough: 'write-through',
}
/** Modes in which the cache alone may have what was written. */
const WRITE_BACK = ['writeback', 'writeonly', 'wb', 'wo']
/** Levels of which a cache may be: more is dearer than flash alone. */
export const CACHE_LEVELS = ['single', 'raid0', 'raid1', 'raid10', 'raid5']
export const CACHE_COUNT_MAX = 8
const POLICY = 'flashcache'
/** Caches do not trim: a fifth of the flash stays spare. */
const TAKEN = 0.8

export function cacheOf({ cached }: Design): CacheParts | null {
  if (!cached) return null
  const { cache, policy, mode, options, size_bytes } = cached
  const { drive, level, count, groups, spares, partition } = cache
  if (drive === null || count === null) return null
  const parts = { drive, level, count, groups: groups ?? 1, spares, partition: partition ?? 1 }
  return { ...parts, policy, mode, options: options ?? '', size_bytes: size_bytes ?? null }
}

export function isWriteBack({ mode }: CacheParts): boolean {
  return WRITE_BACK.includes(mode)
}

/** Flash drives that the report carries, by name, the cheapest first. */
export function flash({ drives }: Carried): string[] {
  const price = (name: string) => drives[name]?.price?.value ?? Infinity
  return Object.keys(drives)
    .filter((name) => drives[name]?.flash !== 'HDD')
    .sort((a, b) => price(a) - price(b))
}

/** Whether a cache may be put before a design: it is of disks, flash is at hand, and the page knows how to play it. */
export function mayHaveCache(parts: Parts, carried: Carried): boolean {
  const isDisk = carried.drives[parts.drive]?.flash === 'HDD'
  return isDisk && !parts.cache && Boolean(carried.caches) && flash(carried).length > 0
}

/** A cache as the plan would try it first: one that it carries, or a mirror of the cheapest flash. */
export function firstCache(carried: Carried): CacheParts | null {
  for (const design of [...carried.designs, ...carried.space]) {
    const known = cacheOf(design)
    if (known && isWriteBack(known)) return known
  }
  const [drive] = flash(carried)
  if (drive === undefined) return null
  const mirror = { drive, level: 'raid1', count: 2, groups: 1, spares: 0, partition: TAKEN }
  return { ...mirror, policy: POLICY, mode: 'writeback', options: '', size_bytes: null }
}

export function withoutCache(parts: Parts): Parts {
  const rest = { ...parts }
  delete rest.cache
  return rest
}
