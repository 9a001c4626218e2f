import { describe, expect, test } from 'vitest'
import { drawn, isWhole, keyed, moved, within, zoomed } from '../../src/serve/window'

const WHOLE = { from: 0, to: 100 }

describe('window of time', () => {
  test('is moved up to the ends and keeps its length', () => {
    expect(moved({ from: 10, to: 30 }, -50, WHOLE)).toEqual({ from: 0, to: 20 })
    expect(moved({ from: 10, to: 30 }, 500, WHOLE)).toEqual({ from: 80, to: 100 })
  })
  test('zooms with the moment under the pointer in place', () => {
    const near = zoomed({ from: 20, to: 60 }, 30, 0.5, WHOLE)
    expect(near).toEqual({ from: 25, to: 45 })
    expect(zoomed(near, 30, 2, WHOLE)).toEqual({ from: 20, to: 60 })
    expect(zoomed({ from: 20, to: 60 }, 30, 100, WHOLE)).toEqual(WHOLE)
  })
  test('never becomes so short that it has no ends', () => {
    let window = WHOLE
    for (let times = 0; times < 200; times++) window = zoomed(window, 50, 0.5, WHOLE)
    expect(window.to - window.from).toBeCloseTo(1e-4)
  })
  test('is drawn out in either direction, and only within the whole', () => {
    expect(drawn(70, 20, WHOLE)).toEqual({ from: 20, to: 70 })
    expect(drawn(-5, 300, WHOLE)).toEqual(WHOLE)
  })
  test('answers keys, and leaves others to the page', () => {
    const window = { from: 40, to: 60 }
    expect(keyed('ArrowLeft', window, WHOLE)).toEqual({ from: 38, to: 58 })
    expect(keyed('+', window, WHOLE)).toEqual({ from: 45, to: 55 })
    expect(keyed('End', window, WHOLE)).toEqual({ from: 80, to: 100 })
    expect(keyed('Escape', window, WHOLE)).toEqual(WHOLE)
    expect(keyed('Tab', window, WHOLE)).toBeNull()
  })
  test('knows whether it is all', () => {
    expect(isWhole(within({ from: -1, to: 101 }, WHOLE), WHOLE)).toBe(true)
    expect(isWhole({ from: 0, to: 99 }, WHOLE)).toBe(false)
  })
})
