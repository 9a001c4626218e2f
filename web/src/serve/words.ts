/** Times, days and counts in words; the quantities of the report are in `design/number`. */

import { ABSENT, significant } from '../design/number'

/** A moment on the clock of the reader: `2026-11-25 21:04`. */
export function moment(iso: string | null | undefined): string {
  if (!iso) return ABSENT
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

export function day(iso: string | null | undefined): string {
  return iso ? iso.slice(0, 10) : ABSENT
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? ABSENT : Math.round(value).toLocaleString('en-US')
}

/** A stretch of time in its largest sensible unit: `2.5 h`, `120 s`, `3 ms`. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return ABSENT
  const units: [number, string][] = [
    [86_400 * 2, 'd'],
    [3600 * 2, 'h'],
    [60 * 10, 'min'],
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
  ]
  const size: Record<string, number> = { d: 86_400, h: 3600, min: 60, s: 1, ms: 1e-3, µs: 1e-6 }
  const unit = units.find(([from]) => Math.abs(seconds) >= from)?.[1] ?? 's'
  return `${significant(seconds / (size[unit] ?? 1))} ${unit}`
}

/** A moment within a log, for an axis: `1:02:03`, `2:03`, and with as many decimals as tell two ticks apart. */
export function clock(seconds: number, step: number): string {
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step)))
  const scale = 10 ** decimals
  const whole = Math.round(seconds * scale) / scale
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = (whole % 60).toFixed(decimals).padStart(decimals ? 3 + decimals : 2, '0')
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Bytes in powers of 1024, as sizes of requests are: `16 KiB`. */
export function binarySize(value_bytes: number | null | undefined): string {
  if (value_bytes === null || value_bytes === undefined) return ABSENT
  let value = value_bytes
  let index = 0
  while (value >= 1024 && index < BINARY.length - 1) {
    value /= 1024
    index += 1
  }
  return `${significant(value)} ${BINARY[index] ?? 'B'}`
}

export function rate(bytes_per_s: number | null | undefined, size: (bytes: number) => string): string {
  return bytes_per_s === null || bytes_per_s === undefined ? ABSENT : `${size(bytes_per_s)}/s`
}

export function plural(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`
}
