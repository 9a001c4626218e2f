// The controls of the page: what each sets, in which unit a person reads it, and between which ends it slides.
// A slider has whole steps; its value is spread over them evenly, or by equal ratios where decades matter.

import * as number from '../design/number'
import type { Settings } from './document'

export interface Control {
  key: string
  label: string
  unit: string
  group: 'load' | 'limits' | 'prices'
  low: number
  high: number
  scale: 'linear' | 'log'
  /** Smallest step of the field and the slider, in the unit shown. */
  step: number
  /** What an empty field means; a control without it must have a value. */
  empty?: 'no limit' | 'derived'
  /** Of the simulator's units in one of the unit shown. */
  times: number
  hint?: string
  read(settings: Settings): number | null
  write(settings: Settings, value: number | null): Settings
}

type Plain = Exclude<keyof Settings, 'prices'>
type Rest = Omit<Control, 'key' | 'read' | 'write' | 'times' | 'scale'> &
  Partial<Pick<Control, 'times' | 'scale'>>

function plain(key: Plain, rest: Rest): Control {
  const isWhole = key.endsWith('_ns') || key.endsWith('_bytes')
  return {
    times: 1,
    scale: 'linear',
    ...rest,
    key,
    read: (settings) => settings[key],
    write: (settings, value) => ({
      ...settings,
      [key]: value !== null && isWhole ? Math.round(value) : value,
    }),
  }
}

function ofPrices(key: 'flash_times' | 'disk_times' | 'rent_times' | 'usd_per_kwh', rest: Rest): Control {
  return {
    times: 1,
    scale: 'linear',
    ...rest,
    key,
    read: (settings) => settings.prices[key],
    write: (settings, value) => ({ ...settings, prices: { ...settings.prices, [key]: value } }),
  }
}

const MS = 1e6
const GB = 1e9

export const CONTROLS: Control[] = [
  plain('headroom', {
    label: 'Headroom required',
    unit: '× peak',
    group: 'load',
    low: 1,
    high: 32,
    step: 0.1,
    scale: 'log',
    empty: 'derived',
    hint: 'How many times the measured peak a design must carry before it falls behind. Empty: derived from growth.',
  }),
  plain('growth_per_year', {
    label: 'Growth',
    unit: '%/y',
    group: 'load',
    low: 0,
    high: 200,
    step: 1,
    times: 0.01,
  }),
  plain('years', { label: 'Years of service', unit: 'y', group: 'load', low: 1, high: 10, step: 0.5 }),
  plain('peak_times', {
    label: 'Peak',
    unit: '×',
    group: 'load',
    low: 0.25,
    high: 8,
    step: 0.05,
    scale: 'log',
    hint: 'The recorded peak so many times as heavy: each design is tried again under it.',
  }),
  plain('hours_per_day', {
    label: 'Hours a day like the log',
    unit: 'h',
    group: 'load',
    low: 1,
    high: 24,
    step: 0.5,
  }),
  plain('capacity_bytes', {
    label: 'Usable capacity',
    unit: 'GB',
    group: 'load',
    low: 1,
    high: 100_000,
    step: 1,
    scale: 'log',
    times: GB,
    empty: 'derived',
    hint: 'Bytes that a design must offer. Empty: derived from the data and growth. What is played keeps the addresses that the plan spread over its own capacity: on disks, more data than that would make seeks longer than is shown.',
  }),
  plain('p99_read_ns', {
    label: 'p99 of reads, at most',
    unit: 'ms',
    group: 'limits',
    low: 0.05,
    high: 100,
    step: 0.01,
    scale: 'log',
    times: MS,
    empty: 'no limit',
  }),
  plain('p99_write_ns', {
    label: 'p99 of writes, at most',
    unit: 'ms',
    group: 'limits',
    low: 0.05,
    high: 100,
    step: 0.01,
    scale: 'log',
    times: MS,
    empty: 'no limit',
  }),
  plain('budget_usd', {
    label: 'Budget',
    unit: 'USD',
    group: 'limits',
    low: 50,
    high: 200_000,
    step: 1,
    scale: 'log',
    empty: 'no limit',
    hint: 'Most that a design may cost over the years of service.',
  }),
  plain('power_w_max', {
    label: 'Power, at most',
    unit: 'W',
    group: 'limits',
    low: 2,
    high: 1000,
    step: 1,
    scale: 'log',
    empty: 'no limit',
  }),
  plain('drive_losses', {
    label: 'Drive failures tolerated',
    unit: 'drives',
    group: 'limits',
    low: 0,
    high: 3,
    step: 1,
  }),
  {
    key: 'data_loss',
    label: 'Data loss, at most 1 in',
    unit: '',
    group: 'limits',
    low: 10,
    high: 1e9,
    step: 1,
    scale: 'log',
    times: 1,
    hint: 'The chance of losing data within the years of service, by drives that fail.',
    read: (settings) => 1 / settings.data_loss,
    write: (settings, value) => ({ ...settings, data_loss: 1 / (value ?? 10_000) }),
  },
  plain('scrub_days', {
    label: 'Scrub every',
    unit: 'days',
    group: 'limits',
    low: 1,
    high: 180,
    step: 1,
    scale: 'log',
    hint: 'How often every drive is read whole, which finds what can no longer be read.',
  }),
  ofPrices('flash_times', {
    label: 'Price of flash',
    unit: '×',
    group: 'prices',
    low: 0.2,
    high: 5,
    step: 0.05,
    scale: 'log',
  }),
  ofPrices('disk_times', {
    label: 'Price of disks',
    unit: '×',
    group: 'prices',
    low: 0.2,
    high: 5,
    step: 0.05,
    scale: 'log',
  }),
  ofPrices('rent_times', {
    label: 'Price of rents',
    unit: '×',
    group: 'prices',
    low: 0.2,
    high: 5,
    step: 0.05,
    scale: 'log',
    hint: 'A discount by contract, or another region.',
  }),
  ofPrices('usd_per_kwh', {
    label: 'Electricity',
    unit: 'USD/kWh',
    group: 'prices',
    low: 0.02,
    high: 1,
    step: 0.01,
    scale: 'log',
    empty: 'derived',
    hint: 'Empty: as in the plan.',
  }),
]

