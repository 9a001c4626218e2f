/**
 * A new plan: which traces, what is required, and which designs are considered.
 *
 * What is typed is stored in the browser as it is typed, so that neither a reload nor a server that goes away loses it.
 */

import { useEffect, useState } from 'preact/hooks'
import { at, part, type NamedModel, type PlanJob, type Trace } from './api'
import { useKept, useLoaded } from './load'
import { Page, Refused, sentence, Waiting } from './parts'
import { Entry } from './entry'
import { body, command, faults, GROUPS, values, type Group, type Values } from './plan_fields'
import { go, href } from './route'
import { send } from './server'

interface Draft {
  name: string
  notes: string
  traces: string[]
  /** A workload model in place of traces. */
  model: string
  values: Values
}

const EMPTY: Draft = { name: '', notes: '', traces: [], model: '', values: {} }

export function NewPlan({ traces, from }: { traces: string[]; from: string | null }) {
  const { draft, setDraft, refusal } = useDraft(traces, from)
  const listed = useLoaded<{ traces: Trace[] }>(at('/traces'))
  const { failed, busy, submit } = useSubmitted(draft, () => {
    setDraft(EMPTY)
  })
  const set = (name: string, value: string) => {
    setDraft({ ...draft, values: { ...draft.values, [name]: value } })
  }
  const wrong = faults(draft.values)
  const ready = (listed.data?.traces ?? []).filter(({ state }) => state === 'done')
  const chosen = draft.model ? [] : ready.filter(({ id }) => draft.traces.includes(id))
  const loaded = chosen.length > 0 || draft.model !== ''
  const refused = listed.refusal ?? refusal ?? failed
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const first = Object.keys(wrong)[0]
    if (first) shownField(first)?.focus()
    else if (loaded) submit(chosen.map(({ id }) => id))
  }
  return (
    <Page title="New plan" lead="What is left empty is derived from the workload, and shown in the plan.">
      {listed.data === null && !listed.refusal ? <Waiting /> : null}
      <form class="plan-form" noValidate onSubmit={onSubmit}>
        <Workload
          ready={ready}
          chosen={draft.traces}
          model={draft.model}
          onChosen={(ids, model) => {
            setDraft({ ...draft, traces: ids, model })
          }}
        />
        {GROUPS.map((group, index) => (
          <FieldGroup
            key={group.title}
            group={group}
            first={index === 0}
            values={draft.values}
            wrong={wrong}
            set={set}
          />
        ))}
        <NameAndNotes draft={draft} setDraft={setDraft} />
        {refused ? <Refused error={refused} /> : null}
        <p class="row">
          <button class="main" disabled={busy || !loaded}>
            Plan
          </button>
          <button
            type="button"
            onClick={() => {
              setDraft({ ...EMPTY, traces: draft.traces, model: draft.model })
            }}
          >
            Clear
          </button>
          {loaded ? null : <span class="muted">Choose a trace or a model first.</span>}
          {Object.keys(wrong).length ? <span class="wrong">Some fields cannot be read.</span> : null}
        </p>
        <InTerminal traces={chosen} model={draft.model} values={draft.values} />
      </form>
    </Page>
  )
}

/** The entry of a field, its group being opened where it was folded. */
function shownField(name: string): HTMLElement | null {
  const entry = document.getElementById(`field-${name}`)
  const group = entry?.closest('details')
  if (group) group.open = true
  return entry
}

function InTerminal({ traces, model, values }: { traces: Trace[]; model: string; values: Values }) {
  const logs = model ? [model] : traces.map(({ files, name, place }) => place ?? files[0] ?? name)
  return (
    <>
      <p class="muted">The same in a terminal:</p>
      <pre class="command">
        <code>{command(logs, values)}</code>
      </pre>
    </>
  )
}

