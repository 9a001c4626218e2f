/**
 * A new plan: which traces, what is required, and which designs are considered.
 *
 * What is typed is stored in the browser as it is typed, so that neither a reload nor a server that goes away loses it.
 */

import { useEffect, useState } from 'preact/hooks'
import { at, part, type PlanJob, type Trace } from './api'
import { useKept, useLoaded } from './load'
import { Page, Refused, sentence, Waiting } from './parts'
import { body, command, faults, GROUPS, values, type Field, type Group, type Values } from './plan_fields'
import { go, href } from './route'
import { send } from './server'

interface Draft {
  name: string
  notes: string
  traces: string[]
  values: Values
}

const EMPTY: Draft = { name: '', notes: '', traces: [], values: {} }

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
  const chosen = ready.filter(({ id }) => draft.traces.includes(id))
  const refused = listed.refusal ?? refusal ?? failed
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const first = Object.keys(wrong)[0]
    if (first) shownField(first)?.focus()
    else if (chosen.length) submit(chosen.map(({ id }) => id))
  }
  return (
    <Page title="New plan" lead="What is left empty is derived from the workload, and shown in the plan.">
      {listed.data === null && !listed.refusal ? <Waiting /> : null}
      <form class="plan-form" noValidate onSubmit={onSubmit}>
        <ChosenTraces
          ready={ready}
          chosen={draft.traces}
          onChosen={(ids) => {
            setDraft({ ...draft, traces: ids })
          }}
        />
        {GROUPS.map((group) => (
          <FieldGroup key={group.title} group={group} values={draft.values} wrong={wrong} set={set} />
        ))}
        <NameAndNotes draft={draft} setDraft={setDraft} />
        {refused ? <Refused error={refused} /> : null}
        <p class="row">
          <button class="main" disabled={busy || chosen.length === 0}>
            Plan
          </button>
          <button
            type="button"
            onClick={() => {
              setDraft({ ...EMPTY, traces: draft.traces })
            }}
          >
            Clear
          </button>
          {chosen.length === 0 ? <span class="muted">Choose a trace first.</span> : null}
          {Object.keys(wrong).length ? <span class="wrong">Some fields cannot be read.</span> : null}
        </p>
        <InTerminal traces={chosen} values={draft.values} />
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

function InTerminal({ traces, values }: { traces: Trace[]; values: Values }) {
  const logs = traces.map(({ files, name, place }) => place ?? files[0] ?? name)
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
    if (data) setDraft({ ...EMPTY, traces: data.traces, values: values(data.options) })
    else if (traces.length) setDraft({ ...draft, traces })
  }, [taken, data, from, traces, draft, setDraft])
  return { draft, setDraft, refusal }
}

function useSubmitted(draft: Draft, onSent: () => void) {
  const [failed, setFailed] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = (traces: string[]) => {
    setBusy(true)
    const { name, notes } = draft
    const wanted = { traces, name: name.trim() || null, notes, options: body(draft.values) }
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
  onChosen: (ids: string[]) => void
}

function ChosenTraces({ ready, chosen, onChosen }: ChosenProps) {
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
              checked={chosen.includes(id)}
              onChange={(event) => {
                onChosen(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }}
            />
            <span>{name}</span>
          </label>
        ))}
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
  values: Values
  wrong: Record<string, string>
  set: (name: string, value: string) => void
}

function FieldGroup({ group, values, wrong, set }: GroupProps) {
  const given = group.fields.filter(({ name }) => values[name]).length
  const [open] = useState(group.open || given > 0)
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

interface EntryProps {
  field: Field
  value: string
  wrong: string | null
  onValue: (value: string) => void
}

function Entry({ field, value, wrong, onValue }: EntryProps) {
  const id = `field-${field.name}`
  return (
    <div class={field.kind === 'lines' ? 'field wide' : 'field'}>
      {field.kind === 'switch' ? null : <label for={id}>{field.label}</label>}
      <Input id={id} field={field} value={value} wrong={wrong} onValue={onValue} />
      <span class="help" id={`${id}-help`}>
        {wrong ? <b class="wrong">Cannot be read: {wrong}. </b> : null}
        {field.help}
      </span>
    </div>
  )
}

function Input({ id, field, value, wrong, onValue }: EntryProps & { id: string }) {
  const shared = { id, 'aria-describedby': `${id}-help`, 'aria-invalid': wrong !== null }
  if (field.kind === 'choice')
    return (
      <select
        {...shared}
        value={value}
        onChange={(event) => {
          onValue(event.currentTarget.value)
        }}
      >
        {(field.choices ?? []).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
    )
  if (field.kind === 'switch')
    return (
      <label class="switch">
        <input
          {...shared}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => {
            onValue(event.currentTarget.checked ? 'true' : '')
          }}
        />
        {field.label}
      </label>
    )
  const typed = {
    value,
    placeholder: field.example ?? '',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => {
      onValue(event.currentTarget.value)
    },
  }
  if (field.kind === 'lines') return <textarea {...shared} {...typed} rows={3} />
  return (
    <input
      {...shared}
      {...typed}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
    />
  )
}
