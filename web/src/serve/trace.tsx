/**
 * A trace's profile: its figures, and over time its rate, throughput, sizes, latency and addresses.
 *
 * One window of time for all: brushed in the overview, moved and zoomed in each chart. While it moves, what is there is
 * drawn; when it rests, the heat map and the latencies of the window are read anew.
 */

import { useEffect, useMemo, useState } from 'preact/hooks'
import { latency, percent, significant, size } from '../design/number'
import { at, part, type HeatWindow, type Latencies, type Profile, type Series, type Trace } from './api'
import { Chart } from './chart'
import { HeatMap } from './heat_map'
import { Listed, type Column } from './listed'
import { useLoaded } from './load'
import { Page, Refused, Tiles, Waiting, type Figure } from './parts'
import { href } from './route'
import { charts, quantile, QUANTILES } from './series'
import { isWhole, moved, zoomed, type Span } from './window'
import { binarySize, clock, count, duration, rate } from './words'

const REST_MS = 200
const OVERVIEW_POINTS = 1000
const DETAILS = [2000, 10_000, 100_000]

export function TracePage({ id }: { id: string }) {
  const { data: trace, refusal } = useLoaded<Trace>(at(`/traces/${part(id)}`))
  const profile = useLoaded<Profile>(at(`/traces/${part(id)}/profile`))
  const wrong = refusal ?? profile.refusal
  return (
    <Page title={trace?.name ?? 'Trace'}>
      {wrong ? <Refused error={wrong} onRetry={profile.reload} /> : null}
      {!profile.data && !wrong ? <Waiting /> : null}
      <p class="row">
        <a class="button main" href={href({ page: 'new-plan', traces: [id], from: null })}>
          New plan of this trace
        </a>
        {profile.data ? (
          <a
            class="button"
            href={at(`/traces/${part(id)}/profile`)}
            download={`${trace?.name ?? id}.profile.json`}
          >
            Profile as JSON
          </a>
        ) : null}
      </p>
      {profile.data ? <Tiles figures={figures(profile.data)} /> : null}
      {profile.data ? <OverTime id={id} source={profile.data.source} /> : null}
    </Page>
  )
}

function figures(profile: Profile): Figure[] {
  const peak = profile.peak_window
  return [
    { name: 'length', value: duration(profile.duration_s) },
    { name: 'requests', value: count(profile.requests), note: `${percent(profile.read_fraction)} reads` },
    {
      name: 'IOPS, mean',
      value: significant(profile.iops_mean),
      note: `${significant(profile.iops_peak_1s)} in the busiest second`,
    },
    { name: 'throughput, mean', value: rate(profile.throughput_mean_bytes_per_s, size) },
    { name: 'mean size', value: binarySize(profile.block_size_mean_bytes) },
    { name: 'sequential', value: percent(profile.sequential_fraction) },
    { name: 'working set', value: size(profile.working_set_bytes) },
    { name: 'queue depth, mean', value: significant(profile.queue_depth_mean) },
    ...(peak
      ? [
          {
            name: 'peak',
            value: `${significant(peak.iops_mean)} IOPS`,
            note: `from ${clock(peak.start_s, 1)}`,
          },
        ]
      : []),
  ]
}

