// The page: the answer first, then the controls, the chart, the table, one design in detail, and designs side by side.

import { useEffect, useReducer } from 'preact/hooks'
import { OriginNote } from '../design/origin'
import { Answer } from './answer'
import { Bar, linkOf } from './bar'
import { Controls } from './controls'
import { Designs } from './designs'
import { Editor } from './editor'
import { Front } from './front'
import { LinkError, fromFragment } from './link'
import { rows } from './rows'
import type { Session } from './session'
import { Side } from './side'

const LINK_AFTER_MS = 400

export function App({ session }: { session: Session }) {
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(
    () =>
      session.subscribe(() => {
        again(undefined)
      }),
    [session],
  )
  useLink(session)
  useUndoKeys(session)
  const looked = session.verdict(session.state.picked)?.line ?? rows(session, 'rank')[0]?.verdict.line ?? null
  return (
    <section class="dc wi" aria-labelledby="wi-head">
      <h2 id="wi-head">What if?</h2>
      <p class="muted">
        Change what is required, and the designs are judged again here, in this page: nothing is sent
        anywhere.
      </p>
      <Notice session={session} />
      <Answer session={session} />
      <Bar session={session} />
      <Trying session={session} />
      <div class="wi-columns">
        <Controls session={session} />
        <Front session={session} looked={looked} />
        <Editor session={session} line={looked} />
        <Side session={session} />
        <Designs session={session} looked={looked} />
      </div>
      <OriginNote />
    </section>
  )
}

function Notice({ session }: { session: Session }) {
  const { notice } = session
  if (!notice) return <div role="status" />
  return (
    <div role={notice.isError ? 'alert' : 'status'} class={`notice${notice.isError ? ' error' : ''}`}>
      {notice.text}{' '}
      <button
        type="button"
        class="bare"
        onClick={() => {
          session.say(null)
        }}
      >
        close
      </button>
    </div>
  )
}

function Trying({ session }: { session: Session }) {
  const { progress, unknown, pool } = session
  if (session.isBusy) {
    const { done, of } = progress ?? { done: 0, of: unknown.length }
    return (
      <p class="wi-trying" role="status">
        <progress max={of} value={done} aria-label="Designs tried out" />
        {done} of {of} designs tried out at this load
        <button
          type="button"
          onClick={() => {
            session.cancel()
          }}
        >
          Cancel
        </button>
      </p>
    )
  }
  if (!unknown.length)
    return pool && <p class="wi-trying muted">No design that may be cheaper is left to try out.</p>
  return (
    <p class="wi-trying">
      {unknown.length} {unknown.length === 1 ? 'design is' : 'designs are'} not known at this load
      {pool ? (
        <button type="button" onClick={() => void session.tryOut()}>
          Try {unknown.length === 1 ? 'it' : 'them'} out
        </button>
      ) : (
        `, and cannot be tried out here: ${session.obstacle}.`
      )}
    </p>
  )
}

/** The address holds the state, so that a bookmark does; a link that comes in is one step of undo. */
function useLink(session: Session): void {
  useEffect(() => {
    const open = () => {
      try {
        const state = fromFragment(location.hash, session.carried)
        if (state) session.change(state, `link ${performance.now()}`)
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
        session.say(error.message)
      }
    }
    open()
    window.addEventListener('hashchange', open)
    let timer: ReturnType<typeof setTimeout> | null = null
    let written = session.state
    const stop = session.subscribe(() => {
      if (session.state === written) return
      written = session.state
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => {
        history.replaceState(null, '', linkOf(session))
      }, LINK_AFTER_MS)
    })
    return () => {
      window.removeEventListener('hashchange', open)
      stop()
      if (timer) clearTimeout(timer)
    }
  }, [session])
}

function useUndoKeys(session: Session): void {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const name = event.key.toLowerCase()
      const isRedo = name === 'y' || (name === 'z' && event.shiftKey)
      if (!isRedo && name !== 'z') return
      event.preventDefault()
      if (isRedo) session.redo()
      else session.undo()
    }
    window.addEventListener('keydown', key)
    return () => {
      window.removeEventListener('keydown', key)
    }
  }, [session])
}
