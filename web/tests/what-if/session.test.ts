import { expect, test, vi } from 'vitest'
import { cell, toCsv, toJson } from '../../src/what-if/export'
import { fitted, stepped } from '../../src/what-if/parts'
import { Pool } from '../../src/what-if/pool'
import { rows } from '../../src/what-if/rows'
import { Session, partsOf } from '../../src/what-if/session'
import { sideBySide } from '../../src/what-if/side'
import type { Carried } from '../../src/what-if/document'
import { CARRIED, FakeCore, FakeWorker } from './fake'

function session(pool: Pool | null = null, carried: Carried = CARRIED): Session {
  return new Session(
    carried,
    new FakeCore(carried),
    pool,
    (run) => {
      run()
    },
    () => 0,
  )
}

function tries(): Pool {
  return new Pool(() => new FakeWorker(), 2)
}

test('a change is judged at once, and the plan’s answer stays to compare with', () => {
  const it = session()
  const before = it.cheapest?.line
  it.set({ ...it.state.settings, headroom: 6 }, 'headroom')
  expect(it.cheapest?.line).not.toBe(before)
  expect(it.judged.settings.headroom).toBe(6)
  expect(it.baseline.designs.find(({ index }) => index === it.baseline.order[0]?.index)?.line).toBe(before)
  it.undo()
  expect(it.cheapest?.line).toBe(before)
  it.redo()
  expect(it.judged.settings.headroom).toBe(6)
})

test('one judgement a frame, however many changes', () => {
  const core = new FakeCore()
  const waiting: (() => void)[] = []
  const it = new Session(
    CARRIED,
    core,
    null,
    (run) => waiting.push(run),
    () => 0,
  )
  const before = core.calls.length
  for (let years = 1; years < 9; years += 1) it.set({ ...it.state.settings, years }, 'years')
  expect(waiting.length).toBe(1)
  waiting[0]?.()
  expect(core.calls.length - before).toBe(1)
  expect(it.judged.settings.years).toBe(8)
})

test('an error that is said after a change stays until the next', () => {
  const waiting: (() => void)[] = []
  const it = new Session(
    CARRIED,
    new FakeCore(),
    null,
    (run) => waiting.push(run),
    () => 0,
  )
  it.set({ ...it.state.settings, years: 3 }, 'years')
  it.say('x.json: this is not JSON')
  waiting.shift()?.()
  expect(it.notice?.text).toContain('not JSON')
  it.set({ ...it.state.settings, years: 4 }, 'years')
  waiting.shift()?.()
  expect(it.notice).toBeNull()
})

test('designs that are tried out in the background take back no error', async () => {
  const it = session(tries())
  it.set({ ...it.state.settings, peak_times: 1.5 }, 'peak_times')
  it.say('x.json: this is not JSON')
  await vi.waitFor(() => {
    expect(it.unknown.length).toBe(0)
  }, 3000)
  expect(it.notice?.text).toContain('not JSON')
})

test('settings that the simulator refuses are said, and what was known stays', () => {
  const it = session()
  const { designs } = it.judged
  it.set({ ...it.state.settings, scrub_days: 13 }, 'scrub_days')
  expect(it.notice?.text).toContain('thirteen days')
  expect(it.judged.designs).toBe(designs)
  it.set({ ...it.state.settings, scrub_days: 7 }, 'scrub_days')
  expect(it.notice).toBeNull()
})

test('what is unknown is tried out after a pause, cheapest first, and is known then', async () => {
  const it = session(tries())
  it.set({ ...it.state.settings, peak_times: 1.5 }, 'peak_times')
  expect(it.unknown.length).toBe(CARRIED.designs.length)
  expect(it.cheapest).toBeUndefined()
  await vi.waitFor(() => {
    expect(it.unknown.length).toBe(0)
    expect(it.progress).toBeNull()
  }, 3000)
  expect(it.cheapest).toBeDefined()
})

test('cancelling keeps what was found, and nothing is tried by itself until told to', async () => {
  const it = session(new Pool(() => new FakeWorker(new FakeCore(), 15), 2))
  it.set({ ...it.state.settings, peak_times: 2 }, 'peak_times')
  await vi.waitFor(() => {
    expect(it.progress?.done).toBeGreaterThan(2)
  }, 3000)
  it.cancel()
  const left = it.unknown.length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(CARRIED.designs.length)
  await new Promise((settle) => setTimeout(settle, 500))
  expect(it.unknown.length).toBe(left)
  await it.tryOut()
  expect(it.unknown.length).toBe(0)
})

