/** One comparison: each point measured next to its prediction, figure by figure. */

import { latency, multiple, significant, size, span } from '../design/number'
import { at, part, type Comparison, type ComparisonJob } from './api'
import { OUTCOMES } from './bench'
import { Listed, type Column, type ListedRow } from './listed'
import { current, useLoaded, useNews } from './load'
import { JobState, Page, Refused, sentence, Waiting } from './parts'
import { useState } from 'preact/hooks'
import { go } from './route'
import { send } from './server'
import { rate } from './words'

type Point = Comparison['points'][number]
type Figure = Point['figures'][number]

/** A value in the unit of its figure. */
export function worded(figure: string, value: number): string {
  if (figure === 'throughput_bytes_per_s') return rate(value, size)
  return figure === 'iops' || figure === 'per_s' ? significant(value) : latency(value)
}

/** The figure in words: `q0.99` is `p99`. */
export function named(figure: string): string {
  const share = /q(0\.\d+)$/.exec(figure)?.[1]
  if (share) return `p${significant(Number(share) * 100, 8)}`
  return figure === 'iops'
    ? 'IOPS'
    : figure.replace('_bytes_per_s', '').replace('_ns', '').replaceAll('_', ' ')
}

export function ComparisonPage({ id }: { id: string }) {
  const path = `/comparisons/${part(id)}`
  const loaded = useLoaded<ComparisonJob>(at(path))
  const news = useNews('comparison', loaded.reload)
  const job = loaded.data && current(loaded.data, news)
  const { data, refusal } = useLoaded<Comparison>(job?.state === 'done' ? at(`${path}/document`) : null)
  const [failed, setFailed] = useState<Error | null>(null)
  const act = (method: 'POST' | 'DELETE', what: string, then: () => void) => () => {
    send(method, at(`${path}${what}`)).then(then, (error: unknown) => {
      setFailed(sentence(error))
    })
  }
  const wrong = loaded.refusal ?? refusal ?? failed
  const away = () => {
    go({ page: 'bench' })
  }
  return (
    <Page title="Comparison" lead={data?.verdict}>
      {wrong ? <Refused error={wrong} onRetry={loaded.reload} /> : null}
      {!job && !wrong ? <Waiting /> : null}
      {job ? (
        <p class="row">
          <JobState job={job} doing="comparing" />
          {job.state === 'running' || job.state === 'queued' ? (
            <button onClick={act('POST', '/cancel', loaded.reload)}>Cancel</button>
          ) : (
            <button onClick={act('DELETE', '', away)}>Delete</button>
          )}
        </p>
      ) : null}
      {data?.notes.map((note) => (
        <p class="muted" key={note}>
          {note}
        </p>
      ))}
      {data?.points.map((point, index) => (
        <PointCard key={index} point={point} />
      ))}
    </Page>
  )
}

function PointCard({ point }: { point: Point }) {
  return (
    <section class="card" aria-label={point.workload ?? point.target}>
      <h2>{point.workload ?? point.target}</h2>
      <ul>
        {(point.verdict.length ? point.verdict : [OUTCOMES[point.outcome] ?? '']).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Listed
        label={`Figures of ${point.workload ?? point.target}`}
        columns={COLUMNS}
        rows={point.figures.map(row)}
      />
    </section>
  )
}

const COLUMNS: Column[] = [
  { name: 'Figure' },
  { name: 'Measured', kind: 'num' },
  { name: 'Predicted', kind: 'num' },
  { name: 'Ratio', kind: 'num' },
  { name: 'Outcome' },
]

function row({ op, figure, measured, predicted, ratio, ratio_low, ratio_high, outcome }: Figure): ListedRow {
  const interval = ratio_low === null || ratio_high === null ? '' : span(multiple, ratio_low, ratio_high)
  return {
    key: `${op} ${figure}`,
    cells: [
      `${op} ${named(figure)}`,
      worded(figure, measured),
      worded(figure, predicted),
      <>
        {multiple(ratio)} <span class="muted">{interval}</span>
      </>,
      <span class={`state ${outcome}`}>{OUTCOMES[outcome]}</span>,
    ],
  }
}