/** The control of one drive's price, between a quarter and four times what the plan has. */
export function driveControl(name: string, title: string, price_usd: number): Control {
  return {
    key: `drive:${name}`,
    label: `Price of ${title}`,
    unit: 'USD',
    group: 'prices',
    low: Math.max(1, Math.round(price_usd / 4)),
    high: Math.max(4, Math.round(price_usd * 4)),
    step: 1,
    scale: 'log',
    times: 1,
    empty: 'derived',
    hint: 'Empty: as in the plan.',
    read: (settings) => settings.prices.drives[name] ?? null,
    write: (settings, value) => {
      const drives = Object.fromEntries(
        Object.entries(settings.prices.drives).filter(([drive]) => drive !== name),
      )
      if (value !== null) drives[name] = value
      return { ...settings, prices: { ...settings.prices, drives } }
    },
  }
}

export const STEPS = 200

/** The value that a control shows, in its unit, without the dust of binary fractions. */
export function shownValue(control: Control, settings: Settings): number | null {
  const value = control.read(settings)
  return value === null ? null : Number((value / control.times).toPrecision(6))
}

export function withValue(control: Control, settings: Settings, shown: number | null): Settings {
  return control.write(settings, shown === null ? null : Number((shown * control.times).toPrecision(12)))
}

/** Where a value is on the slider, from 0 to `STEPS`; "no limit" is one further. */
export function toStep(control: Control, shown: number | null): number {
  if (shown === null) return control.empty === 'no limit' ? STEPS + 1 : 0
  const { low, high, scale } = control
  const share = scale === 'log' ? Math.log(shown / low) / Math.log(high / low) : (shown - low) / (high - low)
  return Math.min(STEPS, Math.max(0, Math.round(share * STEPS))) || 0
}

export function fromStep(control: Control, at: number): number | null {
  if (at > STEPS) return null
  const { low, high, scale, step } = control
  const share = at / STEPS
  const value = scale === 'log' ? low * (high / low) ** share : low + share * (high - low)
  const rounded = Math.round(value / step) * step
  const few =
    scale === 'log' && rounded > 100 * step ? Number(rounded.toPrecision(2)) : Number(rounded.toPrecision(10))
  return Math.min(high, Math.max(low, few))
}

/** What a person typed: a value, none, or why it is neither. */
export function typed(control: Control, text: string): { value: number | null } | { wrong: string } {
  const bare = text.trim().replaceAll(',', '').replaceAll(' ', '')
  if (bare === '') return control.empty ? { value: null } : { wrong: `${control.label}: a number is needed` }
  const value = Number(bare)
  if (!Number.isFinite(value)) return { wrong: `“${text.trim().slice(0, 20)}” is no number` }
  if (value < control.low || value > control.high) {
    return {
      wrong:
        `from ${number.significant(control.low)} to ${number.significant(control.high)} ${control.unit}`.trim(),
    }
  }
  return { value: control.step === 1 && control.scale === 'linear' ? Math.round(value) : value }
}
