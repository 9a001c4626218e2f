// Workers that try designs out, a few at a time. Each has an instance of the simulator with the recording.
//
// A task is answered once: with what was found, with the simulator's sentence, or with what ended it; before that, a
// worker may say what it found so far. A worker that
// dies or does not answer is replaced, and its task is given once more to the new one. Cancelling ends the workers
// that are busy, for a simulation cannot be stopped otherwise; of one task, the worker that has it, and another begins.
// So does an urgent task that finds no worker free, where one has said what it found so far: the rest of that waits.

import type { Request } from '../wasm'

/** What of a `Worker` is used, so that tests have one of their own. */
export interface WorkerLike {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: MessageEvent<Reply>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** What was found `soFar` is followed by all of it. */
export type Reply =
  | { ready: true }
  | { id: number; soFar: unknown }
  | { id: number; ok: unknown }
  | { id: number; error: string }
  | { failed: string }

export type Outcome = { ok: unknown } | { error: string } | { cancelled: true }

interface Task {
  id: number
  request: Request
  tries: number
  isUrgent: boolean
  /** Whether its first answer was given: what follows may wait. */
  isFirstKnown: boolean
  onSoFar: (found: unknown) => void
  settle: (outcome: Outcome) => void
}

interface Place {
  worker: WorkerLike
  isReady: boolean
  task: Task | null
  timer: ReturnType<typeof setTimeout> | null
}

export const WORKERS_MAX = 4
const TRIES_MAX = 2
export const TIMEOUT_MS = 120_000
/** Deaths in a row, without an answer between them, after which no more workers are started. */
const DEATHS_MAX = 6

export class Pool {
  private places: Place[] = []
  private queue: Task[] = []
  private id = 0
  private deaths = 0
  /** Says what befell a worker, for the person to read. */
  onTrouble: (sentence: string) => void = () => undefined

  constructor(
    private readonly spawn: () => WorkerLike,
    private readonly size: number,
    private readonly timeout_ms = TIMEOUT_MS,
  ) {}

  /**
   * Tries a request; `isUrgent` goes before all that waits. `onSoFar` hears what is known before all is; a signal cancels
   * this request, and nothing else.
   */
  run(
    request: Request,
    isUrgent = false,
    onSoFar: (found: unknown) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    return new Promise((settle) => {
      const task = { id: (this.id += 1), request, tries: 0, isUrgent, isFirstKnown: false, onSoFar, settle }
      if (signal?.aborted) {
        settle({ cancelled: true })
        return
      }
      signal?.addEventListener('abort', () => {
        this.drop(task)
      })
      if (isUrgent) this.queue.unshift(task)
      else this.queue.push(task)
      this.fill()
    })
  }

  private drop(task: Task): void {
    const place = this.places.find((each) => each.task === task)
    if (place) {
      this.end(place)
      this.places.push(this.begin()) // ready by the time that the next is asked
    } else if (!this.queue.includes(task)) return
    this.queue = this.queue.filter((each) => each !== task)
    task.settle({ cancelled: true })
    this.fill()
  }

  get busy(): number {
    return this.queue.length + this.places.filter((place) => place.task).length
  }

  /** Drops what waits and ends what runs; every task is answered as cancelled. */
  cancel(): void {
    const waiting = this.queue.splice(0)
    for (const place of this.places.filter((each) => each.task)) {
      const { task } = place
      this.end(place)
      task?.settle({ cancelled: true })
    }
    for (const task of waiting) task.settle({ cancelled: true })
  }

  /** Drops what waits and is not urgent; what runs may finish. */
  dropWaiting(): void {
    const dropped = this.queue.filter((task) => !task.isUrgent)
    this.queue = this.queue.filter((task) => task.isUrgent)
    for (const task of dropped) task.settle({ cancelled: true })
  }

  private fill(): void {
    while (this.queue.length > this.idle().length && this.places.length < this.size)
      this.places.push(this.begin())
    if (this.queue[0]?.isUrgent && !this.idle().length) this.makeWay()
    for (const place of this.idle()) {
      const task = place.isReady ? this.queue.shift() : undefined
      if (task) this.give(place, task)
    }
  }

  /** A task of which the first answer is known waits once more, behind all others, and leaves its place to an urgent one. */
  private makeWay(): void {
    const place = this.places.find((each) => each.task?.isFirstKnown)
    if (!place?.task) return
    const { task } = place
    this.end(place)
    Object.assign(task, { tries: 0, isUrgent: false, isFirstKnown: false })
    this.queue.push(task)
    this.places.push(this.begin())
  }

  private idle(): Place[] {
    return this.places.filter((place) => !place.task)
  }

  private begin(): Place {
    const place: Place = { worker: this.spawn(), isReady: false, task: null, timer: null }
    place.worker.onmessage = (event) => {
      this.heard(place, event.data)
    }
    place.worker.onerror = (event) => {
      this.died(place, event.message || 'it ended')
    }
    return place
  }

  private give(place: Place, task: Task): void {
    task.tries += 1
    place.task = task
    place.timer = setTimeout(() => {
      this.died(place, `no answer within ${Math.round(this.timeout_ms / 1000)} s`)
    }, this.timeout_ms)
    place.worker.postMessage({ id: task.id, request: task.request })
  }

  private heard(place: Place, reply: Reply): void {
    if ('ready' in reply) place.isReady = true
    else if ('failed' in reply) {
      this.died(place, reply.failed)
      return
    } else if (place.task?.id === reply.id) {
      const { task } = place
      if ('soFar' in reply) {
        task.isFirstKnown = true
        task.onSoFar(reply.soFar)
        this.fill()
        return
      }
      place.task = null
      if (place.timer) clearTimeout(place.timer)
      this.deaths = 0
      task.settle('ok' in reply ? { ok: reply.ok } : { error: reply.error })
    }
    this.fill()
  }

  private died(place: Place, why: string): void {
    if (!this.places.includes(place)) return
    const { task } = place
    this.end(place)
    this.deaths += 1
    if (this.deaths >= DEATHS_MAX) {
      this.onTrouble(`Designs cannot be tried out here: workers end (${why}). What is known already stays.`)
      const error = `workers end: ${why}`
      for (const waiting of this.queue.splice(0)) waiting.settle({ error })
      task?.settle({ error })
      this.deaths = 0
      return
    }
    this.onTrouble(`A worker ended (${why}) and was replaced; what it was trying is tried again.`)
    if (task && task.tries < TRIES_MAX) this.queue.unshift(task)
    else task?.settle({ error: `the worker ended: ${why}` })
    this.fill()
  }

  private end(place: Place): void {
    if (place.timer) clearTimeout(place.timer)
    place.worker.onmessage = null
    place.worker.onerror = null
    place.worker.terminate()
    this.places = this.places.filter((each) => each !== place)
  }
}
