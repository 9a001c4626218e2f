/** What is taken out of a plan: a design line to the clipboard, or the designs as CSV. */

import type { Between, Design } from './api'

type Cell = string | number | null | undefined

const COLUMNS: [name: string, of: (design: Design) => Cell][] = [
  ['rank', ({ rank }) => rank],
  ['verdict', ({ verdict }) => verdict],
  ['line', ({ line }) => line],
  ['title', ({ title }) => title],
  ['total_cost', ({ cost }) => cost?.total],
  ['currency', ({ cost }) => cost?.currency],
  ['headroom', (design) => design.headroom],
  ...between('read_p99_ns', ({ read_p99_ns }) => read_p99_ns),
  ...between('write_p99_ns', ({ write_p99_ns }) => write_p99_ns),
  ...between('life_years', ({ life_years }) => life_years),
  ...between('data_loss', ({ data_loss }) => data_loss),
  ['usable_bytes', ({ usable_bytes }) => usable_bytes],
  ['power_w', ({ power_w }) => power_w],
]

function between(
  name: string,
  of: (design: Design) => Between | null,
): [name: string, of: (design: Design) => Cell][] {
  return [
    [name, (design) => of(design)?.value],
    [`${name}_low`, (design) => of(design)?.low],
    [`${name}_high`, (design) => of(design)?.high],
  ]
}

/** One cell of CSV. A text that a spreadsheet would take for a formula is made a text again. */
export function cell(value: Cell): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line a design, under a header, as RFC 4180 has it. */
export function csv(designs: Design[]): string {
  const rows = designs.map((design) => COLUMNS.map(([, of]) => cell(of(design))).join(','))
  return [COLUMNS.map(([name]) => name).join(','), ...rows, ''].join('\r\n')
}

/** Hands a text to the browser as a file. */
export function download(name: string, kind: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: kind }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}

/** A name that every file system takes. */
export function fileName(name: string, ending: string): string {
  const safe = name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|-+$/g, '')
  return `${safe || 'plan'}${ending}`
}
