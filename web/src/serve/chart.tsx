/**
 * One line chart over time, drawn by uPlot, of which several share a window.
 *
 * Drag pans, the wheel zooms at the pointer, and the keys of `keyed` do both; an overview is brushed instead. The chart
 * owns no window: it reports the wanted one and is given it back, so that all charts of a page move together.
 */

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { drawn, keyed, moved, zoomed, type Span } from './window'

export interface Line {
  label: string
  values: (number | null)[]
  /** A custom property of the design, such as `--read`. */
  colour: string
  dash?: number[]
}

export interface ChartProps {
  title: string
  x: number[]
  lines: Line[]
  height: number
  whole: Span
  window: Span
  onWindow: (window: Span) => void
  word: (value: number) => string
  wordX: (seconds: number) => string
  /** Draws out the window instead of moving it, and shows all of the time. */
  overview?: boolean
  log?: boolean
  /** The vertical axis has a tick at powers of two: sizes in KiB. */
  binary?: boolean
}

const DECIMAL = [-6, -5, -4, -3, -2, -1].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
const DAYS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((days) => days * 86_400)
/** Steps of an axis of time, in seconds: those of clocks and calendars. */
const TIMES = [...DECIMAL, ...SECONDS, ...DAYS]
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power)

/** The properties as they are now: what uPlot calls later reads them from here. */
interface Latest {
  current: ChartProps
}

function colour(of: HTMLElement, name: string): string {
  return getComputedStyle(of).getPropertyValue(name).trim() || 'currentColor'
}

function axes(root: HTMLElement, latest: Latest): uPlot.Axis[] {
  const shared = {
    stroke: () => colour(root, '--muted'),
    ticks: { stroke: () => colour(root, '--faint'), width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
  }
  const words = (ticks: (number | null)[], word: (value: number) => string) =>
    ticks.map((tick) => (tick === null ? '' : word(tick)))
  return [
    {
      ...shared,
      values: (_, ticks) => words(ticks, latest.current.wordX),
      incrs: TIMES,
      space: 90,
      size: 26,
      gap: 4,
      grid: { show: false },
    },
    {
      ...shared,
      grid: { stroke: () => colour(root, '--faint'), width: 1 },
      values: (_, ticks) => words(ticks, latest.current.word),
      ...(latest.current.binary ? { incrs: POWERS } : {}),
      size: 74,
    },
  ]
}

function series(root: HTMLElement, lines: Line[]): uPlot.Series[] {
  return [
    {},
    ...lines.map((line) => ({
      label: line.label,
      stroke: () => colour(root, line.colour),
      width: 1, // a hairline: wider strokes take ten times as long where no graphics processor draws
      points: { show: false },
      auto: false,
      ...(line.dash ? { dash: line.dash } : {}),
    })),
  ]
}

/**
 * The ends of the vertical axis, of all that is known and not of the window: it does not jump while the window moves,
 * and nothing is searched through for each frame. A linear one begins at nought, so that two charts compare by eye.
 */
function vertical({ lines, log }: ChartProps): uPlot.Scale {
  let [low, high] = [Infinity, 0]
  for (const { values } of lines)
    for (const value of values)
      if (value !== null) {
        if (value > high) high = value
        if (value < low) low = value
      }
  if (!log) return { auto: false, range: [0, high > 0 ? high * 1.05 : 1] }
  const range = uPlot.rangeLog(Math.min(low, high), high, 10, false)
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- an enum that exists in types alone
  return { auto: false, distr: 3, range }
}

function options(root: HTMLElement, latest: Latest): uPlot.Options {
  const props = latest.current
  const shown = props.overview ? props.whole : props.window
  return {
    width: Math.max(root.clientWidth, 200),
    height: props.height,
    scales: {
      x: { time: false, auto: false, min: shown.from, max: shown.to },
      y: vertical(props),
    },
    axes: axes(root, latest),
    series: series(root, props.lines),
    legend: { show: false },
    padding: [8, 34, 0, 0],
    cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { show: !props.overview } },
  }
}

function at(plot: uPlot, event: { clientX: number }): number {
  return plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x')
}

