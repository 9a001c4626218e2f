import { describe, expect, test } from 'vitest'
import type { Design, HeatWindow, Plan, Series, Trajectory } from '../../src/serve/api'
import { named, worded } from '../../src/serve/comparison'
import { ordered } from '../../src/serve/designs'
import { drawn, joined } from '../../src/serve/drive'
import { cell, csv, fileName } from '../../src/serve/export'
import { cellAt, darkness } from '../../src/serve/heat_map'
import { current } from '../../src/serve/load'
import { changedBy } from '../../src/serve/naming'
import { lateness, varied } from '../../src/serve/result'
import { charts, quantile } from '../../src/serve/series'
import { binarySize, clock, day, duration, plural } from '../../src/serve/words'

describe('words', () => {
  test('of times within a log have as many decimals as tell ticks apart', () => {
    expect(clock(3723, 60)).toBe('1:02:03')
    expect(clock(62.5, 0.5)).toBe('1:02.5')
    expect(clock(59.9999, 1)).toBe('1:00')
    expect(clock(0.00025, 0.00005)).toBe('0:00.00025')
  })
  test('of lengths, sizes, days and counts', () => {
    expect([0.0025, 90, 7200, 864_000].map(duration)).toEqual(['2.5 ms', '90 s', '2 h', '10 d'])
    expect([512, 4096, 19_000].map(binarySize)).toEqual(['512 B', '4 KiB', '18.6 KiB'])
    expect(day('2026-03-31T02:15:00Z')).toBe('2026-03-31')
    expect([plural(1, 'drive'), plural(1200, 'drive')]).toEqual(['1 drive', '1,200 drives'])
  })
})

const SERIES: Series = {
  from_s: 0,
  to_s: 2,
  step_s: 1,
  duration_s: 2,
  source: 'counters',
  time_s: [0, 1],
  reads_per_s: [1, 2],
  writes_per_s: [0, 0],
  read_bytes_per_s: [4096, 8192],
  written_bytes_per_s: [0, 0],
  size_bytes_mean: [4096, null],
  latency_ns_mean: [1e6, 0],
  latency_ns_q50: [null, null],
  latency_ns_q99: [null, null],
  latency_ns_max: [null, null],
}

describe('lateness of a measured database', () => {
  test('is that of the disk that was served worst, and none without attached designs', () => {
    expect(lateness({ attached: [{ late_share: 0.01 }, { late_share: 0.16 }] })).toBe(0.16)
    expect(lateness({ attached: [{ late_share: null }] })).toBe(0)
    expect([lateness({}), lateness({ attached: [] })]).toEqual([null, null])
  })
})

describe('charts', () => {
  test('are those that the log has data for', () => {
    const all = charts(SERIES)
    expect(all.map(({ name, lines }) => [name, lines.map(({ label }) => label)])).toEqual([
      ['rate', ['reads', 'writes']],
      ['throughput', ['read', 'written']],
      ['size', ['size']],
      ['latency', ['mean']],
    ])
    expect(all[3]?.lines[0]?.values).toEqual([1e6, null]) // no nought on a logarithmic axis
    const none = { ...SERIES, latency_ns_mean: [null, null] }
    expect(charts(none).map(({ name }) => name)).not.toContain('latency')
  })
  test('read quantiles off a distribution', () => {
    const held = { requests: 10, below_ns: [100, 200, 300], shares: [0.5, 0.9, 1] }
    expect([0.5, 0.51, 0.99].map((share) => quantile(held, share))).toEqual([100, 200, 300])
    expect(quantile({ ...held, shares: [0, 0, 0.9] }, 0.99)).toBeNull()
  })
  test('of a drive join each line over the times of the others', () => {
    expect(joined([0, 1, 3, 4], [null, 10, null, 40])).toEqual([null, 10, 30, 40])
    const drive = {
      past: [
        { time: '2026-01-01T00:00:00Z', written_bytes: 1 },
        { time: '2026-01-03T00:00:00Z', written_bytes: 3 },
      ],
      fan: [
        {
          written_bytes: 3,
          early: '2026-01-03T00:00:00Z',
          middle: '2026-01-03T00:00:00Z',
          late: '2026-01-05T00:00:00Z',
        },
      ],
    } as unknown as Trajectory
    const { x, lines } = drawn(drive)
    expect(x).toHaveLength(3)
    expect(lines.map(({ label, values }) => [label, values])).toEqual([
      ['written', [1, 3, null]],
      ['forecast', [null, 3, null]],
      ['early', [null, 3, null]],
      ['late', [null, null, 3]],
    ])
  })
})

