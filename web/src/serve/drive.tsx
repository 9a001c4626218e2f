/** One drive in service: its figures, what it wrote, and when it will have written what ends it. */

import { useMemo, useState } from 'preact/hooks'
import { percent, significant, size } from '../design/number'
import { at, part, type Trajectory } from './api'
import { Chart, type Line } from './chart'
import { asked, useHorizons } from './horizons'
import { useLoaded } from './load'
import { Page, Refused, Tiles, Waiting } from './parts'
import { within, type Span } from './window'
import { day, moment } from './words'

export function DrivePage({ serial }: { serial: string }) {
  const [horizons] = useHorizons()
  const path = at(`/health/drives/${part(serial)}`, asked(horizons))
  const { data: drive, refusal, reload } = useLoaded<Trajectory>(path)
  return (
    <Page title={`Drive ${serial}`}>
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {!drive && !refusal ? <Waiting /> : null}
      {drive ? <Figures drive={drive} /> : null}
      {drive ? <Written drive={drive} /> : null}
      {drive ? <Ahead drive={drive} /> : null}
    </Page>
  )
}

function Figures({ drive }: { drive: Trajectory }) {
  return (
    <>
      <p class="lead">
        {[drive.model, drive.host, drive.device, drive.group].filter(Boolean).join(', ')}
        {drive.why ? `: ${drive.why}` : ''}
      </p>
      <Tiles
        figures={[
          { name: 'list', value: drive.status, note: drive.by ? `by ${day(drive.by)}` : undefined },
          { name: 'wear', value: percent(drive.wear_ratio) },
          { name: 'spare', value: percent(drive.spare_ratio) },
          { name: 'written', value: size(drive.written_bytes), note: `of ${size(drive.rated_bytes)} rated` },
          { name: 'writes a day', value: size(drive.written_bytes_per_day) },
          { name: 'write amplification', value: significant(drive.write_amplification, 2) },
          {
            name: 'media end',
            value: day(drive.media_end),
            note: drive.media_end_low
              ? `${day(drive.media_end_low)} to ${day(drive.media_end_high)}`
              : undefined,
          },
          { name: 'warranty end', value: day(drive.warranty_end) },
          { name: 'last sample', value: moment(drive.time) },
        ]}
      />
    </>
  )
}

const seconds = (iso: string): number => Date.parse(iso) / 1000

/** Past and forecast on one axis of time: what was written, and early, middle and late of what will be. */
export function drawn(drive: Trajectory): { x: number[]; lines: Line[] } {
  const past = (drive.past ?? []).map(({ time, written_bytes }) => ({
    at: seconds(time),
    past: written_bytes,
  }))
  const ahead = (['early', 'middle', 'late'] as const).flatMap((name) =>
    drive.fan.map((point) => ({ at: seconds(point[name]), [name]: point.written_bytes })),
  )
  const points: ({ at: number } & Record<string, number | null | undefined>)[] = [...past, ...ahead]
  const x = [...new Set(points.map((point) => point.at))].sort((a, b) => a - b)
  const index = new Map(x.map((time, place) => [time, place]))
  const column = (name: string) => {
    const values: (number | null)[] = Array.from({ length: x.length }, () => null)
    for (const point of points) {
      const value = point[name]
      if (value !== null && value !== undefined) values[index.get(point.at) ?? 0] = value
    }
    return joined(x, values)
  }
  const all: Line[] = [
    { label: 'written', values: column('past'), colour: '--read' },
    { label: 'forecast', values: column('middle'), colour: '--write' },
    { label: 'early', values: column('early'), colour: '--write', dash: [4, 4] },
    { label: 'late', values: column('late'), colour: '--write', dash: [4, 4] },
  ]
  return { x, lines: all.filter(({ values }) => values.some((value) => value !== null)) }
}

/** Gaps between two known points filled in by a straight line: each line has times of its own. */
export function joined(x: number[], values: (number | null)[]): (number | null)[] {
  const filled = [...values]
  const known = values.flatMap((value, place) =>
    value === null ? [] : [{ place, value, at: x[place] ?? 0 }],
  )
  known.slice(1).forEach((next, order) => {
    const before = known[order]
    if (!before) return
    for (let place = before.place + 1; place < next.place; place++) {
      const share = ((x[place] ?? 0) - before.at) / (next.at - before.at)
      filled[place] = before.value + (next.value - before.value) * share
    }
  })
  return filled
}

/** Until the forecast has met its last limit: the late line may take a century longer. */
export function expected(drive: Trajectory, whole: Span): Span {
  const last = drive.fan[drive.fan.length - 1]
  return last ? within({ from: whole.from, to: seconds(last.middle) }, whole) : whole
}

function Written({ drive }: { drive: Trajectory }) {
  const { x, lines } = useMemo(() => drawn(drive), [drive])
  const whole: Span = useMemo(() => ({ from: x[0] ?? 0, to: x[x.length - 1] ?? 1 }), [x])
  const first = useMemo(() => expected(drive, whole), [drive, whole])
  const [window, setWindow] = useState<Span | null>(null)
  if (x.length < 2) return null
  return (
    <section aria-labelledby="written">
      <h2 id="written">Written by the host</h2>
      <Chart
        title="Bytes written: drag to move, wheel to zoom"
        x={x}
        lines={lines}
        height={280}
        whole={whole}
        window={window ?? first}
        onWindow={setWindow}
        word={size}
        wordX={(at_s) => new Date(at_s * 1000).toISOString().slice(0, 10)}
      />
    </section>
  )
}

function Ahead({ drive }: { drive: Trajectory }) {
  if (!drive.limits.length && !drive.changes.length) return null
  return (
    <section aria-labelledby="ends">
      <h2 id="ends">Ends and changes</h2>
      <ul>
        {drive.limits.map(({ limit, written_bytes }) => (
          <li key={limit}>
            {limit}: {size(written_bytes)} written
          </li>
        ))}
        {drive.changes.map(({ time, factor }) => (
          <li key={time}>
            {day(time)}: writes a day became {significant(factor, 2)} times what they were
          </li>
        ))}
      </ul>
    </section>
  )
}
