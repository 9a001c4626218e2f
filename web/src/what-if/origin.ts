// How each figure of a design is known, in a sentence: what is behind a number when one points at it.

import * as number from '../design/number'
import type { Carried, Design, Price, Rented, Side, Span, Verdict } from './document'
import type { Session } from './session'
import { prices } from './rented_parts'

export interface Known {
  text: string
  bounds: string
  origin: string
  why: string
}

function known(text: number.Text, span: Span | null | undefined, origin: string, why: string): Known {
  const bounds = span ? number.span(text, span.low, span.high) : number.ABSENT
  const value = text(span?.value)
  return { text: value, bounds: bounds === value || bounds === number.ABSENT ? '' : bounds, origin, why }
}

const WEAR_OPEN =
  'Not worked out yet: its flash is written until its wear is steady, which takes longer than to know whether a design fits.'
const UNTRIED = 'Not known at this load before the design was tried out.'

/** The price of a drive as it is judged by: that of the plan, or what somebody made of it. */
export function priceOf(session: Session, drive: string | null | undefined): Price | undefined {
  if (!drive) return undefined
  return session.judged.given[drive] ?? session.carried.drives[drive]?.price ?? undefined
}

/** A price with its bounds, how it is known and from where. */
export function priced(price: Price): string {
  const source = price.source ? `: ${price.source}` : ''
  const bounds = price.low === price.high ? '' : ` (${number.span(number.money, price.low, price.high)})`
  return `${number.money(price.value)}${bounds}, ${price.provenance}${source}`
}

/** What one drive costs, of a cached design one of each side. */
function pricesOf(session: Session, design: Design | undefined): string {
  const cache = design?.cached?.cache.drive
  const drives = [cache, design?.drive].filter((name) => typeof name === 'string')
  const said = drives.map((name) => {
    const price = priceOf(session, name)
    const whose = cache ? `One ${session.carried.drives[name]?.title ?? name}` : 'One drive'
    return price ? ` ${whose}: ${priced(price)}.` : ''
  })
  return said.join('')
}

export function total(verdict: Verdict, session: Session, design: Design | undefined): Known {
  const { low, value } = verdict.total_usd
  const { years } = session.judged.settings
  const rented = design?.rented
  if (rented && low !== null) return rent(verdict, session.carried, rented, years)
  const drive = pricesOf(session, design)
  if (value === null && low !== null) {
    const why = `The price of its drives, less what they bring at the end; the rest is known once it is tried out.${drive}`
    return { text: `≥ ${number.money(low)}`, bounds: '', origin: 'derived', why }
  }
  const { purchase, hosting, energy, replacement, labor, loss, outage, expansion, residual } = verdict.cost
  const parts = [
    `bought for ${number.money(purchase)}${hosting > 0 ? `, of it ${number.money(hosting)} for bays and adapters` : ''}`,
    `${number.money(energy)} of electricity`,
    ...(replacement > 0 ? [`${number.money(replacement)} of replacements`] : []),
    ...(labor > 0 ? [`${number.money(labor)} of visits`] : []),
    ...(loss > 0 ? [`${number.money(loss)} that losses of data are expected to cost`] : []),
    ...(outage > 0 ? [`${number.money(outage)} that service beyond the limits is expected to cost`] : []),
    ...(expansion > 0
      ? [`${number.money(expansion)} that load and data beyond the plan are expected to cost`]
      : []),
    ...(residual > 0 ? [`less ${number.money(residual)} that the drives are worth at the end`] : []),
  ]
  const kwh = session.judged.given['usd_per_kwh']
  const electricity = kwh ? ` A kWh: ${priced(kwh)}.` : ''
  if (verdict.life_is_open) {
    const why = `Over ${years} years: ${parts.join(', ')}.${drive}${electricity} What worn flash is replaced for is to come.`
    return { text: `≥ ${number.money(value)}`, bounds: '', origin: 'derived', why }
  }
  const why = `Over ${years} years: ${parts.join(', ')}.${drive}${electricity} The bounds are what is known of prices and the load.`
  return known(number.money, verdict.total_usd, 'derived', why)
}

/** What a rented design costs; before it was played, too. */
function rent(verdict: Verdict, carried: Carried, rented: Rented, years: number): Known {
  const monthly = verdict.monthly_usd ?? 0
  const of = `A rent of $${number.grouped(monthly, 2, 2)} in each month of ${years} years, for the size of the last.`
  const why = `${of} ${prices(carried, rented)} The bounds are those of regions.`
  const { low, value } = verdict.total_usd
  const span = { ...verdict.total_usd, value: value ?? low }
  return known(number.money, span, 'derived', why)
}

