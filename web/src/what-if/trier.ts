// A worker: an instance of the simulator with the recording, which tries one design after another. Whether a design fits
// is said as soon as it is known; how far it reaches, or what else there is of one that misses, takes as long again.

import { CoreError, loadCore, type Core, type Request } from '../wasm'
import type { Tried } from './document'

export interface Setup {
  module: Uint8Array
  recording: Uint8Array | null
  carried: unknown
}

let core: Promise<Core> | null = null

async function begun({ module, recording, carried }: Setup): Promise<Core> {
  const found = await loadCore(module)
  if (recording) found.record(recording)
  found.call({ call: 'open', carried })
  return found
}

self.onmessage = async (event: MessageEvent<{ setup: Setup } | { id: number; request: Request }>) => {
  const message = event.data
  if ('setup' in message) {
    core = begun(message.setup)
    core.then(
      () => {
        self.postMessage({ ready: true })
      },
      (error: unknown) => {
        self.postMessage({ failed: said(error) })
      },
    )
    return
  }
  const { id, request } = message
  try {
    const simulator = await core
    let ok = simulator?.call(request)
    if (request.call === 'try_out' && (ok as Tried).more) {
      self.postMessage({ id, soFar: ok })
      ok = simulator?.call({ call: 'refine', tried: ok, settings: request['settings'] })
    }
    self.postMessage({ id, ok })
  } catch (error) {
    // A trap leaves the instance in an unknown state: the pool replaces the worker.
    self.postMessage(error instanceof CoreError ? { id, error: error.message } : { failed: said(error) })
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