/** What is being filled in: what was left last time, with the traces that were chosen, or the options of a plan. */
function useDraft(traces: string[], from: string | null) {
  const [draft, setDraft] = useKept<Draft>('draft', EMPTY)
  const { data, refusal } = useLoaded<PlanJob>(from ? at(`/plans/${part(from)}`) : null)
  const [taken, setTaken] = useState(false)
  useEffect(() => {
    if (taken || (from && !data)) return
    setTaken(true)
    if (data)
      setDraft({ ...EMPTY, traces: data.traces, model: data.model ?? '', values: values(data.options) })
    else if (traces.length) setDraft({ ...draft, traces, model: '' })
  }, [taken, data, from, traces, draft, setDraft])
  return { draft, setDraft, refusal }
}

function useSubmitted(draft: Draft, onSent: () => void) {
  const [failed, setFailed] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = (traces: string[]) => {
    setBusy(true)
    const { name, notes, model } = draft
    const load = model ? { model } : { traces }
    const wanted = { ...load, name: name.trim() || null, notes, options: body(draft.values) }
    send('POST', at('/plans'), wanted)
      .then(
        (plan) => {
          onSent()
          go({ page: 'plan', id: (plan as PlanJob).id })
        },
        (error: unknown) => {
          setFailed(sentence(error))
        },
      )
      .finally(() => {
        setBusy(false)
      })
  }
  return { failed, busy, submit }
}

interface ChosenProps {
  ready: Trace[]
  chosen: string[]
  model: string
  onChosen: (ids: string[], model: string) => void
}

/** What is planned for: traces, or a model in their place. */
function Workload({ ready, chosen, model, onChosen }: ChosenProps) {
  const { data } = useLoaded<{ models: NamedModel[] }>(at('/models'))
  return (
    <fieldset>
      <legend>Traces</legend>
      {ready.length ? null : (
        <p class="muted">
          No trace is ready: <a href={href({ page: 'traces' })}>add one</a>.
        </p>
      )}
      <div class="checks">
        {ready.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              disabled={model !== ''}
              checked={model === '' && chosen.includes(id)}
              onChange={(event) => {
                const rest = chosen.filter((each) => each !== id)
                onChosen(event.currentTarget.checked ? [...rest, id] : rest, '')
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <div class="field">
        <label for="plan-model">or a workload model</label>
        <select
          id="plan-model"
          value={model}
          onChange={(event) => {
            onChosen(chosen, event.currentTarget.value)
          }}
        >
          <option value="">none</option>
          {(data?.models ?? []).map(({ name, description }) => (
            <option key={name} value={name}>
              {description || name}
            </option>
          ))}
        </select>
      </div>
    </fieldset>
  )
}

function NameAndNotes({ draft, setDraft }: { draft: Draft; setDraft: (draft: Draft) => void }) {
  return (
    <fieldset>
      <legend>Name</legend>
      <div class="fields">
        <div class="field">
          <label for="plan-name">Name</label>
          <input
            id="plan-name"
            value={draft.name}
            placeholder="that of the trace"
            onInput={(event) => {
              setDraft({ ...draft, name: event.currentTarget.value })
            }}
          />
        </div>
        <div class="field wide">
          <label for="plan-notes">Notes</label>
          <textarea
            id="plan-notes"
            rows={2}
            value={draft.notes}
            onInput={(event) => {
              setDraft({ ...draft, notes: event.currentTarget.value })
            }}
          />
        </div>
      </div>
    </fieldset>
  )
}

interface GroupProps {
  group: Group
  /** Whether it is open from the start. */
  first: boolean
  values: Values
  wrong: Record<string, string>
  set: (name: string, value: string) => void
}

function FieldGroup({ group, first, values, wrong, set }: GroupProps) {
  const given = group.fields.filter(({ name }) => values[name]).length
  const [open] = useState(first || given > 0)
  return (
    <details class="group" open={open}>
      <summary>
        {group.title}
        {given ? <span class="muted"> {given} given</span> : null}
      </summary>
      <div class="fields">
        {group.fields.map((field) => (
          <Entry
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            wrong={wrong[field.name] ?? null}
            onValue={(value) => {
              set(field.name, value)
            }}
          />
        ))}
      </div>
    </details>
  )
}
