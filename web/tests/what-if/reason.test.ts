import { expect, test } from 'vitest'
import type { Judged, Miss } from '../../src/what-if/document'
import { change } from '../../src/what-if/change'
import { life } from '../../src/what-if/origin'
import { missText, reason } from '../../src/what-if/reason'
import { first } from '../../src/what-if/session'
import { CARRIED, FakeCore } from './fake'

test.each<[Miss, string]>([
  [{ kind: 'latency', op: 'read', found: 8.4e9, limit: 5e6 }, 'too slow: p99 read 8,400 ms > 5 ms'],
  [
    { kind: 'latency', op: 'write', found: 17.24e6, limit: 5e6, load: 2.986, saturated: true },
    'no headroom: p99 write 17.2 ms > 5 ms, saturated at 3.0 × the peak',
  ],
  [
    { kind: 'latency', op: 'write', found: 17.24e6, limit: 5e6, load: 1 },
    'too slow: p99 write 17.2 ms > 5 ms',
  ],
  [{ kind: 'saturated', load: null }, 'too slow: requests arrive faster than they are served'],
  [{ kind: 'latency', load: 1 }, 'too slow: p99 over its limit'],
  [{ kind: 'flash-life', found: 3.21, limit: 5 }, 'flash worn out after 3.2 of 5 years'],
  [
    { kind: 'rated-writes', found: 3.2, limit: 5, is_bound: true },
    'endurance exhausted after at most 3.2 of 5 years',
  ],
  [{ kind: 'budget', found: 1300, limit: 1200 }, 'over budget: $1,300 > $1,200'],
  [{ kind: 'power', found: 21.4, limit: 10 }, 'draws 21 W, 10 W allowed'],
  [{ kind: 'capacity', found: 480e9, limit: 900e9 }, 'too small: 480 GB usable, 900 GB needed'],
  [{ kind: 'data-loss', found: 1 / 8500, limit: 1e-4 }, 'data loss 1 in 8,500, 1 in 10,000 allowed'],
  [{ kind: 'failures-tolerated', found: 1, limit: 2 }, 'tolerates 1 drive failure, 2 needed'],
  [{ kind: 'of-a-later-version' }, 'misses a requirement: of-a-later-version'],
])('%o reads as in the report', (miss, text) => {
  expect(missText(miss)).toBe(text)
})

test('what fits says why it is where it is', () => {
  const judged = new FakeCore().call({ call: 'judge', settings: CARRIED.requirements }) as Judged
  const cheapest = first(judged)
  if (!cheapest) throw new Error('nothing fits')
  expect(reason(cheapest, judged.order[0], true)).toBe(
    'cheapest that fits; life 4.83 of 5 years, within tolerance',
  )
  expect(reason({ ...cheapest, state: 'unknown' }, undefined, false)).toBe('not tried at this load')
})

test('a design whose run was broken off says that it misses, and that the rest is to come', () => {
  const judged = new FakeCore().call({ call: 'judge', settings: CARRIED.requirements }) as Judged
  const before = first(judged)
  if (!before) throw new Error('something fits')
  const misses = [{ kind: 'latency', load: 1 }]
  const now = { ...before, state: 'misses' as const, misses, life_years: null, rest_is_open: true }
  expect(reason(now, undefined, false)).toBe(
    'too slow: p99 over its limit; its other figures are not worked out yet',
  )
  expect(life(now).text).toBe('not yet')
})

test('a design of which only the life is to come says so, and no cost that would look better than it is', () => {
  const judged = new FakeCore().call({ call: 'judge', settings: CARRIED.requirements }) as Judged
  const before = first(judged)
  if (!before) throw new Error('something fits')
  const now = { ...before, state: 'unknown' as const, life_years: null, life_is_open: true }
  expect(reason(now, undefined, false)).toBe('meets the limits on latency; its life is not worked out yet')
  expect(life(now).text).toBe('not yet')
  const cheaper = { ...now, total_usd: { ...now.total_usd, value: 1 } }
  expect(
    change('Cost', { verdict: before, design: undefined }, { verdict: cheaper, design: undefined }),
  ).toBeNull()
})
