/**
 * The options of a plan, as the form has them: their definitions are the server's (`drivecast.document.plan_options`),
 * which `scripts/form.py` writes into `plan_form.json`.
 *
 * A field that is empty is not sent, and is then derived from the workload. What is checked here is only what saves a
 * way to the server; the server reads every quantity again and has the last word.
 */

import definitions from './plan_form.json'

export type Values = Record<string, string>

export interface Field {
  name: string
  group: string
  label: string
  /** How it is entered: `lines` is one value a line, `unless` is ticked for `false`, `file` is a text or a place. */
  kind: 'text' | 'number' | 'choice' | 'switch' | 'unless' | 'lines' | 'file'
  help: string
  example?: string
  choices?: [value: string, label: string][]
  /** What quantity a text is. */
  shape?: string
  low?: number
  high?: number
  whole?: boolean
  /** What the server takes where nothing is given, and sends back: the form shows it as empty. */
  plain?: string
  /** What is typed in a terminal; nothing where it is so anyway. */
  flag?: string
  /** What is typed for a switch that is off. */
  off?: string
}

export interface Group {
  title: string
  fields: Field[]
}

export const FIELDS = definitions as Field[]
export const GROUPS: Group[] = [...new Set(FIELDS.map(({ group }) => group))].map((title) => ({
  title,
  fields: FIELDS.filter(({ group }) => group === title),
}))
export const READING = 'How the log is read'

/** What a quantity looks like, and an example of one. */
const SHAPES: Record<string, [RegExp, string]> = {
  size: [/^\d[\d_,.]*\s*[kMGTPE]?i?B?$/i, '320GB'],
  time: [/^\d[\d.]*\s*(ns|us|µs|ms|s|m|h|d)$/i, '5ms'],
  days: [/^\d[\d.]*\s*(ns|us|µs|ms|s|m|h|d|y)?$/i, '7d'],
  years: [/^\d[\d.]*\s*(y|years?|d)?$/i, '5 or 3y'],
  growth: [/^\d[\d.]*\s*%?\s*(\/\s*(y|year))?$/i, '20%/y'],
  money: [/^[$]?\s*\d[\d_,.]*\s*k?$/i, '20000'],
  share: [/^\d[\d.]*(e-?\d+)?\s*%?$/i, '1e-4 or 5%'],
}

function faultOfNumber({ low, high, whole }: Field, text: string): string | null {
  const value = Number(text)
  if (!Number.isFinite(value)) return 'a number'
  if (whole && !Number.isInteger(value)) return 'a whole number'
  if (low !== undefined && value < low) return `at least ${low}`
  return high !== undefined && value > high ? `at most ${high}` : null
}

function fault(field: Field, text: string): string | null {
  if (field.kind === 'number') return faultOfNumber(field, text)
  const [pattern, example] = SHAPES[field.shape ?? ''] ?? []
  return pattern && !pattern.test(text) ? `such as ${example}` : null
}

/** What is wrong with each field; empty where all can be sent. */
export function faults(values: Values): Record<string, string> {
  const found = filled(values).map(([field, text]): [string, string | null] => [
    field.name,
    fault(field, text),
  ])
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null))
}

function sent(field: Field, text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (field.kind === 'number' || field.whole) return Number(text)
  return field.kind === 'lines' ? lines(text) : text
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

function filled(values: Values, fields = FIELDS): [Field, string][] {
  return fields
    .map((field): [Field, string] => [field, values[field.name] ?? ''])
    .filter(([, text]) => text.trim())
    .map(([field, text]) => [field, isText(field, text) ? text : text.trim()])
}

/** Whether a file is given as its text: a place has one line. */
function isText(field: Field, text: string): boolean {
  return field.kind === 'file' && text.includes('\n')
}

/** What is sent to the server: the fields that hold something, in the types of the API. */
export function body(values: Values, fields = FIELDS): Record<string, unknown> {
  return Object.fromEntries(filled(values, fields).map(([field, text]) => [field.name, sent(field, text)]))
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The other way: the options of a plan as the form has them, without those that are the server's defaults. */
export function values(options: Record<string, unknown>): Values {
  const held = FIELDS.map(({ name, plain }): [string, string] => {
    const value = text(options[name])
    return [name, value === plain ? '' : value]
  })
  return Object.fromEntries(held.filter(([, value]) => value))
}

/** The command line that does the same, to be taken to a terminal. */
export function command(logs: string[], values: Values): string {
  return ['drivecast plan', ...logs.map(quoted), ...filled(values).flatMap(flags)].join(' ')
}

/** What a file is called whose text is in the form. */
const FILE_NAMES: Record<string, string> = { quotes: 'quotes.csv', history: 'errors.jsonl' }

function flags([field, text]: [Field, string]): string[] {
  if (text === 'true' || text === 'false') return [(text === 'true' ? field.flag : field.off) ?? '']
  if (isText(field, text)) return [`${field.flag} ${FILE_NAMES[field.name]}`]
  return (field.kind === 'lines' ? lines(text) : [text]).map((value) => `${field.flag} ${quoted(value)}`)
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
