// The answer to take along: the design line, JSON, CSV, and the chart as a picture.

import type { Price } from './document'
import type { Known } from './origin'
import * as origin from './origin'
import { planOf } from './link'
import { reason } from './reason'
import { rows } from './rows'
import type { Session } from './session'

export function toJson(session: Session): string {
  const { carried, judged, state } = session
  const designs = rows(session, 'rank').map(({ verdict, ranked, rank }) => ({
    rank,
    ...verdict,
    title: session.design(verdict.index)?.title ?? verdict.line,
    usable_bytes: verdict.usable_bytes ?? session.design(verdict.index)?.usable_bytes ?? null,
    tier: ranked?.tier ?? null,
    chance_cheapest: ranked?.chance_cheapest ?? null,
    pareto_optimal: ranked?.pareto ?? false,
  }))
  const head = {
    schema_version: 1,
    kind: 'drivecast-what-if-answer',
    plan: planOf(carried),
    version: carried.version ?? null,
  }
  const body = {
    ...head,
    in_plan: carried.requirements,
    set: state.settings,
    used: judged.settings,
    prices_given: judged.given,
    designs,
  }
  return `${JSON.stringify(body, null, 2)}\n`
}

const COLUMNS = [
  'rank',
  'line',
  'title',
  'state',
  'total_usd',
  'total_low_usd',
  'total_high_usd',
  'headroom',
  'read_p99_ms',
  'write_p99_ms',
  'p99_peak_times',
  'life_years',
  'data_loss',
  'power_w',
  'drive_price_usd',
  'drive_price_origin',
  'usd_per_kwh',
  'usd_per_kwh_origin',
  'reason',
]

function priceCells(price: Price | undefined): [number | null, string | null] {
  if (!price) return [null, null]
  return [price.value, price.source ? `${price.provenance}: ${price.source}` : price.provenance]
}

export function toCsv(session: Session): string {
  const { judged, carried } = session
  const lines = rows(session, 'rank').map(({ verdict, ranked, rank }) => [
    rank,
    verdict.line,
    session.design(verdict.index)?.title ?? verdict.line,
    verdict.state,
    verdict.total_usd.value,
    verdict.total_usd.low,
    verdict.total_usd.high,
    verdict.headroom,
    inMs(verdict.read_p99_ns?.value),
    inMs(verdict.write_p99_ns?.value),
    verdict.read_p99_ns || verdict.write_p99_ns ? verdict.p99_times : null,
    verdict.life_years?.value,
    verdict.data_loss?.value,
    verdict.power_w?.value,
    ...priceCells(origin.priceOf(session, session.design(verdict.index)?.drive)),
    ...priceCells(judged.given['usd_per_kwh'] ?? carried.prices?.usd_per_kwh),
    reason(verdict, ranked, rank === 1),
  ])
  return [COLUMNS, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

function inMs(time_ns: number | null | undefined): number | null {
  return time_ns === null || time_ns === undefined ? null : time_ns / 1e6
}

/** Quoted where it must be; a text that a spreadsheet would take for a formula begins with an apostrophe. */
export function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A sentence on a figure, for who copies it. */
export function sentence(known: Known): string {
  return known.bounds ? `${known.text} (${known.bounds})` : known.text
}

export function summary(session: Session): string {
  const { cheapest } = session
  if (!cheapest) return 'Nothing fits.'
  const { years } = session.judged.settings
  const cost = origin.total(cheapest, session, session.design(cheapest.index))
  return `${cheapest.line}: ${sentence(cost)} over ${years} years, headroom ${origin.headroom(cheapest).text}`
}

export function download(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}

const DRAWN = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
]
const SCALE = 2

/** The drawing of a chart as PNG: its looks, which come from the page's sheet, are written into a copy of it. */
export async function toPng(chart: SVGSVGElement): Promise<Blob> {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const originals = chart.querySelectorAll<SVGElement>('*')
  copy.querySelectorAll<SVGElement>('*').forEach((element, at) => {
    const original = originals[at]
    if (!original) return
    const style = getComputedStyle(original)
    for (const name of DRAWN) element.style.setProperty(name, style.getPropertyValue(name))
  })
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const { width, height } = chart.viewBox.baseVal
  const image = new Image(width, height)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error('This browser draws no pictures.')
  brush.fillStyle = getComputedStyle(document.body).backgroundColor || 'white'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  brush.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((settle, refuse) => {
    canvas.toBlob((blob) => {
      if (blob) settle(blob)
      else refuse(new Error('The chart could not be saved.'))
    }, 'image/png')
  })
}