/** The value, once it has not changed for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(value)
    }, REST_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [value])
  return rested
}

function OverTime({ id, source }: { id: string; source: Profile['source'] }) {
  const [points, setPoints] = useState(DETAILS[0] ?? OVERVIEW_POINTS)
  const path = `/traces/${part(id)}/series`
  const rough = useLoaded<Series>(at(path, { points: OVERVIEW_POINTS }))
  const fine = useLoaded<Series>(at(path, { points }))
  const [chosen, setWindow] = useState<Span | null>(null)
  const whole = useMemo<Span>(() => ({ from: 0, to: rough.data?.duration_s ?? 1 }), [rough.data])
  const window = chosen ?? whole
  const wrong = rough.refusal ?? fine.refusal
  if (wrong) return <Refused error={wrong} onRetry={fine.reload} />
  if (!rough.data) return <Waiting />
  const wordX = (seconds: number) => clock(seconds, (window.to - window.from) / 10)
  const shared = { whole, window, onWindow: setWindow, wordX }
  const step = whole.to - whole.from
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <Overview series={rough.data} shared={{ ...shared, wordX: (seconds) => clock(seconds, step / 10) }} />
      <Tools {...{ window, whole, points, setWindow, setPoints }} />
      <Detail series={fine.data ?? rough.data} shared={shared} />
      {source === 'trace' ? <OfWindow id={id} {...{ window, whole, wordX }} /> : null}
    </section>
  )
}

interface Shared {
  whole: Span
  window: Span
  onWindow: (window: Span) => void
  wordX: (seconds: number) => string
}

function Overview({ series, shared }: { series: Series; shared: Shared }) {
  const first = useMemo(() => charts(series)[0], [series])
  if (!first) return null
  return (
    <Chart
      {...shared}
      title="Requests a second, whole: drag over it to choose a window"
      x={series.time_s}
      lines={first.lines}
      word={first.word}
      height={90}
      overview
    />
  )
}

function Detail({ series, shared }: { series: Series; shared: Shared }) {
  const drawn = useMemo(() => charts(series), [series])
  return (
    <>
      {drawn.map(({ name, title, lines, word, log, binary = false }) => (
        <Chart
          key={name}
          {...shared}
          {...{ title, lines, word, log, binary }}
          x={series.time_s}
          height={170}
        />
      ))}
    </>
  )
}

interface ToolProps {
  window: Span
  whole: Span
  points: number
  setWindow: (window: Span) => void
  setPoints: (points: number) => void
}

/** What the wheel, a drag and the keys do, as buttons. */
function Tools({ window, whole, points, setWindow, setPoints }: ToolProps) {
  const length = window.to - window.from
  const middle = window.from + length / 2
  const steps: [label: string, name: string, next: Span][] = [
    ['←', 'Earlier', moved(window, -length / 2, whole)],
    ['→', 'Later', moved(window, length / 2, whole)],
    ['+', 'Zoom in', zoomed(window, middle, 0.5, whole)],
    ['−', 'Zoom out', zoomed(window, middle, 2, whole)],
  ]
  return (
    <div class="row tools" role="group" aria-label="Window of time">
      {steps.map(([label, name, next]) => (
        <button
          key={name}
          aria-label={name}
          title={name}
          onClick={() => {
            setWindow(next)
          }}
        >
          {label}
        </button>
      ))}
      <button
        disabled={isWhole(window, whole)}
        onClick={() => {
          setWindow(whole)
        }}
      >
        All
      </button>
      <span class="muted" aria-live="polite">
        {clock(window.from, length / 10)} to {clock(window.to, length / 10)} ({duration(length)})
      </span>
      <label class="points">
        Points{' '}
        <select
          value={points}
          onChange={(event) => {
            setPoints(Number(event.currentTarget.value))
          }}
        >
          {DETAILS.map((number) => (
            <option key={number} value={number}>
              {count(number)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface OfWindowProps {
  id: string
  window: Span
  whole: Span
  wordX: (seconds: number) => string
}

/** What is read anew for a window, once it rests. */
function OfWindow({ id, window, whole, wordX }: OfWindowProps) {
  const rested = useRested(window)
  return (
    <>
      <Addresses {...{ id, rested, window, wordX }} />
      <LatencyTable id={id} window={rested} whole={whole} />
    </>
  )
}

interface AddressProps {
  id: string
  rested: Span
  window: Span
  wordX: (seconds: number) => string
}

function Addresses({ id, rested, window, wordX }: AddressProps) {
  const [op, setOp] = useState('')
  const query = { from_s: rested.from, to_s: rested.to, time_bins: 240, address_bins: 96, op: op || null }
  const { data, refusal, reload } = useLoaded<HeatWindow>(at(`/traces/${part(id)}/heat-map`, query))
  const [last, setLast] = useState<HeatWindow | null>(null)
  useEffect(() => {
    if (data) setLast(data)
  }, [data])
  if (refusal) return <Refused error={refusal} onRetry={reload} />
  const shown = data ?? last
  if (!shown) return <Waiting />
  return (
    <>
      <HeatMap bins={shown} window={window} wordTime={wordX} wordBytes={size} />
      <label class="row">
        Requests{' '}
        <select
          value={op}
          onChange={(event) => {
            setOp(event.currentTarget.value)
          }}
        >
          <option value="">reads and writes</option>
          <option value="read">reads</option>
          <option value="write">writes</option>
        </select>
      </label>
    </>
  )
}

const LATENCIES: Column[] = [
  { name: 'Requests' },
  { name: 'Count', kind: 'num' },
  ...QUANTILES.map(([name]): Column => ({ name, kind: 'num' })),
]

function LatencyTable({ id, window, whole }: { id: string; window: Span; whole: Span }) {
  const range = isWhole(window, whole) ? {} : { from_s: window.from, to_s: window.to }
  const path = `/traces/${part(id)}/latencies`
  const reads = useLoaded<Latencies>(at(path, { ...range, op: 'read' }))
  const writes = useLoaded<Latencies>(at(path, { ...range, op: 'write' }))
  const rows = [
    { name: 'reads', held: reads.data },
    { name: 'writes', held: writes.data },
  ].filter(({ held }) => (held?.requests ?? 0) > 0)
  if (!rows.length) return null
  return (
    <>
      <h3>Latency in this window</h3>
      <div class="narrow">
        <Listed
          label="Latency in this window"
          columns={LATENCIES}
          rows={rows.map(({ name, held }) => ({
            key: name,
            cells: [
              name,
              count(held?.requests),
              ...QUANTILES.map(([, share]) => (held ? latency(quantile(held, share)) : '')),
            ],
          }))}
        />
      </div>
    </>
  )
}
