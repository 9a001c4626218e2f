import { expect, test } from 'vitest'
import * as number from '../../src/design/number'

test('a quantity reads as in the printed report', () => {
  expect(number.money(1187.4)).toBe('$1,187')
  expect(number.money(9.96)).toBe('$10')
  expect(number.money(412)).toBe('$412')
  expect(number.money(45_678.9)).toBe('$45,680')
  expect(number.money(56.78)).toBe('$57')
  expect(number.latency(310_000)).toBe('0.31 ms')
  expect(number.latency(48_200_000)).toBe('48 ms')
  expect(number.latency(12e9)).toBe('12 s')
  expect(number.size(480e9)).toBe('480 GB')
  expect(number.size(999_999)).toBe('1 MB')
  expect(number.years(11.2)).toBe('11 y')
  expect(number.years(70)).toBe('> 50 y')
  expect(number.headroom(80)).toBe('> 64×')
  expect(number.headroom(2.16)).toBe('2.2×')
  expect(number.probability(0.00001204)).toBe('1 in 83,000')
  expect(number.probability(0.02)).toBe('2 %')
})

test('bounds share a unit; what is unknown is a dash', () => {
  expect(number.span(number.latency, 290_000, 350_000)).toBe('0.29–0.35 ms')
  expect(number.span(number.years, 32, 80)).toBe('> 32 y')
  expect(number.span(number.multiple, 2, 3)).toBe('2–3×')
  expect(number.span(number.money, 1000, 1000.1)).toBe('$1,000')
  expect(number.span(number.years, 1, null)).toBe('–')
  expect(number.power(undefined)).toBe('–')
})
