// A worker: an instance of the simulator with the recording, which tries one design after another.

import { CoreError, loadCore, type Core, type Request } from '../wasm'

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
  try {
    const ok = (await core)?.call(message.request)
    self.postMessage({ id: message.id, ok })
  } catch (error) {
    // A trap leaves the instance in an unknown state: the pool replaces the worker.
    self.postMessage(
      error instanceof CoreError ? { id: message.id, error: error.message } : { failed: said(error) },
    )
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
