// The simulator and its judgement as WebAssembly (crates/web), a module each, behind one C interface: bytes in, JSON out.
// A module has one instance in each thread; nothing of it is shared, so no call waits for another's.

/** What the page asks of the simulator; tests answer from fixtures. */
export interface Core {
  /** The simulator takes what it plays. */
  record(recording: Uint8Array): void
  call(request: Request): unknown
}

export type Request = { call: string } & Record<string, unknown>

/** A sentence from the simulator: what it was asked cannot be done. */
export class CoreError extends Error {}

interface Exports {
  memory: WebAssembly.Memory
  alloc(length: number): number
  free(at: number, length: number): void
  record(at: number, length: number): void
  call(at: number, length: number): number
}

export async function loadCore(module: Uint8Array): Promise<Core> {
  const { instance } = await WebAssembly.instantiate(module as Uint8Array<ArrayBuffer>, {})
  return new WasmCore(instance.exports as unknown as Exports)
}

const LENGTH_BYTES = 4

class WasmCore implements Core {
  constructor(private readonly module: Exports) {}

  record(recording: Uint8Array): void {
    const at = this.put(recording)
    this.module.record(at, recording.length)
    this.module.free(at, recording.length)
  }

  call(request: Request): unknown {
    const bytes = new TextEncoder().encode(JSON.stringify(request))
    const at = this.put(bytes)
    const answer = this.module.call(at, bytes.length)
    this.module.free(at, bytes.length)
    return answered(this.take(answer))
  }

  private put(bytes: Uint8Array): number {
    const at = this.module.alloc(bytes.length)
    new Uint8Array(this.module.memory.buffer, at, bytes.length).set(bytes)
    return at
  }

  private take(at: number): string {
    const { buffer } = this.module.memory
    const length = new DataView(buffer).getUint32(at, true)
    const text = new TextDecoder().decode(new Uint8Array(buffer, at + LENGTH_BYTES, length))
    this.module.free(at, LENGTH_BYTES + length)
    return text
  }
}

function answered(text: string): unknown {
  const answer = JSON.parse(text) as { ok?: unknown; error?: string }
  if (answer.error !== undefined) throw new CoreError(answer.error)
  return answer.ok
}
