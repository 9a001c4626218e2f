// Designs side by side: what runs today, what is cheapest, and what a person pinned.

import { Figure } from '../design/origin'
import { title } from './answer'
import type { Verdict } from './document'
import * as origin from './origin'
import { reason } from './reason'
import type { Session } from './session'
import { pinned } from './state'

export function sideBySide(session: Session): Verdict[] {
  const today = session.judged.designs.filter((verdict) => session.design(verdict.index)?.today)
  const lines = [...today.map((verdict) => verdict.line), session.cheapest?.line, ...session.state.pins]
  return [...new Set(lines)].flatMap((line) => (line ? (session.verdict(line) ?? []) : []))
}

export function Side({ session }: { session: Session }) {
  const found = sideBySide(session)
  if (!session.state.pins.length && found.length < 2) {
    return <div class="wi-pinned" />
  }
  const figures: [string, (verdict: Verdict) => origin.Known][] = [
    ['Cost', (verdict) => origin.total(verdict, session, session.design(verdict.index))],
    ['Headroom', origin.headroom],
    ['p99 of reads', (verdict) => origin.p99(verdict, 'read', session)],
    ['p99 of writes', (verdict) => origin.p99(verdict, 'write', session)],
    ['Life', origin.life],
    ['Data loss', origin.loss],
    ['Power', origin.power],
    ['Usable', (verdict) => origin.usable(verdict, session.design(verdict.index))],
  ]
  return (
    <div class="wi-pinned">
      <h3 id="wi-pinned">Side by side</h3>
      <div class="wi-scroll" tabIndex={0} role="group" aria-labelledby="wi-pinned">
        <table class="wi-side">
          <thead>
            <tr>
              <td />
              {found.map((verdict) => (
                <Head key={verdict.line} verdict={verdict} session={session} />
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map(([name, of]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {found.map((verdict) => {
                  const { text, bounds, origin: how, why } = of(verdict)
                  return (
                    <td key={verdict.line}>
                      <Figure origin={how} why={why}>
                        {text}
                      </Figure>
                      {bounds && <small> {bounds}</small>}
                    </td>
                  )
                })}
              </tr>
            ))}
            <tr>
              <th scope="row">Verdict</th>
              {found.map((verdict) => (
                <td key={verdict.line}>
                  {reason(
                    verdict,
                    session.judged.order.find(({ index }) => index === verdict.index),
                    verdict === session.cheapest,
                  )}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Head({ verdict, session }: { verdict: Verdict; session: Session }) {
  const isPinned = session.state.pins.includes(verdict.line)
  const today = session.design(verdict.index)?.today
  return (
    <th scope="col">
      {title(session, verdict)}
      {today && <span class="mark">today</span>}
      {verdict === session.cheapest && <span class="mark">cheapest that fits</span>}
      {isPinned && (
        <button
          type="button"
          class="bare"
          aria-label={`Unpin ${title(session, verdict)}`}
          onClick={() => {
            session.change(pinned(session.state, verdict.line), `pin ${verdict.line} ${performance.now()}`)
          }}
        >
          unpin
        </button>
      )}
    </th>
  )
}
