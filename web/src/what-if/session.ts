// One person's what-if: the state with its history, the judgement of every design under it, and what was tried out.
//
// A change is judged at once, in the next frame, by the simulator's instance of this thread. Designs whose state is
// then unknown are tried out by the pool, cheapest first; each result is added to the instance, and all are judged
// again. The answer under the plan's own settings stays, to say what it was.

import type { Core } from '../wasm'
import { CoreError } from '../wasm'
import { cacheOf } from './cache_parts'
import type { Carried, Design, Judged, Parts, Settings, Tried, Verdict } from './document'
import type { Pool } from './pool'
import { formOf, rentedOf } from './rented_parts'
import * as states from './state'
import type { State } from './state'

/** Runs a function in the next frame; tests run it at once. */
export type Schedule = (run: () => void) => void

export interface Progress {
  done: number
  of: number
}

export interface Notice {
  text: string
  isError: boolean
}

/** From the last change to the first try-out: who still drags a slider wants no run of each step. */
export const PAUSE_MS = 350

/** Each round may show further designs that might be cheaper; after so many, the person says whether to go on. */
const ROUNDS = 4

export class Session {
  history: states.History
  judged: Judged
  readonly baseline: Judged
  progress: Progress | null = null
  notice: Notice | null = null
  /** Whether designs are tried out by themselves; cancelling turns it off until the person asks again. */
  isTrying = true
  private readonly made = new Map<number, Design>()
  private readonly attempted = new Map<string, string>()
  private readonly listeners = new Set<() => void>()
  private isDue = false
  /** What was said before the person's last change: of errors, a judgement that succeeds takes back this one alone. */
  private saidBefore: Notice | null = null
  private pause: ReturnType<typeof setTimeout> | null = null
  /** Rounds that may yet begin by themselves under these settings. */
  private rounds = ROUNDS
  /** Of a try-out of many: a later one makes an earlier one's rest void. */
  private latest = 0

  constructor(
    readonly carried: Carried,
    readonly core: Core,
    readonly pool: Pool | null,
    private readonly schedule: Schedule = (run) => requestAnimationFrame(run),
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.baseline = this.judge(carried.requirements)
    this.judged = this.baseline
    this.history = states.begun({ settings: carried.requirements, picked: null, pins: [], own: [] })
    if (pool) {
      pool.onTrouble = (text) => {
        this.say(text, false)
      }
    }
    this.afterJudging()
  }

