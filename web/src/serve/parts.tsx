/** What all pages are made of: headings, refusals, states of jobs, figures in tiles. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { percent } from '../design/number'
import { ended, type Job, type State } from './api'
import { Away, Refusal } from './server'
import { duration } from './words'

/** A page: its heading takes the focus, so that a screen reader says where the reader is now. */
export function Page(props: { title: string; lead?: ComponentChildren; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${props.title} · Drivecast`
  }, [props.title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      {props.lead ? <p class="lead">{props.lead}</p> : null}
      {props.children}
    </>
  )
}

/** A failure as a sentence, and what to do about it. */
export function Refused(props: { error: Error; onRetry?: (() => void) | undefined; onClose?: () => void }) {
  const { error, onRetry, onClose } = props
  const hint = error instanceof Refusal ? error.hint : null
  return (
    <div class="notice error" role="alert">
      <p>{error.message}</p>
      {hint ? <p class="muted">{hint}</p> : null}
      {onRetry ? <button onClick={onRetry}>Try again</button> : null}
      {onClose ? <button onClick={onClose}>Dismiss</button> : null}
    </div>
  )
}

/** Whatever was thrown, as an error with a sentence. */
export function sentence(error: unknown): Error {
  if (error instanceof Refusal || error instanceof Away) return error
  return error instanceof Error ? error : new Error(String(error))
}

export function Waiting() {
  return (
    <p class="muted" role="status">
      Loading …
    </p>
  )
}

const STATES: Record<State, string> = {
  draft: 'more files to come',
  queued: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
}

/** How far a job is: a bar while it runs, a word else, and the sentence of a failure. */
export function JobState({ job, doing }: { job: Job; doing: string }) {
  if (job.state === 'running' || job.state === 'queued') {
    const share = job.state === 'running' ? (job.share ?? 0) : 0
    return (
      <span class="job" role="status">
        <progress value={share} max={1} aria-label={doing} />
        <span class="job-what">
          {job.state === 'queued' ? STATES.queued : `${job.what || doing} ${percent(share)}`}
        </span>
        {job.state === 'running' ? <Quiet job={job} /> : null}
      </span>
    )
  }
  return (
    <span class={`state ${job.state}`}>
      {STATES[job.state]}
      {ended(job.state) && job.message ? <span class="job-message">: {job.message}</span> : null}
      {job.hint ? <span class="muted"> {job.hint}</span> : null}
    </span>
  )
}

const QUIET_S = 5

/** What is said of a job that has said nothing for a while: that it still runs, and since when. Not read aloud. */
function Quiet({ job }: { job: Job }) {
  const [seconds, setSeconds] = useState(0)
  const { share, what, quiet_s } = job
  useEffect(() => {
    const heard = Date.now() - 1000 * (quiet_s ?? 0)
    const tick = () => {
      setSeconds(Math.round((Date.now() - heard) / 1000))
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [share, what, quiet_s])
  if (seconds < QUIET_S) return null
  return (
    <span class="muted quiet" aria-live="off">
      still working, last news {duration(seconds)} ago
    </span>
  )
}

export interface Figure {
  name: string
  value: string
  note?: string | undefined
  wide?: boolean
}

export function Tiles({ figures }: { figures: Figure[] }) {
  return (
    <dl class="tiles">
      {figures.map(({ name, value, note, wide }) => (
        <div class={wide ? 'tile wide' : 'tile'} key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            {note ? <span>{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A table that scrolls in itself where the screen is narrower, reachable by keyboard. */
export function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scrolled" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

/** Asks before something is removed, in the page and not in a window of the browser. */
export function Confirmed(props: {
  label: string
  question: string
  asking: boolean
  onAsk: (asking: boolean) => void
  onYes: () => void
}) {
  if (!props.asking)
    return (
      <button
        onClick={() => {
          props.onAsk(true)
        }}
      >
        {props.label}
      </button>
    )
  return (
    <span class="confirm" role="group" aria-label={props.question}>
      <span>{props.question}</span>
      <button
        class="danger"
        onClick={() => {
          props.onAsk(false)
          props.onYes()
        }}
      >
        {props.label}
      </button>
      <button
        onClick={() => {
          props.onAsk(false)
        }}
      >
        No
      </button>
    </span>
  )
}
