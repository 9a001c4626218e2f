/** What the server sends and takes: `GET /api/v1/openapi.json` in types, as far as the pages use it. */

export const BASE = 'api/v1'

export type State = 'draft' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'

/** Something that the server works on: a trace being read, a plan, a comparison. */
export interface Job {
  id: string
  state: State
  share: number | null
  what: string | null
  message: string | null
  hint: string | null
  /** Seconds since the last news of it, where the server says so. */
  quiet_s?: number | null
}

export interface About {
  version: string
  token: boolean
  folders: string[]
  fetch: 'any' | 'none' | 'named'
  fetch_hosts: string[]
  upload_bytes_max: number
}

export interface Trace extends Job {
  name: string
  origin: 'upload' | 'folder' | 'url'
  place: string | null
  files: string[]
  bytes: number
  kind: 'trace' | 'counters' | null
  format: string | null
  requests: number | null
  duration_s: number | null
  added: string
}

/** A workload model that comes with the program. */
export interface NamedModel {
  name: string
  description: string
}

export interface Entry {
  name: string
  kind: 'file' | 'folder'
  bytes: number | null
}

type Column = (number | null)[]

export interface Series {
  from_s: number
  to_s: number
  step_s: number
  duration_s: number
  source: 'trace' | 'counters'
  time_s: number[]
  reads_per_s: Column
  writes_per_s: Column
  read_bytes_per_s: Column
  written_bytes_per_s: Column
  size_bytes_mean: Column
  latency_ns_mean: Column
  latency_ns_q50: Column
  latency_ns_q99: Column
  latency_ns_max: Column
}

export interface HeatWindow {
  from_s: number
  to_s: number
  from_bytes: number
  to_bytes: number
  time_bin_s: number
  address_bin_bytes: number
  counts: number[][]
}

export interface Latencies {
  requests: number
  below_ns: number[]
  shares: number[]
}

export interface Profile {
  source: 'trace' | 'counters'
  requests: number
  reads: number
  writes: number
  read_fraction: number | null
  block_size_mean_bytes: number | null
  sequential_fraction: number | null
  working_set_bytes: number | null
  duration_s: number
  iops_mean: number | null
  iops_peak_1s: number | null
  throughput_mean_bytes_per_s: number | null
  queue_depth_mean: number | null
  peak_window?: { start_s: number; length_s: number; iops_mean: number | null } | null
  notes?: string[]
}

export interface PlanJob extends Job {
  name: string
  notes: string
  revision: number
  traces: string[]
  model: string | null
  options: Record<string, unknown>
  created: string
  began: string | null
  ended: string | null
  answer: {
    winner: string | null
    title: string | null
    total_usd: number | null
    fits: number
    considered: number
  } | null
}

export interface Between {
  value: number | null
  low: number | null
  high: number | null
}

export interface Design {
  rank: number | null
  line: string
  title: string
  verdict: 'fits' | 'misses' | 'pruned'
  misses: { kind: string }[]
  headroom: number | null
  read_p99_ns: Between | null
  write_p99_ns: Between | null
  life_years: Between | null
  data_loss: Between | null
  power_w: number | null
  usable_bytes: number | null
  cost: { total: number; currency: string; low: number | null; high: number | null } | null
  pareto_optimal: boolean
  yours: boolean
  today: boolean
}

export interface Plan {
  winner: string | null
  designs: Design[]
  requirements: { name: string; display: string; origin: 'given' | 'derived' | 'assumed'; why: string }[]
  nearest: string[]
}

export interface Side {
  rank: number | null
  verdict: string
  total_usd: number | null
  life_years: number | null
  headroom: number | null
  read_p99_ns: number | null
  write_p99_ns: number | null
  data_loss: number | null
}

export interface PlanComparison {
  first: PlanJob
  second: PlanJob
  requirements: { name: string; first: string | null; second: string | null; same: boolean }[]
  designs: { line: string; title: string; first: Side | null; second: Side | null }[]
}

export interface HistorySummary {
  drives: number
  hosts: number
  samples: number
  first_seen: string | null
  last_seen: string | null
}

export interface Added {
  drives_new: number
  samples_new: number
  samples_repeated: number
  refused: string[]
  notes: string[]
}

export interface Report {
  subject: string
  drives_checked: number
  counts: Record<string, number>
  silent_hosts: { host: string; drives: number; time: string }[]
  drives: {
    status: string
    host: string | null
    device: string | null
    serial: string
    model: string | null
    by: string | null
    why: string
  }[]
}

export interface Quarter {
  quarter: string
  replacements: number
  replacements_low: number
  replacements_high: number
}

export interface DriveForecast {
  serial: string
  model: string | null
  host: string | null
  device: string | null
  group: string | null
  status: string
  why: string
  by: string | null
  time: string | null
  wear_ratio: number | null
  spare_ratio: number | null
  written_bytes: number | null
  rated_bytes: number | null
  written_bytes_per_day: number | null
  write_amplification: number | null
  media_end: string | null
  media_end_low: string | null
  media_end_high: string | null
  warranty_end: string | null
}

export interface Trajectory extends DriveForecast {
  past?: { time: string; written_bytes: number }[]
  limits: { limit: string; written_bytes: number | null }[]
  fan: { written_bytes: number | null; early: string; middle: string; late: string }[]
  changes: { time: string; factor: number | null }[]
}

export interface Measured {
  id: string
  name: string
  kind: string
  targets: string[]
  points: number
  complete: boolean
  added: string
}

export interface Outcome {
  iops?: number | null
  throughput_bytes_per_s?: number | null
  [key: string]: unknown
}

export interface Result {
  kind: string
  complete: boolean
  points: {
    target: string
    settings: Record<string, unknown>
    workload: string | null
    outcome: Outcome | null
    transactions: { per_s: number; latency_ns?: Record<string, number | null> } | null
    attached?: { late_share: number | null }[] | null
    notes: string[]
  }[]
}

export interface ComparisonJob extends Job {
  measured: string
  result: string | null
  design: string | null
  created: string
  outcome: string | null
}

export interface Comparison {
  verdict: string
  outcome: string
  tolerance: number
  notes: string[]
  points: {
    workload: string | null
    target: string
    outcome: string
    verdict: string[]
    figures: {
      op: string
      figure: string
      measured: number
      predicted: number
      ratio: number
      ratio_low: number | null
      ratio_high: number | null
      outcome: string
    }[]
  }[]
}

export interface Drive {
  name: string
  title: string
  class: 'ssd' | 'hdd'
  capacity_bytes: number
  sold: boolean
}

const ENDED: State[] = ['done', 'failed', 'cancelled', 'interrupted']

export function ended(state: State): boolean {
  return ENDED.includes(state)
}

/** An address of the API with its options, those that are null left out. */
export function at(
  path: string,
  query: Record<string, string | number | boolean | null | undefined> = {},
): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return `${BASE}${path}${text ? `?${text}` : ''}`
}

/** A part of a path, whatever characters a name has. */
export function part(text: string): string {
  return encodeURIComponent(text)
}
