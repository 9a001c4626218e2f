// By how much a design's figures differ from another's: with a sign, and whether that is better, in words and in colour.

import * as number from '../design/number'
import type { Design, Verdict } from './document'

export interface Change {
  text: string
  isBetter: boolean
}

interface Measure {
  of: (verdict: Verdict, design: Design | undefined) => number | null | undefined
  text: number.Text
  isMoreBetter: boolean
  /** Chances are compared by their ratio. */
  isRatio?: boolean
}

const MEASURES: Record<string, Measure> = {
  Headroom: { of: (verdict) => verdict.headroom, text: number.headroom, isMoreBetter: true },
  'p99 of reads': { of: (verdict) => verdict.read_p99_ns?.value, text: number.latency, isMoreBetter: false },
  'p99 of writes': {
    of: (verdict) => verdict.write_p99_ns?.value,
    text: number.latency,
    isMoreBetter: false,
  },
  Life: { of: (verdict) => verdict.life_years?.value, text: number.years, isMoreBetter: true },
  'Data loss': {
    of: (verdict) => verdict.data_loss?.value,
    text: number.probability,
    isMoreBetter: false,
    isRatio: true,
  },
  Cost: { of: (verdict) => verdict.total_usd.value, text: number.money, isMoreBetter: false },
  Power: { of: (verdict) => verdict.power_w?.value, text: number.power, isMoreBetter: false },
  Usable: {
    of: (verdict, design) => verdict.usable_bytes ?? design?.usable_bytes,
    text: number.size,
    isMoreBetter: true,
  },
}

/** A larger one is as good as any. */
const RATIO_MAX = 1e6

export interface Judged {
  verdict: Verdict
  design: Design | undefined
}

/** The change of a figure, by its name; none where both read alike, or one is not known. */
export function change(name: string, from: Judged, now: Judged): Change | null {
  const measure = MEASURES[name]
  const before = measure?.of(from.verdict, from.design)
  const after = measure?.of(now.verdict, now.design)
  // Without what worn flash is replaced for, a cost would look better than it is.
  if (name === 'Cost' && now.verdict.life_is_open) return null
  if (!measure || typeof before !== 'number' || typeof after !== 'number') return null
  if (measure.text(before) === measure.text(after)) return null
  const isMore = after > before
  const isBetter = isMore === measure.isMoreBetter
  if (measure.isRatio && before > 0 && after > 0) {
    const ratio = isMore ? after / before : before / after
    const times = ratio > RATIO_MAX ? `> ${number.significant(RATIO_MAX)}` : number.significant(ratio, 2)
    return { text: isMore ? `× ${times}` : `÷ ${times}`, isBetter }
  }
  return { text: `${isMore ? '+' : '−'}${measure.text(Math.abs(after - before))}`, isBetter }
}

/** All changes, in a sentence. */
export function changes(names: string[], from: Judged, now: Judged): string {
  const all = names.flatMap((name) => {
    const found = change(name, from, now)
    return found ? [`${name} ${found.text}, ${found.isBetter ? 'better' : 'worse'}`] : []
  })
  return all.join('; ')
}
