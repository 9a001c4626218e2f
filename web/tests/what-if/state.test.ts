import { expect, test } from 'vitest'
import {
  ONE_MOVE_MS,
  PINS_MAX,
  begun,
  changed,
  pinned,
  redone,
  undone,
  type State,
} from '../../src/what-if/state'
import { CARRIED } from './fake'

const state: State = { settings: CARRIED.requirements, picked: null, pins: [], own: [] }

function of(years: number): State {
  return { ...state, settings: { ...state.settings, years } }
}

test('undo and redo go to and fro', () => {
  let history = changed(begun(state), of(6), 'years', 0)
  history = changed(history, of(7), 'growth', 10)
  expect(undone(history).now).toEqual(of(6))
  expect(undone(undone(history)).now).toEqual(state)
  expect(redone(undone(history)).now).toEqual(of(7))
  expect(undone(begun(state)).now).toBe(state)
})

test('a slider that moves is one step, a later move another', () => {
  let history = changed(begun(state), of(6), 'years', 0)
  history = changed(history, of(7), 'years', ONE_MOVE_MS - 1)
  expect(undone(history).now).toEqual(state)
  history = changed(history, of(8), 'years', 3 * ONE_MOVE_MS)
  expect(undone(history).now).toEqual(of(7))
})

test('what was undone is gone after another change, and a change to the same is none', () => {
  const history = undone(changed(begun(state), of(6), 'years', 0))
  expect(changed(history, of(6.5), 'years', 5000).future).toEqual([])
  expect(changed(history, { ...state }, 'years', 5000)).toBe(history)
})

test('history is bounded', () => {
  let history = begun(state)
  for (let at = 0; at < 500; at += 1) history = changed(history, of(1 + at / 100), `${at}`, at)
  expect(history.past.length).toBe(200)
})

test('a pin is put on and taken off; the oldest makes way', () => {
  let now = state
  for (let at = 0; at <= PINS_MAX; at += 1) now = pinned(now, `line ${at}`)
  expect(now.pins.length).toBe(PINS_MAX)
  expect(now.pins[0]).toBe('line 1')
  expect(pinned(now, 'line 3').pins).not.toContain('line 3')
})
