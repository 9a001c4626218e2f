/** One result: what was measured, point by point. */

import { useState } from 'preact/hooks'
import { latency, percent, significant, size } from '../design/number'
import { at, part, type Outcome, type Result } from './api'
import { Listed, type Column } from './listed'
import { useLoaded } from './load'
import { Confirmed, Page, Refused, sentence, Waiting } from './parts'
import { go } from './route'
import { send } from './server'
import { rate } from './words'

/** A quantile of an operation's latency, in whichever of both documents it is. */
export function quantile(outcome: Outcome | null, op: string, name: string): number | null {
  const held = outcome?.[op] as { latency_ns?: Record<string, number | null> | null } | null | undefined
  return held?.latency_ns?.[name] ?? null
}

function setting(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function ResultPage({ id }: { id: string }) {
  const { data: result, refusal, reload } = useLoaded<Result>(at(`/results/${part(id)}`))
  const [asking, setAsking] = useState(false)
  const [failed, setFailed] = useState<Error | null>(null)
  const wrong = refusal ?? failed
  return (
    <Page title="Result of a benchmark">
      {wrong ? <Refused error={wrong} onRetry={reload} /> : null}
      {!result && !wrong ? <Waiting /> : null}
      <p class="row">
        {result ? `${result.kind}${result.complete ? '' : ', not complete'}` : ''}
        <a class="button" href={at(`/results/${part(id)}`)} download={`${id}.json`}>
          JSON
        </a>
        <Confirmed
          label="Remove"
          question="Remove this result?"
          asking={asking}
          onAsk={setAsking}
          onYes={() => {
            send('DELETE', at(`/results/${part(id)}`)).then(
              () => {
                go({ page: 'bench' })
              },
              (error: unknown) => {
                setFailed(sentence(error))
              },
            )
          }}
        />
      </p>
      {result ? (
        result.kind === 'database' ? (
          <Transactions result={result} />
        ) : (
          <Points result={result} />
        )
      ) : null}
    </Page>
  )
}

/** The settings that are not the same at all points: the others say nothing of one of them. */
export function varied(points: Result['points']): string[] {
  const names = [...new Set(points.flatMap(({ settings }) => Object.keys(settings)))]
  return names.filter((name) => new Set(points.map(({ settings }) => setting(settings[name]))).size > 1)
}

/** The largest share of the waits for the attached designs of a point that was this machine's; none without such. */
export function lateness({ attached }: Pick<Result['points'][number], 'attached'>): number | null {
  if (!attached?.length) return null
  return Math.max(...attached.map(({ late_share }) => late_share ?? 0))
}

/** What a database carried, and how much of its waits for attached designs was this machine's. */
function Transactions({ result }: { result: Result }) {
  const names = varied(result.points)
  const late = result.points.map(lateness)
  const isAttached = late.some((share) => share !== null)
  const columns: Column[] = [
    { name: 'Target', kind: 'design' },
    ...names.map((name): Column => ({ name: name.replaceAll('_', ' '), kind: 'num' })),
    { name: 'Transactions/s', kind: 'num' },
    { name: 'p95', kind: 'num' },
    { name: 'p99', kind: 'num' },
    ...(isAttached ? [{ name: 'Late, of the I/O wait', kind: 'num' } as const] : []),
  ]
  const rows = result.points.map(({ target, settings, transactions }, index) => ({
    key: String(index),
    cells: [
      target,
      ...names.map((name) => setting(settings[name])),
      significant(transactions?.per_s),
      latency(transactions?.latency_ns?.['q0.95']),
      latency(transactions?.latency_ns?.['q0.99']),
      ...(isAttached ? [percent(late[index])] : []),
    ],
  }))
  return (
    <>
      <Listed label="Points" columns={columns} rows={rows} />
      {isAttached ? (
        <p class="muted">
          Late: what this machine added to the waits for the attached designs. Beyond 5 % a rate is of the
          machine.
        </p>
      ) : null}
    </>
  )
}

function Points({ result }: { result: Result }) {
  const names = varied(result.points)
  const columns: Column[] = [
    { name: 'Target' },
    { name: 'Workload', kind: 'design' },
    ...names.map((name): Column => ({ name: name.replaceAll('_', ' '), kind: 'num' })),
    { name: 'IOPS', kind: 'num' },
    { name: 'Throughput', kind: 'num' },
    { name: 'p99 read', kind: 'num' },
    { name: 'p99 write', kind: 'num' },
  ]
  const rows = result.points.map(({ target, workload, settings, outcome }, index) => ({
    key: String(index),
    cells: [
      target,
      workload ?? '',
      ...names.map((name) => setting(settings[name])),
      significant(outcome?.iops),
      rate(outcome?.throughput_bytes_per_s, size),
      latency(quantile(outcome, 'read', 'q0.99')),
      latency(quantile(outcome, 'write', 'q0.99')),
    ],
  }))
  return <Listed label="Points" columns={columns} rows={rows} />
}
