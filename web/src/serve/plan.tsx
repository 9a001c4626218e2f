/** One plan: how far it is, what it answers, its report, and what can be taken from it. */

import { useCallback, useState } from 'preact/hooks'
import { money } from '../design/number'
import { at, ended, part, type Plan, type PlanJob } from './api'
import { DesignTable } from './designs'
import { csv, download, fileName } from './export'
import { Listed, type Column } from './listed'
import { current, useLoaded, useNews } from './load'
import { Naming } from './naming'
import { Confirmed, JobState, Page, Refused, sentence, Tiles, Waiting } from './parts'
import { go, href } from './route'
import { send, type Method } from './server'
import { count, duration, moment } from './words'

export function PlanPage({ id }: { id: string }) {
  const path = `/plans/${part(id)}`
  const loaded = useLoaded<PlanJob>(at(path))
  const [failed, setFailed] = useState<Error | null>(null)
  const news = useNews('plan', loaded.reload)
  const plan = loaded.data && current(loaded.data, news)
  const done = plan?.state === 'done'
  const { data: document, refusal } = useLoaded<Plan>(done ? at(`${path}/document`) : null)
  const act = useCallback(
    (method: Method, what: string, then: () => void) => {
      send(method, at(`${path}${what}`)).then(then, (error: unknown) => {
        setFailed(sentence(error))
      })
    },
    [path],
  )
  const wrong = loaded.refusal ?? refusal
  return (
    <Page title={plan?.name ?? 'Plan'}>
      {wrong ? <Refused error={wrong} onRetry={loaded.reload} /> : null}
      {failed ? (
        <Refused
          error={failed}
          onClose={() => {
            setFailed(null)
          }}
        />
      ) : null}
      {!plan && !wrong ? <Waiting /> : null}
      {plan ? <Progress plan={plan} act={act} reload={loaded.reload} /> : null}
      {plan ? <Naming plan={plan} onSaved={loaded.reload} /> : null}
      {plan?.answer ? <Answer plan={plan} /> : null}
      {plan && done ? <Outputs plan={plan} document={document} /> : null}
      {document ? <Requirements plan={document} /> : null}
      {document ? <DesignTable plan={document} /> : null}
    </Page>
  )
}

interface ProgressProps {
  plan: PlanJob
  act: (method: Method, what: string, then: () => void) => void
  reload: () => void
}

function Progress({ plan, act, reload }: ProgressProps) {
  const [asking, setAsking] = useState(false)
  const over = ended(plan.state)
  return (
    <div class="row plan-state">
      <JobState job={plan} doing="planning" />
      <span class="muted">{took(plan)}</span>
      {over ? null : (
        <button
          onClick={() => {
            act('POST', '/cancel', reload)
          }}
        >
          Cancel
        </button>
      )}
      {over && plan.state !== 'done' ? (
        <button
          class="main"
          onClick={() => {
            act('POST', '/again', reload)
          }}
        >
          Run again
        </button>
      ) : null}
      <a class="button" href={href({ page: 'new-plan', traces: [], from: plan.id })}>
        Change and plan anew
      </a>
      <Confirmed
        label="Delete"
        question="Delete this plan?"
        asking={asking}
        onAsk={setAsking}
        onYes={() => {
          act('DELETE', '', () => {
            go({ page: 'plans' })
          })
        }}
      />
    </div>
  )
}

function took({ began, ended: end, created }: PlanJob): string {
  if (!began || !end) return `of ${moment(created)}`
  return `of ${moment(created)}, in ${duration((Date.parse(end) - Date.parse(began)) / 1000)}`
}

function Answer({ plan }: { plan: PlanJob }) {
  const { answer } = plan
  if (!answer) return null
  if (!answer.winner)
    return (
      <div class="notice">
        <p>No design fits. The report says which requirements exclude each other, and what comes nearest.</p>
      </div>
    )
  return (
    <Tiles
      figures={[
        { name: 'best design', value: answer.title ?? answer.winner, wide: true },
        { name: 'total cost', value: money(answer.total_usd) },
        { name: 'designs that fit', value: count(answer.fits), note: `of ${count(answer.considered)}` },
      ]}
    />
  )
}

/** The report, in the page and for itself, and what can be exported. */
function Outputs({ plan, document }: { plan: PlanJob; document: Plan | null }) {
  const [shown, setShown] = useState(false)
  const report = `/plans/${part(plan.id)}/report`
  return (
    <>
      <p class="row">
        <a class="button main" href={at(report)} target="_blank" rel="noopener">
          Open the report
        </a>
        <button
          aria-expanded={shown}
          onClick={() => {
            setShown(!shown)
          }}
        >
          {shown ? 'Hide the report' : 'Show the report here'}
        </button>
        <a class="button" href={at(report, { download: true })} download={fileName(plan.name, '.html')}>
          Report as a file
        </a>
        <a
          class="button"
          href={at(`/plans/${part(plan.id)}/document`)}
          download={fileName(plan.name, '.json')}
        >
          JSON
        </a>
        <button
          disabled={!document}
          onClick={() => {
            download(fileName(plan.name, '.csv'), 'text/csv', csv(document?.designs ?? []))
          }}
        >
          CSV
        </button>
      </p>
      {shown ? (
        // It has no origin of its own, so what it may do is not said of ours: it writes its link to the clipboard.
        <iframe class="report" title={`Report of ${plan.name}`} src={at(report)} allow="clipboard-write *" />
      ) : null}
    </>
  )
}

const REQUIREMENTS: Column[] = [
  { name: 'Requirement' },
  { name: 'Value' },
  { name: 'Origin' },
  { name: 'Why' },
]

function Requirements({ plan }: { plan: Plan }) {
  return (
    <details>
      <summary>Requirements: {plan.requirements.length}</summary>
      <Listed
        label="Requirements"
        columns={REQUIREMENTS}
        rows={plan.requirements.map(({ name, display, origin, why }) => ({
          key: name,
          cells: [name.replaceAll('_', ' '), display, <span class={`mark ${origin}`}>{origin}</span>, why],
        }))}
      />
    </details>
  )
}
