// The designs in the order in which they are shown: what fits as it is ranked, then what is unknown, then what misses.

import type { Ranked, Verdict } from './document'
import { leastUsd, type Session } from './session'

export interface Row {
  verdict: Verdict
  ranked: Ranked | undefined
  /** From 1, of those that fit. */
  rank: number | null
}

export type Order = 'rank' | 'total' | 'headroom' | 'read' | 'write' | 'life' | 'loss' | 'power'

const KEYS: Record<Exclude<Order, 'rank'>, (verdict: Verdict) => number | null | undefined> = {
  total: leastUsd,
  headroom: (verdict) => (verdict.headroom === null ? null : -verdict.headroom),
  read: (verdict) => verdict.read_p99_ns?.value,
  write: (verdict) => verdict.write_p99_ns?.value,
  life: (verdict) => (verdict.life_years?.value == null ? null : -verdict.life_years.value),
  loss: (verdict) => verdict.data_loss?.value,
  power: (verdict) => verdict.power_w?.value,
}

const STATES = { fits: 0, unknown: 1, misses: 2 }

function compared(a: number | null | undefined, b: number | null | undefined): number {
  return (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity)
}

export function rows(session: Session, order: Order): Row[] {
  const places = new Map(session.judged.order.map((ranked, at) => [ranked.index, { ranked, rank: at + 1 }]))
  const unknown = new Set(session.unknown)
  const isShown = (verdict: Verdict) => verdict.state !== 'unknown' || unknown.has(verdict)
  const all = session.judged.designs.filter(isShown).map((verdict) => {
    const place = places.get(verdict.index)
    return { verdict, ranked: place?.ranked, rank: place?.rank ?? null }
  })
  const byState = (a: Row, b: Row) => STATES[a.verdict.state] - STATES[b.verdict.state]
  const byCost = (a: Row, b: Row) => compared(KEYS.total(a.verdict), KEYS.total(b.verdict))
  if (order === 'rank') return all.sort((a, b) => byState(a, b) || compared(a.rank, b.rank) || byCost(a, b))
  const key = KEYS[order]
  return all.sort((a, b) => compared(key(a.verdict), key(b.verdict)) || byState(a, b) || byCost(a, b))
}