test('a later setting makes an earlier one’s try-outs void', async () => {
  const it = session(new Pool(() => new FakeWorker(new FakeCore(), 5), 2))
  it.set({ ...it.state.settings, peak_times: 2 }, 'peak_times')
  await vi.waitFor(() => {
    expect(it.progress?.done).toBeGreaterThan(1)
  }, 3000)
  it.set({ ...it.state.settings, peak_times: 3 }, 'other')
  await vi.waitFor(() => {
    expect(it.unknown.length).toBe(0)
    expect(it.progress).toBeNull()
  }, 5000)
  expect(it.judged.settings.peak_times).toBe(3)
})

test('a design of the editor is played and judged; one of the plan is found', async () => {
  const it = session(tries())
  const known = CARRIED.designs[4]
  expect(known && (await it.play(partsOf(known) ?? (undefined as never)))).toBe(known?.line)
  const drive = known?.drive ?? ''
  const made = await it.play({ drive, level: 'raid10', count: 16, groups: 8, spares: 0, partition: 1 })
  expect(it.verdict(made)?.state).toMatch(/fits|misses/)
  expect(it.lineOf({ drive, level: 'raid10', count: 16, groups: 8, spares: 0, partition: 1 })).toBe(made)
  expect(await it.play({ drive, level: 'raid10', count: 22, groups: 11, spares: 0, partition: 1 })).toBeNull()
  expect(it.notice?.text).toContain('so many drives')
})

test('a report without a recording says so when a design is to be played', async () => {
  const it = session()
  const drive = CARRIED.designs[0]?.drive ?? ''
  expect(await it.play({ drive, level: 'raid10', count: 16, groups: 8, spares: 0, partition: 1 })).toBeNull()
  expect(it.notice?.text).toContain('carries no recording')
})

test('what runs today is always among those side by side', () => {
  const it = session()
  const today = CARRIED.designs.find((design) => design.today)
  expect(sideBySide(it).map(({ line }) => line)).toContain(today?.line)
  it.change({ ...it.state, pins: ['raid1(9 * gone)'] }, 'pin')
  expect(sideBySide(it).length).toBe(2)
})

test('rows: what fits as ranked, then the rest by cost; or by a figure', () => {
  const it = session()
  const ranked = rows(it, 'rank')
  const fits = ranked.filter(({ verdict }) => verdict.state === 'fits').length
  expect(ranked.slice(0, fits).map(({ rank }) => rank)).toEqual([...Array(fits).keys()].map((at) => at + 1))
  const life = rows(it, 'life').map(({ verdict }) => verdict.life_years?.value ?? 0)
  expect(life[0]).toBe(Math.max(...life))
})

test('the answer goes out as JSON and CSV, names and all', () => {
  const evil = '=cmd|"x"<script>'
  const carried = structuredClone(CARRIED)
  const [first] = carried.designs
  if (first) first.title = evil
  const it = session(null, carried)
  const csv = toCsv(it)
  expect(csv.split('\r\n').length).toBe(CARRIED.designs.length + 2)
  expect(csv).toContain(`"'=cmd|""x""<script>"`)
  const json = JSON.parse(toJson(it)) as { designs: { title: string; rank: number }[] }
  expect(json.designs.find(({ rank }) => rank === 1)?.title).toBe(evil)
  expect(cell(null)).toBe('')
  expect(cell(-1.5)).toBe('-1.5')
})

test('parts are made to fit: an array has as many drives as its level takes', () => {
  const parts = { drive: 'x', level: 'raid10', count: 5, groups: 1, spares: 0, partition: 1 }
  expect(fitted(parts)).toMatchObject({ count: 6, groups: 3 })
  expect(fitted({ ...parts, level: 'raid6', count: 2 }).count).toBe(4)
  expect(fitted({ ...parts, level: 'raid50', count: 7, groups: 2 })).toMatchObject({ count: 8, groups: 2 })
  expect(fitted({ ...parts, level: 'single', spares: 2 })).toMatchObject({ count: 1, spares: 0 })
  expect(fitted({ ...parts, level: 'raid5', count: 5, spares: 1 }).count).toBe(5)
  expect(stepped({ ...parts, count: 6, groups: 3 }, 1).count).toBe(8)
  expect(stepped({ ...parts, count: 4, groups: 2 }, -1).count).toBe(4)
})
