import { beforeEach, expect, test, vi } from 'vitest'
import { Pool, type Outcome } from '../../src/what-if/pool'
import { CARRIED, FakeCore, FakeWorker } from './fake'

const settings = CARRIED.requirements

function task(index: number) {
  return { call: 'try_out', index, settings }
}

beforeEach(() => {
  FakeWorker.started = 0
})

test('every task is answered, by no more workers than there may be', async () => {
  const pool = new Pool(() => new FakeWorker(), 2)
  const found = await Promise.all([0, 1, 2, 3, 4].map((index) => pool.run(task(index))))
  expect(found.map((outcome) => ('ok' in outcome ? (outcome.ok as { index: number }).index : null))).toEqual([
    0, 1, 2, 3, 4,
  ])
  expect(FakeWorker.started).toBe(2)
  expect(pool.busy).toBe(0)
})

test('what is known so far is heard before the answer', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 0, () => false, { index: 3, more: true }), 1)
  const heard: unknown[] = []
  const found = await pool.run(task(3), false, (soFar) => heard.push(soFar))
  expect(heard).toEqual([{ index: 3, more: true }])
  expect(found).toMatchObject({ ok: { index: 3 } })
  expect(pool.busy).toBe(0)
})

test('a sentence of the simulator is an answer, and the worker stays', async () => {
  const pool = new Pool(() => new FakeWorker(), 1)
  expect(await pool.run({ call: 'nonsense' })).toEqual({ error: 'unknown call `nonsense`' })
  await pool.run(task(1))
  expect(FakeWorker.started).toBe(1)
})

test('a worker that dies is replaced, its task tried again, and it is said', async () => {
  let deaths = 0
  const dies = () => (deaths += 1) === 1
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 0, dies), 1)
  const said: string[] = []
  pool.onTrouble = (text) => said.push(text)
  expect(await pool.run(task(7))).toMatchObject({ ok: { index: 7 } })
  expect(FakeWorker.started).toBe(2)
  expect(said).toEqual([
    'A worker ended (out of memory) and was replaced; what it was trying is tried again.',
  ])
})

test('a task that kills each worker is given up; the others are answered', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 0, (request) => request['index'] === 1), 1)
  const found = await Promise.all([0, 1, 2].map((index) => pool.run(task(index))))
  expect(found[1]).toEqual({ error: 'the worker ended: out of memory' })
  expect(found[0]).toHaveProperty('ok')
  expect(found[2]).toHaveProperty('ok')
})

test('workers that all die are not started for ever', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 0, () => true), 2)
  const said: string[] = []
  pool.onTrouble = (text) => said.push(text)
  const found = await Promise.all([...Array(20).keys()].map((index) => pool.run(task(index))))
  expect(found.every((outcome) => 'error' in outcome)).toBe(true)
  expect(FakeWorker.started).toBeLessThan(20)
  expect(said.at(-1)).toContain('cannot be tried out here')
})

test('a worker that does not answer is replaced', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), FakeWorker.started ? 0 : 10_000), 1, 20)
  expect(await pool.run(task(3))).toHaveProperty('ok')
})

test('cancelling answers all, ends who is busy, and the pool goes on after it', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 50), 2)
  const all: Promise<Outcome>[] = [0, 1, 2, 3].map((index) => pool.run(task(index)))
  await new Promise((settle) => setTimeout(settle, 10))
  pool.cancel()
  expect(await Promise.all(all)).toEqual(Array(4).fill({ cancelled: true }))
  expect(await pool.run(task(9))).toHaveProperty('ok')
})

test('an urgent task goes before those that wait, and stays when they are dropped', async () => {
  const order: number[] = []
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 5), 1)
  const note = (index: number) => (outcome: Outcome) => {
    if ('ok' in outcome) order.push(index)
  }
  const all = [
    pool.run(task(0)).then(note(0)),
    pool.run(task(1)).then(note(1)),
    pool.run(task(2), true).then(note(2)),
  ]
  await new Promise((settle) => setTimeout(settle, 2))
  await all[2]
  pool.dropWaiting()
  await Promise.all(all)
  expect(order[0]).toBe(2)
})

test('a signal cancels one task, whether it runs or waits, and no other', async () => {
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 20), 1)
  const [first, second] = [new AbortController(), new AbortController()]
  const running = pool.run(task(0), false, undefined, first.signal)
  const waiting = pool.run(task(1), false, undefined, second.signal)
  const other = pool.run(task(2))
  await new Promise((settle) => setTimeout(settle, 5))
  first.abort()
  second.abort()
  expect(await running).toEqual({ cancelled: true })
  expect(await waiting).toEqual({ cancelled: true })
  expect(await other).toMatchObject({ ok: { index: 2 } })
  expect(await pool.run(task(3), false, undefined, first.signal)).toEqual({ cancelled: true })
  expect(pool.busy).toBe(0)
})

test('what is urgent does not wait for the rest of what has its first answer, and that is tried again', async () => {
  const heard: string[] = []
  const pool = new Pool(() => new FakeWorker(new FakeCore(), 5, () => false, { more: true }, 200), 1)
  const run = (index: number, isUrgent: boolean) =>
    pool
      .run(task(index), isUrgent, () => heard.push(`first of ${index}`))
      .then((outcome) => {
        heard.push(`all of ${index}`)
        return outcome
      })
  const before = run(1, true)
  await vi.waitFor(() => {
    expect(heard).toEqual(['first of 1'])
  })
  const found = await Promise.all([before, run(2, true)])
  expect(heard).toEqual(['first of 1', 'first of 2', 'all of 2', 'first of 1', 'all of 1'])
  expect(found).toMatchObject([{ ok: { index: 1 } }, { ok: { index: 2 } }])
  expect(FakeWorker.started).toBe(2)
  expect(pool.busy).toBe(0)
})
