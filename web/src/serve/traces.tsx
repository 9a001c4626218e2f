/** Traces and counter logs: dropped in, or named by a path in a folder of the server or by a URL. */

import { useEffect, useState } from 'preact/hooks'
import { size } from '../design/number'
import { at, part, type About, type Trace } from './api'
import { Entry } from './entry'
import { FolderForm, UrlForm } from './places'
import { Listed, type Column } from './listed'
import { current, useLoaded, useNews } from './load'
import { Confirmed, JobState, Page, Refused, sentence, Waiting } from './parts'
import { body, faults, FIELDS, READING, type Values } from './plan_fields'
import { go, href } from './route'
import { send } from './server'
import { add, again, allUploads, drop, onUploads, type Reading, type Upload } from './uploads'
import { count, duration, moment } from './words'

const LISTED = at('/traces')
const READ = FIELDS.filter(({ group }) => group === READING)

export function Traces() {
  const { data, refusal, reload } = useLoaded<{ traces: Trace[] }>(LISTED)
  const { data: about } = useLoaded<About>(at('/about'))
  const latest = useNews('trace', reload)
  const [chosen, setChosen] = useState<string[]>([])
  const [failed, setFailed] = useState<Error | null>(null)
  const [typed, setTyped] = useState<Values>({})
  const reading = body(typed, READ) as Reading
  const traces = (data?.traces ?? []).map((trace) => current(trace, latest))
  const ready = chosen.filter((id) => traces.some((trace) => trace.id === id && trace.state === 'done'))
  const remove = (id: string) => {
    send('DELETE', at(`/traces/${part(id)}`)).then(reload, (error: unknown) => {
      setFailed(sentence(error))
    })
  }
  return (
    <Page title="Traces" lead="A trace or a counter log of a live disk: plans are made from it.">
      <DropZone bytes_max={about?.upload_bytes_max ?? null} reading={reading} />
      <ReadAs values={typed} onValues={setTyped} />
      <Uploads onDone={reload} />
      {about && (about.folders.length > 0 || about.fetch !== 'none') ? (
        <div class="pair">
          {about.folders.length ? (
            <FolderForm {...{ folders: about.folders, reading, onAdded: reload }} />
          ) : null}
          {about.fetch === 'none' ? null : <UrlForm {...{ about, reading, onAdded: reload }} />}
        </div>
      ) : null}
      {failed ? (
        <Refused
          error={failed}
          onClose={() => {
            setFailed(null)
          }}
        />
      ) : null}
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {data === null && !refusal ? <Waiting /> : null}
      {traces.length ? <TraceTable {...{ traces, chosen, setChosen, remove }} /> : null}
      {data && !traces.length ? <p class="muted">No trace yet.</p> : null}
      {traces.length ? (
        <p class="row">
          <button
            class="main"
            disabled={ready.length === 0}
            onClick={() => {
              go({ page: 'new-plan', traces: ready, from: null })
            }}
          >
            {ready.length > 1 ? `New plan of ${ready.length} traces` : 'New plan of the chosen'}
          </button>
        </p>
      ) : null}
    </Page>
  )
}

/** How what is added next is to be read, where its content leaves a doubt. */
function ReadAs({ values, onValues }: { values: Values; onValues: (values: Values) => void }) {
  const wrong = faults(values)
  return (
    <details class="group">
      <summary>{READING}</summary>
      <p class="muted">For what is added next. As a rule the content says it all.</p>
      <div class="fields">
        {READ.map((field) => (
          <Entry
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            wrong={wrong[field.name] ?? null}
            onValue={(value) => {
              onValues({ ...values, [field.name]: value })
            }}
          />
        ))}
      </div>
    </details>
  )
}