export function headroom(verdict: Verdict): Known {
  const { headroom: value, held, missed } = verdict
  if (value === null) {
    const least = held ? `Known to carry ${number.headroom(held)} the peak; more was not tried. ` : ''
    return {
      text: held ? `≥ ${number.headroom(held)}` : number.ABSENT,
      bounds: '',
      origin: 'simulated',
      why: least || UNTRIED,
    }
  }
  const beyond = missed ? ` It fell behind at ${number.multiple(missed)}.` : ''
  const why = `The recorded peak was played at rising multiples of its load; it carried up to ${number.headroom(value)}.${beyond}`
  return { text: number.headroom(value), bounds: '', origin: 'simulated', why }
}

/** A p99 is of the peak asked where that was played; else of the measured peak, and the figure says so. */
export function p99(verdict: Verdict, op: 'read' | 'write', session: Session): Known {
  const span = op === 'read' ? verdict.read_p99_ns : verdict.write_p99_ns
  const asked = session.judged.settings.peak_times
  if (!span) return known(number.latency, span, 'simulated', UNTRIED)
  const isAsked = verdict.p99_times === asked
  const load = asked === 1 ? 'the peak' : isAsked ? `${number.multiple(asked)} the peak` : 'the measured peak'
  const least = isAsked ? '' : ` It was not played at ${number.multiple(asked)} the peak, where it is slower.`
  const why = `99 of 100 ${op}s of ${load} finish within it; the bounds are what is known of the drive's latency.${least}`
  const found = known(number.latency, span, 'simulated', why)
  if (isAsked) return found
  return { ...found, bounds: found.bounds ? `${found.bounds}, ${MEASURED}` : MEASURED }
}

const MEASURED = 'at the measured peak'

/** What a column of p99 is of, where that is not the measured peak alone. */
export function p99Load(session: Session): string {
  const { peak_times: asked } = session.judged.settings
  return asked === 1 ? '' : ` at ${number.multiple(asked)} the peak`
}

export const NO_WEAR: Known = {
  text: 'no wear',
  bounds: '',
  origin: 'derived',
  why: 'Writing wears nothing out.',
}

export function life(
  verdict: Pick<Verdict, 'life_years' | 'life_limit' | 'life_is_open' | 'rest_is_open'>,
): Known {
  if (verdict.life_is_open || verdict.rest_is_open)
    return { text: 'not yet', bounds: '', origin: 'simulated', why: WEAR_OPEN }
  if (verdict.life_limit === 'none') {
    return NO_WEAR
  }
  const limit = verdict.life_limit === 'warranty' ? 'the rated writes are exhausted' : 'the flash is worn out'
  const why = `Years until ${limit}, at the simulated write amplification and the growth of the load.`
  return known(number.years, verdict.life_years, 'derived', verdict.life_years ? why : UNTRIED)
}

export function loss(verdict: Verdict): Known {
  if (verdict.monthly_usd !== undefined) {
    const said = 'The chance that its provider loses it within the years of service, by its own statement.'
    const none =
      'Not known: what is inside of an instance goes with it, and a mirror of volumes has no statement.'
    return known(
      number.probability,
      verdict.data_loss,
      'published',
      verdict.data_loss?.value == null ? none : said,
    )
  }
  const isSimulated = verdict.loss_method === 'simulated'
  const how = isSimulated ? 'failures and rebuilds were simulated many times' : 'in closed form'
  const why = `The chance of losing data within the years of service, by drives that fail: ${how}.`
  return known(number.probability, verdict.data_loss, isSimulated ? 'simulated' : 'derived', why)
}

export function power(verdict: Verdict): Known {
  if (verdict.monthly_usd !== undefined) {
    const why = 'Its provider pays for it: it is part of the rent.'
    return { text: number.ABSENT, bounds: '', origin: 'derived', why }
  }
  return known(
    number.power,
    verdict.power_w,
    'derived',
    'From the power of its drives, idle and at work, and the hours of work.',
  )
}

export function usable(verdict: Verdict, design: Design | undefined): Known {
  const text = number.size(verdict.usable_bytes ?? design?.usable_bytes)
  return { text, bounds: '', origin: 'derived', why: 'Capacity of the data drives, as the level leaves it.' }
}

/** A figure of one side of a cached design. */
export function span(text: number.Text, of: Span, why: string): Known {
  return known(text, of, 'derived', why)
}

export function lossOfSide(side: Side): Known {
  const isSafe = side.data_loss.value === 0
  const why = isSafe
    ? 'What is behind the cache has all data: a lost cache loses none.'
    : 'The chance that this side loses data that nothing else has, within the years of service.'
  if (isSafe) return { text: 'none', bounds: '', origin: 'derived', why }
  return known(number.probability, side.data_loss, 'derived', why)
}

export function busy({ utilization }: Side): Known {
  const why = 'The share of time in which one of its drives works while the recorded peak is played.'
  return { text: number.percent(utilization), bounds: '', origin: 'simulated', why }
}

export function written({ name, written_bytes_per_day: bytes }: Side): Known {
  const whose = name === 'cache' ? 'to its flash, metadata too' : 'on to what is behind it'
  const why = `What the cache writes ${whose}, at the rate of the log; it decides how long flash lasts.`
  return { text: number.size(bytes), bounds: '', origin: 'simulated', why }
}
