import { expect, test } from 'vitest'
import { LEVEL_STOPS, bays, blocks, driveOrder, nearest, said } from '../../src/what-if/array'
import type { Drive, Parts } from '../../src/what-if/document'
import { LEVELS, fitted } from '../../src/what-if/parts'
import { keyed, stopAt } from '../../src/what-if/rail'
import { drawnTo } from '../../src/what-if/shelf'

function parts(level: string, count: number, rest: Partial<Parts> = {}): Parts {
  return fitted({ drive: 'x', level, count, groups: 2, spares: 0, partition: 1, ...rest })
}

function drawn(of: Parts): string {
  const letters = { data: 'd', mirror: 'm', parity: 'p', spare: 's' }
  return blocks(of)
    .map(({ role, isFirst, isLast }) => `${isFirst ? '[' : ''}${letters[role]}${isLast ? ']' : ''}`)
    .join('')
}

test.each<[Parts, string]>([
  [parts('single', 1), '[d]'],
  [parts('raid0', 3), '[ddd]'],
  [parts('raid1', 3), '[dmm]'],
  [parts('raid10', 6), '[dm][dm][dm]'],
  [parts('raid5', 5, { spares: 1 }), '[dddp]s'],
  [parts('raid6', 5), '[dddpp]'],
  [parts('raid50', 8), '[dddp][dddp]'],
  [parts('raid60', 10, { spares: 2 }), '[ddpp][ddpp]ss'],
])('%o is drawn by what its drives are for', (of, picture) => {
  expect(drawn(of)).toBe(picture)
})

test('the picture says itself in words', () => {
  expect(said(parts('raid5', 5, { spares: 1 }))).toBe('5 drives: 3 data, 1 parity, 1 spare')
  expect(said(parts('single', 1))).toBe('1 drive: 1 data')
})

test('an edge drawn anywhere makes an array, the nearest there is', () => {
  expect(nearest(parts('raid10', 4), 7.2).count).toBe(8)
  expect(nearest(parts('raid10', 4), 6.4).count).toBe(6)
  expect(nearest(parts('raid5', 4), -3).count).toBe(3)
  expect(nearest(parts('raid5', 4, { spares: 1 }), 99).count).toBe(25)
  expect(nearest(parts('raid60', 8), 9).count).toBe(10)
  for (const level of Object.keys(LEVELS)) {
    for (let wanted = 0; wanted < 30; wanted += 1) {
      const found = nearest(parts(level, 8), wanted)
      expect(fitted(found)).toEqual(found)
      expect(found.count).toBeLessThanOrEqual(bays(found))
    }
  }
})

test('every level is on the rail once', () => {
  expect(LEVEL_STOPS.map(({ key }) => key).sort()).toEqual(Object.keys(LEVELS).sort())
})

test('drives are in order of what a terabyte costs now', () => {
  const drive = (title: string, user_bytes: number, value: number): Drive => ({
    title,
    flash: 'TLC',
    user_bytes,
    price: { low: value, value, high: value, provenance: 'published' },
  })
  const drives = {
    dear: drive('Dear', 1e12, 300),
    cheap: drive('Cheap', 4e12, 400),
    none: { title: 'None', flash: 'HDD' },
  }
  expect(driveOrder(drives, {}).map(({ key }) => key)).toEqual(['cheap', 'dear', 'none'])
  expect(driveOrder(drives, { dear: { value: 50 } }).map(({ key }) => key)).toEqual(['dear', 'cheap', 'none'])
})

test('a rail is followed by a pointer and by keys', () => {
  expect([0, 49, 50, 399, 900, -5].map((x) => stopAt(x, 0, 400, 8))).toEqual([0, 0, 1, 7, 7, 0])
  expect(keyed('ArrowRight', 7, 8)).toBe(7)
  expect(keyed('ArrowDown', 3, 8)).toBe(2)
  expect(keyed('Home', 3, 8)).toBe(0)
  expect(keyed('PageUp', 3, 80)).toBe(13)
  expect(keyed('Enter', 3, 8)).toBeNull()
  expect(drawnTo(130, 10, 240, 24)).toBe(12)
})
