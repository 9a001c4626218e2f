// One design, with all that is known of it.

import * as number from '../design/number'
import { Figure } from '../design/origin'
import { title } from './answer'
import type { Move, Verdict } from './document'
import { Fields } from './fields'
import * as origin from './origin'
import { reason } from './reason'
import { partsOf, type Session } from './session'
import { pinned } from './state'

export function Editor({ session, line }: { session: Session; line: string | null }) {
  const verdict = session.verdict(line)
  if (!verdict) return <p class="wi-editor muted">Pick a design in the table or the chart.</p>
  const design = session.design(verdict.index)
  const parts = design ? partsOf(design) : null
  const isPinned = session.state.pins.includes(verdict.line)
  const ranked = session.judged.order.find(({ index }) => index === verdict.index)
  return (
    <div class="wi-editor">
      <div>
        <h3>{title(session, verdict)}</h3>
        <p>
          <code>{verdict.line}</code>
        </p>
        <p>
          <span class={`state ${verdict.state}`}>{verdict.state}</span>{' '}
          {reason(verdict, ranked, verdict === session.cheapest)}
        </p>
        <Figures session={session} verdict={verdict} />
        <button
          type="button"
          aria-pressed={isPinned}
          onClick={() => {
            session.change(pinned(session.state, verdict.line), `pin ${verdict.line} ${performance.now()}`)
          }}
        >
          {isPinned ? 'Unpin' : 'Pin'}
        </button>
        {verdict.moves && verdict.moves.length > 0 && <Moves moves={verdict.moves} />}
      </div>
      {parts ? (
        <Fields key={verdict.line} session={session} parts={parts} />
      ) : (
        <p class="muted">It is not of one kind of drive, so its parts cannot be changed here.</p>
      )}
    </div>
  )
}

function Figures({ session, verdict }: { session: Session; verdict: Verdict }) {
  const design = session.design(verdict.index)
  const { years } = session.judged.settings
  const figures: [string, origin.Known][] = [
    ['Headroom', origin.headroom(verdict)],
    ['p99 of reads', origin.p99(verdict, 'read')],
    ['p99 of writes', origin.p99(verdict, 'write')],
    ['Life', origin.life(verdict)],
    ['Data loss', origin.loss(verdict)],
    ['Cost', origin.total(verdict, session.carried, design, years)],
    ['Power', origin.power(verdict)],
    ['Usable', origin.usable(verdict, design)],
  ]
  return (
    <dl class="wi-figures">
      {figures.map(([name, { text, bounds, origin: how, why }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Figure origin={how} why={why}>
              {text}
            </Figure>
            {bounds && <small>{bounds}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Moves({ moves }: { moves: Move[] }) {
  const moved = moves
    .map((move) => ({ move, by: Math.abs((move.total_high_usd ?? 0) - (move.total_low_usd ?? 0)) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .slice(0, 8)
  if (!moved.length) return null
  return (
    <details>
      <summary>What its cost is sensitive to</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Input</th>
            <th scope="col">Value (from–to)</th>
            <th scope="col" class="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {moved.map(({ move }) => (
            <tr key={move.name}>
              <td>{move.name}</td>
              <td>
                <Figure origin={move.provenance} why={move.source ?? undefined}>
                  {number.significant(move.value)} ({number.significant(move.low)}–
                  {number.significant(move.high)}) {move.unit}
                </Figure>
              </td>
              <td class="num">{number.span(number.money, move.total_low_usd, move.total_high_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
