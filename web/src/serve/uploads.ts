/**
 * Files on their way to the server: one at a time, whatever page is shown meanwhile.
 *
 * A blktrace is a file a CPU (`x.blktrace.0`, `x.blktrace.1`): what belongs together becomes one trace. What is larger
 * than the server takes is refused before a byte is sent. A file whose sending failed stays, to be sent again.
 */

import { size } from '../design/number'
import { at, part, type Trace } from './api'
import { send, upload } from './server'

export interface Upload {
  id: number
  name: string
  files: File[]
  bytes: number
  share: number
  state: 'waiting' | 'sending' | 'failed'
  error: Error | null
  /** How the log is to be read: options of the address. */
  reading: Reading
}

export type Reading = Record<string, string | number | boolean>

const PER_CPU = /^(.*\.blktrace)\.\d+(\.(gz|xz|zst|bz2|lz4))?$/

/** Files by the trace that they are part of, in the order of their names. */
export function grouped(files: File[]): { name: string; files: File[] }[] {
  const groups = new Map<string, File[]>()
  for (const file of files) {
    const name = PER_CPU.exec(file.name)?.[1] ?? file.name
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  const order = new Intl.Collator('en', { numeric: true })
  return [...groups].map(([name, members]) => ({
    name,
    files: members.sort((a, b) => order.compare(a.name, b.name)),
  }))
}

/** Why files are refused before they are sent; none where they may be. */
export function refusedBefore(name: string, bytes: number, bytes_max: number | null): string | null {
  if (bytes === 0) return `${name} is empty: no log has nothing in it`
  if (bytes_max !== null && bytes > bytes_max)
    return `${name} has ${size(bytes)}, and this server takes ${size(bytes_max)} at most: put it into a folder of the server, or name its URL`
  return null
}

let uploads: Upload[] = []
let numbered = 0
let running: { id: number; stop: AbortController } | null = null
const listeners = new Set<(uploads: Upload[]) => void>()

function become(next: Upload[]): void {
  uploads = next
  for (const listener of listeners) listener(uploads)
}

function change(id: number, by: Partial<Upload>): void {
  become(uploads.map((each) => (each.id === id ? { ...each, ...by } : each)))
}

export function allUploads(): Upload[] {
  return uploads
}

export function onUploads(listener: (uploads: Upload[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function add(files: File[], bytes_max: number | null, reading: Reading = {}): void {
  for (const { name, files: members } of grouped(files)) {
    const bytes = members.reduce((sum, file) => sum + file.size, 0)
    const refused = refusedBefore(name, bytes, bytes_max)
    const base = { id: ++numbered, name, files: members, bytes, share: 0, reading }
    become([
      ...uploads,
      { ...base, state: refused ? 'failed' : 'waiting', error: refused ? new Error(refused) : null },
    ])
  }
  next()
}

export function again(id: number): void {
  change(id, { state: 'waiting', share: 0, error: null })
  next()
}

/** Stops one that is sent, and forgets it. */
export function drop(id: number): void {
  if (running?.id === id) running.stop.abort()
  become(uploads.filter((each) => each.id !== id))
}

function next(): void {
  const first = uploads.find(({ state }) => state === 'waiting')
  if (running || !first) return
  const stop = new AbortController()
  running = { id: first.id, stop }
  change(first.id, { state: 'sending' })
  sent(first, stop.signal)
    .then(
      () => {
        drop(first.id)
      },
      (error: unknown) => {
        if (!stop.signal.aborted)
          change(first.id, {
            state: 'failed',
            error: error instanceof Error ? error : new Error(String(error)),
          })
      },
    )
    .finally(() => {
      running = null
      next()
    })
}

async function sent({ id, files, bytes, reading }: Upload, signal: AbortSignal): Promise<void> {
  let before = 0
  let made: Trace | null = null
  try {
    for (const [index, file] of files.entries()) {
      const more = index < files.length - 1 ? true : null
      const path: string = made
        ? at(`/traces/${part(made.id)}/files/${part(file.name)}`, { more })
        : at('/traces', { name: file.name, more, ...reading })
      const share = (of: number): void => {
        change(id, { share: (before + of * file.size) / bytes })
      }
      made = await upload<Trace>(made ? 'PUT' : 'POST', path, file, share, signal)
      before += file.size
    }
  } catch (error) {
    if (made) void send('DELETE', at(`/traces/${part(made.id)}`)).catch(() => undefined)
    throw error
  }
}
