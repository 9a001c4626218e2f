/** One result: what was measured, point by point. */

import { useState } from 'preact/hooks'
import { latency, significant, size } from '../design/number'
import { at, part, type Outcome, type Result } from './api'
import { useLoaded } from './load'
import { Confirmed, Page, Refused, Scrolled, sentence, Waiting } from './parts'
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
      {result ? <Points result={result} /> : null}
    </Page>
  )
}

/** The settings that are not the same at all points: the others say nothing of one of them. */
export function varied(points: Result['points']): string[] {
  const names = [...new Set(points.flatMap(({ settings }) => Object.keys(settings)))]
  return names.filter((name) => new Set(points.map(({ settings }) => setting(settings[name]))).size > 1)
}

function Points({ result }: { result: Result }) {
  const names = varied(result.points)
  return (
    <Scrolled label="Points">
      <table class="list">
        <thead>
          <tr>
            <th>Target</th>
            <th>Workload</th>
            {names.map((name) => (
              <th key={name} class="num">
                {name.replaceAll('_', ' ')}
              </th>
            ))}
            <th class="num">IOPS</th>
            <th class="num">Throughput</th>
            <th class="num">p99 read</th>
            <th class="num">p99 write</th>
          </tr>
        </thead>
        <tbody>
          {result.points.map((point, index) => (
            <tr key={index}>
              <td>{point.target}</td>
              <td class="design">
                {point.workload ??
                  (point.transactions ? `${significant(point.transactions.per_s)} transactions/s` : '')}
              </td>
              {names.map((name) => (
                <td key={name} class="num">
                  {setting(point.settings[name])}
                </td>
              ))}
              <td class="num">{significant(point.outcome?.iops)}</td>
              <td class="num">{rate(point.outcome?.throughput_bytes_per_s, size)}</td>
              <td class="num">{latency(quantile(point.outcome, 'read', 'q0.99'))}</td>
              <td class="num">{latency(quantile(point.outcome, 'write', 'q0.99'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
