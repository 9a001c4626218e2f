// What a design may be made of: counts that make an array at each level, as `stage.design` has them.

import type { Parts } from './document'

export const LEVELS: Record<string, { label: string; least: number; isGrouped: boolean }> = {
  single: { label: 'one drive', least: 1, isGrouped: false },
  raid0: { label: 'RAID 0', least: 1, isGrouped: false },
  raid1: { label: 'RAID 1', least: 2, isGrouped: false },
  raid10: { label: 'RAID 10', least: 4, isGrouped: false },
  raid5: { label: 'RAID 5', least: 3, isGrouped: false },
  raid6: { label: 'RAID 6', least: 4, isGrouped: false },
  raid50: { label: 'RAID 50', least: 6, isGrouped: true },
  raid60: { label: 'RAID 60', least: 8, isGrouped: true },
}
export const COUNT_MAX = 24
export const PARTITIONS = [1, 0.9, 0.8, 0.7, 0.6, 0.5]

/** Parts that make an array: as many drives as the level takes, its groups equal. */
export function fitted<T extends Parts>(parts: T): T {
  const level = parts.level ?? 'single'
  const rule = LEVELS[level] ?? { least: 1, isGrouped: false }
  if (level === 'single') return { ...parts, level, count: 1, groups: 1, spares: 0 }
  const spares = Math.min(Math.max(0, parts.spares), 4)
  let members = Math.min(Math.max(parts.count - spares, rule.least), COUNT_MAX)
  if (level === 'raid10') members += members % 2
  let groups = level === 'raid10' ? members / 2 : 1
  if (rule.isGrouped) {
    const least = level === 'raid50' ? 3 : 4
    groups = Math.min(Math.max(2, parts.groups), Math.floor(members / least))
    members = Math.ceil(members / groups) * groups
  }
  return { ...parts, level, count: members + spares, groups, spares }
}

/** The next count that makes an array, one step up or down. */
export function stepped<T extends Parts>(parts: T, by: 1 | -1): T {
  for (let count = parts.count + by; count >= 1 && count <= COUNT_MAX + parts.spares; count += by) {
    const next = fitted({ ...parts, count })
    if ((next.count - parts.count) * by > 0) return next
  }
  return parts
}