const BINS: HeatWindow = {
  from_s: 10,
  to_s: 20,
  from_bytes: 0,
  to_bytes: 300,
  time_bin_s: 5,
  address_bin_bytes: 100,
  counts: [
    [0, 1, 2],
    [3, 4, 5],
  ],
}

describe('heat map', () => {
  test('is darker where there is more, and shows a single request', () => {
    expect(darkness(0, 1000)).toBe(0)
    expect(darkness(1, 1000)).toBeGreaterThan(0.2)
    expect(darkness(1000, 1000)).toBe(1)
  })
  test('finds the cell under the pointer, the first address at the bottom', () => {
    const window = { from: 10, to: 20 }
    expect(cellAt(BINS, window, 0, 1)).toEqual({ time: 0, address: 0 })
    expect(cellAt(BINS, window, 0.99, 0.01)).toEqual({ time: 1, address: 2 })
    expect(cellAt(BINS, { from: 15, to: 20 }, 0, 0.5)).toEqual({ time: 1, address: 1 })
  })
})

const design = (more: Partial<Design>) => ({ rank: null, line: '', title: '', ...more }) as Design

describe('plans', () => {
  test('are exported as CSV that a spreadsheet does not run', () => {
    expect(cell('=1+1')).toBe("'=1+1")
    expect(cell('a "b", c')).toBe('"a ""b"", c"')
    expect(cell(-1)).toBe('-1')
    const rows = csv([design({ rank: 1, line: 'raid1(2 * a)', headroom: 2 })]).split('\r\n')
    expect(rows[0]?.split(',').slice(0, 3)).toEqual(['rank', 'verdict', 'line'])
    expect(rows[1]).toMatch(/^1,,raid1\(2 \* a\),/)
    expect(rows[1]?.split(',')).toHaveLength(rows[0]?.split(',').length ?? 0)
  })
  test('have files with names that any system takes', () => {
    expect(fileName('../a b<script>', '.csv')).toBe('a-b-script.csv')
    expect(fileName('…', '.json')).toBe('plan.json')
  })
  test('show what fits by rank, and what was named though it does not fit', () => {
    const designs = [
      design({ rank: 2, line: 'b' }),
      design({ line: 'c', today: true }),
      design({ rank: 1, line: 'a' }),
    ]
    const plan = { winner: 'a', designs, nearest: [], requirements: [] } as Plan
    expect(ordered(plan).map(({ line }) => line)).toEqual(['c', 'a', 'b'])
    const none = {
      ...plan,
      winner: null,
      designs: [design({ line: 'y' }), design({ line: 'z' })],
      nearest: ['z', 'y'],
    }
    expect(ordered(none).map(({ line }) => line)).toEqual(['z', 'y'])
  })
  test('say what somebody else changed', () => {
    const before = { name: 'a', notes: '' }
    expect(changedBy(before, { name: 'b', notes: 'x' })).toMatch(
      /name, from “a” to “b” and the notes, to “x”/,
    )
    expect(changedBy(before, before)).toMatch(/this plan/)
  })
  test('take news of their progress, and none from before they ended', () => {
    const job = { id: 'p', state: 'running' as const, share: 0, what: null, message: null, hint: null }
    const news = {
      subject: 'p',
      kind: 'plan' as const,
      state: 'running' as const,
      share: 0.5,
      what: 'x',
      message: null,
    }
    const latest = new Map([['p', news]])
    expect(current(job, latest)).toMatchObject({ share: 0.5, what: 'x' })
    expect(current({ ...job, state: 'done' }, latest)).toMatchObject({ state: 'done', share: 0 })
  })
})

describe('results', () => {
  test('name the settings that differ', () => {
    const point = (iodepth: number) => ({ settings: { iodepth, bs: 4096 } }) as never
    expect(varied([point(1), point(2)])).toEqual(['iodepth'])
  })
  test('word figures by their kind', () => {
    expect(['q0.99', 'q0.5', 'iops', 'latency_mean_ns'].map(named)).toEqual([
      'p99',
      'p50',
      'IOPS',
      'latency mean',
    ])
    expect(worded('iops', 1234)).toBe('1,230')
    expect(worded('q0.99', 1.5e6)).toBe('1.5 ms')
    expect(worded('throughput_bytes_per_s', 8e6)).toBe('8 MB/s')
  })
})
