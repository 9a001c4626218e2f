/** A field of a form: its label, what is typed or chosen, and its text. */

import { useState } from 'preact/hooks'
import type { Field } from './plan_fields'

const WIDE: Field['kind'][] = ['lines', 'file']
const TICKED: Field['kind'][] = ['switch', 'unless']
const FILE_BYTES_MAX = 200_000
/** What a text does not say, since it is that of the command line, too. */
const MORE: Partial<Record<Field['kind'], string>> = {
  lines: 'One a line.',
  file: 'Choose a file, paste its text, or name a file in a folder of the server: folder/name.',
}

/** A text with what is typed in a terminal set apart. */
function Marked({ text }: { text: string }) {
  const parts = text.split('`')
  return <>{parts.map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>
}

/** A file of the reader's, which is read into the field. */
function ChosenFile({ label, onText }: { label: string; onText: (text: string) => void }) {
  const [wrong, setWrong] = useState<string | null>(null)
  const read = async (file: File) => {
    if (file.size > FILE_BYTES_MAX) {
      setWrong(`${file.name} is larger than ${FILE_BYTES_MAX / 1000} kB`)
      return
    }
    setWrong(null)
    onText(await file.text())
  }
  return (
    <>
      <input
        type="file"
        aria-label={`File: ${label}`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) void read(file)
          event.currentTarget.value = ''
        }}
      />
      {wrong ? <b class="wrong">{wrong}</b> : null}
    </>
  )
}

interface TickProps {
  shared: object
  field: Field
  value: string
  onValue: (value: string) => void
}

/** A switch; `unless` is one that is ticked for no. */
function Tick({ shared, field, value, onValue }: TickProps) {
  const ticked = field.kind === 'unless' ? 'false' : 'true'
  return (
    <label class="switch">
      <input
        {...shared}
        type="checkbox"
        checked={value === ticked}
        onChange={(event) => {
          onValue(event.currentTarget.checked ? ticked : '')
        }}
      />
      {field.label}
    </label>
  )
}

export interface EntryProps {
  field: Field
  value: string
  wrong: string | null
  onValue: (value: string) => void
}

export function Entry({ field, value, wrong, onValue }: EntryProps) {
  const id = `field-${field.name}`
  return (
    <div class={WIDE.includes(field.kind) ? 'field wide' : 'field'}>
      {TICKED.includes(field.kind) ? null : <label for={id}>{field.label}</label>}
      <Input id={id} field={field} value={value} wrong={wrong} onValue={onValue} />
      <span class="help" id={`${id}-help`}>
        {wrong ? <b class="wrong">Cannot be read: {wrong}. </b> : null}
        <Marked text={field.help} />
        {MORE[field.kind] ? ` ${MORE[field.kind]}` : null}
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
  if (TICKED.includes(field.kind)) return <Tick {...{ shared, field, value, onValue }} />
  const typed = {
    value,
    placeholder: field.example ?? '',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => {
      onValue(event.currentTarget.value)
    },
  }
  if (field.kind === 'lines') return <textarea {...shared} {...typed} rows={3} />
  if (field.kind === 'file')
    return (
      <>
        <textarea {...shared} {...typed} rows={value.includes('\n') ? 6 : 1} />
        <ChosenFile label={field.label} onText={onValue} />
      </>
    )
  return (
    <input
      {...shared}
      {...typed}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
    />
  )
}
