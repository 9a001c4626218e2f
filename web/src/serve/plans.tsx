/** The library of plans: made, being made, and put side by side. */

import { useState } from 'preact/hooks'
import { money } from '../design/number'
import { at, type PlanJob } from './api'
import { current, useLoaded, useNews } from './load'
import { JobState, Page, Refused, Scrolled, Waiting } from './parts'
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

function PlanTable({ plans, chosen, onChosen }: TableProps) {
  return (
    <Scrolled label="Plans">
      <table class="list">
        <thead>
          <tr>
            <th>
              <span class="hidden">Chosen</span>
            </th>
            <th>Plan</th>
            <th>State</th>
            <th>Winner</th>
            <th class="num">Total cost</th>
            <th class="num">Fit</th>
            <th>Made</th>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => (
            <tr key={plan.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Choose ${plan.name} of ${moment(plan.created)} to compare`}
                  disabled={plan.state !== 'done'}
                  checked={chosen.includes(plan.id)}
                  onChange={(event) => {
                    const others = chosen.filter((id) => id !== plan.id)
                    onChosen(event.currentTarget.checked ? [...others.slice(-1), plan.id] : others)
                  }}
                />
              </td>
              <td class="name">
                <a href={href({ page: 'plan', id: plan.id })}>{plan.name}</a>
                {plan.notes ? <span class="muted place">{plan.notes}</span> : null}
              </td>
              <td class="state-cell">
                <JobState job={plan} doing="planning" />
              </td>
              <td class="design">{plan.answer ? (plan.answer.title ?? 'nothing fits') : ''}</td>
              <td class="num">{plan.answer?.winner ? money(plan.answer.total_usd) : ''}</td>
              <td class="num">
                {plan.answer ? `${count(plan.answer.fits)} of ${count(plan.answer.considered)}` : ''}
              </td>
              <td class="date">{moment(plan.created)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
