/** What a page shows of the server: loading, loaded, or refused; and brought up to date by its events. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ended, type Job } from './api'
import { live, type Progress } from './live'
import { connected, onConnection, read, Refusal, retry, type Connection } from './server'

export interface Loaded<T> {
  data: T | null
  refusal: Refusal | null
  reload: () => void
}

/**
 * Reads a path, again whenever it changes; what was read before stays until then. One reading at a time: a server that
 * takes longer than the time between two would otherwise never be heard, each reading being given up for the next.
 */
export function useLoaded<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; refusal: Refusal | null }>({
    path: null,
    data: null,
    refusal: null,
  })
  const [round, setRound] = useState(0)
  const readingRef = useRef({ busy: false, again: false })
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    const mine = { busy: true, again: false }
    readingRef.current = mine
    const ended = (next: { data: T | null; refusal: Refusal | null }) => {
      if (stop.signal.aborted) return
      setState({ path, ...next })
      mine.busy = false
      if (mine.again) setRound((before) => before + 1)
    }
    read<T>(path, stop.signal).then(
      (data) => {
        ended({ data, refusal: null })
      },
      (error: unknown) => {
        ended({ data: null, refusal: error instanceof Refusal ? error : unreadable(error) })
      },
    )
    return () => {
      stop.abort()
    }
  }, [path, round])
  const reload = useCallback(() => {
    if (!readingRef.current.busy) {
      setRound((before) => before + 1)
      return
    }
    readingRef.current.again = true
    retry() // it may only wait for a server that was away
  }, [])
  const current = state.path === path
  return { data: current ? state.data : null, refusal: current ? state.refusal : null, reload }
}

function unreadable(error: unknown): Refusal {
  return new Refusal(0, 'fault', `the server's answer cannot be read: ${String(error)}`)
}

const POLL_MS = 2000

/** Reads again when a job of this kind changes: by events, or every two seconds where none come through. */
export function useNews(kind: Progress['kind'], reload: () => void): Map<string, Progress> {
  const [latest, setLatest] = useState(new Map<string, Progress>())
  const [polling, setPolling] = useState(live.polling)
  useEffect(
    () =>
      live.subscribe((name, progress) => {
        if (name === 'reset') reload()
        if (progress?.kind !== kind) return
        setLatest((before) => new Map(before).set(progress.subject, progress))
        if (name !== 'progress') reload()
      }),
    [kind, reload],
  )
  useEffect(() => live.onMode(setPolling), [])
  useEffect(() => {
    if (!polling) return
    setLatest(new Map()) // what was heard last is older than what is read from now on
    const timer = setInterval(reload, POLL_MS)
    return () => {
      clearInterval(timer)
    }
  }, [polling, reload])
  return latest
}

/** A job with what its events say of it since it was read; never back from an end that was read. */
export function current<T extends Job>(job: T, latest: Map<string, Progress>): T {
  const news = latest.get(job.id)
  if (!news || ended(job.state) || news.state !== job.state) return job
  return { ...job, share: news.share, what: news.what, quiet_s: 0 }
}

export function useConnection(): Connection {
  const [connection, setConnection] = useState(connected())
  useEffect(() => onConnection(setConnection), [])
  return connection
}

/** A value that outlives the page: what a reader typed is there after a reload, or a browser that crashed. */
export function useKept<T extends object>(name: string, first: T): [T, (next: T) => void] {
  const key = `drivecast-${name}`
  const [value, setValue] = useState<T>(() => {
    try {
      return { ...first, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
    } catch {
      return first
    }
  })
  const keep = useCallback(
    (next: T) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // a browser that stores nothing for us: the form works without
      }
    },
    [key],
  )
  return [value, keep]
}