/** A place to drop files, which is a button for those who do not. */
function DropZone({ bytes_max, reading }: { bytes_max: number | null; reading: Reading }) {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const stop = (event: DragEvent) => {
      event.preventDefault() // a file dropped next to the zone would replace the page
    }
    addEventListener('dragover', stop)
    addEventListener('drop', stop)
    return () => {
      removeEventListener('dragover', stop)
      removeEventListener('drop', stop)
    }
  }, [])
  return (
    <label
      class={over ? 'drop over' : 'drop'}
      onDragEnter={() => {
        setOver(true)
      }}
      onDragLeave={() => {
        setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        add([...(event.dataTransfer?.files ?? [])], bytes_max, reading)
      }}
    >
      <input
        type="file"
        multiple
        class="hidden"
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])], bytes_max, reading)
          event.currentTarget.value = ''
        }}
      />
      <b>Drop a trace or a counter log here, or choose files</b>
      <span class="muted">
        blktrace, blkparse, fio, iostat, sar, Perfmon, CSV and more, also compressed
        {bytes_max ? `; up to ${size(bytes_max)}` : ''}. The files of one blktrace are taken together.
      </span>
    </label>
  )
}

function Uploads({ onDone }: { onDone: () => void }) {
  const [uploads, setUploads] = useState<Upload[]>(allUploads())
  useEffect(() => onUploads(setUploads), [])
  useEffect(() => {
    onDone()
  }, [uploads.length, onDone])
  if (!uploads.length) return null
  return (
    <ul class="uploads" aria-label="Files on their way">
      {uploads.map((upload) => (
        <li key={upload.id}>
          <UploadRow upload={upload} />
        </li>
      ))}
    </ul>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const { id, name, bytes, share, state, error } = upload
  const leave = (
    <button
      aria-label={`${state === 'failed' ? 'Dismiss' : 'Cancel'} ${name}`}
      onClick={() => {
        drop(id)
      }}
    >
      {state === 'failed' ? 'Dismiss' : 'Cancel'}
    </button>
  )
  if (state === 'failed')
    return (
      <div class="notice error" role="alert">
        <p>
          <b>{name}</b>: {error?.message}
        </p>
        {error && 'hint' in error && typeof error.hint === 'string' ? (
          <p class="muted">{error.hint}</p>
        ) : null}
        <span class="row">
          <button
            onClick={() => {
              again(id)
            }}
          >
            Send again
          </button>
          {leave}
        </span>
      </div>
    )
  return (
    <span class="row">
      <span class="file-name">{name}</span>
      <progress value={share} max={1} aria-label={`Sending ${name}`} />
      <span class="muted">
        {state === 'waiting' ? 'waiting' : `${size(share * bytes)} of ${size(bytes)}`}
      </span>
      {leave}
    </span>
  )
}

interface TableProps {
  traces: Trace[]
  chosen: string[]
  setChosen: (chosen: string[]) => void
  remove: (id: string) => void
}

const COLUMNS: Column[] = [
  { name: 'Chosen', kind: 'choice' },
  { name: 'Trace', kind: 'name' },
  { name: 'Format' },
  { name: 'Requests', kind: 'num' },
  { name: 'Length', kind: 'num' },
  { name: 'Size', kind: 'num' },
  { name: 'State' },
  { name: 'Added', kind: 'date' },
  { name: 'Actions', kind: 'actions' },
]

function TraceTable({ traces, chosen, setChosen, remove }: TableProps) {
  const rows = traces.map((trace) => {
    const { id, name, place, format, state } = trace
    const choose = (is: boolean) => {
      setChosen(is ? [...chosen, id] : chosen.filter((each) => each !== id))
    }
    const done = state === 'done'
    return {
      key: id,
      cells: [
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={chosen.includes(id) && done}
          disabled={!done}
          onChange={(event) => {
            choose(event.currentTarget.checked)
          }}
        />,
        <>
          {done ? <a href={href({ page: 'trace', id })}>{name}</a> : name}
          {place ? <span class="muted place">{place}</span> : null}
        </>,
        format ?? '',
        count(trace.requests),
        duration(trace.duration_s),
        size(trace.bytes),
        <JobState job={trace} doing="reading" />,
        moment(trace.added),
        <Remove
          name={name}
          onYes={() => {
            remove(id)
          }}
        />,
      ],
    }
  })
  return <Listed label="Traces" columns={COLUMNS} rows={rows} />
}

function Remove({ name, onYes }: { name: string; onYes: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <Confirmed label="Remove" question={`Remove ${name}?`} asking={asking} onAsk={setAsking} onYes={onYes} />
  )
}
