// The array as a picture has it: what each drive is for, in groups; and the two rails that a design moves along.
//
// Parity is drawn as the share of so many drives, though it rotates over all of a group. Levels go from cheap to safe: by
// the drives that may fail whatever their place, then by what is left for data.

import type { Drive, Parts } from './document'
import { COUNT_MAX, LEVELS, fitted, stepped } from './parts'

export type Role = 'data' | 'mirror' | 'parity' | 'spare'

export interface Block {
  role: Role
  /** The first and the last of a group carry its frame; a spare is of none. */
  isFirst: boolean
  isLast: boolean
}

const PARITIES: Record<string, number> = { raid5: 1, raid50: 1, raid6: 2, raid60: 2 }

function roleOf(level: string, at: number, size: number): Role {
  if (level === 'raid1' || level === 'raid10') return at === 0 ? 'data' : 'mirror'
  return at >= size - (PARITIES[level] ?? 0) ? 'parity' : 'data'
}

/** The drives, left to right: group by group, then the spares. */
export function blocks(parts: Parts): Block[] {
  const level = parts.level ?? 'single'
  const members = parts.count - parts.spares
  const isGrouped = level === 'raid10' || (LEVELS[level]?.isGrouped ?? false)
  const size = isGrouped ? Math.max(1, Math.floor(members / Math.max(1, parts.groups))) : members
  const serving = Array.from({ length: members }, (_, index): Block => {
    const at = index % size
    return { role: roleOf(level, at, size), isFirst: at === 0, isLast: at === size - 1 }
  })
  const spares = Array.from({ length: parts.spares }, (): Block => ({
    role: 'spare',
    isFirst: false,
    isLast: false,
  }))
  return [...serving, ...spares]
}

const SAID: Record<Role, string> = { data: 'data', mirror: 'mirror', parity: 'parity', spare: 'spare' }

/** How many drives are for what: `3 data, 1 parity`. */
export function shares(parts: Parts): [Role, number][] {
  const of = blocks(parts).map((block) => block.role)
  return (Object.keys(SAID) as Role[])
    .map((role): [Role, number] => [role, of.filter((each) => each === role).length])
    .filter(([, count]) => count > 0)
}

/** All of them, in words: drives, or what `unit` says. */
export function said(parts: Parts, unit = 'drives'): string {
  const of = shares(parts).map(([role, count]) => `${count} ${SAID[role]}`)
  return `${parts.count} ${parts.count === 1 ? unit.slice(0, -1) : unit}: ${of.join(', ')}`
}

/** Bays of the picture: as many as the largest array has. */
export function bays(parts: Parts, most = COUNT_MAX): number {
  return Math.max(most + parts.spares, parts.count)
}

/** The parts with a count that makes an array, nearest to the one wanted. */
export function nearest(parts: Parts, wanted: number, most = COUNT_MAX): Parts {
  const least = fitted({ ...parts, count: 1 })
  const count = Math.min(Math.max(Math.round(wanted), least.count), most + parts.spares)
  const up = fitted({ ...parts, count })
  if (up.count <= count) return up
  const down = stepped(up, -1)
  return down.count < up.count && count - down.count < up.count - count ? down : up
}

export interface Stop {
  key: string
  /** As short as a rail has room for. */
  label: string
  said: string
}

const SAFETY: [string, string, string][] = [
  ['raid0', '0', 'survives no failure'],
  ['single', 'one', 'survives no failure'],
  ['raid5', '5', 'survives 1 failure'],
  ['raid50', '50', 'survives 1 failure, and 1 in each group'],
  ['raid10', '10', 'survives 1 failure, and 1 in each pair'],
  ['raid1', '1', 'survives the failure of all but one drive'],
  ['raid6', '6', 'survives 2 failures'],
  ['raid60', '60', 'survives 2 failures, and 2 in each group'],
]

export const LEVEL_STOPS: Stop[] = SAFETY.map(([key, label, survives]) => ({
  key,
  label,
  said: `${LEVELS[key]?.label ?? key}, ${survives}`,
}))

/** A drive's price for a terabyte; none where its capacity is not known. */
export function usdPerTb(drive: Drive, usd: number | undefined): number | null {
  const price = usd ?? drive.price?.value
  return price && drive.user_bytes ? price / (drive.user_bytes / 1e12) : null
}

/** The drives in order of price per terabyte, at the prices of now. */
export function driveOrder(
  drives: Record<string, Drive>,
  given: Record<string, { value: number }>,
): { key: string; drive: Drive; usd_per_tb: number | null }[] {
  return Object.entries(drives)
    .map(([key, drive]) => ({ key, drive, usd_per_tb: usdPerTb(drive, given[key]?.value) }))
    .sort(
      (a, b) =>
        (a.usd_per_tb ?? Infinity) - (b.usd_per_tb ?? Infinity) ||
        (a.key < b.key ? -1 : Number(a.key > b.key)),
    )
}
