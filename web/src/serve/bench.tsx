/** Results of benchmarks, and comparisons of them with predictions or with each other. */

import { useState } from 'preact/hooks'
import { at, type ComparisonJob, type Measured } from './api'
import { Listed, type Column } from './listed'
import { current, useLoaded, useNews } from './load'
import { JobState, Page, Refused, sentence, Waiting } from './parts'
import { href } from './route'
import { send, upload } from './server'
import { count, moment } from './words'

export function Bench() {
  const results = useLoaded<{ results: Measured[] }>(at('/results'))
  const comparisons = useLoaded<{ comparisons: ComparisonJob[] }>(at('/comparisons'))
  const latest = useNews('comparison', comparisons.reload)
  const [failed, setFailed] = useState<Error | null>(null)
  const measured = results.data?.results ?? []
  const jobs = (comparisons.data?.comparisons ?? []).map((job) => current(job, latest))
  const add = async (files: File[]) => {
    try {
      for (const file of files)
        await upload<Measured>('POST', at('/results', { name: file.name }), file, () => undefined)
      setFailed(null)
    } catch (error) {
      setFailed(sentence(error))
    }
    results.reload()
  }
  const wrong = results.refusal ?? comparisons.refusal
  return (
    <Page title="Bench" lead="Results of benchmarks, and how far predictions were off.">
      {wrong ? <Refused error={wrong} onRetry={results.reload} /> : null}
      {failed ? <Refused error={failed} /> : null}
      <p class="row">
        <label class="button main">
          <input
            type="file"
            class="hidden"
            accept=".json"
            multiple
            onChange={(event) => {
              void add([...(event.currentTarget.files ?? [])])
            }}
          />
          Add a result
        </label>
        <span class="muted">
          What <code>drivecast bench … -o result.json</code> wrote.
        </span>
      </p>
      {results.data === null && !wrong ? <Waiting /> : null}
      {results.data && !measured.length ? <p class="muted">No result yet.</p> : null}
      {measured.length ? <Results measured={measured} /> : null}
      {measured.length ? <NewComparison measured={measured} onMade={comparisons.reload} /> : null}
      {jobs.length ? <Comparisons jobs={jobs} measured={measured} /> : null}
    </Page>
  )
}

const RESULTS: Column[] = [
  { name: 'Result', kind: 'name' },
  { name: 'Kind' },
  { name: 'Targets', kind: 'design' },
  { name: 'Points', kind: 'num' },
  { name: 'Added', kind: 'date' },
]

function Results({ measured }: { measured: Measured[] }) {
  const rows = measured.map(({ id, name, kind, targets, points, complete, added }) => ({
    key: id,
    cells: [
      <a href={href({ page: 'result', id })}>{name}</a>,
      kind,
      targets.join(', '),
      `${count(points)}${complete ? '' : ', not complete'}`,
      moment(added),
    ],
  }))
  return <Listed label="Results" columns={RESULTS} rows={rows} />
}

function NewComparison({ measured, onMade }: { measured: Measured[]; onMade: () => void }) {
  const [of, setOf] = useState(measured[0]?.id ?? '')
  const [against, setAgainst] = useState('')
  const [design, setDesign] = useState('')
  const [failed, setFailed] = useState<Error | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const other = against ? { result: against } : { design: design.trim() }
    send('POST', at('/comparisons'), { measured: of, ...other }).then(
      () => {
        setFailed(null)
        onMade()
      },
      (error: unknown) => {
        setFailed(sentence(error))
      },
    )
  }
  return (
    <form class="card" onSubmit={submit}>
      <h2>Compare</h2>
      <div class="fields">
        <div class="field">
          <label for="measured">Measured</label>
          <Choice id="measured" value={of} measured={measured} onValue={setOf} />
        </div>
        <div class="field">
          <label for="against">Compared with</label>
          <Choice
            id="against"
            value={against}
            measured={measured.filter(({ id }) => id !== of)}
            onValue={setAgainst}
            none="the prediction for a design"
          />
        </div>
        {against ? null : (
          <div class="field">
            <label for="design">Design</label>
            <input
              id="design"
              value={design}
              placeholder="raid1(2 * samsung-pm893-480gb)"
              spellcheck={false}
              onInput={(event) => {
                setDesign(event.currentTarget.value)
              }}
            />
          </div>
        )}
      </div>
      {failed ? <Refused error={failed} /> : null}
      <button class="main" disabled={!of || (!against && !design.trim())}>
        Compare
      </button>
    </form>
  )
}

interface ChoiceProps {
  id: string
  value: string
  measured: Measured[]
  onValue: (value: string) => void
  none?: string
}

function Choice({ id, value, measured, onValue, none }: ChoiceProps) {
  return (
    <select
      id={id}
      value={value}
      onChange={(event) => {
        onValue(event.currentTarget.value)
      }}
    >
      {none ? <option value="">{none}</option> : null}
      {measured.map(({ id: each, name }) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  )
}

const COMPARISONS: Column[] = [
  { name: 'Measured', kind: 'name' },
  { name: 'Compared with', kind: 'design' },
  { name: 'State' },
  { name: 'Outcome' },
  { name: 'Made', kind: 'date' },
]

function Comparisons({ jobs, measured }: { jobs: ComparisonJob[]; measured: Measured[] }) {
  const named = (id: string | null) => measured.find((result) => result.id === id)?.name ?? id ?? ''
  const rows = jobs.map((job) => ({
    key: job.id,
    cells: [
      <a href={href({ page: 'comparison', id: job.id })}>{named(job.measured)}</a>,
      job.design ?? named(job.result),
      <JobState job={job} doing="comparing" />,
      job.outcome ? OUTCOMES[job.outcome] : '',
      moment(job.created),
    ],
  }))
  return (
    <section>
      <h2>Comparisons</h2>
      <Listed label="Comparisons" columns={COMPARISONS} rows={rows} />
    </section>
  )
}

export const OUTCOMES: Record<string, string> = {
  within: 'within the tolerance',
  beyond: 'beyond the tolerance',
  untold: 'hidden by noise',
  shown: 'not judged',
}