  get state(): State {
    return this.history.now
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Whether designs are tried out, or are about to be. */
  get isBusy(): boolean {
    return this.progress !== null || this.pause !== null
  }

  private tellAll(): void {
    for (const listener of this.listeners) listener()
  }

  say(text: string | null, isError = true): void {
    this.notice = text === null ? null : { text, isError }
    this.tellAll()
  }

  /** Changes the state; changes `of` one thing that follow closely are one step of undo. */
  change(next: State, of: string): void {
    this.move(states.changed(this.history, next, of, this.clock()))
  }

  set(settings: Settings, of: string): void {
    this.change({ ...this.state, settings }, of)
  }

  undo(): void {
    this.move(states.undone(this.history))
  }

  redo(): void {
    this.move(states.redone(this.history))
  }

  private move(history: states.History): void {
    if (history === this.history) return
    const settings = this.state.settings
    this.history = history
    if (JSON.stringify(settings) !== JSON.stringify(this.state.settings)) {
      this.rounds = ROUNDS
      this.pool?.dropWaiting() // they were to be tried under the settings before
      this.saidBefore = this.notice
      this.judgeSoon()
    }
    this.tryOwn()
    this.tellAll()
  }

  private judgeSoon(): void {
    if (this.isDue) return
    this.isDue = true
    this.schedule(() => {
      this.isDue = false
      this.judgeNow()
    })
  }

  private judgeNow(): void {
    try {
      this.judged = this.judge(this.state.settings)
      if (this.notice?.isError && this.notice === this.saidBefore) this.notice = null
    } catch (error) {
      if (!(error instanceof CoreError)) throw error
      this.notice = { text: `${error.message}. What is shown is of the settings before.`, isError: true }
    }
    this.afterJudging()
    this.tellAll()
  }

  private judge(settings: Settings): Judged {
    const judged = this.core.call({ call: 'judge', settings }) as Judged
    for (const { index, design } of judged.proposed ?? []) this.made.set(index, design)
    return judged
  }

  /** The design of an index, carried or made here. */
  design(index: number): Design | undefined {
    const { designs, space } = this.carried
    return this.made.get(index) ?? designs[index] ?? space[index - designs.length]
  }

  verdict(line: string | null): Verdict | undefined {
    return this.judged.designs.find((verdict) => verdict.line === line)
  }

  /** The cheapest that fits; none where nothing does. */
  get cheapest(): Verdict | undefined {
    return first(this.judged)
  }

  get unknown(): Verdict[] {
    return this.judged.designs
      .filter((verdict) => verdict.state === 'unknown' && !this.isLeftOut(verdict))
      .sort((a, b) => leastUsd(a) - leastUsd(b))
  }

  /** Under its own settings the plan searched already: what it left untried, it ruled out by bounds of its own. */
  private isLeftOut({ index }: Verdict): boolean {
    if (index < this.carried.designs.length) return false
    return JSON.stringify(this.state.settings) === JSON.stringify(this.carried.requirements)
  }

  /** Those that are unknown and were not yet tried under these settings; then those whose latency at this peak is. */
  private get due(): Verdict[] {
    const under = JSON.stringify(this.judged.settings)
    const { peak_times: asked } = this.judged.settings
    const late = this.judged.designs.filter((each) => each.state === 'fits' && each.p99_times !== asked)
    return [...this.unknown, ...late].filter((verdict) => this.attempted.get(verdict.line) !== under)
  }

  private afterJudging(): void {
    if (this.pause) clearTimeout(this.pause)
    this.pause = null
    if (!this.pool || !this.isTrying || this.rounds <= 0 || this.progress || !this.due.length) return
    this.pause = setTimeout(() => {
      this.pause = null
      this.rounds -= 1
      void this.round()
    }, PAUSE_MS)
  }

  /** Tries out what is unknown because the person says so, with as many rounds to follow as after a change. */
  async tryOut(): Promise<void> {
    this.isTrying = true
    this.rounds = ROUNDS
    await this.round()
  }

  /** Tries out all that is unknown now, cheapest first. */
  private async round(): Promise<void> {
    const { pool } = this
    if (!pool) return
    const round = (this.latest += 1)
    const due = this.due
    const settings = this.judged.settings
    const under = JSON.stringify(settings)
    this.progress = { done: 0, of: due.length }
    this.tellAll()
    await Promise.all(
      due.map(async ({ index, line }) => {
        const decided = () => {
          if (this.progress && round === this.latest && this.attempted.get(line) !== under)
            this.progress.done += 1
          this.attempted.set(line, under)
        }
        const request = { call: 'try_out', ...this.named(index), settings }
        const outcome = await pool.run(request, false, (found) => {
          decided()
          this.add(found as Tried)
        })
        if ('cancelled' in outcome) return
        decided()
        if ('error' in outcome) this.say(`${line}: ${outcome.error}`)
        else this.add(outcome.ok as Tried)
      }),
    )
    if (round !== this.latest) return
    this.progress = null
    this.afterJudging()
    this.tellAll()
  }

  /** A design as every worker knows it: what was made here, only this thread has a place for. */
  private named(index: number): { index: number } | { design: object } {
    const made = this.made.get(index)
    const parts =
      made && index >= this.carried.designs.length + this.carried.space.length ? partsOf(made) : null
    return parts ? { design: asked(parts) } : { index }
  }

  private add(tried: Tried): number {
    const { index } = this.core.call({ call: 'add', tried }) as { index: number }
    if (tried.design) this.made.set(index, tried.design)
    this.judgeSoon()
    return index
  }

  /** Stops trying out; what was found stays. */
  cancel(): void {
    this.isTrying = false
    if (this.pause) clearTimeout(this.pause)
    this.pause = null
    this.latest += 1
    this.progress = null
    this.pool?.cancel()
    this.tellAll()
  }

  /** Plays a design of the editor; its line, or nothing if it could not be, or the signal came. */
  async play(parts: Parts, signal?: AbortSignal): Promise<string | null> {
    const known = this.verdict(this.lineOf(parts))
    if (known && known.state !== 'unknown' && !known.rest_is_open) return known.line
    if (!this.pool) {
      this.say(`No further design can be tried out in this report: ${this.obstacle}.`)
      return null
    }
    const index = this.indexOf(parts)
    const what = index === undefined ? { design: asked(parts) } : this.named(index)
    const request = { call: 'try_out', ...what, settings: this.judged.settings }
    return new Promise((settle) => {
      const took = (tried: Tried) => {
        const line = this.design(this.add(tried))?.line ?? null
        if (line !== null) this.attempted.set(line, JSON.stringify(request.settings))
        this.judgeNow()
        settle(line)
      }
      void this.pool
        ?.run(
          request,
          true,
          (found) => {
            took(found as Tried)
          },
          signal,
        )
        .then((outcome) => {
          if ('ok' in outcome) took(outcome.ok as Tried)
          else if ('error' in outcome) this.say(outcome.error)
          settle(null)
        })
    })
  }

  /** Tries out the editor's designs that a link or a file brought along. */
  private tryOwn(): void {
    for (const parts of this.pool ? this.state.own : []) if (!this.lineOf(parts)) void this.play(parts)
  }

  /** Why designs cannot be tried out, where they cannot. */
  get obstacle(): string {
    return this.carried.only_ranks ?? 'it carries no recording'
  }

  private indexOf(parts: Parts): number | undefined {
    const at = [...this.carried.designs, ...this.carried.space].findIndex((design) => isOf(design, parts))
    return at < 0 ? [...this.made].find(([, design]) => isOf(design, parts))?.[0] : at
  }

  lineOf(parts: Parts): string | null {
    const index = this.indexOf(parts)
    return index === undefined ? null : (this.design(index)?.line ?? null)
  }
}

/** What a design costs, or at least costs where it was not tried. */
export function leastUsd({ total_usd: { value, low } }: Verdict): number {
  return value ?? low ?? Infinity
}

export function first(judged: Judged): Verdict | undefined {
  const index = judged.order[0]?.index
  return judged.designs.find((verdict) => verdict.index === index)
}

export function partsOf(design: Design): Parts | null {
  const { drive, level, count, groups, spares, partition } = design
  if (drive === null || count === null) return null
  const parts = { drive, level, count, groups: groups ?? 1, spares, partition: partition ?? 1 }
  const rented = rentedOf(design)
  if (rented) return { ...parts, rented }
  const cache = cacheOf(design)
  return cache ? { ...parts, cache } : parts
}

/** Its line is the simulator's to write. */
function asked({ cache, ...parts }: Parts): object {
  const own = { line: '', ...parts, level: parts.level ?? 'single' }
  if (!cache) return own
  const { policy, mode, options, size_bytes, ...front } = cache
  return { ...own, cached: { cache: asked(front), policy, mode, options, size_bytes } }
}

function isOf(design: Design, parts: Parts): boolean {
  const own = partsOf(design)
  return own !== null && form(own) === form(parts)
}

/** Parts as one text: groups count only where the level leaves them open. */
function form({ drive, level, count, groups, spares, partition, rented, cache }: Parts): string {
  const name = level ?? 'single'
  const pairs = (count - spares) / 2
  const isOpen = name === 'raid50' || name === 'raid60'
  const isOfCopies = name === 'raid10' && groups > 1 && groups !== pairs
  const what = rented ? formOf(rented) : drive
  const own = JSON.stringify([what, name, count, isOpen || isOfCopies ? groups : 0, spares, partition])
  if (!cache) return own
  const { policy, mode, options, size_bytes, ...front } = cache
  return JSON.stringify([own, form(front), policy, mode, options, size_bytes])
}
