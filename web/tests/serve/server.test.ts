import { afterEach, describe, expect, test, vi } from 'vitest'
import { Away, connected, openSession, read, refusal, Refusal, retry, send } from '../../src/serve/server'

const answers = (...all: (Response | Error)[]) => {
  const calls: RequestInit[] = []
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    calls.push(init)
    const next = all.shift()
    return next instanceof Response ? Promise.resolve(next) : Promise.reject(next ?? new Error('no more'))
  })
  return calls
}
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })
const settled = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the server', () => {
  test('is read again until it is back, with a banner meanwhile', async () => {
    answers(new TypeError('network'), json(503, {}), json(200, { plans: [] }))
    const reading = read('plans')
    await settled()
    expect(connected().away).toBe(true)
    retry()
    await settled()
    retry()
    expect(await reading).toEqual({ plans: [] })
    expect(connected().away).toBe(false)
  })
  test('is never written to twice by itself', async () => {
    const calls = answers(new TypeError('network'))
    await expect(send('POST', 'plans', {})).rejects.toBeInstanceOf(Away)
    expect(calls).toHaveLength(1)
    expect(connected().away).toBe(true)
  })
  test('gets the header of its own pages with all that changes something', async () => {
    const calls = answers(new Response(null, { status: 204 }), json(200, {}))
    expect(await send('DELETE', 'plans/1')).toBeNull()
    await send('PATCH', 'plans/1', { name: 'a' }, '"3"')
    expect(calls.map(({ headers }) => headers)).toEqual([
      { 'X-Drivecast': '1' },
      { 'X-Drivecast': '1', 'Content-Type': 'application/json', 'If-Match': '"3"' },
    ])
  })
  test('that wants a token is waited for, and then read', async () => {
    answers(
      json(401, { code: 'token', reason: 'no token' }),
      new Response(null, { status: 204 }),
      json(200, [1]),
    )
    const reading = read('plans')
    await settled()
    expect(connected().tokenWanted).toBe(true)
    await openSession('abc')
    expect(await reading).toEqual([1])
    expect(connected().tokenWanted).toBe(false)
  })
  test('refuses in its own sentence, or by its status where it has none', async () => {
    answers(json(422, { code: 'no-trace', reason: '`x` is no trace', hint: 'convert it' }))
    const error: unknown = await read('traces').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      status: 422,
      code: 'no-trace',
      message: '`x` is no trace',
      hint: 'convert it',
    })
    expect(refusal(500, '<html>')).toEqual(new Refusal(500, 'fault', 'the server answered with status 500'))
  })
  test('is no longer read by a page that is gone', async () => {
    answers(new TypeError('network'))
    const stop = new AbortController()
    const reading = read('plans', stop.signal)
    await settled()
    stop.abort()
    await expect(reading).rejects.toThrow('aborted')
  })
})
