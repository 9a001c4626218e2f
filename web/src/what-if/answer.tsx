// The answer, first and in a sentence: what is cheapest under these settings, and what it was under the plan's.

import * as number from '../design/number'
import { Figure } from '../design/origin'
import type { Verdict } from './document'
import * as origin from './origin'
import { missText } from './reason'
import { first, leastUsd, type Session } from './session'

export function title(session: Session, verdict: Verdict): string {
  const own = session.design(verdict.index)?.title ?? verdict.line
  return own.replaceAll(' x ', ' × ').replaceAll(/RAID (\d)/g, 'RAID\u00a0$1')
}

function Figures({ session, verdict }: { session: Session; verdict: Verdict }) {
  const { years } = session.judged.settings
  const cost = origin.total(verdict, session, session.design(verdict.index))
  const chance = verdict.latency_chance
  const rest: [string, origin.Known][] = [
    ['p99 of reads', origin.p99(verdict, 'read', session)],
    ['of writes', origin.p99(verdict, 'write', session)],
    ['headroom', origin.headroom(verdict)],
    ['life', origin.life(verdict)],
    ['data loss', origin.loss(verdict)],
  ]
  return (
    <>
      {typeof chance === 'number' && `Probably fits (${number.percent(chance)}): `}
      <Shown of={cost} /> over {number.significant(years)} {years === 1 ? 'year' : 'years'}
      {rest
        .filter(([, figure]) => figure.text !== number.ABSENT)
        .map(([name, figure]) => (
          <span key={name}>
            , {name} <Shown of={figure} />
          </span>
        ))}
    </>
  )
}

function Shown({ of: { text, bounds, origin: how, why } }: { of: origin.Known }) {
  return (
    <Figure origin={how} why={why}>
      {text}
      {bounds && ` (${bounds})`}
    </Figure>
  )
}

/** What the plan has, where it is another design or another cost now. */
function was(session: Session): string | null {
  const before = first(session.baseline)
  const now = session.cheapest
  if (session.judged === session.baseline) return null
  if (!before) return now ? 'In the plan nothing fits.' : null
  const cost = number.money(before.total_usd.value)
  const isSame = before.line === now?.line
  if (isSame && cost === number.money(now.total_usd.value)) return 'As in the plan.'
  const by = difference(before, now)
  if (isSame) return `In the plan it costs ${cost}${by}.`
  return `In the plan: ${title(session, before)}, ${cost}${by}.${nowMissed(session, before)}`
}

function difference(before: Verdict, now: Verdict | undefined): string {
  const [from, to] = [before.total_usd.value, now?.total_usd.value]
  if (typeof from !== 'number' || typeof to !== 'number') return ''
  const by = number.money(Math.abs(to - from))
  return by === number.money(0) ? '' : `; now ${by} ${to > from ? 'more' : 'less'}`
}

/** What the plan's own winner misses under these settings. */
function nowMissed(session: Session, before: Verdict): string {
  const misses = session.verdict(before.line)?.misses ?? []
  return misses.length ? ` It now misses: ${misses.map(missText).join('; ')}.` : ''
}

/** Of what misses, the one that misses fewest requirements, cheapest first. */
function nearest(session: Session): Verdict | undefined {
  const byNeed = (a: Verdict, b: Verdict) =>
    a.misses.length - b.misses.length || (a.total_usd.value ?? Infinity) - (b.total_usd.value ?? Infinity)
  return session.judged.designs.filter((verdict) => verdict.state === 'misses').sort(byNeed)[0]
}

function Nothing({ session }: { session: Session }) {
  if (session.unknown.length)
    return <p class="wi-title">Not known yet: designs are to be tried out at this load.</p>
  const near = nearest(session)
  return (
    <>
      <p class="wi-title none">Nothing fits</p>
      {near && (
        <p>
          The nearest, {title(session, near)}: {near.misses.map(missText).join('; ')}.
        </p>
      )}
    </>
  )
}

export function Answer({ session }: { session: Session }) {
  const { cheapest } = session
  const before = was(session)
  const cheaper = session.unknown.filter(
    (verdict) => leastUsd(verdict) < (cheapest?.total_usd.value ?? Infinity),
  ).length
  return (
    <div class="wi-answer" aria-live="polite">
      {cheapest ? (
        <>
          <p class="wi-title">
            <span class="muted">Cheapest that fits{cheaper ? ' so far' : ''}</span> {title(session, cheapest)}
          </p>
          <p>
            <Figures session={session} verdict={cheapest} />.
          </p>
        </>
      ) : (
        <Nothing session={session} />
      )}
      {before && <p class="muted">{before}</p>}
      {cheapest && cheaper > 0 && !session.isBusy && (
        <p class="muted">
          {cheaper} {cheaper === 1 ? 'design that may be cheaper is' : 'designs that may be cheaper are'} not
          yet tried out.
        </p>
      )}
    </div>
  )
}
