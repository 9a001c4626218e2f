import { expect, test } from 'vitest'
import { logTicks, steps } from '../../src/what-if/front'

test('the line of the front only goes right and down', () => {
  const points = [
    { x: 30, y: 50 },
    { x: 10, y: 20 },
    { x: 20, y: 40 },
    { x: 25, y: 30 },
  ]
  expect(steps(points)).toBe('M10.0 20.0H20.0V40.0H30.0V50.0')
  expect(steps([])).toBe('')
})

test('ticks are few and round', () => {
  expect(logTicks(150, 2500, 6)).toEqual([200, 500, 1000, 2000])
  expect(logTicks(0.001, 10_000, 4)).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000])
})
