// The documents between the page and the simulator, as crates/web has them; none is checked again here, since
// both are of one build, but for what a person may hand in: `link.ts` checks that.

export type Provenance = 'given' | 'measured' | 'derived' | 'published' | 'fitted' | 'assumed' | 'simulated'

export interface Span {
  low: number | null
  value: number | null
  high: number | null
}

export interface Settings {
  years: number
  growth_per_year: number
  /** Null: derived from growth and years. */
  capacity_bytes: number | null
  p99_read_ns: number | null
  p99_write_ns: number | null
  /** With its margin; null: derived from growth and years. */
  headroom: number | null
  budget_usd: number | null
  power_w_max: number | null
  drive_losses: number
  data_loss: number
  hours_per_day: number
  endurance_tolerance: number
  scrub_days: number
  prices: {
    flash_times: number
    disk_times: number
    usd_per_kwh: number | null
    drives: Record<string, number>
    rent_times: number
  }
  peak_times: number
}

/** A number of a file, with how it is known. */
export interface Known {
  value: number
  provenance: Provenance
  source: string
}

/** What is rented: nulls where a kind has none. */
export interface Rented {
  kind: string
  gib: number | null
  iops: number | null
  mibps: number | null
  /** The one of the catalog that it is, or the drive of an instance. */
  volume?: string
  /** Whose limits it is behind. */
  instance?: string
  /** Whether playing it looks for the smallest of its kind that holds. */
  search?: boolean
}

interface Rule {
  included: Known
  most: Known
}

export interface Kind {
  vendor: string
  model: string
  gib_max: Known
  iops: Rule | null
  mib_per_s: Rule | null
  steps: Record<string, { gib: number }> | null
  rent: {
    usd_per_gib: Known | null
    usd_per_iops: Known | null
    usd_per_mib_per_s: Known | null
    usd_per_step: Record<string, Known>
  } | null
}

/** What a plan carries of what is rented. */
export interface Rental {
  kinds: Record<string, { rules: Kind }>
  volumes: Record<string, { title: string; inside: { drives: number; usd: Known } | null }>
  instance: string | null
}

/** What may be rented of a kind, as the judge says it. */
export interface Offered {
  rented: Rented
  gib: [number, number]
  /** Sizes, where there are no others. */
  steps: number[]
  iops: [number, number] | null
  mibps: [number, number] | null
  month: { capacity_usd: number; iops_usd: number; mib_per_s_usd: number } | null
}

/** A design by its parts, as the editor changes them. */
export interface Parts {
  drive: string
  level: string | null
  /** Drives that are bought, spares among them. */
  count: number
  groups: number
  spares: number
  partition: number
  /** Instead of drives. */
  rented?: Rented
  /** Before it. */
  cache?: CacheParts
}

/** A cache by its parts. */
export interface CacheParts extends Omit<Parts, 'cache' | 'rented'> {
  policy: string
  mode: string
  /** Other arguments of its line, as they are written. */
  options: string
  /** What it takes of its drives; null: all. */
  size_bytes: number | null
}

/** The cache of a design, as the simulator has it. */
export interface Cached {
  cache: Pick<Design, 'drive' | 'level' | 'count' | 'groups' | 'spares' | 'partition'>
  policy: string
  mode: string
  options?: string
  size_bytes?: number | null
  /** Of the requests, once it is warm. */
  hit_ratio?: number | null
}

export interface Design {
  line: string
  title: string
  drive: string | null
  level: string | null
  count: number | null
  groups: number | null
  spares: number
  partition?: number | null
  usable_bytes: number | null
  today?: boolean
  yours?: boolean
  /** What it is made of, where it is rented. */
  rented?: Rented | null
  /** What is before it; the rest is of what is behind. */
  cached?: Cached | null
}

export interface Drive {
  title: string
  class?: string | null
  flash: string
  user_bytes?: number
  price?: Price | null
}

export interface Price {
  low: number
  value: number
  high: number
  provenance: Provenance
  source?: string | null
}

export interface Origin {
  origin: Provenance
  why: string
}

export interface Carried {
  schema: number
  title?: string
  version?: string
  requirements: Settings
  origins?: Record<string, Origin>
  drives: Record<string, Drive>
  /** Of all but drives; more is in it than is named here. */
  prices?: { usd_per_kwh?: Price }
  designs: Design[]
  space: Design[]
  rental?: Rental
  /** How cached designs are played; null where the page cannot play any. */
  caches?: object | null
  seed: number
  /** How the load is played, for the simulator alone to read; null where designs cannot be tried out. */
  play?: { counters?: object } | null
  /** Why they cannot. */
  only_ranks?: string | null
}

export interface Miss {
  kind: string
  op?: 'read' | 'write' | null
  found?: number | null
  limit?: number | null
  load?: number | null
  /** Missed over all of the log, and not at the peak. */
  over_all?: boolean
  saturated?: boolean
  is_bound?: boolean
  /** The side of a cached design that misses it. */
  volume?: string | null
}

export interface Move {
  name: string
  unit: string
  low: number
  value: number
  high: number
  provenance: Provenance
  source?: string | null
  total_low_usd?: number | null
  total_high_usd?: number | null
}

export interface Verdict {
  index: number
  line: string
  state: 'fits' | 'misses' | 'unknown'
  misses: Miss[]
  tolerated: Miss[]
  total_usd: Span
  cost: {
    purchase: number
    hosting: number
    energy: number
    replacement: number
    labor: number
    loss: number
    outage: number
    expansion: number
    residual: number
    rent?: number
  }
  life_years: Span | null
  life_limit: 'media' | 'warranty' | 'none' | null
  /** Whether all but how its flash wears is known, and met. */
  life_is_open?: boolean
  /** Whether it is known to miss a limit on latency, and all else is to come. */
  rest_is_open?: boolean
  power_w: Span | null
  data_loss: Span | null
  headroom: number | null
  /** The most load that is known to be held, and the least that is known not to be, in peaks. */
  held?: number | null
  missed?: number | null
  read_p99_ns: Span | null
  write_p99_ns: Span | null
  /** The load of both, as a multiple of the measured peak. */
  p99_times: number
  loss_method: 'simulated' | 'closed form'
  /** That the limits on latency hold, where the bounds leave it in doubt. */
  latency_chance?: number | null
  usable_bytes?: number | null
  /** The rent of a month, where it is rented. */
  monthly_usd?: number
  sides?: Side[]
  moves?: Move[]
}

/** One side of a cached design. */
export interface Side {
  name: 'cache' | 'disks'
  total_usd: Span
  life_years: Span | null
  life_limit: Verdict['life_limit']
  power_w: Span
  data_loss: Span
  utilization: number
  written_bytes_per_day: number
}

export interface Ranked {
  index: number
  tier: number
  chance_cheapest: number
  pareto: boolean
}

export interface Judged {
  settings: Settings
  designs: Verdict[]
  order: Ranked[]
  /** Prices that are not those of the plan: of drives by name, and `usd_per_kwh`. */
  given: Record<string, Price>
  /** Rented designs that kinds propose under these settings. */
  proposed?: { index: number; design: Design }[]
}

/** What a try-out found; only the simulator reads more of it. */
export type Tried = {
  index: number | null
  design?: Design
  /** Whether a second call finds more of it. */
  more?: boolean
} & Record<string, unknown>

export const SCHEMA = 1
