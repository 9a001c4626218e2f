// What the report runs: it unpacks what the report carries, starts the simulator, and shows the page in its place.

import '../design/tokens.css'
import '../design/components.css'
import './what-if.css'
import { render } from 'preact'
import { loadCore } from '../wasm'
import { App } from './app'
import { SCHEMA, type Carried } from './document'
import { Pool, WORKERS_MAX, type WorkerLike } from './pool'
import { Session } from './session'
import Trier from './trier?worker&inline'
import { carriedBytes, lacking } from './unpack'

class StartError extends Error {}

async function start(place: HTMLElement): Promise<void> {
  const missing = lacking()
  if (missing !== null) throw new StartError(missing)
  const [text, judge, simulator, recording] = await Promise.all([
    carriedBytes('what-if-carried'),
    carriedBytes('what-if-judge'),
    carriedBytes('what-if-simulator'),
    carriedBytes('what-if-recording'),
  ])
  if (!text || !judge)
    throw new StartError('This report carries nothing that judges: write it again with `drivecast plan`.')
  const carried = JSON.parse(new TextDecoder().decode(text)) as Carried
  if (carried.schema !== SCHEMA)
    throw new StartError(`This report is of another version (${carried.schema}, here ${SCHEMA}).`)
  const core = await loadCore(judge)
  core.call({ call: 'open', carried })
  const spawn = (): WorkerLike => {
    const worker = new Trier()
    worker.postMessage({ setup: { module: simulator, recording, carried } })
    return worker
  }
  const size = Math.min(WORKERS_MAX, navigator.hardwareConcurrency || 1)
  const session = new Session(carried, core, simulator && carried.play ? new Pool(spawn, size) : null)
  render(<App session={session} />, place)
}

function Sentence({ text }: { text: string }) {
  return (
    <section class="dc wi" aria-label="What if">
      <p class="notice">{text}</p>
    </section>
  )
}

const place = document.getElementById('what-if')
if (place) {
  start(place).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    const isOurs = error instanceof StartError
    render(
      <Sentence text={isOurs ? text : `What-if cannot start: ${text}. The report is whole without it.`} />,
      place,
    )
  })
}
