/** Two plans side by side: what was required of each, and what became of the same designs. */

import { headroom, latency, money, probability, years } from '../design/number'
import { at, type PlanComparison, type Side } from './api'
import { useLoaded } from './load'
import { Page, Refused, Scrolled, Waiting } from './parts'
import { href } from './route'

const FIGURES: [name: string, word: (side: Side) => string][] = [
  ['Verdict', ({ rank, verdict }) => (rank === null ? verdict : `#${rank}, ${verdict}`)],
  ['Total cost', ({ total_usd }) => money(total_usd)],
  ['Headroom', (side) => headroom(side.headroom)],
  ['p99 read', ({ read_p99_ns }) => latency(read_p99_ns)],
  ['p99 write', ({ write_p99_ns }) => latency(write_p99_ns)],
  ['Life', ({ life_years }) => years(life_years)],
  ['Data loss', ({ data_loss }) => probability(data_loss)],
]

export function ComparePlans({ ids }: { ids: string[] }) {
  const [first, second] = ids
  const path = first && second ? at('/plans/compared', { first, second }) : null
  const { data, refusal, reload } = useLoaded<PlanComparison>(path)
  if (!path)
    return (
      <Page title="Plans compared">
        <p>
          Choose two in the <a href={href({ page: 'plans' })}>list of plans</a>.
        </p>
      </Page>
    )
  return (
    <Page title="Plans compared">
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {!data && !refusal ? <Waiting /> : null}
      {data ? <Requirements compared={data} /> : null}
      {data ? <Designs compared={data} /> : null}
    </Page>
  )
}

function Names({ compared }: { compared: PlanComparison }) {
  return (
    <>
      <th scope="col">
        <a href={href({ page: 'plan', id: compared.first.id })}>{compared.first.name}</a>
      </th>
      <th scope="col">
        <a href={href({ page: 'plan', id: compared.second.id })}>{compared.second.name}</a>
      </th>
    </>
  )
}

function Requirements({ compared }: { compared: PlanComparison }) {
  return (
    <>
      <h2>Requirements</h2>
      <Scrolled label="Requirements">
        <table>
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              <Names compared={compared} />
            </tr>
          </thead>
          <tbody>
            {compared.requirements.map(({ name, first, second, same }) => (
              <tr key={name} class={same ? '' : 'differs'}>
                <td>
                  {name.replaceAll('_', ' ')}
                  {same ? null : <span class="mark">differs</span>}
                </td>
                <td>{first ?? '–'}</td>
                <td>{second ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </>
  )
}

function Designs({ compared }: { compared: PlanComparison }) {
  return (
    <>
      <h2>Designs</h2>
      <p class="muted">Those that are among the first ten of either.</p>
      <div class="cards">
        {compared.designs.map(({ line, title, first, second }) => (
          <section class="card" key={line} aria-label={title}>
            <h3>{title}</h3>
            <code>{line}</code>
            <table>
              <thead>
                <tr>
                  <th>
                    <span class="hidden">Figure</span>
                  </th>
                  <Names compared={compared} />
                </tr>
              </thead>
              <tbody>
                {FIGURES.map(([name, word]) => (
                  <Row key={name} name={name} first={first && word(first)} second={second && word(second)} />
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </>
  )
}

function Row({ name, first, second }: { name: string; first: string | null; second: string | null }) {
  return (
    <tr class={first === second ? '' : 'differs'}>
      <td>{name}</td>
      <td>{first ?? 'not considered'}</td>
      <td>{second ?? 'not considered'}</td>
    </tr>
  )
}
