// One design, with all that is known of it, and what changes when its parts do.

import { useEffect, useMemo, useReducer } from 'preact/hooks'
import * as number from '../design/number'
import { Figure } from '../design/origin'
import { title } from './answer'
import { Sides } from './cache_fields'
import { change, changes, type Change, type Judged } from './change'
import type { Move, Verdict } from './document'
import { Editing, type Edit } from './editing'
import { Fields, OfCache, Rails } from './fields'
import * as origin from './origin'
import { LEVELS } from './parts'
import { reason } from './reason'
import { partsOf, type Session } from './session'
import { pinned } from './state'

export function Editor({ session, line }: { session: Session; line: string | null }) {
  const editing = useEditing(session)
  const looked = session.verdict(line)
  if (!looked) return <p class="wi-editor muted">Pick a design in the table or the chart.</p>
  const design = session.design(looked.index)
  const own = design ? partsOf(design) : null
  const edit = editing.of(looked.line)
  const verdict = edit ? editing.known(edit.parts) : looked
  return (
    <div class="wi-editor">
      {verdict ? <Head session={session} verdict={verdict} /> : <Untried session={session} edit={edit} />}
      {own ? (
        <Rails session={session} editing={editing} line={looked.line} own={own} />
      ) : (
        <p class="muted">It is not of one kind of drive, so its parts cannot be changed here.</p>
      )}
      <div class="wi-known">
        <Figures session={session} verdict={verdict} from={edit ? session.verdict(edit.from) : undefined} />
        {verdict && <Sides session={session} verdict={verdict} />}
        {verdict && <Pin session={session} verdict={verdict} />}
        {verdict?.moves && verdict.moves.length > 0 && <Moves moves={verdict.moves} />}
      </div>
      {own && <OfCache session={session} editing={editing} line={looked.line} own={own} />}
      {own && <Fields session={session} editing={editing} line={looked.line} own={own} />}
    </div>
  )
}

function useEditing(session: Session): Editing {
  const [, again] = useReducer((count: number) => count + 1, 0)
  const editing = useMemo(
    () =>
      new Editing(session, () => {
        again(undefined)
      }),
    [session],
  )
  useEffect(
    () => () => {
      editing.stop()
    },
    [editing],
  )
  return editing
}

function Head({ session, verdict }: { session: Session; verdict: Verdict }) {
  const ranked = session.judged.order.find(({ index }) => index === verdict.index)
  return (
    <div class="wi-head">
      <h3>{title(session, verdict)}</h3>
      <p>
        <code>{verdict.line}</code>
      </p>
      <p>
        <span class={`state ${verdict.state}`}>{verdict.state}</span>{' '}
        {reason(verdict, ranked, verdict === session.cheapest)}
      </p>
    </div>
  )
}

/** A design that is being made: its own title is the simulator's to say. */
function Untried({ session, edit }: { session: Session; edit: Edit | null }) {
  if (!edit) return <div class="wi-head" />
  const { drive, level, count, rented } = edit.parts
  const label = LEVELS[level ?? 'single']?.label ?? level
  return (
    <div class="wi-head">
      <h3>
        {count} × {rented?.kind ?? session.carried.drives[drive]?.title ?? drive}, {label}
      </h3>
      <p role="status">
        {edit.isPlaying ? 'The simulator plays the peak on it …' : 'Not tried yet: it is once it rests.'}
      </p>
    </div>
  )
}

function Pin({ session, verdict }: { session: Session; verdict: Verdict }) {
  const isPinned = session.state.pins.includes(verdict.line)
  return (
    <button
      type="button"
      aria-pressed={isPinned}
      onClick={() => {
        session.change(pinned(session.state, verdict.line), `pin ${verdict.line} ${performance.now()}`)
      }}
    >
      {isPinned ? 'Unpin' : 'Pin'}
    </button>
  )
}

interface FiguresProps {
  session: Session
  /** None of a design that is not tried yet. */
  verdict: Verdict | undefined
  /** What it is compared with. */
  from: Verdict | undefined
}

function known(session: Session, verdict: Verdict): Record<string, origin.Known> {
  const design = session.design(verdict.index)
  return {
    Headroom: origin.headroom(verdict),
    'p99 of reads': origin.p99(verdict, 'read', session),
    'p99 of writes': origin.p99(verdict, 'write', session),
    Life: origin.life(verdict),
    'Data loss': origin.loss(verdict),
    Cost: origin.total(verdict, session, design),
    Power: origin.power(verdict),
    Usable: origin.usable(verdict, design),
  }
}

function Figures({ session, verdict, from }: FiguresProps) {
  const shown = verdict ?? from
  if (!shown) return null
  const judged = (of: Verdict): Judged => ({ verdict: of, design: session.design(of.index) })
  const compared = from && verdict && from !== verdict ? { from: judged(from), now: judged(verdict) } : null
  const figures = Object.entries(known(session, shown))
  const names = figures.map(([name]) => name)
  return (
    <>
      <p class="muted wi-against">
        {from && verdict !== from ? `Against ${title(session, from)}:` : ''}
        <span class="hidden" aria-live="polite">
          {compared ? changes(names, compared.from, compared.now) : ''}
        </span>
      </p>
      <dl class={verdict ? 'wi-figures' : 'wi-figures stale'}>
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {verdict ? <Shown known={figure} /> : '…'}
              <Changed of={compared && change(name, compared.from, compared.now)} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Shown({ known: { text, bounds, origin: how, why } }: { known: origin.Known }) {
  return (
    <>
      <Figure origin={how} why={why}>
        {text}
      </Figure>
      {bounds && <small>{bounds}</small>}
    </>
  )
}

function Changed({ of }: { of: Change | null }) {
  if (!of) return null
  return (
    <small class={of.isBetter ? 'wi-change better' : 'wi-change worse'}>
      {of.text} <span class="wi-which">{of.isBetter ? 'better' : 'worse'}</span>
    </small>
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
