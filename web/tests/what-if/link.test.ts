import { expect, test } from 'vitest'
import type { Carried } from '../../src/what-if/document'
import {
  LinkError,
  VERSION,
  fromFile,
  fromFragment,
  planOf,
  toFile,
  toFragment,
} from '../../src/what-if/link'
import type { State } from '../../src/what-if/state'
import { CARRIED } from './fake'

const [drive = ''] = Object.keys(CARRIED.drives)
const state: State = {
  settings: {
    ...CARRIED.requirements,
    headroom: 6,
    budget_usd: 1200,
    prices: { ...CARRIED.requirements.prices, drives: { [drive]: 99 } },
  },
  picked: CARRIED.designs[3]?.line ?? null,
  pins: [CARRIED.designs[1]?.line ?? ''],
  own: [{ drive, level: 'raid10', count: 6, groups: 3, spares: 0, partition: 0.8 }],
}

function edited(edit: (file: { state: State } & Record<string, unknown>) => void): string {
  const file = JSON.parse(toFile(state, CARRIED)) as { state: State }
  edit(file)
  return JSON.stringify(file)
}

test('a link and a file give back the state', () => {
  expect(fromFragment(toFragment(state, CARRIED), CARRIED)).toEqual(state)
  expect(fromFile(toFile(state, CARRIED), CARRIED)).toEqual(state)
})

test('other fragments are no links', () => {
  expect(fromFragment('', CARRIED)).toBeNull()
  expect(fromFragment('#workload', CARRIED)).toBeNull()
})

test.each([
  ['a cut link', () => fromFragment(toFragment(state, CARRIED).slice(0, 60), CARRIED), 'JSON'],
  ['letters that are none of a link', () => fromFragment('#what-if=%%%', CARRIED), 'damaged'],
  ['text', () => fromFile('hello', CARRIED), 'not JSON'],
  ['another JSON', () => fromFile('{"a": 1}', CARRIED), 'does not say so'],
  ['null', () => fromFile('null', CARRIED), 'does not say so'],
  [
    'another version',
    () =>
      fromFile(
        edited((file) => (file['drivecast_what_if'] = VERSION + 1)),
        CARRIED,
      ),
    'another version',
  ],
  ['another plan', () => fromFile(toFile(state, CARRIED), { ...CARRIED, seed: 77 }), 'another plan'],
  [
    'no settings',
    () =>
      fromFile(
        edited((file) => (file.state = null as never)),
        CARRIED,
      ),
    '`state`',
  ],
  [
    'a text for a number',
    () =>
      fromFile(
        edited((file) => (file.state.settings.years = '5' as never)),
        CARRIED,
      ),
    '`years`',
  ],
  [
    'a value beyond the ends',
    () =>
      fromFile(
        edited((file) => (file.state.settings.years = 1e9)),
        CARRIED,
      ),
    '`years`',
  ],
  [
    'a price below nothing',
    () =>
      fromFile(
        edited((file) => (file.state.settings.prices.drives[drive] = -1)),
        CARRIED,
      ),
    'prices',
  ],
  [
    'a drive of no plan',
    () =>
      fromFile(
        edited((file) => (file.state.settings.prices.drives = { x: 1 })),
        CARRIED,
      ),
    'prices.drives.x',
  ],
  [
    'a drive named like a part of the language',
    () =>
      fromFile(
        edited((file) => (file.state.own = [{ ...state.own[0], drive: 'constructor' } as never])),
        CARRIED,
      ),
    'own.drive',
  ],
  [
    'pins that are none',
    () =>
      fromFile(
        edited((file) => (file.state.pins = [5] as never)),
        CARRIED,
      ),
    '`pins`',
  ],
  [
    'too many pins',
    () =>
      fromFile(
        edited((file) => (file.state.pins = Array.from({ length: 99 }, String))),
        CARRIED,
      ),
    '`pins`',
  ],
  [
    'an array of 9,999 drives',
    () =>
      fromFile(
        edited((file) => (file.state.own = [{ ...state.own[0], count: 9999 } as never])),
        CARRIED,
      ),
    'own.count',
  ],
])('%s is refused with a sentence', (_, open, words) => {
  expect(open).toThrow(LinkError)
  expect(open).toThrow(words)
})

test('a state carries nothing that was not checked', () => {
  const file = edited((each) => {
    Object.assign(each.state.settings, { more: '<script>' })
    each.state.settings.endurance_tolerance = 99
  })
  const found = fromFile(file, CARRIED)
  expect(found.settings).toEqual(state.settings)
})

test('plans are told apart', () => {
  const other: Carried = { ...CARRIED, requirements: { ...CARRIED.requirements, years: 4 } }
  expect(planOf(other)).not.toBe(planOf(CARRIED))
  expect(planOf(CARRIED)).toMatch(/^[0-9a-f]{16}$/)
})

test('requirements of a plan beyond the sliders come back', () => {
  const plan: Carried = { ...CARRIED, requirements: { ...CARRIED.requirements, years: 25 } }
  expect(fromFile(toFile({ ...state, settings: plan.requirements }, plan), plan).settings.years).toBe(25)
})
