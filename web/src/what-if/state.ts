// What a person has set and picked, and the way back. A state is a value: undo keeps earlier ones, a link holds one.

import type { Parts, Settings } from './document'

export interface State {
  settings: Settings
  /** The design looked at, by its line; none: the cheapest that fits. */
  picked: string | null
  /** Lines of designs side by side; what runs today is always with them. */
  pins: string[]
  /** Designs made in the editor, which no plan has. */
  own: Parts[]
}

export const PINS_MAX = 6
export const OWN_MAX = 40
const HISTORY_MAX = 200

/** A slider passes many values: those that follow each other this closely are one step back. */
export const ONE_MOVE_MS = 900

export interface History {
  past: State[]
  now: State
  future: State[]
  /** What the last change was of, and when. */
  last: { of: string; at_ms: number } | null
}

export function begun(state: State): History {
  return { past: [], now: state, future: [], last: null }
}

/** The history after a change; `of` names what it is a change of. */
export function changed(history: History, now: State, of: string, at_ms: number): History {
  if (JSON.stringify(now) === JSON.stringify(history.now)) return history
  const { last } = history
  const isSameMove = last !== null && last.of === of && at_ms - last.at_ms < ONE_MOVE_MS
  const past = isSameMove ? history.past : [...history.past, history.now].slice(-HISTORY_MAX)
  return { past, now, future: [], last: { of, at_ms } }
}

export function undone(history: History): History {
  const before = history.past.at(-1)
  if (!before) return history
  return {
    past: history.past.slice(0, -1),
    now: before,
    future: [history.now, ...history.future],
    last: null,
  }
}

export function redone(history: History): History {
  const [next, ...future] = history.future
  if (!next) return history
  return { past: [...history.past, history.now], now: next, future, last: null }
}

/** Pins a design, or takes its pin off. */
export function pinned(state: State, line: string): State {
  if (state.pins.includes(line)) return { ...state, pins: state.pins.filter((pin) => pin !== line) }
  return { ...state, pins: [...state.pins, line].slice(-PINS_MAX) }
}
