// Cost against latency: a point a design, the Pareto front among those that fit. The table has the same figures for
// who cannot see it. Colours and sizes are attributes, so that a picture saved as PNG looks the same.

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import * as number from '../design/number'
import { title } from './answer'
import type { Verdict } from './document'
import type { Session } from './session'

const HEIGHT = 330
const BEYOND = 20
const EDGE = { left: 64, right: 18, top: 26, bottom: 42 }
export const CHART = 'wi-chart'

interface Point {
  verdict: Verdict
  x: number
  y: number
  /** Slower than the chart is high. */
  isBeyond: boolean
}

type Axis = (value: number) => number

function logAxis(values: number[], from: number, to: number): { at: Axis; ticks: number[] } {
  const low = Math.min(...values) / 1.25
  const high = Math.max(...values) * 1.25
  const at = (value: number) => from + (Math.log(value / low) / Math.log(high / low)) * (to - from)
  return { at, ticks: logTicks(low, high, Math.abs(to - from) / 70) }
}

/** 1, 2, 5 in each decade, or the decades alone where there are many. */
export function logTicks(low: number, high: number, most: number): number[] {
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const found: number[] = []
    for (let decade = Math.floor(Math.log10(low)); decade <= Math.ceil(Math.log10(high)); decade += 1) {
      for (const step of steps) {
        const value = Number(`${step}e${decade}`)
        if (value >= low && value <= high) found.push(value)
      }
    }
    if (found.length <= most || steps.length === 1) return found
  }
  return []
}

function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    if (place.current) setWidth(Math.max(280, place.current.clientWidth))
  }, [])
  useEffect(() => {
    if (!place.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(280, Math.round(entry.contentRect.width)))
    })
    observer.observe(place.current)
    return () => {
      observer.disconnect()
    }
  }, [])
  return [place, width]
}

export function Front({ session, looked }: { session: Session; looked: string | null }) {
  const [op, setOp] = useState<'read' | 'write'>('read')
  const [place, width] = useWidth()
  const p99 = (verdict: Verdict) => (op === 'read' ? verdict.read_p99_ns : verdict.write_p99_ns)?.value
  const { peak_times: asked } = session.judged.settings
  const placed = session.judged.designs.filter(
    (verdict) => p99(verdict) && (verdict.total_usd.value ?? 0) > 0,
  )
  const drawn = placed.filter((verdict) => verdict.p99_times === asked)
  const out = placed.length - drawn.length
  return (
    <div class="wi-front" ref={place}>
      <h3>
        Cost against latency
        <span class="wi-ops" role="group" aria-label="Latency of">
          {(['read', 'write'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={op === each}
              onClick={() => {
                setOp(each)
              }}
            >
              {each}s
            </button>
          ))}
        </span>
      </h3>
      {drawn.length ? (
        <>
          <Chart session={session} looked={looked} op={op} width={width} drawn={drawn} />
          <p class="muted">
            Full: fits; hollow: misses; dashed: not tried at this load; triangle: slower than the chart is
            high. The line is the Pareto front. A click looks at a design.
          </p>
        </>
      ) : (
        <p class="muted">No design’s p99 of {op}s is known at this load.</p>
      )}
      {out > 0 && (
        <p class="muted">
          Left out: {out} {out === 1 ? 'design whose p99 is' : 'designs whose p99 is'} known at the measured
          peak alone.
        </p>
      )}
    </div>
  )
}

interface ChartProps {
  session: Session
  looked: string | null
  op: 'read' | 'write'
  width: number
  drawn: Verdict[]
}

function Chart({ session, looked, op, width, drawn }: ChartProps) {
  const p99_ms = (verdict: Verdict) =>
    ((op === 'read' ? verdict.read_p99_ns : verdict.write_p99_ns)?.value ?? 0) / 1e6
  const limit_ns = op === 'read' ? session.judged.settings.p99_read_ns : session.judged.settings.p99_write_ns
  const limit_ms = limit_ns === null ? [] : [limit_ns / 1e6]
  const most = top(drawn, p99_ms, limit_ms)
  const costs = drawn.map((verdict) => verdict.total_usd.value ?? 1)
  const cost = logAxis(costs, EDGE.left, width - EDGE.right)
  const late = logAxis(
    [...drawn.map(p99_ms).filter((ms) => ms <= most), ...limit_ms],
    HEIGHT - EDGE.bottom,
    EDGE.top,
  )
  const points = drawn.map((verdict) => ({
    verdict,
    x: cost.at(verdict.total_usd.value ?? 1),
    y: p99_ms(verdict) > most ? EDGE.top : late.at(p99_ms(verdict)),
    isBeyond: p99_ms(verdict) > most,
  }))
  const pareto = new Set(session.judged.order.filter((ranked) => ranked.pareto).map((ranked) => ranked.index))
  return (
    <svg
      id={CHART}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={`Cost against p99 of ${op}s of ${drawn.length} designs; the table below has the figures`}
    >
      <Axes cost={cost} late={late} width={width} op={op} />
      {limit_ms.map((limit) => (
        <g key="limit">
          <line
            class="limit"
            x1={EDGE.left}
            x2={width - EDGE.right}
            y1={late.at(limit)}
            y2={late.at(limit)}
          />
          <text class="limit" x={width - EDGE.right} y={late.at(limit) - 5} text-anchor="end">
            at most {number.latency(limit * 1e6)}
          </text>
        </g>
      ))}
      <path class="front" d={steps(points.filter((point) => pareto.has(point.verdict.index)))} />
      {points.map((point) => (
        <Dot
          key={point.verdict.line}
          point={point}
          session={session}
          isPareto={pareto.has(point.verdict.index)}
          isLooked={point.verdict.line === looked}
          op={op}
        />
      ))}
    </svg>
  )
}