/** Follows a pointer that is down over a chart, and calls for windows. */
function followed(plot: uPlot, latest: Latest): void {
  let start: { x: number; window: Span; perPixel: number } | null = null
  plot.over.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    const { window, overview, whole } = latest.current
    const shown = overview ? whole : window
    start = {
      x: overview ? at(plot, event) : event.clientX,
      window,
      perPixel: (shown.to - shown.from) / plot.over.clientWidth,
    }
    plot.over.setPointerCapture(event.pointerId)
  })
  plot.over.addEventListener('pointermove', (event) => {
    if (!start) return
    const { overview, whole, onWindow } = latest.current
    if (!overview) onWindow(moved(start.window, (start.x - event.clientX) * start.perPixel, whole))
    else if (Math.abs(at(plot, event) - start.x) > 3 * start.perPixel)
      onWindow(drawn(start.x, at(plot, event), whole))
  })
  const ended = () => (start = null)
  plot.over.addEventListener('pointerup', ended)
  plot.over.addEventListener('pointercancel', ended)
  plot.over.addEventListener('dblclick', () => {
    latest.current.onWindow(latest.current.whole)
  })
  plot.over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const { window, whole, onWindow } = latest.current
      onWindow(zoomed(window, at(plot, event), Math.exp(event.deltaY / 500), whole))
    },
    { passive: false },
  )
}

/** Shows the window: the axis of a chart, the selection of an overview. */
function show(plot: uPlot, props: ChartProps): void {
  const { window, whole, overview } = props
  if (!overview) {
    plot.setScale('x', { min: window.from, max: window.to })
    return
  }
  const { min, max } = plot.scales['x'] ?? {}
  if (min !== whole.from || max !== whole.to) plot.setScale('x', { min: whole.from, max: whole.to })
  const left = plot.valToPos(window.from, 'x')
  plot.setSelect(
    { left, width: plot.valToPos(window.to, 'x') - left, top: 0, height: plot.over.clientHeight },
    false,
  )
}

function usePlot(props: ChartProps) {
  const holderRef = useRef<HTMLDivElement>(null)
  const plotRef = useRef<uPlot | null>(null)
  const latestRef = useRef(props)
  const seenRef = useRef(true) // what is off the screen is drawn when it is scrolled to
  const { x, lines, height, window, whole } = props
  useEffect(() => {
    latestRef.current = props
  })
  useEffect(() => {
    const root = holderRef.current
    if (!root) return
    const data: uPlot.AlignedData = [x, ...lines.map((line) => line.values)]
    const made = new uPlot(options(root, latestRef), data, root)
    plotRef.current = made
    followed(made, latestRef)
    const fit = () => {
      made.setSize({ width: Math.max(root.clientWidth, 200), height })
      show(made, latestRef.current)
    }
    const sized = new ResizeObserver(fit)
    sized.observe(root)
    const seen = new IntersectionObserver(([entry]) => {
      seenRef.current = entry?.isIntersecting ?? true
      if (seenRef.current) show(made, latestRef.current)
    })
    seen.observe(root)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const repaint = () => {
      made.redraw(false, true)
    }
    scheme.addEventListener('change', repaint)
    return () => {
      sized.disconnect()
      seen.disconnect()
      scheme.removeEventListener('change', repaint)
      made.destroy()
    }
  }, [x, lines, height])
  useEffect(() => {
    if (plotRef.current && seenRef.current) show(plotRef.current, latestRef.current)
  }, [window, whole])
  return holderRef
}

export function Chart(props: ChartProps) {
  const holderRef = usePlot(props)
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = keyed(event.key, props.window, props.whole)
    if (!next) return
    event.preventDefault()
    props.onWindow(next)
  }
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{props.title}</span>
        {props.lines.length > 1 || !props.overview ? <Legend lines={props.lines} /> : null}
      </figcaption>
      <div
        ref={holderRef}
        class={props.overview ? 'plot overview' : 'plot'}
        role="application"
        aria-roledescription="chart"
        aria-label={`${props.title}, from ${props.wordX(props.window.from)} to ${props.wordX(props.window.to)}. Arrow keys move, plus and minus zoom, Escape shows all.`}
        tabIndex={0}
        onKeyDown={keys}
      />
    </figure>
  )
}

function Legend({ lines }: { lines: Line[] }) {
  return (
    <span class="legend">
      {lines.map((line) => (
        <span key={line.label}>
          <i
            style={{ borderTop: `3px ${line.dash ? 'dotted' : 'solid'} var(${line.colour})` }}
            aria-hidden="true"
          />
          {line.label}
        </span>
      ))}
    </span>
  )
}
