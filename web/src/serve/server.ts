/**
 * The server, as the pages see it: requests that are refused in sentences, and a server that may go away.
 *
 * Reading is tried again until it succeeds, with a banner meanwhile; writing is never sent twice by itself, since the
 * first one may have arrived. A token that is wanted is waited for, and then what was wanted is read by itself.
 */

import { BASE } from './api'
import { pause } from './live'

/** The server said no: in a sentence, and with what to do about it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message)
  }
}

/** The server did not answer. */
export class Away extends Error {
  constructor() {
    super('the server does not answer: nothing was lost, send it again when it is back')
  }
}

export interface Connection {
  away: boolean
  tokenWanted: boolean
}

let connection: Connection = { away: false, tokenWanted: false }
const listeners = new Set<(connection: Connection) => void>()
const waiting = new Set<() => void>()

function become(change: Partial<Connection>): void {
  const next = { ...connection, ...change }
  if (next.away === connection.away && next.tokenWanted === connection.tokenWanted) return
  connection = next
  for (const listener of listeners) listener(connection)
}

export function connected(): Connection {
  return connection
}

export function onConnection(listener: (connection: Connection) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tries again at once what waits for the server. */
export function retry(): void {
  for (const wake of [...waiting]) wake()
}

/** Opens a session; what waited for it is sent. Throws `Refusal` where the token is wrong. */
export async function openSession(token: string): Promise<void> {
  await once(`${BASE}/session`, sending('POST', { token }))
  become({ tokenWanted: false })
  retry()
}

function slept(ms: number | null, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === null ? undefined : setTimeout(wake, ms)
    function ends(): void {
      waiting.delete(wake)
      clearTimeout(timer)
    }
    function wake(): void {
      ends()
      resolve()
    }
    waiting.add(wake)
    signal?.addEventListener('abort', () => {
      ends()
      reject(new DOMException('aborted', 'AbortError'))
    })
  })
}

/** What a refused request says, of a body that may be anything. */
export function refusal(status: number, text: string): Refusal {
  try {
    const said = JSON.parse(text) as { code?: string; reason?: string; hint?: string | null }
    if (said.reason) return new Refusal(status, said.code ?? 'fault', said.reason, said.hint ?? null)
  } catch {
    // not ours: of a proxy between
  }
  return new Refusal(status, 'fault', `the server answered with status ${status}`)
}

async function once(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Away()
  }
  if ([502, 503, 504].includes(response.status)) throw new Away()
  if (!response.ok) throw refusal(response.status, await response.text())
  return response
}

/** Reads, for as long as it takes; ends with what was read, a `Refusal`, or by the signal. */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await outlasting(path, signal)).json() as Promise<T>
}

async function outlasting(path: string, signal?: AbortSignal): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      const response = await once(path, { signal: signal ?? null })
      become({ away: false, tokenWanted: false })
      return response
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        become({ away: false, tokenWanted: true })
        await slept(null, signal)
      } else if (error instanceof Away) {
        become({ away: true })
        await slept(pause(tries), signal)
      } else {
        if (error instanceof Refusal) become({ away: false })
        throw error
      }
    }
  }
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

function sending(method: Method, body?: unknown, version?: string): RequestInit {
  const headers: Record<string, string> = { 'X-Drivecast': '1' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (version) headers['If-Match'] = version
  return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

/** Writes, once: where it does not arrive, the reader learns of it and sends it again. Ends with the answer, if any. */
export async function send(method: Method, path: string, body?: unknown, version?: string): Promise<unknown> {
  try {
    const response = await once(path, sending(method, body, version))
    become({ away: false })
    const text = await response.text()
    return text ? JSON.parse(text) : null
  } catch (error) {
    noticed(error)
    throw error
  }
}

function noticed(error: unknown): void {
  if (error instanceof Away) become({ away: true })
  if (error instanceof Refusal && error.status === 401) become({ tokenWanted: true })
}

/** Sends a file, and says how far it is; aborted by the signal. */
export function upload<T>(
  method: Method,
  path: string,
  file: Blob,
  onShare: (share: number) => void,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (error: Error) => {
      noticed(error)
      reject(error)
    }
    request.open(method, path)
    request.setRequestHeader('X-Drivecast', '1')
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onShare(event.loaded / event.total)
    }
    request.onload = () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText) as T)
      else fail(refusal(request.status, request.responseText))
    }
    request.onerror = () => {
      fail(new Away())
    }
    request.onabort = () => {
      reject(new DOMException('aborted', 'AbortError'))
    }
    signal?.addEventListener('abort', () => {
      request.abort()
    })
    request.send(file)
  })
}
