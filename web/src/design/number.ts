// Quantities as text, the same as `drivecast.quantity.number` writes in the report and in the terminal. Every
// function takes a number in the unit of its argument's name, or nothing, and gives text with its unit.

export type Text = (value: number | null | undefined) => string

export const ABSENT = '–'
const YEARS_MAX = 50
const HEADROOM_MAX = 64
const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

const formats = new Map<string, Intl.NumberFormat>()

/** A number with commas between thousands, and from `least` to `most` decimals. A format costs far more to make than to use. */
export function grouped(value: number, least: number, most: number): string {
  const key = `${least} ${most}`
  let format = formats.get(key)
  if (!format) {
    const options = { minimumFractionDigits: least, maximumFractionDigits: most, roundingMode: 'halfEven' }
    format = new Intl.NumberFormat('en-US', options as Intl.NumberFormatOptions)
    formats.set(key, format)
  }
  return format.format(value)
}

/** Rounds half to even where a number is exactly between two, as Python's formats do. */
export function significant(value: number | null | undefined, digits = 3, zeros = false): string {
  if (value === null || value === undefined || Number.isNaN(value)) return ABSENT
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const rounded = Number(value.toExponential(digits - 1))
  const exponent = rounded === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1])
  const decimals = Math.min(100, Math.max(0, digits - 1 - exponent))
  return grouped(rounded, zeros ? decimals : 0, decimals)
}

export function size(value_bytes: number | null | undefined): string {
  if (value_bytes === null || value_bytes === undefined || !Number.isFinite(value_bytes))
    return significant(value_bytes)
  let value = value_bytes
  let index = 0
  while (Math.abs(Number(value.toExponential(2))) >= 1000 && index < DECIMAL.length - 1) {
    value /= 1000
    index += 1
  }
  return `${significant(value)} ${DECIMAL[index] ?? 'B'}`
}

export function milliseconds(latency_ns: number | null | undefined): string {
  if (latency_ns === null || latency_ns === undefined) return ABSENT
  const value = latency_ns / 1e6
  return significant(value, value < 100 ? 2 : 3, value < 1)
}

export function latency(latency_ns: number | null | undefined): string {
  if (latency_ns === null || latency_ns === undefined || !Number.isFinite(latency_ns))
    return significant(latency_ns)
  return latency_ns >= 1e10 ? `${significant(latency_ns / 1e9)} s` : `${milliseconds(latency_ns)} ms`
}

export function multiple(value: number | null | undefined): string {
  const text = significant(value, 2)
  return text === ABSENT ? text : `${text}×`
}

export function headroom(times: number | null | undefined): string {
  return typeof times === 'number' && times >= HEADROOM_MAX ? `> ${HEADROOM_MAX}×` : multiple(times)
}

export function percent(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return significant(fraction)
  return `${significant(fraction * 100, 2)} %`
}

export function money(amount: number | null | undefined): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return significant(amount)
  const four = Number(amount.toExponential(Math.abs(amount) < 10 ? 1 : 3))
  if (Math.abs(amount) < 10) return `$${significant(four, 2)}`
  return `$${grouped(four, 0, 0)}`
}

export function power(value_w: number | null | undefined): string {
  const text = significant(value_w, 2)
  return text === ABSENT ? text : `${text} W`
}

export function years(value_years: number | null | undefined): string {
  if (value_years === null || value_years === undefined || Number.isNaN(value_years)) return ABSENT
  return value_years > YEARS_MAX ? `> ${YEARS_MAX} y` : `${significant(value_years, 2)} y`
}

export function probability(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return significant(fraction)
  if (fraction <= 0) return '0'
  if (fraction >= 0.01) return percent(fraction)
  return fraction < 1e-12 ? 'under 1 in 1e12' : `1 in ${significant(1 / fraction, 2)}`
}

/** Two bounds in one unit: `0.29–0.35 ms`, `> 32 y`; one text where both read alike. */
export function span(text: Text, low: number | null | undefined, high: number | null | undefined): string {
  if (low === null || low === undefined || high === null || high === undefined) return ABSENT
  const [first, last] = [text(low), text(high)]
  if (first === last) return first
  if (last.startsWith('> ')) return first.startsWith('> ') ? first : `> ${first}`
  const [firstNumber = '', firstUnit] = first.split(/ (.*)/)
  const [lastNumber = '', lastUnit] = last.split(/ (.*)/)
  if (firstUnit === lastUnit) {
    return `${firstNumber.replace(/×$/, '')}–${lastNumber}${lastUnit ? ` ${lastUnit}` : ''}`
  }
  return `${first} – ${last}`
}
