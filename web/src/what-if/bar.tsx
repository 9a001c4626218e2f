// What one does with a what-if as a whole: step back, save it, hand it on.

import { useRef } from 'preact/hooks'
import * as out from './export'
import { CHART } from './front'
import { LinkError, fromFile, toFile, toFragment } from './link'
import type { Session } from './session'

/** Larger files hold no state: some kilobytes are usual. */
const FILE_BYTES_MAX = 1_000_000

export function Bar({ session }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null)
  const { history, state, carried } = session
  return (
    <div class="wi-bar" role="toolbar" aria-label="This what-if">
      <button
        type="button"
        disabled={!history.past.length}
        title="Ctrl+Z"
        onClick={() => {
          session.undo()
        }}
      >
        Undo
      </button>
      <button
        type="button"
        disabled={!history.future.length}
        title="Ctrl+Y"
        onClick={() => {
          session.redo()
        }}
      >
        Redo
      </button>
      <button type="button" onClick={() => void copy(session, linkOf(session), 'The link')}>
        Copy link
      </button>
      <button
        type="button"
        onClick={() => {
          out.download('what-if.json', toFile(state, carried), 'application/json')
        }}
      >
        Save
      </button>
      <button type="button" onClick={() => input.current?.click()}>
        Open…
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="A saved what-if"
        tabIndex={-1}
        class="hidden"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) void load(session, file)
        }}
      />
      <Exports session={session} />
    </div>
  )
}

function Exports({ session }: { session: Session }) {
  const { cheapest, state } = session
  const line = state.picked ?? cheapest?.line
  return (
    <>
      <button
        type="button"
        disabled={!line}
        onClick={() => void copy(session, line ?? '', 'The design line')}
      >
        Copy design line
      </button>
      <button
        type="button"
        onClick={() => {
          out.download('what-if-answer.json', out.toJson(session), 'application/json')
        }}
      >
        JSON
      </button>
      <button
        type="button"
        onClick={() => {
          out.download('what-if.csv', out.toCsv(session), 'text/csv')
        }}
      >
        CSV
      </button>
      <button type="button" onClick={() => void savePng(session)}>
        PNG
      </button>
    </>
  )
}

export function linkOf(session: Session): string {
  return location.href.replace(/#.*$/, '') + toFragment(session.state, session.carried)
}

async function copy(session: Session, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    session.say(`${what} is on the clipboard.`, false)
  } catch {
    session.say(`This browser does not let a page write to the clipboard. ${what}: ${text}`, false)
  }
}

async function savePng(session: Session): Promise<void> {
  const chart = document.getElementById(CHART)
  if (!(chart instanceof SVGSVGElement)) {
    session.say('There is no chart to save: no design’s latency is known at this load.')
    return
  }
  try {
    out.download('what-if.png', await out.toPng(chart), 'image/png')
  } catch (error) {
    session.say(error instanceof Error ? error.message : 'The chart could not be saved.')
  }
}

async function load(session: Session, file: File): Promise<void> {
  try {
    if (file.size > FILE_BYTES_MAX) throw new LinkError('This is no saved what-if: it is too large.')
    session.change(fromFile(await file.text(), session.carried), `file ${performance.now()}`)
    session.say(`“${file.name}” is open. Undo goes back to before.`, false)
  } catch (error) {
    session.say(error instanceof LinkError ? error.message : 'The file cannot be read.')
  }
}
