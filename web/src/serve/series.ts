/** A series of a trace as charts: which there are, in which unit, and with which lines. */

import { latency, significant, size } from '../design/number'
import type { Latencies, Series } from './api'
import type { Line } from './chart'
import { binarySize } from './words'

export interface Charted {
  name: string
  title: string
  lines: Line[]
  word: (value: number) => string
  log: boolean
  binary?: boolean
}

type Column = (number | null)[]

function some(column: Column | undefined): column is Column {
  return column?.some((value) => value !== null) ?? false
}

function line(label: string, values: Column | undefined, colour: string, dash?: number[]): Line[] {
  return some(values) ? [{ label, values, colour, ...(dash ? { dash } : {}) }] : []
}

/** On a logarithmic axis there is no nought: bins without a request are gaps. */
function positive(column: Column | undefined): Column | undefined {
  return column?.map((value) => (value !== null && value > 0 ? value : null))
}

/** The charts that a series has data for. */
export function charts(series: Series): Charted[] {
  const rate = (value: number) => `${size(value)}/s`
  const all: Charted[] = [
    {
      name: 'rate',
      title: 'Requests a second',
      lines: [
        ...line('reads', series.reads_per_s, '--read'),
        ...line('writes', series.writes_per_s, '--write'),
      ],
      word: significant,
      log: false,
    },
    {
      name: 'throughput',
      title: 'Throughput',
      lines: [
        ...line('read', series.read_bytes_per_s, '--read'),
        ...line('written', series.written_bytes_per_s, '--write'),
      ],
      word: rate,
      log: false,
    },
    {
      name: 'size',
      title: 'Mean size of a request',
      lines: line('size', series.size_bytes_mean, '--ink'),
      word: binarySize,
      log: false,
      binary: true,
    },
    {
      name: 'latency',
      title: 'Latency',
      lines: [
        ...line('maximum', positive(series.latency_ns_max), '--edge'),
        ...line('p99', positive(series.latency_ns_q99), '--red'),
        ...line('median', positive(series.latency_ns_q50), '--read'),
        ...(some(series.latency_ns_q50) ? [] : line('mean', positive(series.latency_ns_mean), '--read')),
      ],
      word: latency,
      log: true,
    },
  ]
  return all.filter(({ lines }) => lines.length > 0)
}

/** The smallest latency that this share of the requests does not exceed; none beyond what is known. */
export function quantile({ below_ns, shares }: Latencies, share: number): number | null {
  const index = shares.findIndex((held) => held >= share - 1e-12)
  return index < 0 ? null : (below_ns[index] ?? null)
}

export const QUANTILES: [name: string, share: number][] = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
]
