// Answers calls of the WebAssembly modules, one a line: what the page and a worker of it do, in Node.
// node wasm_module.mjs JUDGE SIMULATOR [RECORDING]; each answer is a line, too: {"ms": time of the call,
// "cpu_ms": the processor's, of all threads of Node, "memory": bytes, "ok" or "error": …}.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'

const [judgePath, simulatorPath, recording] = process.argv.slice(2)
const judge = await begun(judgePath)
const simulator = await begun(simulatorPath)

async function begun(path) {
  const { instance } = await WebAssembly.instantiate(gunzipSync(readFileSync(path)), {})
  return instance.exports
}

function put(module, bytes) {
  const at = module.alloc(bytes.length)
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes)
  return at
}

function answered(module, bytes) {
  const at = put(module, bytes)
  const [began, used] = [performance.now(), process.cpuUsage()]
  const answer = module.call(at, bytes.length)
  const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(used)]
  module.free(at, bytes.length)
  const { buffer } = module.memory
  const length = new DataView(buffer).getUint32(answer, true)
  const text = new TextDecoder().decode(new Uint8Array(buffer, answer + 4, length))
  module.free(answer, 4 + length)
  return `{"ms":${ms},"cpu_ms":${(user + system) / 1e3},"memory":${buffer.byteLength},${text.slice(1)}`
}

/** A report is opened in both: what the one refuses, the other does. */
function opened(bytes) {
  const first = answered(judge, bytes)
  return 'error' in JSON.parse(first) ? first : answered(simulator, bytes)
}

if (recording) {
  const bytes = readFileSync(recording)
  const at = put(simulator, bytes)
  simulator.record(at, bytes.length)
  simulator.free(at, bytes.length)
}
for await (const line of createInterface({ input: process.stdin })) {
  const bytes = new TextEncoder().encode(line)
  const name = JSON.parse(line).call
  const ofJudge = ['judge', 'add', 'rent'].includes(name)
  process.stdout.write((name === 'open' ? opened(bytes) : answered(ofJudge ? judge : simulator, bytes)) + '\n')
}
