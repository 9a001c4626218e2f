// One edit of a design: a drag, or presses of keys that follow each other closely.
//
// While it lasts, the parts are its own, and a design whose verdict is known shows its figures at once. Once the parts have
// rested, an untried design is played in a worker; parts that move on cancel what is played. The edit goes into the history
// when it has ended and its design is known: so a whole drag is one step of undo. Afterwards it stays as what the figures are
// compared with, until somebody looks at another design.

import type { Parts, Verdict } from './document'
import { fitted } from './parts'
import type { Session } from './session'
import { ONE_MOVE_MS, OWN_MAX } from './state'

/** From the last move to the first run: who still drags wants no run of each step. */
export const REST_MS = 150

export interface Edit {
  /** The design where it began. */
  from: string
  /** The parts where the pointer took hold: what a rail passes over leaves no trace. */
  base: Parts
  parts: Parts
  /** The design looked at meanwhile: where it is another, the edit is over. */
  seen: string
  isHeld: boolean
  isPlaying: boolean
  /** Its name in the history. */
  of: string
}

export class Editing {
  private edit: Edit | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private run: AbortController | null = null
  private ended_ms = -Infinity
  private id = 0
  /** Whether the pointer that is still down was given up: it moves nothing until it is lifted. */
  private isGivenUp = false

  constructor(
    private readonly session: Session,
    private readonly tell: () => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** The edit of the design looked at. */
  of(line: string): Edit | null {
    return this.edit?.seen === line ? this.edit : null
  }

  /** The verdict of the parts, as far as there is one; the life of a cached design may be to come. */
  known(parts: Parts): Verdict | undefined {
    const verdict = this.session.verdict(this.session.lineOf(parts))
    return verdict?.state === 'unknown' && !verdict.life_is_open ? undefined : verdict
  }

  /** A pointer takes hold: an edit begins. */
  hold(line: string, parts: Parts): void {
    this.stop()
    this.isGivenUp = false
    this.edit = { ...this.begun(line, parts), isHeld: true }
    this.tell()
  }

  /** The parts become these. */
  to(line: string, own: Parts, next: Parts): void {
    if (this.isGivenUp) return
    const parts = fitted(next)
    const goesOn = this.of(line) && (this.isBusy || this.clock() - this.ended_ms < ONE_MOVE_MS)
    const edit = (goesOn ? this.edit : null) ?? this.begun(line, own)
    this.edit = edit
    if (JSON.stringify(parts) === JSON.stringify(edit.parts)) return
    this.stop()
    edit.parts = parts
    this.timer = setTimeout(() => {
      this.timer = null
      void this.rested(edit)
    }, REST_MS)
    this.tell()
  }

  /** The pointer lets go. */
  release(): void {
    this.isGivenUp = false
    const { edit } = this
    if (!edit?.isHeld) return
    edit.isHeld = false
    if (!this.timer && !this.run) void this.rested(edit)
    else this.tell()
  }

  /** The pointer was taken away, or Escape pressed: as before. */
  revert(): void {
    this.stop()
    this.isGivenUp = this.edit?.isHeld ?? false
    this.edit = null
    this.tell()
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.run?.abort()
    this.run = null
    if (this.edit) this.edit.isPlaying = false
  }

  private get isBusy(): boolean {
    return this.edit !== null && (this.edit.isHeld || this.timer !== null || this.run !== null)
  }

  private begun(line: string, parts: Parts): Edit {
    this.id += 1
    const of = `edit ${this.id}`
    return { from: line, base: parts, parts, seen: line, isHeld: false, isPlaying: false, of }
  }

  private async rested(edit: Edit): Promise<void> {
    const known = this.known(edit.parts)
    let line = known && !known.life_is_open && !known.rest_is_open ? known.line : null
    if (line === null) {
      const run = new AbortController()
      this.run = run
      edit.isPlaying = true
      this.tell()
      line = await this.session.play(edit.parts, run.signal)
      if (this.run !== run) return // the parts have moved on
      this.run = null
      edit.isPlaying = false
    }
    if (line !== null && !edit.isHeld) this.end(edit, line)
    this.tell()
  }

  private end(edit: Edit, line: string): void {
    const { session } = this
    this.ended_ms = this.clock()
    const before = edit.seen
    edit.seen = line
    if (line === before) return
    const { own } = session.state
    const isOfPlan = session.carried.designs.some((design) => design.line === line)
    const text = JSON.stringify(edit.parts)
    const others = own.filter((each) => JSON.stringify(each) !== text)
    const next = isOfPlan ? own : [...others, edit.parts].slice(-OWN_MAX)
    session.change({ ...session.state, picked: line, own: next }, edit.of)
  }
}
