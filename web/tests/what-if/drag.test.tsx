// A cache and a volume, dragged: by a pointer along a band, and by keys.

import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nearestOf, shareOf, stops } from '../../src/what-if/amount'
import { Band, stopNear } from '../../src/what-if/band'
import { CacheRails } from '../../src/what-if/cache_rails'
import type { CacheParts, Parts, Rented } from '../../src/what-if/document'
import { RentedRails } from '../../src/what-if/rented_rails'
import { Session } from '../../src/what-if/session'
import { CARRIED, FakeCore } from './fake'

const on = { onHold: vi.fn(), onRelease: vi.fn(), onRevert: vi.fn() }
const NOTHING = () => undefined

beforeEach(() => {
  vi.clearAllMocks()
})
afterEach(() => {
  for (const page of document.body.children) render(null, page)
  document.body.replaceChildren()
})

function shown(what: preact.JSX.Element): HTMLElement {
  const page = document.createElement('div')
  document.body.append(page)
  void act(() => {
    render(what, page)
  })
  return page
}

function slider(page: HTMLElement, name: string): HTMLElement {
  const found = page.querySelector<HTMLElement>(`[role=slider][aria-label="${name}"]`)
  if (!found) throw new Error(`no slider ${name}`)
  return found
}

function press(page: HTMLElement, name: string, key: string): void {
  void act(() => {
    slider(page, name).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
}

test('stops rise from end to end, in numbers that one would write', () => {
  const sizes = stops([1, 65536])
  expect([sizes[0], sizes.at(-1)]).toEqual([1, 65536])
  for (const values of [sizes, stops([3000, 80000]), stops([125, 2000]), stops([1, 8]), stops([10, 10])]) {
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
    expect(values.every(Number.isInteger)).toBe(true)
    expect(values.length).toBeLessThan(260)
  }
  expect(stops([1, 8])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(stops([10, 10])).toEqual([10])
  expect(
    sizes.filter((size) => size > 99 && size < 65536).every((size) => Number(size.toPrecision(2)) === size),
  ).toBe(true)
})

test('a value is drawn where its stop is, by ratio where the range is wide', () => {
  expect(shareOf(100, [1, 10000])).toBeCloseTo(0.5)
  expect(shareOf(750, [500, 1000])).toBeCloseTo(0.5)
  expect([shareOf(1, [1, 65536]), shareOf(65536, [1, 65536]), shareOf(0, [0, 65536])]).toEqual([0, 1, 0])
  expect(nearestOf([10, 20, 40], 31)).toBe(2)
  expect([-50, 0, 149, 151, 900].map((x) => stopNear(x, 0, 400, [0.25, 0.5, 1]))).toEqual([0, 0, 0, 1, 2])
  expect(stopNear(5, 0, 0, [0, 1])).toBe(0)
})

test('a band follows the pointer that holds it, and no other', () => {
  const onStop = vi.fn()
  const page = shown(
    <Band
      label="Size"
      name="Edge of the size"
      said="2"
      shares={[0, 0.5, 1]}
      at={1}
      share={0.5}
      ends={['1', '3']}
      {...on}
      onStop={onStop}
    />,
  )
  const band = page.querySelector<HTMLElement>('.wi-band')
  if (!band) throw new Error('no band')
  const held = new Set<number>()
  band.setPointerCapture = (id) => held.add(id)
  band.hasPointerCapture = (id) => held.has(id)
  band.getBoundingClientRect = () => new DOMRect(100, 0, 200, 30)
  const point = (type: string, clientX: number, pointerId = 1) =>
    band.dispatchEvent(new PointerEvent(type, { clientX, pointerId, button: 0, bubbles: true }))
  point('pointermove', 290)
  expect(onStop).not.toHaveBeenCalled()
  point('pointerdown', 110)
  point('pointermove', 290)
  point('pointermove', 110, 2)
  expect(onStop.mock.calls).toEqual([[0], [2]])
  point('pointerup', 290)
  expect(on.onHold).toHaveBeenCalledTimes(1)
  expect(on.onRelease).toHaveBeenCalledTimes(1)
  press(page, 'Edge of the size', 'Escape')
  expect(on.onRevert).toHaveBeenCalledTimes(1)
})

const flash = Object.keys(CARRIED.drives).find((name) => CARRIED.drives[name]?.flash !== 'HDD') ?? ''
const cache: CacheParts = {
  drive: flash,
  level: 'raid1',
  count: 2,
  groups: 1,
  spares: 0,
  partition: 0.8,
  policy: 'flashcache',
  mode: 'writeback',
  options: '',
  size_bytes: null,
}

function dragged(of: CacheParts): { page: HTMLElement; set: ReturnType<typeof vi.fn> } {
  const drives = Object.entries(CARRIED.drives).map(([name, drive]) => [
    name,
    { ...drive, user_bytes: 480e9 },
  ])
  const carried = { ...CARRIED, drives: Object.fromEntries(drives) as typeof CARRIED.drives }
  const session = new Session(carried, new FakeCore(), null, NOTHING)
  const set = vi.fn()
  return { page: shown(<CacheRails session={session} cache={of} base={of} set={set} on={on} />), set }
}

test('the keys change each part of a cache, and leave the others', () => {
  const { page, set } = dragged(cache)
  press(page, 'Edge of the cache', 'ArrowRight')
  expect(set).toHaveBeenLastCalledWith({ ...cache, count: 3 })
  press(page, 'Edge of the cache', 'End')
  expect(set).toHaveBeenLastCalledWith({ ...cache, count: 8 })
  press(page, 'Edge of what the cache takes', 'ArrowLeft')
  expect(set).toHaveBeenLastCalledWith({ ...cache, partition: 0.7 })
  press(page, 'Edge of what the cache takes', 'End')
  expect(set).toHaveBeenLastCalledWith({ ...cache, partition: 1 })
  press(page, 'What it does with writes', 'ArrowLeft')
  expect(set).toHaveBeenLastCalledWith({ ...cache, mode: 'writethrough' })
  press(page, 'The cache, from cheap to safe', 'ArrowLeft')
  expect(set).toHaveBeenLastCalledWith({ ...cache, level: 'raid10', count: 4, groups: 2 })
  press(page, 'Its flash, by price per TB', 'Home')
  expect(CARRIED.drives[(set.mock.lastCall?.[0] as CacheParts).drive]?.flash).not.toBe('HDD')
})

test('eight drives of a cache are the most, and what its size is it says', () => {
  const { page, set } = dragged({ ...cache, count: 8 })
  press(page, 'Edge of the cache', 'ArrowRight')
  expect(set).toHaveBeenLastCalledWith({ ...cache, count: 8 })
  const edge = slider(page, 'Edge of what the cache takes')
  expect(edge.getAttribute('aria-valuetext')).toBe('384 GB of 480 GB, the rest spare')
})

test('of a cache of another policy only what is known of it is dragged', () => {
  const { page } = dragged({ ...cache, policy: 'l2arc', mode: 'writearound', size_bytes: 10 ** 11 })
  expect(page.querySelector('[aria-label="What it does with writes"]')).toBeNull()
  expect(page.querySelector('[aria-label="Edge of what the cache takes"]')).toBeNull()
})

const gp3: Rented = { kind: 'gp3', gib: 100, iops: 4000, mibps: 125 }
const volume: Parts = {
  drive: '',
  level: 'single',
  count: 1,
  groups: 1,
  spares: 0,
  partition: 1,
  rented: gp3,
}

function rented(parts: Parts): { page: HTMLElement; to: ReturnType<typeof vi.fn> } {
  const known = (value: number) => ({ value, provenance: 'published' as const, source: 'a list' })
  const kind = (model: string) => ({
    rules: {
      vendor: 'Amazon',
      model,
      gib_max: known(65536),
      iops: { included: known(5000), most: known(80000) },
      mib_per_s: { included: known(125), most: known(2000) },
      steps: null,
      rent: null,
    },
  })
  const rental = { kinds: { gp3: kind('gp3'), dear: kind('dear') }, volumes: {}, instance: null }
  const core = new FakeCore()
  const call = core.call.bind(core)
  core.call = (request) => {
    if (request.call !== 'rent') return call(request)
    const of = request['rented'] as Rented
    const month = { capacity_usd: of.kind === 'dear' ? 90 : 8, iops_usd: 0, mib_per_s_usd: 0 }
    return { rented: of, gib: [1, 65536], steps: [], iops: [3000, 80000], mibps: [125, 2000], month }
  }
  const session = new Session({ ...CARRIED, rental }, core, null, NOTHING)
  const to = vi.fn()
  return { page: shown(<RentedRails session={session} parts={parts} base={parts} to={to} on={on} />), to }
}

test('the keys change size, IOPS, throughput and kind of a volume', () => {
  const { page, to } = rented(volume)
  press(page, 'Edge of the size', 'ArrowRight')
  expect((to.mock.lastCall?.[0] as Parts).rented?.gib).toBeGreaterThan(100)
  press(page, 'Edge of the IOPS', 'End')
  expect(to).toHaveBeenLastCalledWith({ rented: { ...gp3, iops: 80000 } })
  press(page, 'Edge of the throughput', 'Home')
  expect(to).toHaveBeenLastCalledWith({ rented: { ...gp3, mibps: 125 } })
  press(page, 'By rent of this size', 'ArrowRight')
  expect((to.mock.lastCall?.[0] as Parts).rented?.kind).toBe('dear')
  expect(slider(page, 'Edge of the IOPS').getAttribute('aria-valuetext')).toBe(
    '4,000 IOPS; 5,000 come with it',
  )
})

test('one volume alone has no edge to draw, several have', () => {
  const one = rented(volume)
  press(one.page, 'Edge of the volumes', 'ArrowRight')
  expect(one.to).not.toHaveBeenCalled()
  const several = rented({ ...volume, level: 'raid0', count: 2 })
  press(several.page, 'Edge of the volumes', 'ArrowRight')
  expect((several.to.mock.lastCall?.[0] as Parts).count).toBe(3)
  expect(slider(several.page, 'Edge of the volumes').getAttribute('aria-valuetext')).toBe('2 volumes: 2 data')
})