/** Tens of times the limit, or of what fits, are all too slow alike: they are drawn at the upper edge, as arrows. */
function top(drawn: Verdict[], p99_ms: (verdict: Verdict) => number, limit_ms: number[]): number {
  const fits = drawn.filter((verdict) => verdict.state === 'fits').map(p99_ms)
  const of = [...limit_ms, ...fits]
  return of.length ? BEYOND * Math.max(...of) : Infinity
}

interface AxesProps {
  cost: { at: Axis; ticks: number[] }
  late: { at: Axis; ticks: number[] }
  width: number
  op: string
}

function Axes({ cost, late, width, op }: AxesProps) {
  return (
    <g>
      {late.ticks.map((tick) => (
        <g key={`y${tick}`}>
          <line class="grid" x1={EDGE.left} x2={width - EDGE.right} y1={late.at(tick)} y2={late.at(tick)} />
          <text class="tick" x={EDGE.left - 7} y={late.at(tick) + 4} text-anchor="end">
            {number.significant(tick)} ms
          </text>
        </g>
      ))}
      {cost.ticks.map((tick) => (
        <g key={`x${tick}`}>
          <line
            class="grid"
            x1={cost.at(tick)}
            x2={cost.at(tick)}
            y1={HEIGHT - EDGE.bottom}
            y2={HEIGHT - EDGE.bottom + 4}
          />
          <text class="tick" x={cost.at(tick)} y={HEIGHT - EDGE.bottom + 18} text-anchor="middle">
            {number.money(tick)}
          </text>
        </g>
      ))}
      <line
        class="axis"
        x1={EDGE.left}
        x2={width - EDGE.right}
        y1={HEIGHT - EDGE.bottom}
        y2={HEIGHT - EDGE.bottom}
      />
      <text class="name" x={EDGE.left - 57} y={13}>
        p99 of {op}s
      </text>
      <text class="name" x={width - EDGE.right} y={HEIGHT - 6} text-anchor="end">
        cost over the years of service
      </text>
    </g>
  )
}

/** Right and down: between two points of the front no design is better than the left one. What is on the front for its
    life alone is not of this line. */
export function steps(points: { x: number; y: number }[]): string {
  let lowest = -Infinity
  let path = ''
  for (const { x, y } of [...points].sort((a, b) => a.x - b.x || b.y - a.y)) {
    if (y <= lowest) continue
    path += path ? `H${x.toFixed(1)}V${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}`
    lowest = y
  }
  return path
}

interface DotProps {
  point: Point
  session: Session
  isPareto: boolean
  isLooked: boolean
  op: 'read' | 'write'
}

function Dot({ point: { verdict, x, y, isBeyond }, session, isPareto, isLooked, op }: DotProps) {
  const isPinned = session.state.pins.includes(verdict.line)
  const latency = number.latency((op === 'read' ? verdict.read_p99_ns : verdict.write_p99_ns)?.value)
  const r = isLooked ? 7 : isPinned ? 6 : 4.5
  const shape = {
    class: `dot ${verdict.state}${isPareto ? ' pareto' : ''}${isLooked ? ' looked' : ''}`,
    'data-origin': title(session, verdict),
    'data-why': `${number.money(verdict.total_usd.value)}, p99 of ${op}s ${latency}, ${verdict.state === 'unknown' ? 'not tried' : verdict.state}`,
    onClick: () => {
      session.change({ ...session.state, picked: verdict.line }, `pick ${verdict.line}`)
    },
  }
  if (isBeyond) return <path {...shape} d={`M${x - r} ${y + r}L${x} ${y - r}L${x + r} ${y + r}Z`} />
  return <circle {...shape} cx={x} cy={y} r={r} />
}
