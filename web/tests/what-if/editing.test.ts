import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { change, changes } from '../../src/what-if/change'
import type { Parts } from '../../src/what-if/document'
import { Editing, REST_MS } from '../../src/what-if/editing'
import { Pool } from '../../src/what-if/pool'
import { Session, partsOf } from '../../src/what-if/session'
import { CARRIED, FakeCore, FakeWorker } from './fake'

const RUN_MS = 400

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Made {
  session: Session
  editing: Editing
  line: string
  own: Parts
  workers: FakeWorker[]
}

function made(): Made {
  const workers: FakeWorker[] = []
  const spawn = () => {
    const worker = new FakeWorker(new FakeCore(), RUN_MS)
    workers.push(worker)
    return worker
  }
  const clock = () => Date.now()
  const session = new Session(
    CARRIED,
    new FakeCore(),
    new Pool(spawn, 1),
    (run) => {
      run()
    },
    clock,
  )
  const line = session.cheapest?.line ?? ''
  const own = partsOf(CARRIED.designs.find((design) => design.line === line) as never) as Parts
  return { session, editing: new Editing(session, () => undefined, clock), line, own, workers }
}

test('what a drag passes over is not played, and the whole of it is one step of undo', async () => {
  const { session, editing, line, own } = made()
  editing.hold(line, own)
  for (const count of [3, 4, 5, 6]) {
    editing.to(line, own, { ...own, level: 'raid0', count })
    await vi.advanceTimersByTimeAsync(REST_MS - 50)
  }
  expect(session.pool?.busy).toBe(0)
  await vi.advanceTimersByTimeAsync(REST_MS + 2 * RUN_MS)
  expect(editing.of(line)?.isHeld).toBe(true)
  expect(editing.known({ ...own, level: 'raid0', count: 6 })?.state).toMatch(/fits|misses/)
  editing.to(line, own, { ...own, level: 'raid0', count: 8 })
  editing.release()
  expect(session.history.past.length).toBe(0)
  await vi.advanceTimersByTimeAsync(REST_MS + 2 * RUN_MS)
  expect(session.state.picked).toBe(`raid0(8 * ${own.drive})`)
  expect(session.history.past.length).toBe(1)
  expect(editing.of(`raid0(8 * ${own.drive})`)?.from).toBe(line)
  session.undo()
  expect(session.state.picked).toBeNull()
})

test('parts that move on cancel what is played', async () => {
  const { session, editing, line, own, workers } = made()
  editing.to(line, own, { ...own, level: 'raid0', count: 5 })
  await vi.advanceTimersByTimeAsync(REST_MS + 50)
  expect(editing.of(line)?.isPlaying).toBe(true)
  editing.to(line, own, { ...own, level: 'raid0', count: 7 })
  expect(workers[0]?.isTerminated).toBe(true)
  await vi.advanceTimersByTimeAsync(REST_MS + 2 * RUN_MS)
  expect(session.lineOf({ ...own, level: 'raid0', count: 5 })).toBeNull()
  expect(session.state.picked).toBe(`raid0(7 * ${own.drive})`)
})

test('a design of the plan shows its figures at once, and needs no run', async () => {
  const { session, editing, line, own, workers } = made()
  const other = CARRIED.designs.find((design) => design.level === 'raid10')
  const parts = partsOf(other as never) as Parts
  editing.hold(line, own)
  editing.to(line, own, parts)
  expect(editing.known(parts)?.line).toBe(other?.line)
  editing.release()
  await vi.advanceTimersByTimeAsync(REST_MS + 1)
  expect(session.state.picked).toBe(other?.line)
  expect(workers.length).toBe(0)
})

test('a pointer that is taken away leaves all as it was', async () => {
  const { session, editing, line, own } = made()
  editing.hold(line, own)
  editing.to(line, own, { ...own, level: 'raid0', count: 5 })
  editing.revert()
  editing.to(line, own, { ...own, level: 'raid0', count: 6 }) // the pointer is still down
  await vi.advanceTimersByTimeAsync(REST_MS + 2 * RUN_MS)
  expect(editing.of(line)).toBeNull()
  expect(session.history.past.length).toBe(0)
})

test('presses of keys that follow each other are one edit', async () => {
  const { editing, line, own, session } = made()
  const [first, second] = [CARRIED.designs[0], CARRIED.designs[1]].map(
    (each) => partsOf(each as never) as Parts,
  )
  if (!first || !second) throw new Error('two designs')
  editing.to(line, own, second)
  await vi.advanceTimersByTimeAsync(REST_MS + 1)
  const reached = session.state.picked ?? ''
  editing.to(reached, second, { ...second, drive: CARRIED.designs[2]?.drive ?? '' })
  await vi.advanceTimersByTimeAsync(REST_MS + 1)
  expect(editing.of(session.state.picked ?? '')?.from).toBe(line)
  expect(session.history.past.length).toBe(1)
})

test('changes have a sign and say what is better', () => {
  const { session } = made()
  const of = (at: number) => {
    const verdict = session.judged.designs[at]
    if (!verdict) throw new Error('no design')
    return { verdict, design: session.design(verdict.index) }
  }
  const from = of(0)
  const dearer = {
    ...from,
    verdict: {
      ...from.verdict,
      total_usd: { low: 1, value: 623.6, high: 900 },
      data_loss: { low: 0, value: (from.verdict.data_loss?.value ?? 0) / 4, high: 1 },
    },
  }
  expect(change('Cost', from, dearer)).toEqual({ text: '+$208', isBetter: false })
  expect(change('Data loss', from, dearer)).toEqual({ text: '÷ 4', isBetter: true })
  const rare = { low: 0, value: 1e-15, high: 1 }
  const safer = { ...from, verdict: { ...from.verdict, data_loss: rare } }
  expect(change('Data loss', from, safer)?.text).toBe('÷ > 1,000,000')
  expect(change('Power', from, dearer)).toBeNull()
  expect(changes(['Cost', 'Power', 'Data loss'], from, dearer)).toBe(
    'Cost +$208, worse; Data loss ÷ 4, better',
  )
})
