import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Live, pause, type Name, type Source } from '../../src/serve/live'

class Fake implements Source {
  static all: Fake[] = []
  onopen: ((event: Event) => void) | null = null
  onerror: ((event: Event) => void) | null = null
  readyState = 0
  private readonly listeners = new Map<string, (event: MessageEvent<string>) => void>()
  constructor() {
    Fake.all.push(this)
  }
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void) {
    this.listeners.set(name, listener)
  }
  close() {
    this.readyState = 2
  }
  open() {
    this.onopen?.(new Event('open'))
  }
  fail(closed: boolean) {
    this.readyState = closed ? 2 : 0
    this.onerror?.(new Event('error'))
  }
  say(name: string, data: object) {
    this.listeners.get(name)?.(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
}

describe('live progress', () => {
  let heard: Name[] = []
  let live: Live
  beforeEach(() => {
    vi.useFakeTimers()
    Fake.all = []
    heard = []
    live = new Live(() => new Fake())
    live.subscribe((name) => heard.push(name))
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const last = () => Fake.all[Fake.all.length - 1] as Fake

  test('hands on what is said, and nothing of the first opening', () => {
    last().open()
    last().say('progress', { subject: 'p-1', share: 0.5 })
    last().say('done', { subject: 'p-1' })
    expect(heard).toEqual(['progress', 'done'])
  })
  test('reads all again after a break, whoever took the stream up', () => {
    last().open()
    last().fail(false)
    last().open()
    expect(heard).toEqual(['reset'])
    expect(Fake.all).toHaveLength(1)
  })
  test('opens a stream anew where the browser gave it up, later and later', () => {
    last().fail(true)
    expect(Fake.all).toHaveLength(1)
    vi.advanceTimersByTime(pause(1))
    expect(Fake.all).toHaveLength(2)
    last().fail(true)
    vi.advanceTimersByTime(pause(1))
    expect(Fake.all).toHaveLength(2)
    vi.advanceTimersByTime(pause(2))
    expect(Fake.all).toHaveLength(3)
  })
  test('polls after three failures, and ends that when a stream comes through', () => {
    const modes: boolean[] = []
    live.onMode((polling) => modes.push(polling))
    for (let times = 0; times < 3; times++) last().fail(false)
    expect(live.polling).toBe(true)
    last().open()
    expect(live.polling).toBe(true) // a stream that is open may be held back
    last().say('here', {})
    expect(modes).toEqual([true, false])
    expect(heard).toEqual(['reset'])
  })
  test('polls where a stream is open and nothing comes through, until something does', () => {
    last().open()
    vi.advanceTimersByTime(4_000)
    expect(live.polling).toBe(false)
    vi.advanceTimersByTime(2_000)
    expect(live.polling).toBe(true)
    last().say('progress', { subject: 'p-1', share: 0.5 })
    expect(live.polling).toBe(false)
    vi.advanceTimersByTime(39_000)
    last().say('here', {})
    vi.advanceTimersByTime(39_000)
    expect(live.polling).toBe(false)
    vi.advanceTimersByTime(2_000)
    expect(live.polling).toBe(true)
  })
  test('waits no longer than ten seconds', () => {
    expect([0, 1, 2, 10].map(pause)).toEqual([500, 1000, 2000, 10_000])
  })
})
