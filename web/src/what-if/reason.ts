// Why a design fits or not, in the words of `drivecast.present.reason`.

import * as number from '../design/number'
import type { Miss, Ranked, Verdict } from './document'

function fixed(value: number, decimals: number): string {
  return number.grouped(value, decimals, decimals)
}

function ms(time_ns: number): string {
  return time_ns < 1e8 ? `${Number((time_ns / 1e6).toPrecision(3))} ms` : `${fixed(time_ns / 1e6, 0)} ms`
}

function bare(value: number): string {
  return String(Number(value.toPrecision(6)))
}

function loaded(miss: Miss, text: string): string {
  if (miss.over_all) return `too slow over the whole log: ${text}`
  const { load } = miss
  return typeof load === 'number' && load !== 1
    ? `no headroom: ${text} at ${fixed(load, 1)} × the peak`
    : `too slow: ${text}`
}

function failures(count: number): string {
  return `${fixed(count, 0)} drive failure${count === 1 ? '' : 's'}`
}

function amounts(miss: Miss): string {
  return `${number.money(miss.found)} > ${number.money(miss.limit)}`
}

const TEXTS: Record<string, (miss: Miss, found: number, limit: number) => string> = {
  latency: (miss, found, limit) => {
    if (miss.found == null) return loaded(miss, 'p99 over its limit')
    const whose = miss.is_bound ? " by the array's own work alone" : ''
    const late = miss.saturated ? ', saturated' : ''
    return loaded(miss, `p99 ${miss.op ?? ''} ${ms(found)} > ${ms(limit)}${late}${whose}`)
  },
  saturated: (miss) => loaded(miss, 'requests arrive faster than they are served'),
  'flash-life': (_, found, limit) => `flash worn out after ${fixed(found, 1)} of ${bare(limit)} years`,
  'rated-writes': (miss, found, limit) =>
    `endurance exhausted after ${miss.is_bound ? 'at most ' : ''}${fixed(found, 1)} of ${bare(limit)} years`,
  budget: (miss) => `over budget: ${miss.is_bound ? 'at least ' : ''}${amounts(miss)}`,
  power: (miss, found, limit) =>
    `draws ${fixed(found, 0)} W${miss.is_bound ? ' idle' : ''}, ${fixed(limit, 0)} W allowed`,
  capacity: (_, found, limit) => `too small: ${number.size(found)} usable, ${number.size(limit)} needed`,
  'data-loss': (_, found, limit) =>
    `data loss ${number.probability(found)}, ${number.probability(limit)} allowed`,
  'failures-tolerated': (_, found, limit) => `tolerates ${failures(found)}, ${fixed(limit, 0)} needed`,
  dearer: (miss) => `dearer than what fits: at least ${amounts(miss)}`,
  rotation: (_, found) => `turns too slowly: p99 read at least ${fixed(found / 1e6, 1)} ms even when idle`,
  link: (_, found, limit) =>
    `links carry ${fixed(found / 1e6, 0)} MB/s, the peak has ${fixed(limit / 1e6, 0)} MB/s`,
  'not-sold': () => 'no longer sold',
  'no-power-loss-protection': () => 'no power-loss protection',
  'host-managed': () => 'written zone by zone by the host',
  trimmed: () => 'partitioning adds no spare where free space is trimmed',
  time: () => 'not tried in time',
  'smaller-fits': (_, found) => `more drives than needed: ${fixed(found, 0)} fit`,
  backup: (_, _found, limit) =>
    `does not keep up with the backup of ${fixed(limit / 1e6, 0)} MB/s beside the load`,
  'cache-misses': (_, found, limit) =>
    `too few hits: ${number.percent(found)} of the reads would miss the cache, ${number.percent(limit)} may`,
}

export function missText(miss: Miss): string {
  return miss.volume ? `${miss.volume}: ${ofAll(miss)}` : ofAll(miss)
}

function ofAll(miss: Miss): string {
  return TEXTS[miss.kind]?.(miss, miss.found ?? 0, miss.limit ?? 0) ?? `misses a requirement: ${miss.kind}`
}

function tolerated(miss: Miss): string {
  const whose = miss.volume ? `${miss.volume}: ` : ''
  return `${whose}life ${fixed(miss.found ?? 0, 2)} of ${bare(miss.limit ?? 0)} years, within tolerance`
}

/** The reason for a verdict; `isCheapest` is of the one that comes first. */
export function reason(verdict: Verdict, ranked: Ranked | undefined, isCheapest: boolean): string {
  if (verdict.life_is_open) return 'meets the limits on latency; its life is not worked out yet'
  if (verdict.state === 'unknown') return 'not tried at this load'
  if (verdict.state === 'misses') {
    const open = verdict.rest_is_open ? ['its other figures are not worked out yet'] : []
    return [...verdict.misses.map(missText), ...open].join('; ')
  }
  const parts = [
    isCheapest ? 'cheapest that fits' : ranked?.tier === 1 ? 'tied on cost' : '',
    !isCheapest && ranked?.pareto ? 'Pareto-optimal' : '',
    ...verdict.tolerated.map(tolerated),
    typeof verdict.latency_chance === 'number'
      ? `probably fits (${number.percent(verdict.latency_chance)})`
      : '',
  ]
  return parts.filter(Boolean).join('; ')
}
