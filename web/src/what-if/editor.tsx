// One design, with all that is known of it, and the parts to change: each change is played at once.

import { useEffect, useRef, useState } from 'preact/hooks'
import * as number from '../design/number'
import { Figure } from '../design/origin'
import { title } from './answer'
import type { Move, Parts, Verdict } from './document'
import * as origin from './origin'
import { reason } from './reason'
import { COUNT_MAX, LEVELS, PARTITIONS, fitted, stepped } from './parts'
import { partsOf, type Session } from './session'
import { OWN_MAX, pinned } from './state'

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

const SETTLE_MS = 150

function Fields({ session, parts: given }: { session: Session; parts: Parts }) {
  const [parts, setParts] = useState(given)
  const [isPlaying, setPlaying] = useState(false)
  const timerRef = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(
    () => () => {
      if (timerRef.current) clearTimeout(timerRef.current)
    },
    [],
  )
  const change = (next: Parts) => {
    const whole = fitted(next)
    setParts(whole)
    if (timerRef.current) clearTimeout(timerRef.current)
    timerRef.current = setTimeout(() => {
      setPlaying(true)
      void session.play(whole).then((line) => {
        setPlaying(false)
        if (line === null) return
        const own = session.carried.designs.some((design) => design.line === line)
          ? session.state.own
          : [
              ...session.state.own.filter((each) => JSON.stringify(each) !== JSON.stringify(whole)),
              whole,
            ].slice(-OWN_MAX)
        session.change({ ...session.state, picked: line, own }, 'edit')
      })
    }, SETTLE_MS)
  }
  return (
    <fieldset class="wi-fields">
      <legend>Change it</legend>
      <Choices session={session} parts={parts} change={change} />
      <Count parts={parts} change={change} />
      <p class="muted" aria-live="polite">
        {isPlaying ? 'The simulator plays the recorded peak on it …' : ''}
      </p>
    </fieldset>
  )
}

interface PartProps {
  parts: Parts
  change: (next: Parts) => void
}

function Choices({ session, parts, change }: PartProps & { session: Session }) {
  const { drives } = session.carried
  const level = parts.level ?? 'single'
  const set = (some: Partial<Parts>) => {
    change({ ...parts, ...some })
  }
  return (
    <>
      <Choice
        label="Drive"
        value={parts.drive}
        of={Object.entries(drives).map(([name, drive]) => [name, drive.title])}
        set={(drive) => {
          set({ drive })
        }}
      />
      <Choice
        label="Level"
        value={level}
        of={Object.entries(LEVELS).map(([name, { label }]) => [name, label])}
        set={(next) => {
          set({ level: next })
        }}
      />
      {LEVELS[level]?.isGrouped && (
        <Whole
          label="Groups"
          value={parts.groups}
          low={2}
          high={8}
          set={(groups) => {
            set({ groups })
          }}
        />
      )}
      {level !== 'single' && (
        <Whole
          label="Spares"
          value={parts.spares}
          low={0}
          high={4}
          set={(spares) => {
            set({ spares, count: parts.count - parts.spares + spares })
          }}
        />
      )}
      {drives[parts.drive]?.flash !== 'HDD' && (
        <Choice
          label="Partition"
          value={String(parts.partition)}
          of={PARTITIONS.map((share) => [
            String(share),
            share === 1 ? 'all of it' : `${Math.round(share * 100)} %, the rest is spare`,
          ])}
          set={(share) => {
            set({ partition: Number(share) })
          }}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  of: [string, string][]
  set: (value: string) => void
}

function Choice({ label, value, of, set }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          set(event.currentTarget.value)
        }}
      >
        {of.map(([name, said]) => (
          <option key={name} value={name}>
            {said}
          </option>
        ))}
      </select>
    </label>
  )
}

interface WholeProps {
  label: string
  value: number
  low: number
  high: number
  set: (value: number) => void
}

function Whole({ label, value, low, high, set }: WholeProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={low}
        max={high}
        value={value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber
          if (Number.isInteger(typed) && typed >= low && typed <= high) set(typed)
        }}
      />
    </label>
  )
}

function Count({ parts, change }: PartProps) {
  const isOne = (parts.level ?? 'single') === 'single'
  return (
    <div class="wi-count">
      <label for="wi-count">Drives</label>
      <button
        type="button"
        aria-label="Fewer drives"
        disabled={isOne}
        onClick={() => {
          change(stepped(parts, -1))
        }}
      >
        −
      </button>
      <input
        id="wi-count"
        type="range"
        min={1}
        max={COUNT_MAX}
        value={parts.count}
        disabled={isOne}
        aria-valuetext={`${parts.count} drives`}
        onInput={(event) => {
          change({ ...parts, count: Number(event.currentTarget.value) })
        }}
      />
      <button
        type="button"
        aria-label="More drives"
        disabled={isOne}
        onClick={() => {
          change(stepped(parts, 1))
        }}
      >
        +
      </button>
      <output>{parts.count}</output>
    </div>
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
