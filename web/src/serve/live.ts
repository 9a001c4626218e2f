/**
 * What happens to the jobs of the server, as it happens: one stream of server-sent events for all pages.
 *
 * The browser takes the stream up again behind the last event it saw (`Last-Event-ID`). Where no stream comes through (a
 * proxy that holds it back, too many connections), pages poll instead, and the stream is tried again now and then.
 */

import { BASE, type State } from './api'

export interface Progress {
  subject: string
  kind: 'plan' | 'trace' | 'comparison'
  state: State
  share: number | null
  what: string | null
  message: string | null
}

/** `reset`: events were missed, what is shown is to be read again; `here`: nothing happened, and the stream comes through. */
export type Name =
  | 'queued'
  | 'running'
  | 'progress'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'changed'
  | 'deleted'
  | 'reset'
  | 'here'
const NAMES: Name[] = [
  'queued',
  'running',
  'progress',
  'done',
  'failed',
  'cancelled',
  'interrupted',
  'changed',
  'deleted',
  'reset',
  'here',
]

type Listener = (name: Name, progress: Progress | null) => void

/** What of `EventSource` is used. */
export interface Source {
  onopen: ((event: Event) => void) | null
  onerror: ((event: Event) => void) | null
  addEventListener: (name: string, listener: (event: MessageEvent<string>) => void) => void
  close: () => void
  readonly readyState: number
}

const CLOSED = 2
const FAILURES_MAX = 3
const AGAIN_MS = 20_000
/** How long a stream that is open may say nothing at first, and later: the server says `here` every 15 s. */
const FIRST_MS = 5_000
const QUIET_MS = 40_000

/** How long to wait before the n-th try, in ms: doubling from half a second up to ten seconds. */
export function pause(tries: number): number {
  return Math.min(500 * 2 ** tries, 10_000)
}

export class Live {
  private source: Source | null = null
  private failures = 0
  private opened = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private quiet: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<Listener>()
  private readonly modes = new Set<(polling: boolean) => void>()
  polling = false

  constructor(private readonly open: () => Source) {}

  /** Calls the listener for each event, until the function that is returned is called. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    if (!this.source && this.timer === undefined) this.start()
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size === 0) this.stop()
    }
  }

  onMode(listener: (polling: boolean) => void): () => void {
    this.modes.add(listener)
    return () => this.modes.delete(listener)
  }

  /** Begins again at once: after a session was opened, or the server came back. */
  again(): void {
    this.stop()
    if (this.listeners.size) this.start()
  }

  private start(): void {
    this.timer = undefined
    const source = this.open()
    this.source = source
    source.onopen = () => {
      if (this.failures > 0 || this.opened) this.tell('reset', null)
      this.opened = true
      this.failures = 0
      this.watch(FIRST_MS)
    }
    source.onerror = () => {
      this.failed(source)
    }
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        this.heard(name, event.data)
      })
    }
  }

  private failed(source: Source): void {
    this.failures++
    if (this.failures >= FAILURES_MAX) this.become(true)
    if (source.readyState !== CLOSED) return // the browser tries again by itself, with Last-Event-ID
    source.close()
    this.source = null
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => {
        this.start()
      },
      this.polling ? AGAIN_MS : pause(this.failures),
    )
  }

  /** Polls where the stream is open and nothing of it comes through: a proxy may hold it back. */
  private watch(ms: number): void {
    clearTimeout(this.quiet)
    this.quiet = setTimeout(() => {
      this.become(true)
    }, ms)
  }

  private heard(name: Name, data: string): void {
    this.watch(QUIET_MS)
    this.become(false)
    if (name === 'here') return
    if (name === 'reset') this.tell('reset', null)
    else this.tell(name, JSON.parse(data) as Progress)
  }

  private tell(name: Name, progress: Progress | null): void {
    for (const listener of [...this.listeners]) listener(name, progress)
  }

  private become(polling: boolean): void {
    if (this.polling === polling) return
    this.polling = polling
    for (const listener of this.modes) listener(polling)
  }

  private stop(): void {
    clearTimeout(this.timer)
    clearTimeout(this.quiet)
    this.timer = undefined
    this.source?.close()
    this.source = null
  }
}

export const live = new Live(() => new EventSource(`${BASE}/events`))
