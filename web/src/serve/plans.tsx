/** The library of plans: made, being made, and put side by side. */

import { useState } from 'preact/hooks'
import { money } from '../design/number'
import { at, type PlanJob } from './api'
import { Listed, type Column } from './listed'
import { current, useLoaded, useNews } from './load'
import { JobState, Page, Refused, Waiting } from './parts'
import { go, href } from './route'
import { count, moment } from './words'

export function Plans() {
  const { data, refusal, reload } = useLoaded<{ plans: PlanJob[] }>(at('/plans'))
  const latest = useNews('plan', reload)
  const [chosen, setChosen] = useState<string[]>([])
  const [wanted, setWanted] = useState('')
  const plans = (data?.plans ?? []).map((plan) => current(plan, latest))
  const words = wanted.toLowerCase()
  const shown = plans.filter(({ name, notes }) => `${name} ${notes}`.toLowerCase().includes(words))
  const comparable = chosen.filter((id) => plans.some((plan) => plan.id === id && plan.state === 'done'))
  return (
    <Page title="Plans">
      <p class="row">
        <a class="button main" href={href({ page: 'new-plan', traces: [], from: null })}>
          New plan
        </a>
        <button
          disabled={comparable.length !== 2}
          onClick={() => {
            go({ page: 'compare', ids: comparable })
          }}
        >
          Compare two
        </button>
        {plans.length > 5 ? (
          <input
            type="search"
            aria-label="Find plans by name or notes"
            placeholder="find"
            value={wanted}
            onInput={(event) => {
              setWanted(event.currentTarget.value)
            }}
          />
        ) : null}
      </p>
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {data === null && !refusal ? <Waiting /> : null}
      {data && !plans.length ? <p class="muted">No plan yet.</p> : null}
      {shown.length ? <PlanTable plans={shown} chosen={chosen} onChosen={setChosen} /> : null}
    </Page>
  )
}

interface TableProps {
  plans: PlanJob[]
  chosen: string[]
  onChosen: (chosen: string[]) => void
}

const COLUMNS: Column[] = [
  { name: 'Chosen', kind: 'choice' },
  { name: 'Plan', kind: 'name' },
  { name: 'State' },
  { name: 'Winner', kind: 'design' },
  { name: 'Total cost', kind: 'num' },
  { name: 'Fit', kind: 'num' },
  { name: 'Made', kind: 'date' },
]

function PlanTable({ plans, chosen, onChosen }: TableProps) {
  const rows = plans.map((plan) => {
    const { id, name, notes, state, answer, created } = plan
    const choose = (is: boolean) => {
      const others = chosen.filter((each) => each !== id)
      onChosen(is ? [...others.slice(-1), id] : others)
    }
    return {
      key: id,
      cells: [
        <input
          type="checkbox"
          aria-label={`Choose ${name} of ${moment(created)} to compare`}
          disabled={state !== 'done'}
          checked={chosen.includes(id)}
          onChange={(event) => {
            choose(event.currentTarget.checked)
          }}
        />,
        <>
          <a href={href({ page: 'plan', id })}>{name}</a>
          {notes ? <span class="muted place">{notes}</span> : null}
        </>,
        <JobState job={plan} doing="planning" />,
        answer ? (answer.title ?? 'nothing fits') : '',
        answer?.winner ? money(answer.total_usd) : '',
        answer ? `${count(answer.fits)} of ${count(answer.considered)}` : '',
        moment(created),
      ],
    }
  })
  return <Listed label="Plans" columns={COLUMNS} rows={rows} />
}
