// Answers calls of the WebAssembly module, one a line: what a worker of the page does, in Node.
// node wasm_module.mjs MODULE [RECORDING]; each answer is a line, too: {"ms": time of the call,
// "cpu_ms": the processor's, of all threads of Node, "memory": bytes, "ok" or "error": …}.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [path, recording] = process.argv.slice(2)
const { instance } = await WebAssembly.instantiate(readFileSync(path), {})
const { memory, alloc, free, record, call } = instance.exports

function put(bytes) {
  const at = alloc(bytes.length)
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
  return at
}

function answered(bytes) {
  const at = put(bytes)
  const [began, used] = [performance.now(), process.cpuUsage()]
  const answer = call(at, bytes.length)
  const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(used)]
  free(at, bytes.length)
  const length = new DataView(memory.buffer).getUint32(answer, true)
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer + 4, length))
  free(answer, 4 + length)
  return `{"ms":${ms},"cpu_ms":${(user + system) / 1e3},"memory":${memory.buffer.byteLength},${text.slice(1)}`
}

if (recording) {
  const bytes = readFileSync(recording)
  const at = put(bytes)
  record(at, bytes.length)
  free(at, bytes.length)
}
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(answered(new TextEncoder().encode(line)) + '\n')
}
