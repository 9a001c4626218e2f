/**
 * Name and notes of a plan, which two people may edit at once.
 *
 * A change says which revision it changes. Where somebody else was first, nothing is overwritten: both texts are
 * shown, and the reader takes theirs or writes their own over it.
 */

import { useState } from 'preact/hooks'
import { at, part, type PlanJob } from './api'
import { Refused, sentence } from './parts'
import { read, Refusal, send } from './server'

interface Text {
  name: string
  notes: string
}

/** What somebody else changed since `before`, in a sentence. */
export function changedBy(before: Text, now: Text): string {
  const parts = [
    before.name === now.name ? '' : `the name, from “${before.name}” to “${now.name}”`,
    before.notes === now.notes ? '' : `the notes, to “${now.notes}”`,
  ].filter(Boolean)
  return `Somebody else changed ${parts.join(' and ') || 'this plan'} meanwhile.`
}

export function Naming({ plan, onSaved }: { plan: PlanJob; onSaved: () => void }) {
  const [editing, setEditing] = useState(false)
  if (editing)
    return (
      <Edited
        plan={plan}
        onSaved={onSaved}
        onClose={() => {
          setEditing(false)
        }}
      />
    )
  return (
    <div class="row naming">
      {plan.notes ? <p class="notes">{plan.notes}</p> : null}
      <button
        onClick={() => {
          setEditing(true)
        }}
      >
        Name and notes
      </button>
    </div>
  )
}

interface EditedProps {
  plan: PlanJob
  onSaved: () => void
  onClose: () => void
}

/** Text being edited, since a revision of the plan; `plan` itself may change meanwhile. */
function useEdited({ plan, onSaved, onClose }: EditedProps) {
  const path = at(`/plans/${part(plan.id)}`)
  const [begun, setBegun] = useState(plan)
  const [text, setText] = useState<Text>({ name: plan.name, notes: plan.notes })
  const [theirs, setTheirs] = useState<PlanJob | null>(null)
  const [failed, setFailed] = useState<Error | null>(null)
  const refused = (error: unknown) => {
    if (!(error instanceof Refusal && error.status === 412)) {
      setFailed(sentence(error))
      return
    }
    read<PlanJob>(path).then(setTheirs, (again: unknown) => {
      setFailed(sentence(again))
    })
  }
  const save = (over: PlanJob) => {
    const body = { name: text.name.trim(), notes: text.notes }
    send('PATCH', path, body, `"${over.revision}"`).then(() => {
      onSaved()
      onClose()
    }, refused)
  }
  const take = (from: PlanJob) => {
    setBegun(from)
    setText({ name: from.name, notes: from.notes })
    setTheirs(null)
    onSaved()
  }
  return { begun, text, setText, theirs, failed, save, take }
}

function Edited(props: EditedProps) {
  const { begun, text, setText, theirs, failed, save, take } = useEdited(props)
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        save(begun)
      }}
    >
      <div class="fields">
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            value={text.name}
            onInput={(event) => {
              setText({ ...text, name: event.currentTarget.value })
            }}
          />
        </div>
        <div class="field wide">
          <label for="notes">Notes</label>
          <textarea
            id="notes"
            rows={3}
            value={text.notes}
            onInput={(event) => {
              setText({ ...text, notes: event.currentTarget.value })
            }}
          />
        </div>
      </div>
      {failed ? <Refused error={failed} /> : null}
      {theirs ? <Conflict {...{ begun, theirs, save, take }} /> : null}
      <span class="row">
        <button class="main" disabled={!text.name.trim()}>
          Save
        </button>
        <button type="button" onClick={props.onClose}>
          Discard
        </button>
      </span>
    </form>
  )
}

interface ConflictProps {
  begun: PlanJob
  theirs: PlanJob
  save: (over: PlanJob) => void
  take: (from: PlanJob) => void
}

function Conflict({ begun, theirs, save, take }: ConflictProps) {
  return (
    <div class="notice error" role="alert">
      <p>{changedBy(begun, theirs)} Yours is not saved yet.</p>
      <span class="row">
        <button
          type="button"
          onClick={() => {
            take(theirs)
          }}
        >
          Load theirs
        </button>
        <button
          type="button"
          onClick={() => {
            save(theirs)
          }}
        >
          Save mine over it
        </button>
      </span>
    </div>
  )
}
