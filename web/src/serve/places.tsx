/** Traces that are named and not sent: by a path in a folder of the server, or by a URL. */

import { useState } from 'preact/hooks'
import { size } from '../design/number'
import { at, part, type About, type Entry } from './api'
import { useLoaded } from './load'
import { Refused, sentence } from './parts'
import { send } from './server'
import type { Reading } from './uploads'

interface Registered {
  failed: Error | null
  busy: boolean
  register: (body: object) => void
}

interface Added {
  /** How it is to be read. */
  reading: Reading
  onAdded: () => void
}

/** Names a trace to the server, once at a time. */
function useRegistered(onAdded: () => void): Registered {
  const [failed, setFailed] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const register = (body: object) => {
    setBusy(true)
    send('POST', at('/traces/registered'), body)
      .then(
        () => {
          setFailed(null)
          onAdded()
        },
        (error: unknown) => {
          setFailed(sentence(error))
        },
      )
      .finally(() => {
        setBusy(false)
      })
  }
  return { failed, busy, register }
}

export function UrlForm({ about, reading, onAdded }: Added & { about: About }) {
  const [url, setUrl] = useState('')
  const { failed, busy, register } = useRegistered(() => {
    setUrl('')
    onAdded()
  })
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        register({ url: url.trim(), name: null, reading })
      }}
    >
      <h2>By URL</h2>
      <label for="url">https://, s3:// or prometheus+http://</label>
      <span class="row">
        <input
          id="url"
          class="wide-input"
          inputMode="url"
          value={url}
          placeholder="https://files.example/a.blktrace"
          onInput={(event) => {
            setUrl(event.currentTarget.value)
          }}
        />
        <button disabled={!url.trim() || busy}>Add</button>
      </span>
      {about.fetch === 'named' ? <p class="muted">From {about.fetch_hosts.join(', ')}.</p> : null}
      {failed ? <Refused error={failed} /> : null}
    </form>
  )
}

function above(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

export function FolderForm({ folders, reading, onAdded }: Added & { folders: string[] }) {
  const [folder, setFolder] = useState(folders[0] ?? '')
  const [path, setPath] = useState('')
  const { failed, busy, register } = useRegistered(onAdded)
  const { data, refusal, reload } = useLoaded<{ entries: Entry[] }>(at(`/folders/${part(folder)}`, { path }))
  const below = (name: string) => (path ? `${path}/${name}` : name)
  return (
    <div class="card">
      <h2>On the server</h2>
      <span class="row">
        <label for="folder">Folder</label>
        <select
          id="folder"
          value={folder}
          onChange={(event) => {
            setFolder(event.currentTarget.value)
            setPath('')
          }}
        >
          {folders.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <span class="muted path">/{path}</span>
      </span>
      <ul class="entries" aria-label={`Files in ${folder}/${path}`}>
        {path ? (
          <li>
            <button
              class="plain"
              onClick={() => {
                setPath(above(path))
              }}
            >
              ..
            </button>
          </li>
        ) : null}
        {(data?.entries ?? []).map(({ name, kind, bytes }) => (
          <li key={name}>
            <button
              class="plain"
              disabled={busy}
              onClick={() => {
                if (kind === 'folder') setPath(below(name))
                else register({ folder, path: below(name), name: null, reading })
              }}
            >
              {kind === 'folder' ? `${name}/` : `Add ${name}`}
            </button>
            <span class="muted">{kind === 'file' ? size(bytes) : ''}</span>
          </li>
        ))}
        {data && !data.entries.length ? <li class="muted">Nothing here.</li> : null}
      </ul>
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {failed ? <Refused error={failed} /> : null}
    </div>
  )
}
