import { expect, test } from 'vitest'
import {
  CONTROLS,
  STEPS,
  driveControl,
  fromStep,
  shownValue,
  toStep,
  typed,
  withValue,
} from '../../src/what-if/control'
import { CARRIED } from './fake'

const settings = CARRIED.requirements

function control(key: string) {
  const found = CONTROLS.find((each) => each.key === key)
  if (!found) throw new Error(key)
  return found
}

test('headroom comes first', () => {
  expect(CONTROLS[0]?.key).toBe('headroom')
})

test('each control reads what it wrote, at both ends of its slider too', () => {
  for (const each of CONTROLS) {
    for (const step of [0, STEPS / 2, STEPS]) {
      const value = fromStep(each, step)
      expect(value, each.key).not.toBeNull()
      const changed = withValue(each, settings, value)
      expect(shownValue(each, changed), each.key).toBeCloseTo(value ?? NaN, 6)
      expect(value).toBeGreaterThanOrEqual(each.low)
      expect(value).toBeLessThanOrEqual(each.high)
    }
    expect(fromStep(each, 0), each.key).toBe(each.low)
    expect(fromStep(each, STEPS), each.key).toBe(each.high)
  }
})

test('a slider stays where it was put', () => {
  const p99 = control('p99_read_ns')
  for (const step of [3, 50, 100, 151, 197]) {
    expect(Math.abs(toStep(p99, fromStep(p99, step)) - step)).toBeLessThanOrEqual(6)
  }
})

test('one step behind the end of a limit is no limit, and an empty field is none', () => {
  const budget = control('budget_usd')
  expect(fromStep(budget, STEPS + 1)).toBeNull()
  expect(toStep(budget, null)).toBe(STEPS + 1)
  expect(typed(budget, '  ')).toEqual({ value: null })
  expect(withValue(budget, settings, null).budget_usd).toBeNull()
})

test('a text that is no number, or beyond the ends, is said to be so', () => {
  expect(typed(control('years'), '')).toEqual({ wrong: 'Years of service: a number is needed' })
  expect(typed(control('years'), '<script>')).toEqual({ wrong: '“<script>” is no number' })
  expect(typed(control('years'), '40')).toEqual({ wrong: 'from 1 to 10 y' })
  expect(typed(control('budget_usd'), '1,200')).toEqual({ value: 1200 })
  expect(typed(control('drive_losses'), '1.6')).toEqual({ value: 2 })
})

test('units are those that a person reads', () => {
  expect(shownValue(control('p99_read_ns'), settings)).toBe(5)
  expect(shownValue(control('growth_per_year'), settings)).toBe(20)
  expect(shownValue(control('data_loss'), settings)).toBe(10_000)
  expect(withValue(control('p99_read_ns'), settings, 2.5).p99_read_ns).toBe(2.5e6)
  expect(withValue(control('data_loss'), settings, 1e6).data_loss).toBeCloseTo(1e-6, 12)
})

test('the price of one drive can be set, and unset', () => {
  const [name = ''] = Object.keys(CARRIED.drives)
  const price = driveControl(name, 'Drive', 200)
  const set = withValue(price, settings, 150)
  expect(set.prices.drives).toEqual({ [name]: 150 })
  expect(withValue(price, set, null).prices.drives).toEqual({})
  expect(settings.prices.drives).toEqual({})
})
